#include "programs/threads/runtime/certificate_scribe.hpp"

#include <algorithm>

#include "programs/threads/runtime/primitives/operations.hpp"
#include "programs/threads/runtime/runtime.hpp"

namespace mazurka::threads {

using certificate::Kind;
using certificate::nothing;
using certificate::Operation;

namespace {

constexpr const char* memory_model = "sc";

std::uint32_t number(ProcessId process) { return static_cast<std::uint32_t>(index(process)); }

}  // namespace

CertificateScribe::CertificateScribe(Runtime& program, std::string technique)
    : runtime_(program), technique_(std::move(technique)), writer_(technique_, memory_model) {}

void CertificateScribe::begin_anew() {
  writer_ = certificate::Writer(technique_, memory_model);
  not_covered_.reset();
  objects_.clear();
  kinds_.clear();
  values_.clear();
}

void CertificateScribe::add(const Session& session, const Execution& execution) {
  if (not_covered_ || execution.ending == Ending::asleep) return;
  if (execution.in_vain) return not_covered("waiting loops");
  if (execution.assumption_failed) return not_covered("executions that an assumption ends");
  if (execution.ending == Ending::impossible) return not_covered("weak memory");
  if (execution.ending != Ending::complete && execution.ending != Ending::deadlock) return;
  begin_execution(session);
  write(session, execution);
}

std::string CertificateScribe::finish(const std::optional<std::string>& incomplete) {
  if (incomplete) writer_.incomplete(*incomplete);
  if (not_covered_) writer_.not_covered(*not_covered_);
  return writer_.finish();
}

void CertificateScribe::begin_execution(const Session& session) {
  const ProcessNames& names = session.names();
  while (writer_.processes() < names.size()) {
    const ProcessNames::Name& name = names[static_cast<ProcessId>(writer_.processes())];
    writer_.add_process(name.parent == no_process ? nothing : number(name.parent), name.nth);
  }
  ++epoch_;
  waits_at_.assign(names.size(), nothing);
  born_.assign(names.size(), false);
  born_[0] = true;
}

void CertificateScribe::write(const Session& session, const Execution& execution) {
  std::vector<certificate::Step> steps;
  for (std::size_t at = 0; at < execution.size() && !not_covered_; ++at) {
    steps.push_back(words_for(execution, at));
  }
  std::vector<std::pair<std::uint32_t, Operation>> last;
  std::vector<bool> waits(session.names().size());
  for (std::size_t at = 0; at < execution.pending.size() && !not_covered_; ++at) {
    const ProcessId process = execution.pending.process(at);
    waits[index(process)] = true;
    last.emplace_back(number(process), words_for_pending(execution, at));
  }
  for (std::uint32_t process = 0; process < waits.size(); ++process) {
    if (waits[process] || !born_[process]) continue;
    Operation& operation = last.emplace_back(process, Operation{}).second;
    const auto& failed = execution.failed;
    operation.end = std::find(failed.begin(), failed.end(), ProcessId(process)) == failed.end();
    // A process that a finding has ended cannot be joined: as if it waited for its own end.
    if (!operation.end) operation.joins = process;
  }
  if (!not_covered_) writer_.add(steps, last);
}

certificate::Step CertificateScribe::words_for(const Execution& execution, std::size_t event) {
  const mazurka::Step step = execution.steps[event];
  certificate::Step words;
  words.process = number(step.process());
  Operation& operation = words.operation;
  operation.exit = step.exits;
  if (step.awaited != no_process) operation.joins = number(step.awaited);
  words.outcome.choice = step.decision.choice;
  if (!step.announced.empty() && step.announced.size() != step.accesses.size()) {
    not_covered("steps that do less than they announce");
    return words;
  }
  const std::uint32_t waited = std::exchange(waits_at_[words.process], nothing);
  if (waited != nothing) resume(waited, step.accesses, words);
  const std::size_t first = execution.steps.first_access(event);
  for (std::size_t at = 0; at < step.accesses.size() && !not_covered_; ++at) {
    const Access& announced = step.widest()[at];
    const bool only_reads =
        step.accesses[at].kind == kind::memory && announced.mode != step.accesses[at].mode;
    const Touch touch{announced, only_reads, execution.before[first + at],
                      execution.after[first + at]};
    note_value(touch);
    add(touch, words);
  }
  release(step, operation);
  const bool wakes =
      operation.parts.size() == 1 && operation.parts[0].action == certificate::Action::wake_any;
  if (step.choices > 1 && !wakes) {
    operation.choices = step.choices;
    if (!operation.parts.empty()) not_covered("choices of steps that touch objects");
  }
  return words;
}

// Creates processes, or wakes some that wait at a condition.
void CertificateScribe::release(const mazurka::Step& step, Operation& operation) {
  for (const ProcessId released : step.released) {
    if (!born_[index(released)]) {
      born_[index(released)] = true;
      operation.spawns.push_back(number(released));
    } else if (waits_at_[index(released)] == nothing) {
      not_covered("threads that wait for a step of another one");
    }
  }
}

// A process that waits at a condition goes on by holding its mutex again, once it was woken.
void CertificateScribe::resume(std::uint32_t condition, Footprint footprint,
                               certificate::Step& words) {
  if (footprint.size() != 1 || footprint[0].kind != kind::mutex ||
      footprint[0].mode != mutex_mode::lock) {
    return not_covered("waiting at a condition for a limited time, or at a futex");
  }
  words.operation.parts.push_back({condition, certificate::Action::woken, 8, 0});
  words.outcome.parts.emplace_back();
}

Operation CertificateScribe::words_for_pending(const Execution& execution, std::size_t at) {
  const mazurka::Step step = execution.pending[at];
  certificate::Step words;
  words.process = number(step.process());
  words.operation.exit = step.exits;
  if (step.awaited != no_process) words.operation.joins = number(step.awaited);
  const std::uint32_t waited = waits_at_[words.process];
  if (waited != nothing) resume(waited, step.accesses, words);
  for (const Access& access : step.accesses) {
    const std::optional<std::uint64_t> value = value_now(access);
    if (!value) {
      not_covered("waiting for an object that no step has touched");
      break;
    }
    add_pending(access, *value, words);
  }
  const bool guarded = !words.operation.parts.empty() || step.awaited != no_process || step.exits;
  if (!guarded) not_covered("waiting for what is no object");
  return words.operation;
}

std::optional<std::uint64_t> CertificateScribe::value_now(const Access& access) const {
  if (index(access.object) >= values_.size()) return std::nullopt;
  const Value& value = values_[index(access.object)];
  if (value.epoch == epoch_) return value.now;
  if (!value.has_initial) return std::nullopt;
  return value.initial;
}

// Nothing but steps may change what a step finds.
void CertificateScribe::note_value(const Touch& touch) {
  const auto [access, only_reads, before, after] = touch;
  if (index(access.object) >= values_.size()) values_.resize(index(access.object) + 1);
  Value& value = values_[index(access.object)];
  if (value.epoch == epoch_) {
    if (value.now != before) not_covered("objects that change otherwise than by steps");
  } else if (!value.has_initial) {
    value.initial = before;
    value.has_initial = true;
  } else if (value.initial != before) {
    not_covered("objects that do not begin with the same value in all executions");
  }
  value.epoch = epoch_;
  value.now = after;
}

std::uint32_t CertificateScribe::object(const Access& access, Kind kind, std::uint64_t initial,
                                        std::uint32_t part) {
  const std::uint64_t key = std::uint64_t{index(access.object)} << 32U | part;
  const auto known = objects_.find(key);
  if (known == objects_.end()) {
    const std::uint32_t fresh = writer_.add_object(kind, initial);
    kinds_.push_back(kind);
    objects_.emplace(key, fresh);
    return fresh;
  }
  if (kinds_[known->second] != kind) not_covered("objects of two kinds at one place");
  return known->second;
}

}  // namespace mazurka::threads
