// The rule of a barrier of C++ (std::barrier): a phase is complete when as many have arrived as are
// expected; then one of them calls the completion function, and those who wait for the phase go on.
//
// Who arrives need not wait, may arrive for several, and may be expected no more in the phases to
// come. Which of them calls the completion function is up to the library; the one that came last
// does, so anyone may be. Where all who arrive wait at once this is an outcome of one step, as with
// the serial thread of a POSIX barrier (barrier.hpp): the first of them, by number, chooses.
//
// Phases are counted from the first barrier at the address, so that a phase of one is none of the
// next.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/check.hpp"
#include "core/ids.hpp"
#include "core/vocabulary.hpp"
#include "native/memory_model/clocks.hpp"
#include "programs/threads/runtime/primitives/operations.hpp"

namespace mazurka::threads {
using namespace native;

class PhasedBarrier {
 public:
  /// How somebody arrives.
  struct Arrival {
    std::uint64_t times = 1;
    bool waits = false;      // for the phase, at once
    bool drops = false;      // is not expected in the phases to come
    bool completes = false;  // there is a completion function
  };
  struct Phase {
    std::vector<ProcessId> arrived;
    ProcessId chooser = no_process;   // the first of them, if one is to be chosen
    ProcessId finisher = no_process;  // whom it has chosen
    Gathered gathered;
    friend bool operator==(const Phase&, const Phase&) = default;
  };
  struct Waiting {
    ProcessId process{};
    std::uint16_t phases = 0;  // that are to be complete
    bool aside = false;        // and even then it is to be released by another one
    friend bool operator==(const Waiting&, const Waiting&) = default;
  };

  [[nodiscard]] static Access access(ObjectId object, std::uint8_t mode, std::uint16_t phases = 0) {
    return {object, kind::phased_barrier, mode, phases};
  }

  /// There is another one from now on.
  void set_up(std::uint64_t count) {
    if (arrived_ != 0) ++complete_;
    count_ = expected_ = count;
    arrived_ = dropped_ = 0;
    phases_.clear();
    users_.clear();
    is_set_up_ = true;
  }
  /// It was destroyed, or its memory was given back.
  void end() { is_set_up_ = false; }
  [[nodiscard]] bool is_set_up() const { return is_set_up_; }

  [[nodiscard]] std::uint64_t value() const { return arrived_ << 32 | (complete_ & 0xffffffffU); }
  [[nodiscard]] std::uint64_t complete() const { return complete_; }
  [[nodiscard]] std::uint64_t missing() const { return expected_ - arrived_; }

  /// One of the latest phases.
  [[nodiscard]] Phase& phase(std::uint64_t nth) {
    first_kept_ = phases_.empty() ? nth : first_kept_;
    if (nth < first_kept_) nth = first_kept_;
    if (phases_.size() <= nth - first_kept_) phases_.resize(nth - first_kept_ + 1);
    return phases_[nth - first_kept_];
  }
  /// Nobody waits for those that are further back than the one before this one.
  void forget_before(std::uint64_t nth) {
    while (first_kept_ + 1 < nth && !phases_.empty()) {
      phases_.erase(phases_.begin());
      ++first_kept_;
    }
  }

  /// True: it matters in which order processes arrive. More of them use the barrier than it lets
  /// through at once, or one has arrived without waiting for the phase before, or for more than
  /// itself; or who does not wait may have to call the completion function.
  [[nodiscard]] bool makes_order_matter(ProcessId process, const Arrival& arrival) {
    if (arrival.times != 1 || (arrival.completes && !arrival.waits)) return true;
    const auto known = std::find_if(users_.begin(), users_.end(),
                                    [&](const User& one) { return one.process == process; });
    if (known == users_.end()) {
      users_.push_back({process, true, arrival.drops, complete_});
      return users_.size() > count_;
    }
    if (known->arrived || known->has_dropped) return true;
    *known = {process, true, arrival.drops, complete_};
    return false;
  }
  /// The process waits for the phase. True: it has not arrived in it, or has waited already.
  [[nodiscard]] bool is_foreign(ProcessId process, std::uint64_t phase) {
    const auto known = std::find_if(users_.begin(), users_.end(),
                                    [&](const User& one) { return one.process == process; });
    if (known == users_.end() || !known->arrived || known->phase != phase) return true;
    known->arrived = false;
    return false;
  }

  /// So many more are there. True: these are all. `firm`: they are the same in every order.
  bool arrive(ProcessId process, const Arrival& arrival, Knowledge& knowledge, bool firm) {
    arrived_ += arrival.times;
    if (arrival.drops) ++dropped_;
    Phase& own = phase(complete_);
    own.arrived.push_back(process);
    own.gathered.publish(process, knowledge, firm);
    return arrived_ == expected_;
  }
  void begin_next_phase() {
    ++complete_;
    expected_ -= dropped_;
    arrived_ = dropped_ = 0;
  }
  /// One of those who have arrived, which are all, is to call the completion function.
  void let_choose(Phase& own) const {
    MAZURKA_CHECK(!own.arrived.empty(), "a phase is completed by those who have arrived in it");
    std::sort(own.arrived.begin(), own.arrived.end());
    own.chooser = own.arrived.front();
  }

  /// The process is parked until so many phases are complete.
  void wait(ProcessId process, std::uint16_t phases, bool aside) {
    stop_waiting(process);
    waiting_.push_back({process, phases, aside});
  }
  void stop_waiting(ProcessId process) {
    std::erase_if(waiting_, [&](const Waiting& one) { return one.process == process; });
  }
  [[nodiscard]] const std::vector<Waiting>& waiting() const { return waiting_; }

  friend bool operator==(const PhasedBarrier&, const PhasedBarrier&) = default;

 private:
  struct User {
    ProcessId process{};
    bool arrived = false;  // and has not waited since
    bool has_dropped = false;
    std::uint64_t phase = 0;  // in which it arrived
    friend bool operator==(const User&, const User&) = default;
  };

  bool is_set_up_ = false;
  std::uint64_t count_ = 0;     // that it was made with
  std::uint64_t expected_ = 0;  // in this phase
  std::uint64_t arrived_ = 0;
  std::uint64_t dropped_ = 0;
  std::uint64_t complete_ = 0;  // phases
  std::uint64_t first_kept_ = 0;
  std::vector<Phase> phases_;
  std::vector<User> users_;
  std::vector<Waiting> waiting_;
};

}  // namespace mazurka::threads
