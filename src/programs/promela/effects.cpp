// What statements do to a state.
#include <algorithm>

#include "core/check.hpp"
#include "programs/promela/machine.hpp"

namespace mazurka::promela {

namespace {
constexpr std::uint32_t most_processes = 255;
}  // namespace

void Machine::perform(const Statement& statement, Configuration& state, const Mover& mover) {
  const View view{state, mover.process, mover.timeout};
  switch (statement.act) {
    case Act::assign: {
      const std::int32_t value = values_.evaluate(statement.expression, view);
      const Cell cell = model_.references[statement.target].cell;
      std::uint8_t* at = state.bytes.data() + values_.address_to_write(statement.target, view);
      store(at, cell, value);
      note_value(load(at, cell));
      break;
    }
    case Act::send: send(statement, state, view); break;
    case Act::receive: receive(model_.receives[statement.receive], state, view); break;
    case Act::assertion:
      if (values_.evaluate(statement.expression, view) == 0) {
        callbacks_.failed(statement.text, statement.place, trail_);
      }
      break;
    case Act::run: run(statement, state, mover); break;
    case Act::end: end(state); break;
    default: break;
  }
}

void Machine::send(const Statement& statement, Configuration& state, const View& view) {
  const Configuration::Channel to = values_.channel(statement.expression, view);
  const ChannelType& type = model_.channel_types[to.type];
  std::vector<std::int32_t> message;
  for (const ExpressionId argument : statement.arguments) {
    message.push_back(values_.evaluate(argument, view));
    note_value(message.back());
  }
  // As in SPIN's verifier the message is sent all the same, with zeros or without the last fields.
  if (message.size() != type.fields.size()) {
    callbacks_.failed("the message has " + shown_fields(message.size()) +
                          ", those of the channel have " + std::to_string(type.fields.size()),
                      statement.place, trail_);
    message.resize(type.fields.size(), 0);
  }
  const std::uint32_t count = values_.length(state, to);
  MAZURKA_CHECK(count < type.slots(), "a message is sent into a channel that has room");
  std::uint32_t slot = count;
  if (statement.sorted) {
    for (slot = 0; slot < count; ++slot) {
      std::vector<std::int32_t> there;
      for (std::uint32_t at = 0; at < message.size(); ++at) {
        there.push_back(values_.field(state, to, slot, at));
      }
      if (message < there) break;
    }
  }
  std::uint8_t* slots = state.bytes.data() + to.offset + 1;
  std::copy_backward(slots + slot * type.message_size, slots + count * type.message_size,
                     slots + (count + 1) * type.message_size);
  for (std::size_t at = 0; at < message.size(); ++at) {
    store(slots + slot * type.message_size + type.offsets[at], type.fields[at], message[at]);
  }
  ++state.bytes[to.offset];
}

void Machine::receive(const Receive& receive, Configuration& state, const View& view) {
  const Configuration::Channel from = values_.channel(receive.channel, view);
  const ChannelType& type = model_.channel_types[from.type];
  const int found = values_.matching(receive, view);
  MAZURKA_CHECK(found >= 0, "a message is received where one matches");
  const auto slot = static_cast<std::uint32_t>(found);
  for (std::uint32_t at = 0; at < receive.patterns.size(); ++at) {
    const std::int32_t value = values_.field(state, from, slot, at);
    note_value(value);
    const Pattern& pattern = receive.patterns[at];
    if (pattern.kind != Pattern::Kind::store) continue;
    store(state.bytes.data() + values_.address_to_write(pattern.variable, view),
          model_.references[pattern.variable].cell, value);
  }
  if (receive.keep) return;
  // As in SPIN's verifier the rest of the message is gone. A poll may leave fields out.
  if (receive.patterns.size() < type.fields.size()) {
    callbacks_.failed("the receive has " + shown_fields(receive.patterns.size()) +
                          ", the messages of the channel have " +
                          std::to_string(type.fields.size()),
                      model_.expressions[receive.channel].place, trail_);
  }
  const std::uint32_t count = values_.length(state, from);
  MAZURKA_CHECK(slot < count, "what is stored where messages are stored leaves their number alone");
  std::uint8_t* slots = state.bytes.data() + from.offset + 1;
  std::copy(slots + (slot + 1) * type.message_size, slots + count * type.message_size,
            slots + slot * type.message_size);
  std::fill(slots + (count - 1) * type.message_size, slots + count * type.message_size,
            std::uint8_t{0});
  --state.bytes[from.offset];
}

void Machine::run(const Statement& statement, Configuration& state, const Mover& mover) {
  if (values_.footprint() != nullptr) {
    values_.footprint()->gives_up("a process is started while others run");
  }
  if (state.processes.size() >= most_processes) {
    throw PromelaError(model_.files[statement.place.file], statement.place.line,
                       "there are more than 255 processes at once");
  }
  std::vector<std::int32_t> arguments;
  for (const ExpressionId argument : statement.arguments) {
    arguments.push_back(values_.evaluate(argument, {state, mover.process, mover.timeout}));
    note_value(arguments.back());
  }
  start(statement.proctype, state, arguments);
  if (statement.target == none) return;
  const std::uint32_t at = values_.address(statement.target, {state, mover.process, mover.timeout});
  store(state.bytes.data() + at, model_.references[statement.target].cell,
        static_cast<std::int32_t>(state.processes.size() - 1));
}

void Machine::start(std::uint32_t proctype, Configuration& state,
                    const std::vector<std::int32_t>& arguments) {
  const Proctype& type = model_.proctypes[proctype];
  std::size_t size = state.bytes.size();
  const std::size_t begin = size;
  size += before_locals + type.size;
  for (const std::uint32_t channel : type.channels) size += model_.channel_types[channel].size();
  state.bytes.resize(size, 0);
  state.bytes[begin] = static_cast<std::uint8_t>(proctype);
  ++state.bytes[0];
  const auto first_channel = static_cast<std::uint32_t>(state.channels.size());
  values_.lay_out(state);
  const auto process = static_cast<std::uint32_t>(state.processes.size() - 1);
  MAZURKA_CHECK(state.processes.back() == begin, "a process that starts stands behind all others");
  MAZURKA_CHECK(arguments.size() <= type.parameters.size(), "each argument has a parameter");
  state.go_to(process, type.initial);
  for (std::size_t at = 0; at < arguments.size(); ++at) {
    const ReferenceId parameter = type.parameters[at];
    store(state.bytes.data() + values_.address(parameter, {state, process, false}),
          model_.references[parameter].cell, arguments[at]);
  }
  begin_with(type.initials, state, process, first_channel);
}

void Machine::begin_with(const std::vector<Initial>& initials, Configuration& state,
                         std::uint32_t process, std::uint32_t first_channel) {
  for (const Initial& initial : initials) {
    const View view{state, process, false};
    const std::int32_t value = initial.channel != none ? static_cast<std::int32_t>(++first_channel)
                                                       : values_.evaluate(initial.value, view);
    store(state.bytes.data() + values_.address(initial.variable, view),
          model_.references[initial.variable].cell, value);
  }
}

// Requires: the last process is at its end.
void Machine::end(Configuration& state) {
  MAZURKA_CHECK(!state.processes.empty() && state.bytes[0] == state.processes.size(),
                "only a process that exists can end");
  state.bytes.resize(state.processes.back());
  --state.bytes[0];
  values_.lay_out(state);
}

}  // namespace mazurka::promela
