#include "explorers/size_probe.hpp"

#include <algorithm>
#include <cmath>

#include "core/check.hpp"

namespace mazurka {

namespace {

// An estimate is believed if it rests on so many walks, if so many would do that all count alike,
// and if it is off by no more than this.
constexpr std::uint64_t fewest_walks = 200;
constexpr double fewest_equal_walks = 50;
constexpr double largest_error = 0.15;
constexpr std::uint64_t first_to_learn = 16;
constexpr std::uint64_t one_to_learn_in = 8;
constexpr double certainty = 100;  // the average exceeds the truth so many times once in as many
constexpr double largest_power = 300;

constexpr Word bit(ProcessId process) { return bit_of(index(process)); }

double power_of_ten(double exponent) { return std::pow(10.0, std::min(exponent, largest_power)); }

}  // namespace

SizeProbe::SizeProbe(Program& program, SearchTree tree)
    : program_(program), tree_(tree), run_(program.vocabulary(), names_, execution_) {
  decides_ = true;
}

bool SizeProbe::walk(const RunLimits& limits) {
  if (too_many_) return false;
  ++seed_;
  learns_only_ = tree_.reduced && (seed_ <= first_to_learn || seed_ % one_to_learn_in == 0);
  outcomes_.clear();
  do {
    known_ = 0;
    asleep_ = 0;
    preemptions_ = 0;
    branching_.clear();
    Schedule schedule;
    run_.start(schedule, limits, this);
    program_.run(run_);
    run_.finish_execution();
    too_many_ = names_.size() > most_processes;
    if (too_many_ || program_.abandoned() || run_.divergence()) return false;
    if (execution_.ending == Ending::stalled) return false;
  } while (draw_outcome());
  learn();
  if (learns_only_) {
    branching_.clear();
  } else {
    add(execution_.ending != Ending::asleep && execution_.ending != Ending::impossible);
  }
  return true;
}

double SizeProbe::lot(std::uint64_t purpose) const {
  const std::uint64_t bits = fingerprint_of(seed_, (known_ << 20U) + purpose).low;
  return static_cast<double>(bits >> 11U) * 0x1p-53;
}

Guide::Choice SizeProbe::choose(const RunState& run) {
  if (names_.size() > most_processes) return {Choice::Kind::nobody};
  take_in(run);
  list_children(run);
  if (tree_.reduced && !learns_only_) leave_out_what_ends_asleep(run);
  double sum = 0;
  for (const Child& child : children_) sum += child.weight;
  if (sum == 0) return {Choice::Kind::nobody};
  double left = lot(0) * sum;
  const Child* chosen = nullptr;
  for (const Child& child : children_) {
    if (child.weight == 0) continue;
    chosen = &child;
    left -= child.weight;
    if (left < 0) break;
  }
  MAZURKA_CHECK(chosen != nullptr && chosen->weight > 0 && sum >= chosen->weight,
                "a child is drawn that counts");
  branching_.push_back(std::log10(sum / chosen->weight));
  if (tree_.reduced && !learns_only_) {
    for (const Child* child = children_.data(); child != chosen; ++child) {
      asleep_ |= bit(child->process);
    }
  } else if (last_can_go_on_ && chosen->process != last_) {
    ++preemptions_;
  }
  const std::uint16_t outcome = known_ < outcomes_.size() ? outcomes_[known_] : std::uint16_t{0};
  return {Choice::Kind::decision, {chosen->process, outcome}};
}

// What the latest event wakes.
void SizeProbe::take_in(const RunState& run) {
  const StepList& steps = run.so_far().steps;
  for (; known_ < steps.size(); ++known_) {
    const Step event = steps[known_];
    asleep_ = still_asleep(run, asleep_, event);
  }
}

// Those of the sleepers whom the step does not wake.
SizeProbe::Processes SizeProbe::still_asleep(const RunState& run, Processes asleep,
                                             const Step& step) const {
  Processes left = asleep;
  for_each_bit(asleep, [&](std::size_t at) {
    const auto sleeper = static_cast<ProcessId>(at);
    if (dependent(program_.vocabulary(), step, run.next_step(sleeper))) left &= ~bit(sleeper);
  });
  return left;
}

// Those that can move and are not asleep, in an order drawn by lot.
void SizeProbe::list_children(const RunState& run) {
  children_.clear();
  run.enabled().for_each([&](ProcessId process) {
    if ((asleep_ & bit(process)) == 0) children_.push_back({process, to_do(run, process)});
  });
  if (tree_.reduced) {
    for (std::size_t at = children_.size(); at > 1; --at) {
      const auto other = static_cast<std::size_t>(lot(at) * static_cast<double>(at));
      std::swap(children_[at - 1], children_[other]);
    }
    return;
  }
  last_ = known_ == 0 ? no_process : run.so_far().steps.process(known_ - 1);
  last_can_go_on_ = last_ != no_process && run.is_enabled(last_);
  if (tree_.preemptions < 0 || preemptions_ < tree_.preemptions || !last_can_go_on_) return;
  std::erase_if(children_, [&](const Child& child) { return child.process != last_; });
}

double SizeProbe::to_do(const RunState& run, ProcessId process) const {
  if (index(process) >= processes_.size()) return 1;
  const std::uint32_t done = run.events_of(process);
  const std::uint32_t length = processes_[index(process)].length;
  return length > done ? length - done : 1;
}

void SizeProbe::leave_out_what_ends_asleep(const RunState& run) {
  disturbers_.assign(most_processes, 0);
  const auto look_at = [&](ProcessId process) {
    disturbers_[index(process)] = who_may_disturb(run, run.next_step(process));
  };
  for_each_bit(asleep_, [&](std::size_t at) { look_at(static_cast<ProcessId>(at)); });
  for (std::size_t at = 0; at < children_.size(); ++at) {
    look_at(children_[at].process);
    // Nobody will ever interfere: it may as well move now, and nothing else need be tried.
    if (disturbers_[index(children_[at].process)] != 0) continue;
    children_ = {children_[at]};
    break;
  }
  Processes before = 0;
  for (Child& child : children_) {
    const Step step = run.next_step(child.process);
    if (somebody_sleeps_on(still_asleep(run, asleep_ | before, step))) child.weight = 0;
    before |= bit(child.process);
  }
}

// Who may come to do something that conflicts with the step.
SizeProbe::Processes SizeProbe::who_may_disturb(const RunState& run, const Step& step) const {
  Processes found = 0;
  if (step.exits) {  // whoever else can end the program would end it in another way
    run.enabled().for_each([&](ProcessId other) { found |= bit(other); });
    return found & ~bit(step.process());
  }
  for (std::size_t other = 0; other < processes_.size(); ++other) {
    const auto process = static_cast<ProcessId>(other);
    if (process == step.process() || run.has_ended(process)) continue;
    const std::uint32_t done = run.is_alive(process) ? run.events_of(process) : 0;
    for (const Seen& seen : processes_[other].seen) {
      if (seen.last < done) continue;
      const bool conflicts =
          std::any_of(step.accesses.begin(), step.accesses.end(), [&](const Access& access) {
            return program_.vocabulary().dependent(seen.access, access);
          });
      if (!conflicts) continue;
      found |= bit(process);
      break;
    }
  }
  return found;
}

// Whether one of them is woken by nobody: neither by those awake nor by those whom they wake.
bool SizeProbe::somebody_sleeps_on(Processes asleep) const {
  for (bool woken = true; woken && asleep != 0;) {
    woken = false;
    for_each_bit(asleep, [&](std::size_t at) {
      if ((disturbers_[at] & ~asleep) == 0) return;
      asleep &= ~bit_of(at);
      woken = true;
    });
  }
  return asleep != 0;
}

// Whether the walk must be begun again with an outcome of some step that is drawn by lot.
bool SizeProbe::draw_outcome() {
  for (std::size_t at = outcomes_.size(); at < execution_.size(); ++at) {
    const Step step = execution_.steps[at];
    outcomes_.push_back(0);
    if (step.choices <= 1) continue;
    known_ = at;
    const double drawn = lot(most_processes + 1) * step.choices;
    outcomes_.back() = static_cast<std::uint16_t>(drawn);
    if (outcomes_.back() != step.decision.choice) return true;
  }
  for (std::size_t at = 0; at < execution_.size() && at < branching_.size(); ++at) {
    branching_[at] += std::log10(static_cast<double>(execution_.steps[at].choices));
  }
  return false;
}

// The process's n-th step may do this. Whether that is new.
bool SizeProbe::learn(const Step& step, std::uint32_t nth) {
  MAZURKA_CHECK(index(step.process()) < processes_.size(), "what is learnt is of a known process");
  bool fresh = false;
  std::vector<Seen>& all = processes_[index(step.process())].seen;
  for (const Access& access : step.widest()) {
    const auto known = std::find_if(all.begin(), all.end(),
                                    [&](const Seen& seen) { return seen.access == access; });
    if (known == all.end()) {
      all.push_back({access, nth});
      fresh = true;
    } else if (known->last < nth) {
      known->last = nth;
      fresh = true;
    }
  }
  return fresh;
}

void SizeProbe::learn() {
  if (processes_.size() < names_.size()) processes_.resize(names_.size());
  bool fresh = false;
  for (std::size_t at = 0; at < execution_.size(); ++at) {
    const Step step = execution_.steps[at];
    const std::uint32_t nth = execution_.events[at].index;
    Process& process = processes_[index(step.process())];
    process.length = std::max(process.length, nth + 1);
    attempts_in_vain_ = attempts_in_vain_ || !step.announced.empty();
    fresh = learn(step, nth) || fresh;
  }
  for (std::size_t at = 0; at < execution_.pending.size(); ++at) {
    const Step step = execution_.pending[at];
    fresh = learn(step, run_.events_of(step.process())) || fresh;
  }
  if (!fresh || walks_ > walks_to_learn) return;
  walks_ = 0;
  scale_ = sum_ = squares_ = 0;
}

void SizeProbe::add(bool counts) {
  ++walks_;
  if (!counts) return;
  double exponent = 0;
  for (const double one : branching_) exponent += one;
  if (exponent > scale_) {
    const double shrink = std::pow(10.0, scale_ - exponent);
    sum_ *= shrink;
    squares_ *= shrink * shrink;
    scale_ = exponent;
  }
  MAZURKA_CHECK(exponent >= 0 && exponent <= scale_, "the scale is that of the largest product");
  const double product = std::pow(10.0, exponent - scale_);
  sum_ += product;
  squares_ += product * product;
}

SizeEstimate SizeProbe::estimate() const {
  SizeEstimate result;
  result.walks = walks_;
  if (walks_ == 0 || sum_ == 0 || (tree_.reduced && attempts_in_vain_)) return result;
  const auto count = static_cast<double>(walks_);
  const double mean = sum_ / count;
  const double variance = std::max(0.0, squares_ / count - mean * mean);
  result.total = power_of_ten(scale_ + std::log10(mean));
  result.error = std::sqrt(variance / count) / mean;
  result.at_least = std::max(1.0, result.total / certainty);
  const double equal_walks = sum_ * sum_ / squares_;
  result.believable = walks_ >= fewest_walks && equal_walks >= fewest_equal_walks &&
                      result.error <= largest_error && scale_ < largest_power;
  return result;
}

}  // namespace mazurka
