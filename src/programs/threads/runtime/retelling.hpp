// Performs a schedule once more and writes everything down, for a report.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/finding.hpp"
#include "host/protocol.hpp"

namespace mazurka::threads {
using namespace host;

struct Told {
  RawStory story;
  std::vector<Finding> findings;
  std::size_t events = 0;
  std::optional<RawDivergence> divergence{};
  std::uint64_t hidden = 0;  // a data race: RawFinding::hidden
};

/// What the finding's schedule leads to. Without a message: whatever it leads to.
[[nodiscard]] Told retell(const Finding& finding, const Request& request);

/// The fences for signal handlers that explain the finding: those that the schedule passes, if it
/// does not lead to the finding with fences for threads in their place. One, if that is enough.
[[nodiscard]] std::vector<std::vector<std::uint64_t>> signal_fences_that_matter(
    const Finding& finding, const Request& request);

}  // namespace mazurka::threads
