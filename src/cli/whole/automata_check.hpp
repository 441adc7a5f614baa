// One check of a network of automata, from the file to the outcome.
//
// It runs in a thread of its own (automata_watch.hpp), so that another one can keep an eye on the
// clock, the memory and the signals whatever the check is doing. What it comes to on the way it
// writes down in SoFar: if it does not listen when it is told to stop, that is what is reported.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>

#include "cli/network_request.hpp"
#include "core/session.hpp"
#include "explorers/stateful/search.hpp"
#include "report/model/outcome.hpp"

namespace mazurka::cli {

struct AutomataOutcome {
  Outcome outcome;
  bool stateful = false;
  stateful::Counts counts;  // and the rest, where the technique was stateful
  std::string variant;
  std::string order;
  std::uint64_t nodes_in_vain = 0;
  std::string certificate;
  std::string maximal_paths;
  std::string full_runs;
};

/// Why a check shall stop, or had to.
enum class Halt : std::uint8_t { none, time, memory, no_memory, user };

/// What has been seen so far, for the thread that watches.
class SoFar {
 public:
  // Told by the watching thread, looked at by the check.
  std::atomic<Halt> halt{Halt::none};

  // Told by the check.
  std::atomic<const char*> stage{"the network was being read"};
  std::atomic<std::uint64_t> nodes{0};
  std::atomic<std::uint64_t> states{0};
  std::atomic<std::uint64_t> edges{0};

  /// Changes the outcome as it would be if nothing more came.
  template <typename Change>
  void change(Change&& change) {
    const std::lock_guard<std::mutex> guard(mutex_);
    change(outcome_);
  }
  [[nodiscard]] AutomataOutcome outcome() {
    const std::lock_guard<std::mutex> guard(mutex_);
    return outcome_;
  }
  [[nodiscard]] Statistics statistics() {
    const std::lock_guard<std::mutex> guard(mutex_);
    return outcome_.outcome.statistics;
  }

 private:
  std::mutex mutex_;
  AutomataOutcome outcome_;
};

/// The verdict, from the findings. `cut_by`: why not everything was explored; empty if it was.
void judge(AutomataOutcome& result, const std::string& cut_by, bool keep_going);
[[nodiscard]] std::string why(Halt halt);
/// Why not everything was explored; empty if it was.
[[nodiscard]] std::string why_cut(const AutomataRequest& request, const stateful::Result& result,
                                  Halt halt);
[[nodiscard]] std::string explored_text(const stateful::Counts& counts);

/// Throws for what is wrong with the input.
[[nodiscard]] AutomataOutcome check_automata(const AutomataRequest& request, SoFar& so_far);

/// The outcome of a check that had to be abandoned.
[[nodiscard]] AutomataOutcome abandoned(const AutomataRequest& request, SoFar& so_far, Halt halt);

}  // namespace mazurka::cli
