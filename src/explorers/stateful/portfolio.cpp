#include "explorers/stateful/portfolio.hpp"

namespace mazurka::stateful {

namespace {

// Where every reduction has failed that far, there may be nothing to be reduced. All states are
// fast to make, and many: they get half of what the others do.
constexpr std::uint64_t least_for_all_states = 1'000'000'000;

}  // namespace

PortfolioResult search_portfolio(const Network& network, const Settings& settings) {
  constexpr std::uint64_t first_budget = 2'000'000;
  constexpr std::uint64_t growth = 8;
  PortfolioResult best;
  const auto finishes = [&](const Entry& entry, std::uint64_t budget) {
    Settings mine = settings;
    mine.variant = *entry.variant;
    mine.max_work = budget;
    const System system(network, entry.order);
    best.result = search(system, mine);
    best.entry = entry;
    if (best.result.end != End::max_work) return true;
    best.nodes_in_vain += best.result.counts.nodes;
    return false;
  };
  for (std::uint64_t budget = first_budget;; budget *= growth) {
    if (budget >= least_for_all_states && finishes({find_variant("reach")}, budget / 2))
      return best;
    for (const Entry& entry : portfolio()) {
      if (finishes(entry, budget)) return best;
    }
  }
}

}  // namespace mazurka::stateful
