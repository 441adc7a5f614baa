#include "programs/promela/values.hpp"

#include <algorithm>
#include <cstring>

#include "core/check.hpp"
#include "programs/promela/arithmetic.hpp"

namespace mazurka::promela {

std::int32_t load(const std::uint8_t* at, Cell cell) {
  switch (cell.kind) {
    case CellKind::bit:
    case CellKind::byte: return *at;
    case CellKind::short_int: {
      std::int16_t value = 0;
      std::memcpy(&value, at, sizeof value);
      return value;
    }
    default: {
      std::int32_t value = 0;
      std::memcpy(&value, at, sizeof value);
      return value;
    }
  }
}

void store(std::uint8_t* at, Cell cell, std::int32_t value) {
  switch (cell.kind) {
    case CellKind::bit: *at = static_cast<std::uint8_t>(value & 1); break;
    case CellKind::byte: *at = static_cast<std::uint8_t>(value); break;
    case CellKind::short_int: {
      const auto narrow = static_cast<std::int16_t>(value);
      std::memcpy(at, &narrow, sizeof narrow);
      break;
    }
    case CellKind::few_bits: {
      const auto mask = static_cast<std::int32_t>((1U << cell.bits) - 1U);
      const std::int32_t narrow = value & mask;
      std::memcpy(at, &narrow, sizeof narrow);
      break;
    }
    default: std::memcpy(at, &value, sizeof value); break;
  }
}

void Values::lay_out(Configuration& state) const {
  state.processes.clear();
  state.channels.clear();
  std::uint32_t at = before_globals + model_.global_size;
  const auto pass_channels = [&](const std::vector<std::uint32_t>& types) {
    for (const std::uint32_t type : types) {
      state.channels.push_back({at, type});
      at += model_.channel_types[type].size();
    }
  };
  pass_channels(model_.channels);
  for (std::uint32_t process = 0; process < state.bytes[0]; ++process) {
    state.processes.push_back(at);
    const Proctype& proctype = model_.proctypes[state.bytes[at]];
    at += before_locals + proctype.size;
    pass_channels(proctype.channels);
  }
  // Ensures: processes and channels are found in bytes that are there, and no byte is left over.
  MAZURKA_CHECK(at == state.bytes.size(), "the parts of a state are as long as the state");
}

std::uint32_t Values::address(ReferenceId id, const View& view) const {
  const Reference& reference = model_.references[id];
  std::uint32_t at =
      reference.offset +
      (reference.local ? view.at.processes[view.process] + before_locals : before_globals);
  for (const Reference::Index& index : reference.indices) {
    const std::int32_t wanted = evaluate(index.at, view);
    if (wanted < 0 || static_cast<std::uint32_t>(wanted) >= index.count) {
      throw Fault{"index " + std::to_string(wanted) + " of " + reference.name + " is not below " +
                      std::to_string(index.count),
                  reference.place};
    }
    at += static_cast<std::uint32_t>(wanted) * index.stride;
  }
  MAZURKA_CHECK(at < view.at.bytes.size(), "a variable is inside of the state");
  return at;
}

const Configuration::Channel& Values::channel(ExpressionId id, const View& view) const {
  const std::int32_t number = evaluate(id, view);
  if (number < 1 || static_cast<std::uint32_t>(number) > view.at.channels.size()) {
    const Place& place = model_.expressions[id].place;
    throw Fault{"a channel is used that was not made", place};
  }
  const Configuration::Channel& found = view.at.channels[static_cast<std::uint32_t>(number) - 1];
  if (footprint_ != nullptr && model_.channel_types[found.type].capacity != 0) {
    footprint_->reads(found.offset);
  }
  return found;
}

std::int32_t Values::field(const Configuration& state, const Configuration::Channel& channel,
                           std::uint32_t slot, std::uint32_t field) const {
  const ChannelType& type = model_.channel_types[channel.type];
  MAZURKA_CHECK(slot < length(state, channel) && field < type.fields.size(),
                "a field is read of a message that is in the channel");
  return load(
      state.bytes.data() + channel.offset + 1 + slot * type.message_size + type.offsets[field],
      type.fields[field]);
}

std::string shown_fields(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " field" : " fields");
}

