#include "oracle/brute_force.hpp"

#include <utility>

namespace mazurka::oracle {

namespace {

// What a step reads and writes, a bit per object. Queueing up at a condition only reads it: those
// who queue up do not disturb each other. Sums do not disturb each other either, nor do bits that
// are set, nor do those who share a lock.
struct Touched {
  std::uint64_t reads = 0;
  std::uint64_t writes = 0;
  std::uint64_t sums = 0;
  std::uint64_t bits = 0;
  std::uint64_t shares = 0;
  [[nodiscard]] std::uint64_t all() const { return reads | writes | sums | bits | shares; }
};

bool conflict(const Touched& one, const Touched& other) {
  const std::uint64_t alike = (one.reads & other.reads) | (one.sums & other.sums) |
                              (one.bits & other.bits) | (one.shares & other.shares);
  return (one.all() & other.all() & ~alike) != 0;
}

constexpr std::uint64_t variable(unsigned number) { return std::uint64_t{1} << number; }
constexpr std::uint64_t mutex(unsigned number) { return std::uint64_t{1} << (8 + number); }
constexpr std::uint64_t semaphore(unsigned number) { return std::uint64_t{1} << (16 + number); }
constexpr std::uint64_t condition(unsigned number) { return std::uint64_t{1} << (24 + number); }

constexpr std::uint64_t lock(unsigned number) { return std::uint64_t{1} << (32 + number); }

// An attempt that changed nothing (`only_looked`) has read.
Touched touched(const ModelStep& step, bool only_looked) {
  if (only_looked) {
    return {touched(step, false).all()};
  }
  switch (step.op) {
    case Op::read:
    case Op::read_branch:
    case Op::await:
    case Op::check: return {variable(step.x)};
    case Op::write:
    case Op::write_sum:
    case Op::choose_write:
    case Op::exchange:
    case Op::exchange_branch:
    case Op::add: return {0, variable(step.x)};
    case Op::sum: return {.sums = variable(step.x)};
    case Op::set_bits: return {.bits = variable(step.x)};
    case Op::swap: return {0, variable(step.x) | variable(step.y)};
    case Op::copy:
    case Op::conditional: return {variable(step.x), variable(step.y)};
    case Op::lock:
    case Op::unlock:
    case Op::try_lock:
    case Op::try_branch: return {0, mutex(step.x)};
    case Op::sem_wait:
    case Op::sem_try:
    case Op::sem_post: return {0, semaphore(step.x)};
    case Op::enqueue: return {condition(step.x), mutex(step.y)};
    case Op::wake: return {0, mutex(step.y)};
    case Op::signal:
    case Op::broadcast: return {0, condition(step.x)};
    case Op::take_alone:
    case Op::try_alone: return {0, lock(step.x)};
    case Op::share:
    case Op::try_share:
    case Op::share_branch: return {.shares = lock(step.x)};
    case Op::give_back:
      switch (static_cast<GivesBack>(step.d)) {
        case GivesBack::nothing: return {};
        case GivesBack::shared: return {.shares = lock(step.x)};
        case GivesBack::alone: return {0, lock(step.x)};
      }
      return {};
    case Op::choose:
    case Op::spawn:
    case Op::join:
    case Op::exit:
    case Op::wake_free: return {};
  }
  return {};
}

// The variables that a step overwrites without having looked at them. A conditional write lets the
// old value show through.
std::uint64_t blind_writes(const ModelStep& step) {
  switch (step.op) {
    case Op::write:
    case Op::write_sum:
    case Op::choose_write: return variable(step.x);
    case Op::copy: return variable(step.y);
    default: return 0;
  }
}

std::uint64_t looked_at(const ModelStep& step) {
  return touched(step, false).all() &
         ~(step.op == Op::copy ? variable(step.y) : blind_writes(step));
}

class Enumeration {
 public:
  Enumeration(const Model& model, std::uint64_t most, Ends ends)
      : model_(model), most_(most), ends_(ends), interleaving_(model) {}

