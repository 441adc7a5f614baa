#include "explorers/stateful/portfolio.hpp"

namespace mazurka::stateful {

PortfolioResult search_portfolio(const Network& network, const Settings& settings) {
  constexpr std::uint64_t first_budget = 2'000'000;
  constexpr std::uint64_t growth = 8;
  PortfolioResult best;
  for (std::uint64_t budget = first_budget;; budget *= growth) {
    for (const Entry& entry : portfolio()) {
      Settings mine = settings;
      mine.variant = *entry.variant;
      mine.max_work = budget;
      const System system(network, entry.order);
      best.result = search(system, mine);
      best.entry = entry;
      if (best.result.end != End::max_work) return best;
      best.nodes_in_vain += best.result.counts.nodes;
    }
  }
}

}  // namespace mazurka::stateful
