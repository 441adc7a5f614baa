// Searches that are saved when they are told to stop, and go on elsewhere.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "core/archive.hpp"
#include "core/explorer.hpp"
#include "core/session.hpp"
#include "core/technique.hpp"
#include "explorers/table.hpp"

namespace mazurka::oracle {

[[nodiscard]] inline std::vector<const Technique*> resumable_techniques() {
  std::vector<const Technique*> found;
  for (const Technique& technique : techniques()) {
    if (technique.resumable) found.push_back(&technique);
  }
  return found;
}

/// Whenever the search stops, what it knows is in `saved`. All three must stay.
inline void save_when_stopped(Session& session, const Explorer& explorer,
                              std::vector<std::byte>& saved) {
  session.on_pause = [&] {
    if (session.stopped() == Stop::none) return;
    saved.clear();
    ArchiveWriter archive(saved);
    session.save(archive);
    explorer.save(archive);
  };
}

/// Whether everything was explored. Throws ArchiveError.
[[nodiscard]] inline bool resume(Session& session, Explorer& explorer, ArchiveReader& saved) {
  session.load(saved);
  return explorer.load(session, saved) && explorer.resume();
}

}  // namespace mazurka::oracle
