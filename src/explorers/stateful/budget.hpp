// When a search is over before everything was seen, and what it has cost in the end.
#pragma once

#include <chrono>
#include <cstdint>
#include <ctime>

#include "explorers/stateful/search.hpp"

namespace mazurka::stateful {

class Budget {
 public:
  /// `rounds`: of the search, from one time that somebody outside is asked to the next.
  Budget(const Settings& settings, Result& result, std::uint64_t rounds)
      : settings_(settings), result_(result), rounds_per_look_(rounds) {}

  /// Once per round of the search; what it has come to by then.
  [[nodiscard]] bool over(std::uint64_t nodes, std::uint64_t states, std::uint64_t work) {
    if (has_found_enough()) return end(End::finding);
    if (settings_.max_nodes != 0 && nodes >= settings_.max_nodes) return end(End::max_nodes);
    if (settings_.max_work != 0 && work >= settings_.max_work) return end(End::max_work);
    if (++rounds_ % rounds_per_look_ != 0) return false;
    result_.counts.nodes = nodes;
    result_.counts.states = states;
    if (settings_.interrupted && settings_.interrupted(result_.counts)) {
      return end(End::interrupted);
    }
    return false;
  }

  void finish(std::uint64_t nodes, std::uint64_t states) {
    if (result_.end == End::complete && has_found_enough()) end(End::finding);
    Counts& counts = result_.counts;
    counts.nodes = nodes;
    counts.states = states;
    counts.seconds = std::chrono::duration<double>(Clock::now() - begun_).count();
    counts.cpu_seconds = static_cast<double>(std::clock() - cpu_begun_) / CLOCKS_PER_SEC;
  }

 private:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] bool has_found_enough() const {
    return settings_.stop_at_finding && (result_.deadlock || result_.reached);
  }
  bool end(End end) {
    result_.end = end;
    return true;
  }

  const Settings& settings_;
  Result& result_;
  std::uint64_t rounds_per_look_;
  std::uint64_t rounds_ = 0;
  Clock::time_point begun_ = Clock::now();
  std::clock_t cpu_begun_ = std::clock();
};

}  // namespace mazurka::stateful
