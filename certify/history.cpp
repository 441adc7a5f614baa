#include "history.hpp"

#include <algorithm>
#include <cassert>

namespace certify {

Histories::Histories(const Certificate& certificate, const Secret& secret)
    : certificate_(certificate),
      secret_(secret),
      processes_(static_cast<std::uint32_t>(certificate.processes.size())),
      own_(processes_),
      users_(certificate.objects.size()),
      values_(certificate.objects.size()),
      at_(processes_),
      known_(processes_),
      birth_(processes_, none),
      born_(processes_) {}

void Histories::refuse(const std::string& what) const { throw NoExecution(what, size()); }

bool Histories::next() {
  if (position_ == certificate_.schedules.size()) return false;
  const Schedule& schedule = certificate_.schedules[position_];
  begin(schedule);
  ++position_;
  for (std::uint32_t at = 0; at < schedule.count; ++at) {
    perform(certificate_.steps[schedule.added + at]);
  }
  check_end();
  return true;
}

void Histories::begin(const Schedule& schedule) {
  shared_ = schedule.begins == begins_ ? schedule.shared : 0;
  // What is shared is performed again by its steps where the processes begin in other nodes.
  std::vector<Step> repeated;
  if (position_ == 0) {
    shared_ = 0;
    forget(0);
  } else if (shared_ < schedule.shared) {
    for (std::uint32_t at = 0; at < schedule.shared; ++at) {
      const Event& event = events_[at];
      const std::vector<std::uint32_t>& children = certificate_.nodes[event.node].children;
      const auto child = std::find(children.begin(), children.end(), event.after);
      repeated.push_back({event.process, static_cast<std::uint32_t>(child - children.begin())});
    }
    forget(0);
  } else {
    forget(shared_);
  }
  begins_ = schedule.begins;
  for (std::uint32_t process = 0; process < processes_; ++process) {
    const Process& described = certificate_.processes[process];
    const bool there = described.parent == none || birth_[process] != none;
    born_[process] = there;
    if (!own_[process].empty()) {
      at_[process] = events_[own_[process].back()].after;
      known_[process] = events_[own_[process].back()].id;
      continue;
    }
    at_[process] = described.first.front();
    for (const auto& [which, node] : begins_) {
      if (which == process) at_[process] = node;
    }
    Hasher hasher(secret_);
    hasher.add(process);
    if (birth_[process] != none) hasher.add(events_[birth_[process]].id);
    known_[process] = hasher.value();
  }
  perform_again();
  for (const Step& step : repeated) perform(step);
}

void Histories::forget(std::uint32_t from) {
  if (from < events_.size()) directs_.resize(events_[from].first_direct);
  events_.resize(from);
  clocks_.resize(std::size_t{from} * processes_);
  for (auto* lists : {&own_, &users_}) {
    for (std::vector<std::uint32_t>& list : *lists) {
      while (!list.empty() && list.back() >= from) list.pop_back();
    }
  }
  while (!ends_program_.empty() && ends_program_.back() >= from) ends_program_.pop_back();
  for (std::uint32_t& birth : birth_) {
    if (birth != none && birth >= from) birth = none;
  }
}

// The values after the events that are kept.
void Histories::perform_again() {
  for (std::size_t object = 0; object < values_.size(); ++object) {
    values_[object].number = certificate_.objects[object].initial;
    values_[object].waiting.clear();
    values_[object].woken.clear();
    values_[object].sharers.clear();
  }
  for (const Event& event : events_) {
    const Outcome& outcome = certificate_.nodes[event.after].outcome;
    const Operation& performed = operation(event);
    for (std::size_t at = 0; at < performed.parts.size(); ++at) {
      const Part& part = performed.parts[at];
      certify::perform(part, event.process, outcome.choice, outcome.parts[at],
                       values_[part.object]);
    }
  }
}

bool Histories::has_ended(std::uint32_t process) const {
  return born_[process] && operation_at_end(process).end &&
         (ends_program_.empty() || events_[ends_program_.back()].process != process);
}

bool Histories::is_stopped() const { return !ends_program_.empty(); }

bool Histories::can_be_performed(std::uint32_t process) const {
  const Operation& next = operation_at_end(process);
  if (next.end || !born_[process]) return false;
  if (next.joins != none && !has_ended(next.joins)) return false;
  return std::all_of(next.parts.begin(), next.parts.end(), [&](const Part& part) {
    return enabled(part, process, values_[part.object]);
  });
}

void Histories::perform(Step step) {
  const std::uint32_t process = step.process;
  if (!born_[process]) refuse("a process takes a step before it is created");
  if (is_stopped()) refuse("a step follows the end of the program");
  const Node& node = certificate_.nodes[at_[process]];
  const Operation& next = operation_at_end(process);
  if (next.end) refuse("a process takes a step after its end");
  if (!can_be_performed(process)) refuse("a process takes a step that is not enabled");
  if (step.child >= node.children.size()) refuse("a step has an outcome that is not described");

  const std::uint32_t number = size();
  const std::uint32_t after = node.children[step.child];
  Event& event = events_.emplace_back();
  event.process = process;
  event.index = static_cast<std::uint32_t>(own_[process].size());
  event.node = at_[process];
  event.after = after;
  event.before = known_[process];
  const Outcome& outcome = certificate_.nodes[after].outcome;
  change_objects(event, next, outcome);
  find_past(number, next);
  name_event(number, outcome);
  note(number);
  if (next.ending != Ending::no && !operation_at_end(process).end) {
    refuse("a process goes on after it has ended the program");
  }
}

void Histories::change_objects(Event& event, const Operation& operation, const Outcome& outcome) {
  event.choices = operation.choices;
  for (const Part& part : operation.parts) {
    event.choices = std::max(event.choices, certify::choices(part, values_[part.object]));
  }
  if (outcome.choice >= event.choices) refuse("a step takes a choice that it does not have");
  for (std::size_t at = 0; at < operation.parts.size(); ++at) {
    const Part& part = operation.parts[at];
    const PartOutcome& logged = outcome.parts[at];
    Value& value = values_[part.object];
    if (const auto wrong = misuse(part, event.process, value))
      refuse("a step " + std::string(*wrong));
    const Effect effect = certify::perform(part, event.process, outcome.choice, logged, value);
    if (may_fail(part.action) && effect.succeeded != logged.succeeded) {
      refuse("an attempt that succeeds is said to fail, or the other way round");
    }
    if (observes(part.action) && effect.observed != logged.observed) {
      refuse("a step is said to observe " + std::to_string(logged.observed) +
             " where the value is " + std::to_string(effect.observed));
    }
    event.classes.push_back(effect.performed);
  }
}

void Histories::add_past(std::uint32_t event, Cut& cut) const {
  const auto clock = before(event);
  for (std::uint32_t process = 0; process < processes_; ++process) {
    cut[process] = std::max(cut[process], clock[process]);
  }
  std::uint32_t& own = cut[events_[event].process];
  own = std::max(own, events_[event].index + 1);
}

Cut Histories::past(std::uint32_t process, std::uint32_t events, std::uint32_t joined) const {
  Cut cut(processes_, 0);
  if (events > 0) {
    add_past(own_[process][events - 1], cut);
  } else if (birth_[process] != none) {
    add_past(birth_[process], cut);
  }
  if (joined != none && !own_[joined].empty()) {
    add_past(own_[joined].back(), cut);
  } else if (joined != none && birth_[joined] != none) {
    add_past(birth_[joined], cut);
  }
  return cut;
}

Cut Histories::past(std::uint32_t event) const {
  return past(events_[event].process, events_[event].index, operation(events_[event]).joins);
}

Cut Histories::past_at_end(std::uint32_t process) const {
  const std::uint32_t joined = operation_at_end(process).joins;
  return past(process, static_cast<std::uint32_t>(own_[process].size()),
              joined != none && has_ended(joined) ? joined : none);
}

void Histories::find_past(std::uint32_t number, const Operation& operation) {
  Event& event = events_[number];
  Cut cut = past(event.process, event.index, operation.joins);
  event.first_direct = static_cast<std::uint32_t>(directs_.size());
  scratch_.clear();  // events it conflicts with, of each object the latest first
  if (operation.ending != Ending::no) {
    for (std::uint32_t other = number; other-- > 0;) scratch_.push_back(other);
  }
  for (std::size_t at = 0; at < operation.parts.size(); ++at) {
    const std::uint32_t object = operation.parts[at].object;
    const std::vector<std::uint32_t>& users = users_[object];
    for (auto other = users.rbegin(); other != users.rend(); ++other) {
      const Event& earlier = events_[*other];
      const std::vector<Part>& parts = this->operation(earlier).parts;
      const auto part = std::find_if(parts.begin(), parts.end(),
                                     [&](const Part& one) { return one.object == object; });
      const Class performed = earlier.classes[static_cast<std::size_t>(part - parts.begin())];
      if (conflict(performed, event.classes[at])) scratch_.push_back(*other);
      // Everything earlier on this object is before a write.
      if (performed == Class::write) break;
    }
  }
  if (operation.parts.size() > 1) {
    std::sort(scratch_.begin(), scratch_.end(), std::greater<>());
  }
  for (const std::uint32_t other : scratch_) {
    if (contains(cut, other)) continue;
    add_past(other, cut);
    directs_.push_back(other);
  }
  event.directs = static_cast<std::uint32_t>(directs_.size()) - event.first_direct;
  clocks_.insert(clocks_.end(), cut.begin(), cut.end());
}

void Histories::name_event(std::uint32_t number, const Outcome& outcome) {
  Event& event = events_[number];
  Hasher hasher(secret_);
  hasher.add(event.process).add(event.index);
  hasher.add(certificate_.nodes[event.node].operation).add(event.before);
  hasher.add(outcome.choice).add(event.choices);
  for (std::size_t at = 0; at < outcome.parts.size(); ++at) {
    const PartOutcome& part = outcome.parts[at];
    hasher.add(static_cast<std::uint64_t>(event.classes[at]));
    hasher.add(part.succeeded ? 1 : 0).add(part.observed).add(part.written);
  }
  const std::uint32_t joined = operation(event).joins;
  if (joined != none) hasher.add(known_[joined]);
  Key sum;
  for (const std::uint32_t direct : directs(number)) sum += events_[direct].id;
  event.id = hasher.add(sum).value();
}

void Histories::note(std::uint32_t number) {
  const Event& event = events_[number];
  const Operation& performed = operation(event);
  own_[event.process].push_back(number);
  for (const Part& part : performed.parts) users_[part.object].push_back(number);
  at_[event.process] = event.after;
  known_[event.process] = event.id;
  if (performed.ending != Ending::no) ends_program_.push_back(number);
  for (const std::uint32_t child : performed.spawns) give_birth(child, number);
}

void Histories::give_birth(std::uint32_t child, std::uint32_t number) {
  if (born_[child]) refuse("a process is created twice");
  if (certificate_.processes[child].parent != events_[number].process) {
    refuse("a process is created by another than its parent");
  }
  born_[child] = true;
  birth_[child] = number;
  known_[child] = Hasher(secret_).add(child).add(events_[number].id).value();
}

void Histories::check_end() const {
  const bool stopped = is_stopped();
  const bool at_once = stopped && operation(events_[ends_program_.back()]).ending == Ending::stop;
  if (at_once) return;
  for (std::uint32_t process = 0; process < processes_; ++process) {
    if (!born_[process] || !can_be_performed(process)) continue;
    if (stopped && operation_at_end(process).ending == Ending::exit) continue;
    refuse("a process can still take a step at the end of a schedule");
  }
}

Cut Histories::all() const {
  Cut cut(processes_);
  for (std::uint32_t process = 0; process < processes_; ++process) {
    cut[process] = static_cast<std::uint32_t>(own_[process].size());
  }
  return cut;
}

Cut Histories::without(std::uint32_t event) const {
  const Event& removed = events_[event];
  Cut cut(processes_);
  for (std::uint32_t process = 0; process < processes_; ++process) {
    const std::vector<std::uint32_t>& own = own_[process];
    // Clocks grow along a process: what does not know of the event comes first.
    const auto first = std::partition_point(own.begin(), own.end(), [&](std::uint32_t other) {
      return other != event && before(other)[removed.process] <= removed.index;
    });
    cut[process] = static_cast<std::uint32_t>(first - own.begin());
  }
  cut[removed.process] = removed.index;
  return cut;
}

Key Histories::name(std::span<const std::uint32_t> cut) const {
  Key sum;
  for (std::uint32_t process = 0; process < processes_; ++process) {
    if (cut[process] > 0) sum += events_[own_[process][cut[process] - 1]].id;
  }
  return sum;
}

}  // namespace certify
