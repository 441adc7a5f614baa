// Several variants in turn, because none is the best on every system.
//
// Which reduction works can differ by orders of magnitude from one model to the next, and nothing
// short of trying tells. So each entry of the portfolio gets a small budget of work, then each a
// larger one, until one of them finishes: the total is within a constant factor of the best. The
// order is fixed and work is counted, not timed, so the result is deterministic. (A budget of nodes
// would be spent slowly by a variant that thinks long about each of them.) Once the budgets are
// large, a search without reduction has its turn, too.
#pragma once

#include <cstdint>

#include "core/network.hpp"
#include "explorers/stateful/search.hpp"

namespace mazurka::stateful {

struct PortfolioResult {
  Result result;  // of the entry that finished, or of the last one tried
  Entry entry;
  std::uint64_t nodes_in_vain = 0;  // of all that did not finish
};

/// `settings.variant` is ignored.
[[nodiscard]] PortfolioResult search_portfolio(const Network& network, const Settings& settings);

}  // namespace mazurka::stateful
