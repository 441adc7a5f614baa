// A search was cut: what makes it so large, and which options would help.
//
// The lines come from the profile that the process which explored has sent along. The options are
// tried, each in a process of its own and for a moment, and what they came to is told; the order is
// what helped most. What one of them finds is a finding like any other, if it can be replayed.
#pragma once

#include <functional>
#include <optional>

#include "host/launcher.hpp"
#include "programs/threads/host/symbols.hpp"
#include "report/model/advice.hpp"

namespace mazurka::threads {
using namespace host;

/// How much of a run's time the trials may have, for a run that takes so many seconds.
[[nodiscard]] double seconds_for_trials(double seconds_of_run);

/// What the profile says.
[[nodiscard]] Advice advice_of(const Reply& reply, const Request& request, const Symbols& symbols);

struct Trials {
  std::vector<Trial> all;      // the most helpful first
  std::optional<Reply> found;  // of the one that made a finding, which can be replayed
  std::string found_by;        // its options
};

/// Tries what may help in so many seconds. `launch`: the search that was cut.
[[nodiscard]] Trials try_options(const Launch& launch, double seconds);

}  // namespace mazurka::threads