  std::optional<Truth> run() {
    if (!search()) return std::nullopt;
    return std::move(truth_);
  }

 private:
  bool search() {
    bool moved = false;
    const State here = interleaving_.state();
    for (std::size_t process = 0; process < model_.processes.size(); ++process) {
      if (ends_ == Ends::last ? !enabled(model_, here, process) : !able(model_, here, process)) {
        continue;
      }
      moved = true;
      const std::uint16_t choices = outcomes(model_, here, process);
      for (std::uint16_t choice = 0; choice < choices; ++choice) {
        interleaving_.take({process, choice});
        if (!search()) return false;
        interleaving_.take_back(here);
      }
    }
    return moved || record();
  }

  bool record() {
    if (++truth_.interleavings > most_) return false;
    const bool deadlock = deadlocked(model_, interleaving_.state());
    const Truth::Ending ending{interleaving_.state().bytes(), deadlock,
                               interleaving_.observed_trace(),
                               observable_part(interleaving_.state())};
    const auto [known, fresh] = truth_.traces.emplace(interleaving_.trace(), ending);
    if (!fresh && known->second.state != ending.state) truth_.inconsistent = true;
    if (fresh) truth_.failures.merge(interleaving_.failures());
    if (deadlock) truth_.failures.insert("deadlock");
    return true;
  }

