#include "explorers/stateful/stateful.hpp"

#include <chrono>
#include <memory>
#include <utility>

#include "explorers/stateful/crew.hpp"

namespace mazurka {

namespace stateful {

bool StatefulExplorer::explore(Session& session) {
  const Network* const network = session.network();
  if (network == nullptr) {
    session.refuse("the technique stateful is for networks of automata");
    return false;
  }
  const Limits& limits = session.limits();
  Settings settings;
  settings.max_nodes = wishes_.max_nodes;
  settings.max_depth = limits.max_events;
  settings.stop_at_finding = !limits.keep_going;
  settings.record = wishes_.record;
  settings.threads = wishes_.threads;
  settings.alone_until = std::chrono::steady_clock::now() +
                         std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                             std::chrono::duration<double>(wishes_.alone_seconds));
  settings.predicate = wishes_.predicate.empty() ? nullptr : &wishes_.predicate;
  settings.interrupted = [&](const Counts& so_far) {
    counts_ = so_far;
    return session.stop();
  };
  settings.found = [&](const Result& so_far) { take_over(so_far, session); };
  try {
    search_network(*network, settings, limits.seed);
  } catch (const TooManyThreads&) {
    if (wishes_.alone_seconds == 0) throw;  // that many were asked for
    settings.threads = 1;
    search_network(*network, settings, limits.seed);
  }
  counts_ = result_.result.counts;
  take_over(result_.result, session);
  return result_.result.end == End::complete;
}

void StatefulExplorer::search_network(const Network& network, const Settings& settings,
                                      std::uint64_t seed) {
  if (!wishes_.entry) {
    result_ = search_portfolio(network, settings);
    return;
  }
  Settings mine = settings;
  mine.variant = *wishes_.entry->variant;
  mine.exploration = wishes_.entry->exploration;
  result_.entry = *wishes_.entry;
  result_.result = search(System(network, wishes_.entry->order, seed), mine);
}

// The latest of the searches in turn is the one whose graph and counts are told, so its paths are
// the ones to show.
void StatefulExplorer::take_over(const Result& seen, Session& session) {
  if (seen.deadlock) {
    to_deadlock_ = *seen.deadlock;
    session.adopt({FindingKind::deadlock, no_process, "nobody can move", "deadlock", {}});
  }
  if (seen.reached) {
    to_predicate_ = *seen.reached;
    session.adopt({FindingKind::assertion,
                   no_process,
                   "reached: " + wishes_.wanted,
                   "reached " + wishes_.wanted,
                   {}});
  }
}

}  // namespace stateful

}  // namespace mazurka
