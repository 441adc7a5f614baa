#include "explorers/stateful/portfolio.hpp"

#include <algorithm>

namespace mazurka::stateful {

PortfolioResult search_portfolio(const Network& network, const Settings& settings) {
  constexpr std::uint64_t first_budget = 2'000'000;
  constexpr std::uint64_t growth = 8;
  const auto begun = std::chrono::steady_clock::now();
  const auto passed = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  };
  PortfolioResult best;
  for (std::uint64_t budget = first_budget;; budget *= growth) {
    for (const Entry& entry : portfolio()) {
      Settings mine = settings;
      mine.variant = *entry.variant;
      mine.max_work = budget;
      if (settings.max_seconds > 0) {
        mine.max_seconds = std::max(settings.max_seconds - passed(), 0.001);
      }
      const System system(network, entry.order);
      best.result = search(system, mine);
      best.entry = entry;
      best.seconds = passed();
      if (best.result.end != End::max_work) return best;
      best.nodes_in_vain += best.result.counts.nodes;
    }
  }
}

}  // namespace mazurka::stateful
