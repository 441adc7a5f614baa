#include "core/run.hpp"

#include "core/check.hpp"

namespace mazurka {

void Run::start(const Schedule& schedule, const RunLimits& limits, Guide* guide) {
  MAZURKA_CHECK(schedule.shared <= schedule.prefix.size(),
                "what is shared is part of the schedule");
  MAZURKA_CHECK(schedule.shared <= execution_.size(),
                "a schedule shares no more than the last execution has; the first shares nothing");
  MAZURKA_CHECK(schedule.sources.size() <= schedule.prefix.size(), "a source is a decision's");
  MAZURKA_CHECK(schedule.shared + schedule.expected.size() <= schedule.prefix.size(),
                "an expected step is the one of a decision");
  MAZURKA_CHECK(!schedule.record_states || schedule.shared <= execution_.changes.size(),
                "the changes of the shared events were recorded when these were performed first");
  MAZURKA_CHECK(!schedule.record_enabled || schedule.shared <= execution_.enabled.size(),
                "who was enabled before the shared events was recorded then");
  schedule_ = schedule;
  planned_ = schedule_.prefix.size();
  limits_ = limits;
  guide_ = guide;
  execution_.steps.truncate(schedule.shared);
  execution_.events.resize(schedule.shared);
  std::erase_if(execution_.further_causes,
                [&](const Execution::FurtherCause& one) { return one.of >= schedule.shared; });
  execution_.before.resize(execution_.steps.access_count());
  if (execution_.graph.size() > schedule.shared) execution_.graph.resize(schedule.shared);
  const bool values = schedule.record_states || limits.record_values;
  execution_.after.resize(values ? execution_.steps.access_count() : 0);
  execution_.failed.clear();
  execution_.changes.resize(schedule.record_states ? schedule.shared : 0);
  // The state before event `shared` is the one that the previous execution saw there too.
  execution_.enabled.truncate(schedule.shared + 1);
  execution_.pending.clear();
  execution_.pending_state.clear();
  execution_.further_pending_causes.clear();
  execution_.reached_known_state = execution_.nothing_else_either = execution_.in_vain = false;
  execution_.left_waiting = false;
  execution_.exit_code = 0;
  execution_.processes = names_.size();

  now_.begin(names_.size());
  sleepers_.start(schedule_.asleep, execution_.woken);
  over_ = false;
  spared_ = 0;
  ending_ = Ending::complete;
  divergence_.reset();
  if (guide_ != nullptr) guide_->started(*this);
}

void Run::go_on_from(const Standing& standing) {
  MAZURKA_CHECK(standing.position <= schedule_.shared, "only shared events can be left out");
  MAZURKA_CHECK(!over_ && now_.position <= standing.position, "an execution goes on, never back");
  if (now_.position == 0) spared_ = standing.position;
  now_ = standing;
}

// Slots that are not in use may have been, in other executions.
bool operator==(const Standing& one, const Standing& other) {
  const auto same_slots = [&] {
    return std::equal(one.slots.begin(),
                      one.slots.begin() + static_cast<std::ptrdiff_t>(one.used_slots),
                      other.slots.begin());
  };
  return one.position == other.position && one.used_slots == other.used_slots && same_slots() &&
         one.created == other.created && one.enabled == other.enabled &&
         one.exiting == other.exiting && one.current == other.current && one.alive == other.alive &&
         one.someone_failed == other.someone_failed &&
         one.someone_stalled == other.someone_stalled &&
         one.waiting_excused == other.waiting_excused && one.findings == other.findings &&
         one.assumption_failed == other.assumption_failed && one.failed_at == other.failed_at;
}

void Standing::begin(std::size_t processes) {
  if (slots.size() < processes) slots.resize(processes);
  for (std::size_t at = 0; at < used_slots; ++at) {
    Slot& slot = slots[at];
    slot.alive = slot.parked = slot.failed = false;
    slot.events = slot.children = 0;
    slot.cause = slot.latest = no_event;
    slot.further_causes.clear();
    slot.place = 0;
  }
  MAZURKA_CHECK(processes > 0 && used_slots <= slots.size(), "there is a first process");
  slots[0].alive = true;
  used_slots = alive = 1;
  position = 0;
  created.clear();
  enabled.clear();
  exiting.clear();
  current = {no_process, 0};
  someone_failed = someone_stalled = waiting_excused = assumption_failed = false;
  findings.clear();
  failed_at = no_event;
}

ProcessId Run::create(ProcessId parent) {
  MAZURKA_CHECK(index(parent) < now_.slots.size(), "a process is created by one that there is");
  const std::uint32_t nth = now_.slots[index(parent)].children++;
  const ProcessId child = names_.child(parent, nth);
  if (now_.slots.size() <= index(child)) now_.slots.resize(index(child) + 1);
  now_.used_slots = std::max(now_.used_slots, index(child) + 1);
  Standing::Slot& slot = now_.slots[index(child)];
  MAZURKA_CHECK(!slot.alive && slot.events == 0, "a process is created once in an execution");
  slot.alive = true;
  slot.parked = slot.failed = false;
  ++now_.alive;
  now_.created.push_back(child);
  execution_.processes = names_.size();
  return child;
}

std::optional<Decision> Run::choose(ProcessId preferred) {
  Guide::Choice choice;
  if (guide_ != nullptr && !now_.enabled.empty()) {
    if (guide_->decides() && now_.position >= limits_.max_events) return end(Ending::cut);
    choice = guide_->choose(*this);
  }
  using Kind = Guide::Choice::Kind;
  if (choice.kind == Kind::nobody) return end(Ending::asleep);
  if (choice.nothing_else_either) execution_.nothing_else_either = true;
  const ProcessId process =
      choice.kind == Kind::by_default ? default_choice(preferred) : choice.decision.process;
  if (process == no_process) {
    if (!now_.enabled.empty()) return end(Ending::asleep);
    if (now_.alive == 0 || now_.someone_failed || now_.waiting_excused)
      return end(Ending::complete);
    return end(now_.someone_stalled ? Ending::stalled : Ending::deadlock);
  }
  MAZURKA_CHECK(now_.enabled.contains(process), "a process is chosen that can move");
  if (now_.position >= limits_.max_events) return end(Ending::cut);
  now_.current = choice.kind == Kind::decision ? choice.decision
                                               : Decision{process, sleepers_.awake_choice(process)};
  return now_.current;
}

ProcessId Run::default_choice(ProcessId preferred) const {
  if (limits_.seed != 0) return choose_seeded();
  if (preferred != no_process && may_move(preferred)) return preferred;
  if (guide_ != nullptr && guide_->joins_last()) {
    const ProcessId process = not_waiting_for_others();
    if (process != no_process) return process;
  }
  const ProcessId last = now_.current.process;
  if (last != no_process && may_move(last) && !is_forbidden(last)) return last;
  if (guide_ != nullptr) {
    const ProcessId process = now_.enabled.first_without(asleep(), guide_->forbidden());
    if (process != no_process) return process;
  }
  return now_.enabled.first_without(asleep());
}

// Who can move and does not wait for the end of another process: the process that moved last, or
// the first; or no_process.
ProcessId Run::not_waiting_for_others() const {
  const auto fits = [&](ProcessId process) {
    return now_.slots[index(process)].awaited == no_process && !asleep().contains(process) &&
           !is_forbidden(process);
  };
  if (now_.current.process != no_process && now_.enabled.contains(now_.current.process) &&
      fits(now_.current.process)) {
    return now_.current.process;
  }
  return now_.enabled.first_that(fits);
}

bool RunState::must_not_begin_anew() const {
  return guide_ != nullptr && !guide_->may_begin_anew();
}

std::vector<ProcessId> RunState::numbers_by_creation() const {
  std::vector<ProcessId> numbers(names_.size(), no_process);
  numbers[index(root())] = root();
  std::uint16_t next = 1;
  for (const ProcessId process : now_.created) numbers[index(process)] = ProcessId{next++};
  return numbers;
}

void Run::renumber(Finding& finding) const {
  const std::vector<ProcessId> numbers = numbers_by_creation();
  for (Decision& decision : finding.schedule) {
    MAZURKA_CHECK(
        index(decision.process) < numbers.size() && numbers[index(decision.process)] != no_process,
        "the processes of a finding's schedule are those of its execution");
    decision.process = numbers[index(decision.process)];
  }
  if (finding.process != no_process) finding.process = numbers[index(finding.process)];
}

ProcessId Run::choose_seeded() const {
  std::vector<ProcessId> candidates;
  now_.enabled.for_each([&](ProcessId process) {
    if (!asleep().contains(process) && !is_forbidden(process)) candidates.push_back(process);
  });
  if (candidates.empty()) return now_.enabled.first_without(asleep());
  const std::uint64_t lot = scrambled((limits_.seed + now_.position) * golden_ratio);
  return candidates[lot % candidates.size()];
}

void Run::diverge(std::optional<Decision> wanted, const Step* seen) {
  Divergence divergence;
  divergence.event = static_cast<std::uint32_t>(now_.position);
  divergence.wanted = wanted;
  if (now_.position < schedule_.shared) {
    divergence.expected.push_back(execution_.steps[now_.position]);
  } else if (now_.position - schedule_.shared < schedule_.expected.size()) {
    divergence.expected.push_back(schedule_.expected[now_.position - schedule_.shared]);
  }
  if (seen != nullptr) divergence.seen.push_back(*seen);
  divergence_ = std::move(divergence);
}

const CrashingSchedule* Run::crashes_now() const {
  for (const CrashingSchedule& crashing : limits_.crashing) {
    if (crashing.decisions.size() != now_.position + 1 || crashing.decisions.back() != now_.current)
      continue;
    bool same = true;
    for (std::size_t at = 0; same && at < now_.position; ++at) {
      same = execution_.steps.decision(at) == crashing.decisions[at];
    }
    if (same) return &crashing;
  }
  return nullptr;
}

// Like a step that ends the program: whoever could still move might have done so before.
void Run::die(const CrashingSchedule& crashing) {
  now_.findings.push_back({FindingKind::crash, now_.current.process, crashing.message,
                           crashing.message, decisions_so_far()});
  end(limits_.stop_at_finding ? Ending::failed : Ending::complete);
}

void Run::retire(ProcessId process) {
  Standing::Slot& slot = now_.slots[index(process)];
  if (!slot.alive) return;
  slot.alive = slot.parked = false;
  now_.enabled.erase(process);
  now_.exiting.erase(process);
  MAZURKA_CHECK(now_.alive > 0, "the processes that are alive are counted");
  --now_.alive;
}

void Run::effects(std::span<const std::uint64_t> after, Fingerprint change) {
  MAZURKA_CHECK(now_.position > 0, "effects are those of the step that was committed last");
  MAZURKA_CHECK(schedule_.record_states, "states are recorded only if the schedule asks for them");
  if (now_.position <= schedule_.shared) return;  // recorded when the event was performed first
  execution_.after.insert(execution_.after.end(), after.begin(), after.end());
  execution_.after.resize(execution_.steps.access_count(), 0);
  execution_.changes.push_back(change);
  MAZURKA_CHECK(execution_.changes.size() == execution_.size(), "each event has one change");
  const bool known = guide_ != nullptr && guide_->effects(*this, change);
  if (over_ || !known) return;
  execution_.reached_known_state = true;
  end(Ending::asleep);
}

void Run::values_after(std::span<const std::uint64_t> after) {
  MAZURKA_CHECK(limits_.record_values && now_.position > schedule_.shared,
                "a step has left values");
  execution_.after.insert(execution_.after.end(), after.begin(), after.end());
  execution_.after.resize(execution_.steps.access_count(), 0);
}

void Run::finish(ProcessId process) { retire(process); }

std::vector<Decision> Run::decisions_so_far() const {
  std::vector<Decision> decisions;
  decisions.reserve(now_.position);
  for (std::size_t at = 0; at < now_.position; ++at) {
    decisions.push_back(execution_.steps.decision(at));
  }
  return decisions;
}

void Run::report(ProcessId process, FindingKind kind, std::string message, std::string key) {
  now_.findings.push_back({kind, process, std::move(message), std::move(key), decisions_so_far()});
  if (limits_.stop_at_finding) end(Ending::failed);
}

void Run::fail(ProcessId process, FindingKind kind, std::string message, std::string key) {
  report(process, kind, std::move(message), std::move(key));
  if (!now_.someone_failed) now_.failed_at = static_cast<std::uint32_t>(now_.position);
  now_.someone_failed = true;
  now_.slots[index(process)].failed = true;
  retire(process);
}

void Run::stall(ProcessId process) {
  now_.someone_stalled = true;
  Standing::Slot& slot = now_.slots[index(process)];
  slot.parked = false;
  now_.enabled.erase(process);
}

void Run::finish_execution() {
  MAZURKA_CHECK(execution_.pending.empty(), "an execution ends once");
  execution_.ending = ending_;
  execution_.failed_at = now_.failed_at;
  execution_.assumption_failed = now_.assumption_failed;
  std::string waiting = "deadlock";
  for (std::size_t at = 0; at < now_.used_slots; ++at) {
    const Standing::Slot& slot = now_.slots[at];
    if (slot.failed) execution_.failed.push_back(static_cast<ProcessId>(at));
    if (!slot.alive || !slot.parked) continue;
    const auto process = static_cast<ProcessId>(at);
    for (const std::uint32_t cause : slot.further_causes) {
      execution_.further_pending_causes.push_back(
          {static_cast<std::uint32_t>(execution_.pending.size()), cause});
    }
    execution_.pending.push_back(next_step(process));
    execution_.pending_state.push_back({now_.enabled.contains(process), slot.released, slot.cause});
    waiting += ' ' + std::to_string(at);  // one that waits to be woken touches nothing
    if (slot.place != 0) waiting += '@' + std::to_string(slot.place);
    for (const Access& access : slot.accesses) {
      waiting += ':' + std::to_string(index(access.object));
    }
  }
  if (ending_ == Ending::deadlock) {
    now_.findings.push_back({FindingKind::deadlock, no_process, "nobody can move",
                             std::move(waiting), decisions_so_far()});
  }
}

}  // namespace mazurka
