#include "messages/machine.hpp"

#include <algorithm>

namespace mazurka::messages {

namespace {

Vocabulary make_vocabulary() {
  Vocabulary vocabulary;
  add_kinds(vocabulary);
  return vocabulary;
}

// Objects of all kinds in one row of numbers.
ObjectId object_of(Op op, std::uint8_t number) {
  std::size_t group = 0;
  switch (op) {
    case Op::acquire:
    case Op::post: group = 1; break;
    case Op::lock: group = 2; break;
    case Op::arrive: group = 3; break;
    case Op::enqueue:
    case Op::signal:
    case Op::broadcast: group = 4; break;
    default: break;
  }
  constexpr std::size_t groups = 5;
  return static_cast<ObjectId>(number * groups + group);
}

std::optional<Change> change_of(Op op) {
  switch (op) {
    case Op::send:
    case Op::post: return Change::send;
    case Op::receive:
    case Op::acquire: return Change::receive;
    case Op::lock: return Change::request;
    case Op::unlock: return Change::release;
    case Op::arrive: return Change::arrive;
    case Op::enqueue: return Change::enqueue;
    case Op::signal: return Change::signal;
    case Op::broadcast: return Change::broadcast;
    default: return std::nullopt;
  }
}

}  // namespace

const Vocabulary& model_vocabulary() {
  static const Vocabulary vocabulary = make_vocabulary();
  return vocabulary;
}

void Machine::start() {
  states_.assign(model_->actors.size(), {});
  exchange_.clear();
}

bool Machine::running(std::size_t actor) const {
  return !states_[actor].failed && states_[actor].position < model_->actors[actor].size();
}

std::vector<std::uint8_t> Machine::made_requests(std::size_t actor, std::uint8_t among) const {
  std::vector<std::uint8_t> made;
  for (std::uint8_t request = 0; request < most_requests; ++request) {
    if ((among >> request & 1U) != 0 && states_[actor].tickets[request]) made.push_back(request);
  }
  return made;
}

std::vector<std::uint8_t> Machine::fulfilled_requests(std::size_t actor, std::uint8_t among) const {
  std::vector<std::uint8_t> found = made_requests(actor, among);
  std::erase_if(found, [&](std::uint8_t request) {
    return !exchange_.fulfilled(*states_[actor].tickets[request]);
  });
  return found;
}

const Ticket* Machine::waited(std::size_t actor) const {
  const ModelStep& step = next(actor);
  if (step.op != Op::wait) return nullptr;
  const ActorState& state = states_[actor];
  std::uint8_t request = state.picked;
  for (std::uint8_t at = 0; step.requests != 0 && at < most_requests; ++at) {
    if ((step.requests >> at & 1U) != 0) request = at;
  }
  if (request == nothing || !state.tickets[request]) return nullptr;
  return &*state.tickets[request];
}

bool Machine::enabled(std::size_t actor) const {
  if (!running(actor)) return false;
  const Ticket* ticket = waited(actor);
  return ticket == nullptr || exchange_.fulfilled(*ticket);
}

std::uint16_t Machine::choices(std::size_t actor) const {
  const ModelStep& step = next(actor);
  std::size_t count = 1;
  if (step.op == Op::test) count = fulfilled_requests(actor, step.requests).size();
  if (step.op == Op::pick) count = made_requests(actor, step.requests).size();
  return static_cast<std::uint16_t>(std::max<std::size_t>(count, 1));
}

void Machine::footprint(std::size_t actor, std::vector<Access>& out) const {
  out.clear();
  const ModelStep& step = next(actor);
  if (step.op == Op::test) {
    for (const std::uint8_t request : made_requests(actor, step.requests)) {
      out.push_back(test_of(*states_[actor].tickets[request], 0));
    }
  } else if (const Ticket* ticket = waited(actor)) {
    out.push_back(wait_of(*ticket, 0));
  } else if (step.op == Op::unlock) {
    const ModelStep& request = request_step(model_->actors[actor], step.x);
    out.push_back(access_of(Change::release, object_of(Op::lock, request.x), 0));
  } else if (const auto change = change_of(step.op)) {
    out.push_back(access_of(*change, object_of(step.op, step.x), 0));
  }
}

std::uint32_t Machine::cause(std::size_t actor) const {
  const Ticket* ticket = waited(actor);
  return ticket == nullptr ? no_event : exchange_.cause(*ticket);
}

bool Machine::fulfils(std::size_t actor, std::size_t other) const {
  if (!running(other)) return false;
  const Ticket* ticket = waited(other);
  const ModelStep& step = next(actor);
  const auto change = change_of(step.op);
  if (ticket == nullptr || !change) return false;
  if (step.op != Op::unlock) {
    return exchange_.fulfils(*change, object_of(step.op, step.x), *ticket);
  }
  const auto& released = states_[actor].tickets[step.x];
  if (!released || exchange_.withdrawn(*released)) return false;
  return exchange_.fulfils(*change, released->object, *ticket, &*released);
}

void Machine::make_request(std::size_t actor, const ModelStep& step, std::uint32_t event) {
  const Entry entry{event, static_cast<ProcessId>(actor), 0};
  const ObjectId object = object_of(step.op, step.x);
  Ticket ticket;
  switch (step.op) {
    case Op::send: ticket = exchange_.send(object, entry); break;
    case Op::receive: ticket = exchange_.receive(object, entry); break;
    case Op::acquire: ticket = exchange_.receive(object, entry, semaphore_credit); break;
    case Op::lock: ticket = exchange_.request(object, entry); break;
    case Op::arrive: ticket = exchange_.arrive(object, entry, barrier_round); break;
    default: ticket = exchange_.enqueue(object, entry); break;
  }
  ActorState& state = states_[actor];
  state.tickets[request_number(model_->actors[actor], state.position)] = ticket;
}

void Machine::perform(std::size_t actor, std::uint16_t choice, std::uint32_t event) {
  const ModelStep& step = next(actor);
  ActorState& state = states_[actor];
  std::size_t jump = 0;
  if (makes_request(step.op)) make_request(actor, step, event);
  switch (step.op) {
    case Op::unlock:
      if (const auto& request = state.tickets[step.x]) exchange_.release(*request, event);
      break;
    case Op::post:
      exchange_.send(object_of(step.op, step.x), {event, static_cast<ProcessId>(actor), 0});
      break;
    case Op::signal:
    case Op::broadcast:
      exchange_.signal(object_of(step.op, step.x), event, step.op == Op::broadcast);
      break;
    case Op::test: {
      const auto found = fulfilled_requests(actor, step.requests);
      state.value = 0;
      if (found.empty()) {
        jump = step.skip;
      } else {
        state.value = static_cast<std::uint8_t>(found[choice] + 1);
      }
      break;
    }
    case Op::pick: {
      const auto made = made_requests(actor, step.requests);
      state.picked = made.empty() ? nothing : made[choice];
      state.picked_from = step.requests;
      break;
    }
    case Op::wait: {
      const Ticket* ticket = waited(actor);
      const Entry* partner = ticket == nullptr ? nullptr : exchange_.partner(*ticket);
      state.value = static_cast<std::uint8_t>(partner == nullptr ? 0 : index(partner->process) + 1);
      if (step.requests == 0) state.picked = nothing;
      break;
    }
    case Op::skip_if:
      if (state.value == step.x) jump = step.skip;
      break;
    case Op::check: state.failed = state.value == step.x; break;
    default: break;
  }
  state.position =
      static_cast<std::uint8_t>(std::min(state.position + 1 + jump, model_->actors[actor].size()));
}

bool Machine::waits_by_choice(std::size_t actor) const {
  return running(actor) && next(actor).op == Op::wait && next(actor).requests == 0 &&
         !enabled(actor) && !fulfilled_requests(actor, states_[actor].picked_from).empty();
}

std::string Machine::actors_text() const {
  std::string text;
  for (const ActorState& state : states_) {
    for (const unsigned part : {unsigned{state.position}, unsigned{state.value},
                                unsigned{state.picked}, unsigned{state.failed}}) {
      text += std::to_string(part) + ' ';
    }
    text += '|';
  }
  return text;
}

std::string Machine::text() const { return actors_text() + exchange_.text(); }

}  // namespace mazurka::messages
