// The stateful search as a technique like the others: it asks the session when to stop and hands it
// what it finds.
//
// What its nature does not allow: it performs no executions, so the session has none to count, and
// its findings come as actions of the network, not as schedules.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/explorer.hpp"
#include "core/finding.hpp"
#include "explorers/stateful/portfolio.hpp"

namespace mazurka::stateful {

struct Wishes {
  std::optional<Entry> entry;     // one variant in one order; without, several in turn
  std::uint64_t max_nodes = 0;    // 0: no limit
  bool record = false;            // keep the graph
  unsigned threads = 1;           // that explore ...
  double alone_seconds = 0;       // ... once one of them has done so for a while
  StatePredicate predicate = {};  // a state to look for; may be empty
  std::string wanted = {};        // what it means to the user
};

/// Of the session's limits, `max_events` is how far from the initial state nodes are expanded; 0:
/// as far as there are any.
class StatefulExplorer final : public Explorer {
 public:
  explicit StatefulExplorer(Wishes wishes = {}) : wishes_(std::move(wishes)) {}

  bool explore(Session& session) override;

  /// What has been counted so far.
  [[nodiscard]] const Counts& counts() const { return counts_; }
  /// The actions that lead to a finding of that kind, if the session has one.
  [[nodiscard]] const std::vector<ActionId>& path_to(FindingKind kind) const {
    return kind == FindingKind::deadlock ? to_deadlock_ : to_predicate_;
  }
  /// Once it has ended.
  [[nodiscard]] const PortfolioResult& result() const { return result_; }

 private:
  void search_network(const Network& network, const Settings& settings, std::uint64_t seed);
  void take_over(const Result& seen, Session& session);

  Wishes wishes_;
  Counts counts_;
  std::vector<ActionId> to_deadlock_;
  std::vector<ActionId> to_predicate_;
  PortfolioResult result_;
};

}  // namespace mazurka::stateful
