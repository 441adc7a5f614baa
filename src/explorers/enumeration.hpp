// The search that asks for everything enabled: common to exhaustive.cpp and sleep.cpp.
#pragma once

#include <optional>

#include "core/session.hpp"
#include "explorers/path.hpp"

namespace mazurka {

/// A decision at the node that is enabled and not asleep there (or, with sleepers that are only
/// remembered, was not taken there yet).
[[nodiscard]] inline std::optional<Decision> next_decision(const Path& path, std::size_t node,
                                                           Path::Sleepers mode) {
  std::optional<Decision> found;
  const std::size_t since = mode == Path::Sleepers::kept_asleep ? 0 : node;
  path.execution().enabled[node].for_each([&](ProcessId process) {
    if (found) return;
    if (const auto choice = path.sleepers().free_choice(process, node, since)) {
      found = Decision{process, *choice};
    }
  });
  return found;
}

[[nodiscard]] inline bool enumerate(Session& session, Path::Sleepers mode) {
  Path path(session, mode, true);
  while (path.perform()) {
    std::optional<Decision> next;
    std::size_t node = path.execution().size();
    while (!next && node > 0) {
      path.put_to_sleep(--node);
      next = next_decision(path, node, mode);
    }
    if (!next) return all_explored(session);
    if (session.stop()) return false;
    path.estimate([&](std::size_t at) {
      const std::size_t enabled = path.execution().enabled[at].size();
      return enabled > 0 ? enabled - 1 : 0;
    });
    path.leave(node);
    path.decide(*next);
  }
  return false;
}

}  // namespace mazurka
