#include "core/run.hpp"

namespace mazurka {

void Run::start(const Schedule& schedule, const RunLimits& limits, Guide* guide) {
  assert(schedule.shared <= schedule.prefix.size());
  assert(schedule.shared <= execution_.size());
  schedule_ = schedule;
  planned_ = schedule_.prefix.size();
  limits_ = limits;
  guide_ = guide;
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
  execution_.reached_known_state = execution_.nothing_else_either = execution_.in_vain = false;
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
  sleepers_.start(schedule_.asleep, execution_.woken);
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
  if (guide_ != nullptr) guide_->started(*this);
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
  created_.push_back(child);
  return child;
}

std::optional<Decision> Run::choose(ProcessId preferred) {
  Guide::Choice choice;
  if (guide_ != nullptr && !enabled_.empty()) {
    if (guide_->decides() && position_ >= limits_.max_events) return end(Ending::cut);
    choice = guide_->choose(*this);
  }
  using Kind = Guide::Choice::Kind;
  if (choice.kind == Kind::nobody) return end(Ending::asleep);
  if (choice.nothing_else_either) execution_.nothing_else_either = true;
  const ProcessId process =
      choice.kind == Kind::by_default ? default_choice(preferred) : choice.decision.process;
  if (process == no_process) {
    if (!enabled_.empty()) return end(Ending::asleep);
    if (alive_ == 0 || someone_failed_ || waiting_excused_) return end(Ending::complete);
    return end(someone_stalled_ ? Ending::stalled : Ending::deadlock);
  }
  if (position_ >= limits_.max_events) return end(Ending::cut);
  current_ = choice.kind == Kind::decision ? choice.decision
                                           : Decision{process, sleepers_.awake_choice(process)};
  return current_;
}

ProcessId Run::default_choice(ProcessId preferred) const {
  if (limits_.seed != 0) return choose_seeded();
  if (preferred != no_process && may_move(preferred)) return preferred;
  if (guide_ != nullptr && guide_->joins_last()) {
    const ProcessId process = not_waiting_for_others();
    if (process != no_process) return process;
  }
  const ProcessId last = current_.process;
  if (last != no_process && may_move(last) && !is_forbidden(last)) return last;
  if (guide_ != nullptr) {
    const ProcessId process = enabled_.first_without(asleep(), guide_->forbidden());
    if (process != no_process) return process;
  }
  return enabled_.first_without(asleep());
}

// Who can move and does not wait for the end of another process: the process that moved last, or
// the first; or no_process.
ProcessId Run::not_waiting_for_others() const {
  const auto fits = [&](ProcessId process) {
    return slots_[index(process)].awaited == no_process && !asleep().contains(process) &&
           !is_forbidden(process);
  };
  if (current_.process != no_process && enabled_.contains(current_.process) &&
      fits(current_.process)) {
    return current_.process;
  }
  return enabled_.first_that(fits);
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
    if (!asleep().contains(process) && !is_forbidden(process)) candidates.push_back(process);
  });
  if (candidates.empty()) return enabled_.first_without(asleep());
  const std::uint64_t lot = scrambled((limits_.seed + position_) * golden_ratio);
  return candidates[lot % candidates.size()];
}

void Run::diverge(std::optional<Decision> wanted, const Step* seen) {
  Divergence divergence;
  divergence.event = static_cast<std::uint32_t>(position_);
  divergence.wanted = wanted;
  if (position_ < schedule_.shared) {
    divergence.expected.push_back(execution_.steps[position_]);
  } else if (position_ - schedule_.shared < schedule_.expected.size()) {
    divergence.expected.push_back(schedule_.expected[position_ - schedule_.shared]);
  }
  if (seen != nullptr) divergence.seen.push_back(*seen);
  divergence_ = std::move(divergence);
}

const CrashingSchedule* Run::crashes_now() const {
  for (const CrashingSchedule& crashing : limits_.crashing) {
    if (crashing.decisions.size() != position_ + 1 || crashing.decisions.back() != current_)
      continue;
    bool same = true;
    for (std::size_t at = 0; same && at < position_; ++at) {
      same = execution_.steps.decision(at) == crashing.decisions[at];
    }
    if (same) return &crashing;
  }
  return nullptr;
}

// Like a step that ends the program: whoever could still move might have done so before.
void Run::die(const CrashingSchedule& crashing) {
  findings_.push_back({FindingKind::crash, current_.process, crashing.message, crashing.message,
                       decisions_so_far()});
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
  const bool known = guide_ != nullptr && guide_->effects(*this, change);
  if (over_ || !known) return;
  execution_.reached_known_state = true;
  end(Ending::asleep);
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
    execution_.pending.push_back(next_step(process));
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
