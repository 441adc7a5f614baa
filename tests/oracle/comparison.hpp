// What a search has seen, held against the truth: for every kind of model.
//
// Truth: `traces` (name -> Ending, which says whether it is a deadlock), `failures`,
// `interleavings`, `inconsistent`.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/session.hpp"
#include "core/technique.hpp"

namespace mazurka::oracle {

/// Counts how often each trace, or what the technique has of it, is covered.
template <typename Truth>
class Comparison {
 public:
  /// What a trace that ends in this way counts as.
  using Thing = std::function<std::string(const std::string& trace, const typename Truth::Ending&)>;

  explicit Comparison(
      const Truth& truth, std::string what = "trace",
      Thing thing = [](const std::string& trace, const auto&) { return trace; })
      : truth_(truth), what_(std::move(what)), thing_(std::move(thing)) {}

  [[nodiscard]] bool failed() const { return !problem_.empty(); }
  void fail(const std::string& problem) {
    if (problem_.empty()) problem_ = problem;
  }

  /// An execution that went on to its end.
  void count(const std::string& trace, Ending ending) {
    const auto known = truth_.traces.find(trace);
    if (known == truth_.traces.end()) {
      fail("trace " + trace + " does not exist");
    } else if (known->second.deadlock != (ending == Ending::deadlock)) {
      fail("trace " + trace + " ends in another way");
    } else {
      ++times_[thing_(trace, known->second)];
    }
  }

  /// Empty if all is well, otherwise what is wrong.
  [[nodiscard]] std::string conclude(const Session& session, const Promises& promises) const {
    return conclude(session.statistics(), session.findings(), promises);
  }
  [[nodiscard]] std::string conclude(const Statistics& statistics,
                                     const std::vector<Finding>& findings,
                                     const Promises& promises) const {
    if (!problem_.empty()) return problem_;
    for (const auto& [trace, ending] : truth_.traces) {
      if (!times_.contains(thing_(trace, ending))) return what_ + " of " + trace + " is missing";
    }
    for (const auto& [thing, times] : times_) {
      if (promises.each_trace_once && times > 1) return "a " + what_ + " was completed twice";
    }
    if (promises.never_asleep && statistics.asleep != 0) return "an execution ended asleep";
    if (promises.every_interleaving && statistics.executions != truth_.interleavings) {
      return std::to_string(statistics.executions) + " executions of " +
             std::to_string(truth_.interleavings) + " interleavings";
    }
    std::set<std::string> failures;
    for (const Finding& finding : findings) {
      failures.insert(finding.kind == FindingKind::deadlock ? "deadlock" : finding.key);
    }
    return failures == truth_.failures ? "" : "the findings differ";
  }

 private:
  const Truth& truth_;
  std::string what_;
  Thing thing_;
  std::map<std::string, std::uint64_t> times_;
  std::string problem_;
};

/// What is said of a program that the technique does not take: nothing was compared.
inline constexpr const char* refused_program = "the program was refused";

/// Explores the program; `take_in` is given each of its executions. Empty if all is well.
template <typename Truth, typename TakeIn>
[[nodiscard]] std::string explore(Program& program, Explorer& explorer, const Promises& promises,
                                  std::uint64_t seed, Comparison<Truth>& comparison,
                                  const TakeIn& take_in) {
  Session session(program, {.max_executions = 100'000, .keep_going = true, .seed = seed});
  session.on_execution = [&](const Execution& execution) {
    if (!comparison.failed()) take_in(execution);
  };
  const bool all = explorer.explore(session);
  if (session.divergence()) return "a schedule could not be performed";
  if (session.stopped() == Stop::refused) return refused_program;
  if (!all) return "the search gave up";
  return comparison.conclude(session, promises);
}

inline constexpr const char* inconsistent_truth =
    "one trace ends in two states: the oracle is wrong";

}  // namespace mazurka::oracle
