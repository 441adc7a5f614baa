#include "programs/promela/machine.hpp"

#include <algorithm>

#include "core/check.hpp"

namespace mazurka::promela {

namespace {

constexpr std::size_t steps_without_look = 8;       // of an atomic sequence
constexpr std::size_t longest_d_step = 10'000'000;  // steps

}  // namespace

Configuration Machine::initial() {
  try {
    return begun();
  } catch (const Fault& fault) {
    refuse(fault, "what a variable begins with");
  }
}

Configuration Machine::begun() {
  Configuration state;
  std::uint32_t size = before_globals + model_.global_size;
  for (const std::uint32_t type : model_.channels) size += model_.channel_types[type].size();
  state.bytes.assign(size, 0);
  values_.lay_out(state);
  state.processes.push_back(0);  // for those who evaluate without being a process
  begin_with(model_.initials, state, 0, 0);
  values_.lay_out(state);
  for (std::uint32_t type = 0; type < model_.proctypes.size(); ++type) {
    for (std::uint32_t count = 0; count < model_.proctypes[type].active; ++count) {
      start(type, state, {});
    }
  }
  return state;
}

Configuration Machine::unpacked(std::vector<std::uint8_t> bytes) const {
  Configuration state;
  state.bytes = std::move(bytes);
  values_.lay_out(state);
  return state;
}

bool Machine::expand(const Configuration& from) {
  depth_ = 0;
  trail_.clear();
  passed_.clear();
  if (move_all(from, false)) return true;
  return model_.has_timeout && move_all(from, true);
}

bool Machine::expand_one(const Configuration& from, std::uint32_t process, std::size_t transition) {
  depth_ = 0;
  trail_.clear();
  passed_.clear();
  const Mover mover{process, false};
  if (!is_let(from, mover)) return false;
  const std::vector<Transition>& all = location(from, process).transitions;
  MAZURKA_CHECK(transition < all.size(), "a process does what its location offers");
  if (model_.statements[all[transition].statement].act == Act::otherwise) {
    for (std::size_t before = 0; before < transition; ++before) {
      const Statement& statement = model_.statements[all[before].statement];
      const View view{from, process, false};
      if (!is_possible(statement, view)) continue;
      if (is_rendezvous(statement, view)) {
        values_.footprint()->gives_up("'else' stands beside a rendezvous");
      }
      return false;
    }
  }
  return attempt_checked(from, mover, all[transition]);
}

bool Machine::may_end(const Configuration& at) const {
  for (std::uint32_t process = 0; process < at.processes.size(); ++process) {
    if (!location(at, process).may_end) return false;
  }
  return true;
}

bool Machine::move_all(const Configuration& from, bool timeout) {
  bool any = false;
  for (auto process = static_cast<std::uint32_t>(from.processes.size()); process-- > 0;) {
    if (move(from, {process, timeout})) any = true;
  }
  return any;
}

bool Machine::is_let(const Configuration& at, const Mover& mover) const {
  const ExpressionId provided = model_.proctypes[at.proctype(mover.process)].provided;
  if (provided == none) return true;
  try {
    return values_.evaluate(provided, {at, mover.process, mover.timeout}) != 0;
  } catch (const Fault& fault) {
    refuse(fault, "what a process is provided with");
  }
}

void Machine::refuse(const Fault& fault, const std::string& what) const {
  throw PromelaError(model_.files[fault.place.file], fault.place.line,
                     what + " can not be evaluated: " + fault.message);
}

bool Machine::move(const Configuration& from, const Mover& mover) {
  if (!is_let(from, mover)) return false;
  bool any = false;
  for (const Transition& transition : location(from, mover.process).transitions) {
    if (any && model_.statements[transition.statement].act == Act::otherwise) continue;
    if (attempt_checked(from, mover, transition)) any = true;
  }
  return any;
}

bool Machine::attempt_checked(const Configuration& from, const Mover& mover,
                              const Transition& transition) {
  const std::size_t steps = trail_.size();
  const std::size_t depth = depth_;
  try {
    const bool done = attempt(from, mover, transition);
    // Ensures: what was tried in between has been taken back.
    MAZURKA_CHECK(trail_.size() == steps && depth_ == depth,
                  "a step that was tried leaves no trail");
    return done;
  } catch (const Fault& fault) {
    MAZURKA_CHECK(trail_.size() >= steps && depth_ >= depth, "a fault is one of the step tried");
    if (trail_.size() == steps) note(from, mover, transition.statement);
    callbacks_.failed(fault.message, fault.place, trail_);
    trail_.resize(steps);
    depth_ = depth;
    return true;
  }
}

bool Machine::attempt(const Configuration& from, const Mover& mover, const Transition& transition) {
  const Statement& statement = model_.statements[transition.statement];
  const View view{from, mover.process, mover.timeout};
  if (statement.act == Act::end && mover.process + 1 != from.processes.size()) return false;
  if (!is_possible(statement, view)) return false;
  if (is_rendezvous(statement, view)) {
    if (depth_ > 0 && values_.footprint() != nullptr) {
      values_.footprint()->gives_up("there is a rendezvous inside of an atomic sequence");
    }
    return meet(from, mover, transition);
  }
  if (depth_ == buffers_.size()) buffers_.emplace_back();
  Configuration& state = buffers_[depth_];
  state = from;
  note(from, mover, transition.statement);
  bool done = true;
  if (statement.act == Act::d_step) {
    done = run_d_step(statement, state, mover);
  } else {
    perform(statement, state, mover);
  }
  if (done) {
    if (statement.act != Act::end) state.go_to(mover.process, transition.target);
    arrive(state, mover.process, transition.atomic);
  }
  trail_.pop_back();
  return done;
}

/// After a step: whether others may move is a matter of the transition.
void Machine::arrive(const Configuration& at, std::uint32_t process, bool atomic) {
  if (atomic) {
    if (depth_ >= steps_without_look && !passed_.emplace(process, at.bytes).second) return;
    ++depth_;
    const bool moved = move(at, {process, false});
    --depth_;
    if (moved) return;
  }
  callbacks_.reached(at, trail_);
}

bool Machine::is_possible(const Statement& statement, const View& view) const {
  switch (statement.act) {
    case Act::condition: return values_.evaluate(statement.expression, view) != 0;
    case Act::send: {
      const Configuration::Channel& to = values_.channel(statement.expression, view);
      const ChannelType& type = model_.channel_types[to.type];
      values_.refuse_too_many(statement.arguments.size(), statement.place);
      return values_.length(view.at, to) < type.slots();
    }
    case Act::receive: return values_.matching(model_.receives[statement.receive], view) >= 0;
    default: return true;
  }
}

bool Machine::is_rendezvous(const Statement& statement, const View& view) const {
  if (statement.act != Act::send) return false;
  const Configuration::Channel& to = values_.channel(statement.expression, view);
  return model_.channel_types[to.type].capacity == 0;
}

/// A rendezvous with everybody who can receive: the message is in the channel only in between.
/// Requires: the channel has no room, and the message of nobody else is in it.
bool Machine::meet(const Configuration& from, const Mover& sender, const Transition& transition) {
  const Statement& statement = model_.statements[transition.statement];
  const std::uint32_t channel =
      values_.channel(statement.expression, {from, sender.process, false}).offset;
  MAZURKA_CHECK(from.bytes[channel] == 0, "no message stays in a channel without room");
  Configuration between = from;
  note(from, sender, transition.statement);
  perform(statement, between, sender);
  between.go_to(sender.process, transition.target);
  bool any = false;
  for (auto process = static_cast<std::uint32_t>(from.processes.size()); process-- > 0;) {
    const Mover receiver{process, sender.timeout};
    if (process == sender.process || !is_let(between, receiver)) continue;
    for (const Transition& reply : location(between, process).transitions) {
      const Statement& answer = model_.statements[reply.statement];
      const View view{between, process, sender.timeout};
      if (answer.act != Act::receive ||
          values_.channel(answer.expression, view).offset != channel ||
          !is_possible(answer, view)) {
        continue;
      }
      if (model_.receives[answer.receive].keep) {
        throw PromelaError(model_.files[answer.place.file], answer.place.line,
                           "a rendezvous can not leave the message where it is");
      }
      if (depth_ == buffers_.size()) buffers_.emplace_back();
      Configuration& state = buffers_[depth_];
      state = between;
      note(between, receiver, reply.statement);
      perform(answer, state, receiver);
      MAZURKA_CHECK(state.bytes[channel] == 0, "a rendezvous takes the message out of the channel");
      state.go_to(process, reply.target);
      arrive(state, process, reply.atomic);
      trail_.pop_back();
      any = true;
    }
  }
  trail_.pop_back();
  return any;
}

/// Until it is left; the first possible statement is taken each time. False: it can not begin.
bool Machine::run_d_step(const Statement& statement, Configuration& state, const Mover& mover) {
  const std::vector<Location>& locations =
      model_.proctypes[state.proctype(mover.process)].locations;
  LocationId at = statement.inside;
  for (std::size_t steps = 0; locations[at].d_step == statement.d_step; ++steps) {
    const Transition* chosen = nullptr;
    for (const Transition& transition : locations[at].transitions) {
      const Statement& inner = model_.statements[transition.statement];
      const View view{state, mover.process, mover.timeout};
      if (!is_possible(inner, view)) continue;
      if (is_rendezvous(inner, view) || inner.act == Act::run) {
        throw PromelaError(model_.files[inner.place.file], inner.place.line,
                           inner.act == Act::run ? "'run' in a d_step"
                                                 : "a rendezvous in a d_step is not supported");
      }
      chosen = &transition;
      break;
    }
    if (chosen == nullptr && steps == 0) return false;
    if (chosen == nullptr) throw Fault{"a d_step can not go on", locations[at].place};
    if (steps > longest_d_step) throw Fault{"a d_step does not end", statement.place};
    perform(model_.statements[chosen->statement], state, mover);
    at = chosen->target;
    MAZURKA_CHECK(at < locations.size(), "a step leads to a location of its process");
  }
  return true;
}

void Machine::note(const Configuration& state, const Mover& mover, StatementId statement) {
  trail_.push_back({mover.process, state.proctype(mover.process), statement, {}});
}

void Machine::note_value(std::int32_t value) {
  if (keep_values_ && !trail_.empty()) trail_.back().values.push_back(value);
}

}  // namespace mazurka::promela
