// "Did you mean ...?"
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace mazurka::cli {

/// Insertions, deletions, replacements and swaps of neighbours that turn one word into the other.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

/// The word most like `wanted`; empty when none is close.
[[nodiscard]] std::string_view nearest(std::string_view wanted,
                                       std::span<const std::string_view> words);

}  // namespace mazurka::cli