  const Model& model_;
  std::uint64_t most_;
  Ends ends_;
  Interleaving interleaving_;
  Truth truth_;
};

}  // namespace

bool Interleaving::dependent(const Occurrence& one, const Occurrence& other) {
  if (one.move.process == other.move.process) return true;
  if (one.step.op == Op::exit || other.step.op == Op::exit) return true;
  if (one.step.op == Op::join && one.step.x == other.move.process) return true;
  if (other.step.op == Op::join && other.step.x == one.move.process) return true;
  if ((one.released >> other.move.process & 1U) != 0) return true;
  if ((other.released >> one.move.process & 1U) != 0) return true;
  return conflict(touched(one.step, one.only_looked), touched(other.step, other.only_looked));
}

void Interleaving::take(Move move) {
  Occurrence taken{move, next_step(model_, state_, move.process), state_.positions[move.process]};
  if (taken.step.op == Op::give_back) {  // what it is depends on what the process has
    taken.step.d = static_cast<std::uint8_t>(gives_back(state_, move.process, taken.step.x));
  }
  const Effect effect = perform(model_, state_, move.process, move.choice);
  taken.released = effect.released;
  taken.failed = effect.failed;
  taken.only_looked = effect.only_looked;
  for (std::size_t at = 0; at < steps_.size(); ++at) {
    if (dependent(steps_[at], taken)) taken.predecessors |= std::uint64_t{1} << at;
  }
  steps_.push_back(taken);
}

void Interleaving::take_back(const State& before) {
  steps_.pop_back();
  state_ = before;
}

std::string Interleaving::trace() const {
  std::string name;
  std::uint64_t placed = 0;
  for (std::size_t count = 0; count < steps_.size(); ++count) {
    std::size_t best = steps_.size();
    for (std::size_t at = 0; at < steps_.size(); ++at) {
      const Occurrence& step = steps_[at];
      if ((placed >> at & 1U) != 0 || (step.predecessors & ~placed) != 0) continue;
      if (best == steps_.size() || step.move.process < steps_[best].move.process) best = at;
    }
    placed |= std::uint64_t{1} << best;
    name += static_cast<char>('a' + steps_[best].move.process);
    if (steps_[best].move.choice != 0) name += std::to_string(steps_[best].move.choice);
  }
  return name;
}

std::uint64_t Interleaving::awaited_variables() const {
  std::uint64_t awaited = 0;
  for (const Occurrence& step : steps_) {
    if (step.step.op == Op::await) awaited |= variable(step.step.x);
  }
  if (state_.exited != 0) return awaited;
  for (std::size_t process = 0; process < model_.processes.size(); ++process) {
    if (state_.statuses[process] != Status::running) continue;
    const ModelStep& next = next_step(model_, state_, process);
    if (next.op == Op::await) awaited |= variable(next.x);
  }
  return awaited;
}

bool Interleaving::writes_are_observed(std::size_t one, std::size_t other,
                                       std::uint64_t awaited) const {
  const std::uint64_t contested = blind_writes(steps_[one].step) & blind_writes(steps_[other].step);
  if ((contested & awaited) != 0) return true;
  std::uint64_t left = contested;
  for (std::size_t at = other + 1; at < steps_.size(); ++at) {
    if ((left & looked_at(steps_[at].step)) != 0) return true;
    left &= ~touched(steps_[at].step, steps_[at].only_looked).writes;
  }
  return false;
}

std::string Interleaving::observed_trace() const {
  const std::uint64_t awaited = awaited_variables();
  std::vector<std::uint64_t> predecessors(steps_.size(), 0);
  std::vector<std::size_t> number(steps_.size(), 0);
  for (std::size_t at = 0; at < steps_.size(); ++at) {
    for (std::size_t earlier = 0; earlier < at; ++earlier) {
      if (steps_[earlier].move.process == steps_[at].move.process) ++number[at];
      if ((steps_[at].predecessors >> earlier & 1U) == 0) continue;
      Occurrence one = steps_[earlier];
      Occurrence other = steps_[at];
      const std::uint64_t contested = blind_writes(one.step) & blind_writes(other.step);
      if (contested != 0) {
        // Are they dependent but for these writes?
        Touched a = touched(one.step, one.only_looked);
        Touched b = touched(other.step, other.only_looked);
        a.writes &= ~contested;
        b.writes &= ~contested;
        const bool others = conflict(a, b);
        one.step = other.step = ModelStep{Op::choose};  // touches nothing
        if (!others && !dependent(one, other) && !writes_are_observed(earlier, at, awaited)) {
          continue;
        }
      }
      predecessors[at] |= predecessors[earlier] | std::uint64_t{1} << earlier;
    }
  }
  std::map<std::pair<std::size_t, std::size_t>, std::string> named;
  for (std::size_t at = 0; at < steps_.size(); ++at) {
    std::string text(1, static_cast<char>('0' + steps_[at].move.choice));
    for (std::size_t process = 0; process < model_.processes.size(); ++process) {
      std::size_t count = 0;
      for (std::size_t earlier = 0; earlier < at; ++earlier) {
        if ((predecessors[at] >> earlier & 1U) != 0 && steps_[earlier].move.process == process) {
          ++count;
        }
      }
      text += static_cast<char>('0' + count);
    }
    named[{steps_[at].move.process, number[at]}] = text;
  }
  std::string name;
  for (const auto& [who, text] : named) name += static_cast<char>('a' + who.first) + text;
  return name;
}

std::string observable_part(const State& state) {
  State known;
  known.shares = state.shares;
  known.alone = state.alone;
  known.positions = state.positions;
  known.registers = state.registers;
  known.queued = state.queued;
  known.statuses = state.statuses;
  known.exited = state.exited;
  return known.bytes();
}

std::set<std::string> Interleaving::failures() const {
  std::set<std::string> found;
  for (const Occurrence& step : steps_) {
    if (!step.failed) continue;
    found.insert("assert p" + std::to_string(step.move.process) + ':' +
                 std::to_string(step.position));
  }
  return found;
}

bool Interleaving::maximal() const {
  for (std::size_t process = 0; process < model_.processes.size(); ++process) {
    if (enabled(model_, state_, process)) return false;
  }
  return true;
}

std::optional<Truth> enumerate_interleavings(const Model& model, std::uint64_t most, Ends ends) {
  return Enumeration(model, most, ends).run();
}

}  // namespace mazurka::oracle
