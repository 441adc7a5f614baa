// --repair: which memory orders would have to be stronger for a finding not to happen.
//
// Each candidate is a table of orders that the runtime puts in the place of the program's own; the
// program is explored with it as it was without. Stronger orders only ever exclude behaviours
// (RC11, TSO), so the search goes from the strongest down, and what is needed among stronger ones
// is needed among weaker ones. If everything sequentially consistent does not help, nothing does.
// Otherwise: which orders must be seq_cst while all others acquire and release, which of these
// others must do even that, and which of the two. What is needed of a set is found by halving it
// (QuickXplain: Junker, AAAI 2004). So in the end no order can be weakened or left as it was, and
// the orders that are told were explored together.
#pragma once

#include <functional>

#include "host/launcher.hpp"
#include "report/model/repair.hpp"

namespace mazurka::threads {
using namespace host;

/// `launch`: as it led to the finding, and `found`: what came of it. `on_candidate` is told the
/// number of each candidate before it is explored.
[[nodiscard]] Repair repair(const Launch& launch, const Reply& found,
                            const std::function<void(std::uint64_t)>& on_candidate);

}  // namespace mazurka::threads
