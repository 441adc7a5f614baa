// What the parts of a search came to, in a form that a server can add up.
//
// A reply is taken apart into numbers that are added, numbers of which the largest counts, facts
// (things that were seen or said, each of which counts once) and findings. Of a finding that was
// made several times the one with the shortest schedule stays; the first in order if there are
// several. So the whole does not depend on who was first.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "host/protocol.hpp"

namespace mazurka::cluster {

struct Numbers {
  using Named = std::vector<std::pair<std::string, std::uint64_t>>;
  struct Found {
    std::string key;
    std::string rank;
    std::string bytes;
  };

  double explored = 0;  // estimate, of the whole search
  Named sums;
  Named most;
  std::vector<std::string> facts;
  std::vector<Found> findings;
};

[[nodiscard]] Numbers numbers_of(const host::Reply& reply, const std::vector<std::string>& notes);

/// Puts the whole into a reply of one part. The findings come without their stories.
void take_over(const Numbers& whole, host::Reply& reply);

/// What comes first in an order by text: shorter, then by decisions.
[[nodiscard]] std::string rank_of(const Finding& finding);

[[nodiscard]] std::string to_text(const std::vector<std::byte>& bytes);
[[nodiscard]] std::vector<std::byte> to_bytes(const std::string& text);

}  // namespace mazurka::cluster
