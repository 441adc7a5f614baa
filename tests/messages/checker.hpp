// Compares what a technique makes of a message model with the truth.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/explorer.hpp"
#include "messages/model.hpp"
#include "messages/oracle.hpp"
#include "oracle/comparison.hpp"

namespace mazurka::messages {

/// A technique as the tests call it: `unfolding:2` for its options.
[[nodiscard]] Promises promises_of(const std::string& technique);

/// Empty if all is well, otherwise what is wrong.
[[nodiscard]] std::string compare(const Model& model, const Truth& truth, Explorer& explorer,
                                  const Promises& promises, std::uint64_t seed = 0);
/// The same for a technique by name; models with too many interleavings count as fine.
[[nodiscard]] std::string compare(const Model& model, const std::string& technique,
                                  std::uint64_t seed = 0);

/// What every technique that runs on message programs is called.
[[nodiscard]] const std::vector<std::string>& technique_names();

inline constexpr std::uint64_t most_interleavings = 3000;

}  // namespace mazurka::messages