bool Values::matches(const Receive& receive, const Configuration::Channel& channel,
                     std::uint32_t slot, const View& view) const {
  const std::size_t known =
      std::min(receive.patterns.size(), model_.channel_types[channel.type].fields.size());
  for (std::uint32_t at = 0; at < known; ++at) {
    const Pattern& pattern = receive.patterns[at];
    if (pattern.kind != Pattern::Kind::match) continue;
    if (evaluate(pattern.value, view) != field(view.at, channel, slot, at)) return false;
  }
  return true;
}

int Values::matching(const Receive& receive, const View& view) const {
  const Configuration::Channel& from = channel(receive.channel, view);
  const Place& place = model_.expressions[receive.channel].place;
  refuse_too_many(receive.patterns.size(), place);
  const std::uint32_t count =
      receive.anywhere ? length(view.at, from) : std::min(length(view.at, from), 1U);
  for (std::uint32_t slot = 0; slot < count; ++slot) {
    if (!matches(receive, from, slot, view)) continue;
    const std::size_t fields = model_.channel_types[from.type].fields.size();
    if (receive.patterns.size() > fields) {
      throw Fault{"the receive has " + shown_fields(receive.patterns.size()) +
                      ", the messages of the channel have " + std::to_string(fields),
                  place};
    }
    return static_cast<int>(slot);
  }
  return -1;
}

void Values::refuse_too_many(std::size_t fields, const Place& place) const {
  const bool possible =
      std::any_of(model_.channel_types.begin(), model_.channel_types.end(),
                  [&](const ChannelType& type) { return type.fields.size() >= fields; });
  if (possible) return;
  throw PromelaError(model_.files[place.file], place.line,
                     "no channel has messages of " + shown_fields(fields));
}

std::int32_t Values::about_channel(const Expression& expression, const View& view) const {
  const Configuration::Channel& which = channel(expression.first, view);
  const std::uint32_t count = length(view.at, which);
  const bool full = count == model_.channel_types[which.type].slots();
  switch (expression.kind) {
    case Operator::length: return static_cast<std::int32_t>(count);
    case Operator::full: return full ? 1 : 0;
    case Operator::not_full: return full ? 0 : 1;
    case Operator::empty: return count == 0 ? 1 : 0;
    default: return count == 0 ? 0 : 1;
  }
}

std::int32_t Values::evaluate(ExpressionId id, const View& view) const {
  const Expression& expression = model_.expressions[id];
  switch (expression.kind) {
    case Operator::constant: return expression.value;
    case Operator::variable: {
      const auto reference = static_cast<ReferenceId>(expression.value);
      const std::uint32_t at = address(reference, view);
      if (footprint_ != nullptr && !model_.references[reference].local) footprint_->reads(at);
      return load(view.at.bytes.data() + at, model_.references[reference].cell);
    }
    case Operator::own_pid: return static_cast<std::int32_t>(view.process);
    case Operator::process_count:
      if (footprint_ != nullptr) footprint_->gives_up("the number of processes matters (_nr_pr)");
      return view.at.bytes[0];
    case Operator::timeout: return view.timeout ? 1 : 0;
    case Operator::logical_and:
      return evaluate(expression.first, view) != 0 && evaluate(expression.second, view) != 0 ? 1
                                                                                             : 0;
    case Operator::logical_or:
      return evaluate(expression.first, view) != 0 || evaluate(expression.second, view) != 0 ? 1
                                                                                             : 0;
    case Operator::conditional:
      return evaluate(evaluate(expression.first, view) != 0 ? expression.second : expression.third,
                      view);
    case Operator::length:
    case Operator::full:
    case Operator::not_full:
    case Operator::empty:
    case Operator::not_empty: return about_channel(expression, view);
    case Operator::poll:
      return matching(model_.receives[static_cast<ReceiveId>(expression.value)], view) >= 0 ? 1 : 0;
    default: break;
  }
  const std::int32_t left = evaluate(expression.first, view);
  const std::int32_t right = expression.second == none ? 0 : evaluate(expression.second, view);
  const std::optional<std::int32_t> result = apply(expression.kind, left, right);
  if (!result) throw Fault{"a division by zero", expression.place};
  return *result;
}

}  // namespace mazurka::promela
