// Compares what a technique makes of a model with the truth.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/technique.hpp"
#include "oracle/brute_force.hpp"
#include "oracle/comparison.hpp"
#include "oracle/model.hpp"

namespace mazurka::oracle {

/// A technique with switches set: `source-context:cut,guide`.
struct Variant {
  std::string name;
  const Technique* technique = nullptr;
  TechniqueOptions options;

  [[nodiscard]] std::unique_ptr<Explorer> make() const { return technique->make(options); }
};

/// What can be expected of it on this model.
[[nodiscard]] Promises promises_of(const Technique& technique, const Model& model);
[[nodiscard]] Promises promises_of(const Variant& variant, const Model& model);

/// Every technique without switches, with each of them, and with all.
[[nodiscard]] std::vector<Variant> all_variants();
/// Throws std::invalid_argument.
[[nodiscard]] Variant variant(std::string_view name);

/// Empty if all is well, otherwise what is wrong.
[[nodiscard]] std::string compare(const Model& model, const Truth& truth, Explorer& explorer,
                                  const Promises& promises, std::uint64_t seed = 0);

/// The same with the truth found out first. Models with too many interleavings count as fine.
[[nodiscard]] std::string compare(const Model& model, const Variant& variant,
                                  std::uint64_t seed = 0);

/// The same for a technique that can be divided, in parts (parted_search.hpp).
[[nodiscard]] std::string compare_in_parts(const Model& model, const Truth& truth,
                                           const Variant& variant, std::uint64_t seed);

inline constexpr std::uint64_t most_interleavings = 3000;

}  // namespace mazurka::oracle
