// Two published algorithms as they are printed, errors included, to show what they lose.
//
// Context-sensitive DPOR (sleep sequences on source sets) and optimal DPOR with context sensitivity
// and observers (don't-do sequences on wakeup trees) both leave out executions that must not be
// left out. They live here, among the tests, and nowhere else: the counter-examples in
// printed.test.cpp run them to show that each is one. Obvious slips of the pen are mended, in the
// papers' favour:
//   - an exploration that is cut is removed from the wakeup tree too, or it would never end;
//   - the sequence that reverses an observed race does not run the second event twice;
//   - the sequence that reverses an unobserved race does not run the first event, and the check of
//     whether the two commute does;
//   - sleep sequences are added whether or not the race asks for a new process to go back to, as
//     the paper's own example does.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "oracle/model.hpp"
#include "oracle/printed_events.hpp"

namespace mazurka::oracle::printed {

/// What a search came across.
struct Found {
  std::set<std::string> traces;
  std::set<std::string> states;      // in which the program ended
  std::set<std::string> observable;  // the same without what is left in shared objects
  std::set<std::string> failures;    // as in Truth
  std::uint64_t executions = 0;
  std::uint64_t cuts = 0;
};

/// Context-sensitive DPOR (2017), Algorithm 1 and section 5.3.
struct SourceRules {
  bool context = true;      // without: Source-DPOR
  bool anticipate = false;  // cut once only the last step of a sleep sequence is left to be cut
  bool guide = false;       // choose what the shortest sleep sequences begin with
};

/// Which process goes first where several may: all of them, the preferred first.
[[nodiscard]] Found explore_source(const Model& model, const SourceRules& rules,
                                   const Processes& preference);

/// Optimal DPOR with context sensitivity and observers (2023), Algorithms 1 and 2.
struct OptimalRules {
  bool context = false;  // the don't-do sets
  bool observers = false;
  /// Section 3.3: what is to be explored is the ancestors of the second event, that event, and the
  /// future initials, not all that does not depend on the first event.
  bool ancestors = false;
  /// Section 3.4: only the variables involved in a race are compared.
  bool involved = false;
  /// Section 4.4: a don't-do sequence is inherited without the step taken wherever it stands in it.
  bool inherit_within = false;
  Footprints footprints = Footprints::possible;
};

inline constexpr OptimalRules optimal{};
inline constexpr OptimalRules optimal_observers{.observers = true};
/// Section 3.2.
inline constexpr OptimalRules optimal_context_first{.context = true};
/// Sections 3.3 and 3.4.
inline constexpr OptimalRules optimal_context{.context = true, .ancestors = true, .involved = true};
inline constexpr OptimalRules optimal_context_observers{.context = true,
                                                        .observers = true,
                                                        .ancestors = true,
                                                        .involved = true,
                                                        .inherit_within = true};

[[nodiscard]] Found explore_optimal(const Model& model, const OptimalRules& rules,
                                    const Processes& preference);

}  // namespace mazurka::oracle::printed
