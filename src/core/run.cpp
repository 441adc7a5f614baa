#include "core/run.hpp"

#include <stdexcept>

#include "core/commutation.hpp"

namespace mazurka {

ProcessId ProcessNames::child(ProcessId parent, std::uint32_t nth) {
  if (children_[index(parent)].size() <= nth) {
    children_[index(parent)].resize(nth + 1, no_process);
  }
  ProcessId known = children_[index(parent)][nth];
  if (known != no_process) return known;
  if (names_.size() >= max_processes) {
    throw std::length_error("the program creates more than 65534 processes");
  }
  known = static_cast<ProcessId>(names_.size());
  names_.push_back({parent, nth});
  children_.emplace_back();
  children_[index(parent)][nth] = known;
  return known;
}

void ProcessNames::save(ArchiveWriter& archive) const {
  archive(static_cast<std::uint64_t>(names_.size()));
  for (const Name& name : names_) archive(name.parent, name.nth);
}

void ProcessNames::load(ArchiveReader& archive) {
  std::uint64_t count = 0;
  archive(count);
  for (std::uint64_t at = 0; at < count; ++at) {
    Name name;
    archive(name.parent, name.nth);
    if (at == 0) continue;  // the first process has no parent
    if (index(name.parent) >= at || name.nth > max_processes ||
        index(child(name.parent, name.nth)) != at) {
      throw ArchiveError("the names of the processes contradict each other");
    }
  }
}

void Run::start(const Schedule& schedule, const RunLimits& limits) {
  assert(schedule.shared <= schedule.prefix.size());
  assert(schedule.shared <= execution_.size());
  schedule_ = schedule;
  limits_ = limits;
  execution_.steps.truncate(schedule.shared);
  execution_.events.resize(schedule.shared);
  execution_.before.resize(execution_.steps.access_count());
  execution_.after.resize(schedule.record_states ? execution_.steps.access_count() : 0);
  execution_.changes.resize(schedule.record_states ? schedule.shared : 0);
  // The state before event `shared` is the one that the previous execution saw there too.
  if (execution_.enabled.size() > schedule.shared + 1) {
    execution_.enabled.resize(schedule.shared + 1);
  }
  execution_.pending.clear();
  execution_.pending_state.clear();
  execution_.led_nowhere_new = execution_.nothing_else_either = execution_.in_vain = false;
  execution_.assumption_failed = false;
  execution_.exit_code = 0;
  execution_.failed_at = no_event;

  if (slots_.size() < names_.size()) slots_.resize(names_.size());
  for (std::size_t at = 0; at < used_slots_; ++at) {
    Slot& slot = slots_[at];
    slot.alive = slot.parked = false;
    slot.events = slot.children = 0;
    slot.cause = slot.latest = no_event;
  }
  enabled_.clear();
  exiting_.clear();
  asleep_.clear();
  if (schedule.whim != nullptr) fallen_.assign(std::max(slots_.size(), names_.size()), 0);
  forbidden_.clear();
  avoided_.clear();
  shortened_.clear();
  if (schedule.avoid != nullptr) {
    assert(schedule.record_states && schedule.sequences != nullptr);
    avoided_.assign(schedule.avoid->begin(), schedule.avoid->end());
    forbid_avoided();
  }
  assert(schedule.transitions == nullptr || schedule.dealt_with != nullptr);
  if (schedule.transitions != nullptr || schedule.known != nullptr) {
    assert(schedule.record_states);
    recall_states();
  } else {
    states_.clear();
  }
  sleepers_.clear();
  const std::size_t sleepers = schedule.asleep == nullptr ? 0 : schedule.asleep->size();
  execution_.woken.assign(sleepers, no_event);
  for (std::size_t at = 0; at < sleepers; ++at) {
    sleepers_.push_back(static_cast<std::uint32_t>(at));
  }
  for (std::size_t at = 0; at < sleepers; ++at) {
    const Step sleeper = (*schedule.asleep)[at];
    if (sleeper.choices == 1 || awake_choice(sleeper.process()) == sleeper.choices) {
      asleep_.insert(sleeper.process());
    }
  }
  position_ = 0;
  current_ = {no_process, 0};
  someone_failed_ = someone_stalled_ = waiting_excused_ = over_ = false;
  ending_ = Ending::complete;
  findings_.clear();
  divergence_.reset();

  slots_[0].alive = true;
  alive_ = 1;
  used_slots_ = 1;
  created_.clear();
}

// The states before the first new event, as far as they are not there already.
void Run::recall_states() {
  if (states_.size() > schedule_.shared) {
    states_.resize(schedule_.shared + 1);
    return;
  }
  states_.assign(1, {});
  for (std::size_t at = 0; at < schedule_.shared; ++at) {
    states_.push_back(states_.back() ^ execution_.changes[at]);
  }
}

ProcessId Run::create(ProcessId parent) {
  const std::uint32_t nth = slots_[index(parent)].children++;
  const ProcessId child = names_.child(parent, nth);
  if (slots_.size() <= index(child)) slots_.resize(index(child) + 1);
  used_slots_ = std::max(used_slots_, index(child) + 1);
  Slot& slot = slots_[index(child)];
  slot.alive = true;
  slot.parked = false;
  ++alive_;
  if (schedule_.whim != nullptr && fallen_.size() <= index(child)) fallen_.resize(slots_.size(), 0);
  created_.push_back(child);
  return child;
}

std::optional<Decision> Run::choose(ProcessId preferred) {
  if (schedule_.guide != nullptr && !enabled_.empty()) return follow(*schedule_.guide);
  ProcessId process = undisturbed();
  if (process != no_process) {
    execution_.nothing_else_either = true;
  } else if (schedule_.known != nullptr && completes_one() != no_process) {
    process = completes_one();  // a single step tells whether that leads to a known state
  } else if (schedule_.whim != nullptr) {
    process = choose_on_a_whim(*schedule_.whim);
  } else if (limits_.seed != 0) {
    process = choose_seeded();
  } else if (preferred != no_process && may_move(preferred)) {
    process = preferred;
  } else if (schedule_.dealt_with != nullptr &&
             (process = not_waiting_for_others()) != no_process) {
    // Joins commute with what the others do; when they come last, more is known of the rest.
  } else if (current_.process != no_process && enabled_.contains(current_.process) &&
             !asleep_.contains(current_.process) && !forbidden_.contains(current_.process)) {
    process = current_.process;
  } else {
    process = enabled_.first_without(asleep_, forbidden_);
    if (process == no_process) process = enabled_.first_without(asleep_);
  }
  if (process == no_process) {
    if (!enabled_.empty()) return end(Ending::asleep);
    if (alive_ == 0 || someone_failed_ || waiting_excused_) return end(Ending::complete);
    return end(someone_stalled_ ? Ending::stalled : Ending::deadlock);
  }
  if (position_ >= limits_.max_events) return end(Ending::cut);
  current_ = {process, awake_choice(process)};
  return current_;
}

std::optional<Decision> Run::follow(Guide& guide) {
  if (position_ >= limits_.max_events) return end(Ending::cut);
  const std::optional<Decision> decision = guide.choose(*this);
  if (!decision) return end(Ending::asleep);
  current_ = *decision;
  return current_;
}

// A process that would complete a sequence that need not be done, and with whose step nobody may
// come to interfere; or no_process.
ProcessId Run::undisturbed() const {
  ProcessId found = no_process;
  if (schedule_.futures == nullptr) return found;
  forbidden_.for_each([&](ProcessId process) {
    if (found != no_process || !enabled_.contains(process)) return;
    const Step step = announced(process);
    for (std::size_t other = 0; other < used_slots_ || other < names_.size(); ++other) {
      const Slot& slot = slots_[other];
      const bool over = !slot.alive && slot.events > 0;
      if (over || other == index(process)) continue;
      if (schedule_.futures->may_conflict(vocabulary_, static_cast<ProcessId>(other), slot.events,
                                          step)) {
        return;
      }
    }
    found = process;
  });
  return found;
}

// A process that can move, and by that complete a sequence that may not have to be done; or
// no_process.
ProcessId Run::completes_one() const {
  for (const Avoided& entry : avoided_) {
    const ProcessId process = schedule_.sequences->completes(entry);
    if (process != no_process && may_move(process)) return process;
  }
  return no_process;
}

// Who can move and does not wait for the end of another process: the process that moved last, or
// the first; or no_process.
ProcessId Run::not_waiting_for_others() const {
  const auto fits = [&](ProcessId process) {
    return slots_[index(process)].awaited == no_process && !asleep_.contains(process) &&
           !forbidden_.contains(process);
  };
  if (current_.process != no_process && enabled_.contains(current_.process) &&
      fits(current_.process)) {
    return current_.process;
  }
  return enabled_.first_that(fits);
}

static std::uint64_t lot(std::uint64_t seed, std::uint64_t number) {
  return fingerprint_of(seed, number).low;
}

ProcessId Run::choose_on_a_whim(const Whim& whim) {
  if (whim.kind == Whim::Kind::random) {
    const std::size_t count = enabled_.size();
    if (count == 0) return no_process;
    std::size_t skip = lot(whim.seed, position_) % count;
    ProcessId chosen = no_process;
    enabled_.for_each([&](ProcessId process) {
      if (skip-- == 0) chosen = process;
    });
    return chosen;
  }
  for (const std::uint32_t fall : whim.falls) {
    if (fall != position_) continue;
    const ProcessId first = highest_priority(whim);
    if (first != no_process) fallen_[index(first)] = position_ + 1;
  }
  return highest_priority(whim);
}

ProcessId Run::highest_priority(const Whim& whim) const {
  ProcessId best = no_process;
  const auto comes_before = [&](ProcessId one, ProcessId other) {
    const std::uint64_t fallen = fallen_[index(one)];
    const std::uint64_t other_fallen = fallen_[index(other)];
    if (fallen != other_fallen) return fallen < other_fallen;
    return lot(whim.seed, index(one)) > lot(whim.seed, index(other));
  };
  enabled_.for_each([&](ProcessId process) {
    if (best == no_process || comes_before(process, best)) best = process;
  });
  return best;
}

std::vector<ProcessId> Run::numbers_by_creation() const {
  std::vector<ProcessId> numbers(names_.size(), no_process);
  numbers[index(root())] = root();
  std::uint16_t next = 1;
  for (const ProcessId process : created_) numbers[index(process)] = ProcessId{next++};
  return numbers;
}

void Run::renumber(Finding& finding) const {
  const std::vector<ProcessId> numbers = numbers_by_creation();
  for (Decision& decision : finding.schedule) {
    decision.process = numbers[index(decision.process)];
  }
  if (finding.process != no_process) finding.process = numbers[index(finding.process)];
}

ProcessId Run::choose_seeded() const {
  std::vector<ProcessId> candidates;
  enabled_.for_each([&](ProcessId process) {
    if (!asleep_.contains(process) && !forbidden_.contains(process)) candidates.push_back(process);
  });
  if (candidates.empty()) return enabled_.first_without(asleep_);
  std::uint64_t mixed = (limits_.seed + position_) * 0x9e3779b97f4a7c15U;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9U;
  mixed ^= mixed >> 27;
  return candidates[mixed % candidates.size()];
}

std::uint16_t Run::awake_choice(ProcessId process) const {
  std::uint16_t choice = 0;
  bool taken = true;
  while (taken) {
    taken = false;
    for (const std::uint32_t at : sleepers_) {
      if (schedule_.asleep->decision(at) == Decision{process, choice}) taken = true;
    }
    if (taken) ++choice;
  }
  return choice;
}

void Run::wake_dependent(const Step& step) {
  std::size_t kept = 0;
  for (const std::uint32_t at : sleepers_) {
    const Step sleeper = (*schedule_.asleep)[at];
    if (dependent(vocabulary_, step, sleeper)) {
      execution_.woken[at] = static_cast<std::uint32_t>(position_);
      asleep_.erase(sleeper.process());
    } else {
      sleepers_[kept++] = at;
    }
  }
  sleepers_.resize(kept);
}

void Run::follow_avoided(const Step& step) {
  shortened_.clear();
  std::size_t kept = 0;
  for (Avoided& entry : avoided_) {
    const auto followed = schedule_.sequences->follow(entry, step);
    if (followed == AvoidedSequences::Follow::forgotten) continue;
    if (followed == AvoidedSequences::Follow::shortened) {
      shortened_.push_back(static_cast<std::uint32_t>(kept));
    }
    avoided_[kept++] = entry;
  }
  avoided_.resize(kept);
  forbid_avoided();
}

void Run::forbid_avoided() {
  forbidden_.clear();
  for (const Avoided& entry : avoided_) {
    const ProcessId process = schedule_.sequences->forbids(entry);
    if (process != no_process) forbidden_.insert(process);
  }
}

void Run::diverge(std::optional<Decision> wanted, const Step* seen) {
  Divergence divergence;
  divergence.event = static_cast<std::uint32_t>(position_);
  divergence.wanted = wanted;
  if (position_ < schedule_.shared) {
    divergence.expected.push_back(execution_.steps[position_]);
  } else if (schedule_.expected != nullptr &&
             position_ - schedule_.shared < schedule_.expected->size()) {
    divergence.expected.push_back((*schedule_.expected)[position_ - schedule_.shared]);
  }
  if (seen != nullptr) divergence.seen.push_back(*seen);
  divergence_ = std::move(divergence);
}

const DeadlySchedule* Run::deadly_now() const {
  for (const DeadlySchedule& deadly : limits_.deadly) {
    if (deadly.decisions.size() != position_ + 1 || deadly.decisions.back() != current_) continue;
    bool same = true;
    for (std::size_t at = 0; same && at < position_; ++at) {
      same = execution_.steps.decision(at) == deadly.decisions[at];
    }
    if (same) return &deadly;
  }
  return nullptr;
}

// Like a step that ends the program: whoever could still move might have done so before.
void Run::die(const DeadlySchedule& deadly) {
  findings_.push_back(
      {FindingKind::crash, current_.process, deadly.message, deadly.message, decisions_so_far()});
  end(limits_.stop_at_finding ? Ending::failed : Ending::complete);
}

void Run::retire(ProcessId process) {
  Slot& slot = slots_[index(process)];
  if (!slot.alive) return;
  slot.alive = slot.parked = false;
  enabled_.erase(process);
  exiting_.erase(process);
  --alive_;
}

void Run::effects(std::span<const std::uint64_t> after, Fingerprint change) {
  assert(position_ > 0);
  if (position_ <= schedule_.shared) return;  // recorded when the event was performed first
  execution_.after.insert(execution_.after.end(), after.begin(), after.end());
  execution_.after.resize(execution_.steps.access_count(), 0);
  execution_.changes.push_back(change);
  const bool arrived = arrived_where_explored(change);
  bool known = false;
  if (schedule_.transitions != nullptr || schedule_.known != nullptr) {
    states_.push_back(states_.back() ^ change);
    known = schedule_.known != nullptr && schedule_.known->find(states_.back()) != nullptr;
  }
  const bool late = schedule_.transitions != nullptr && came_too_late();
  if (over_ || (!arrived && !known && !late)) return;
  execution_.led_nowhere_new = true;
  end(Ending::asleep);
}

// Whether the latest event completed a sequence that need not be done.
bool Run::arrived_where_explored(const Fingerprint& change) {
  if (shortened_.empty()) return false;
  const Step step = execution_.steps[position_ - 1];
  bool arrived = false;
  for (const std::uint32_t at : shortened_) {
    if (schedule_.sequences->arrived(avoided_[at], step, change)) arrived = true;
  }
  shortened_.clear();
  std::erase_if(avoided_, [](const Avoided& entry) { return entry.complete(); });
  return arrived;
}

void Run::note_dealt_with() {
  std::vector<ProcessSet>& nodes = *schedule_.dealt_with;
  if (nodes.size() <= position_) nodes.resize(position_ + 1);
  nodes[position_] = asleep_;
  forbidden_.for_each([&](ProcessId process) { nodes[position_].insert(process); });
}

// Whether the latest event could as well have come before one that it should have come before.
// Only the latest event of a process can be a neighbour: what follows it there depends on it.
bool Run::came_too_late() {
  const auto event = static_cast<std::uint32_t>(position_ - 1);
  const Step step = execution_.steps[event];
  const Fingerprint state = states_[event + 1];
  if (step.accesses.empty()) return false;  // commutes with all that can be its neighbour
  schedule_.transitions->learn(states_[event], step.process(), state);
  for (std::size_t other = 0; other < used_slots_; ++other) {
    const std::uint32_t earlier = slots_[other].latest;
    if (earlier == no_event || earlier == event ||
        !(*schedule_.dealt_with)[earlier].contains(step.process())) {
      continue;
    }
    const Step neighbour = execution_.steps[earlier];
    if (!footprints_conflict(vocabulary_, neighbour.accesses, step.accesses)) continue;
    const Commutes judged = commute(vocabulary_, execution_, earlier, event);
    if (judged == Commutes::no || judged == Commutes::never_met) continue;
    // The state that both met in, if nothing in between had to do with the neighbour.
    const Fingerprint before = states_[event] ^ execution_.changes[earlier];
    const Fingerprint* halfway = schedule_.transitions->find(before, step.process());
    if (halfway == nullptr) continue;
    const Fingerprint* end = schedule_.transitions->find(*halfway, neighbour.process());
    if (end == nullptr || *end != state) continue;
    bool neighbours = true;
    for (std::uint32_t between = earlier + 1; neighbours && between < event; ++between) {
      const Step stranger = execution_.steps[between];
      neighbours =
          !dependent(vocabulary_, neighbour, stranger) && !dependent(vocabulary_, step, stranger);
    }
    if (!neighbours) continue;
    if (schedule_.kept_orders->comes_first(
            {step.process(), execution_.events[event].index},
            {neighbour.process(), execution_.events[earlier].index})) {
      return true;
    }
  }
  return false;
}

void Run::finish(ProcessId process) { retire(process); }

std::vector<Decision> Run::decisions_so_far() const {
  std::vector<Decision> decisions;
  decisions.reserve(position_);
  for (std::size_t at = 0; at < position_; ++at) {
    decisions.push_back(execution_.steps.decision(at));
  }
  return decisions;
}

void Run::report(ProcessId process, FindingKind kind, std::string message, std::string key) {
  findings_.push_back({kind, process, std::move(message), std::move(key), decisions_so_far()});
  if (limits_.stop_at_finding) end(Ending::failed);
}

void Run::fail(ProcessId process, FindingKind kind, std::string message, std::string key) {
  report(process, kind, std::move(message), std::move(key));
  if (!someone_failed_) execution_.failed_at = static_cast<std::uint32_t>(position_);
  someone_failed_ = true;
  retire(process);
}

void Run::stall(ProcessId process) {
  someone_stalled_ = true;
  Slot& slot = slots_[index(process)];
  slot.parked = false;
  enabled_.erase(process);
}

void Run::finish_execution() {
  execution_.ending = ending_;
  execution_.processes = names_.size();
  std::string waiting = "deadlock";
  for (std::size_t at = 0; at < used_slots_; ++at) {
    const Slot& slot = slots_[at];
    if (!slot.alive || !slot.parked) continue;
    const auto process = static_cast<ProcessId>(at);
    execution_.pending.push_back(announced(process));
    execution_.pending_state.push_back({enabled_.contains(process), slot.released, slot.cause});
    waiting += ' ' + std::to_string(at);  // one that waits to be woken touches nothing
    for (const Access& access : slot.accesses) {
      waiting += ':' + std::to_string(index(access.object));
    }
  }
  if (ending_ == Ending::deadlock) {
    findings_.push_back({FindingKind::deadlock, no_process, "nobody can move", std::move(waiting),
                         decisions_so_far()});
  }
}

}  // namespace mazurka
