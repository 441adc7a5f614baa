// Random models, and smaller ones that still fail.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "oracle/model.hpp"

namespace mazurka::oracle {

/// What a random model may contain besides plain reads and writes.
struct Features {
  std::string_view name;
  bool blocks = false;   // steps that touch several variables
  bool checks = false;   // assertions and branches
  bool mutexes = false;  // also held for ever, also tried
  bool choices = false;
  bool processes = false;  // spawn and join
  bool exits = false;
  bool awaits = false;
  bool semaphores = false;
  bool conditions = false;
  bool attempts = false;      // compare-exchanges, and attempts at locks and semaphores
  bool shared_locks = false;  // read-write locks
  bool detours = false;       // longer processes, in which steps are often skipped
  bool sums = false;  // additions, and bits that are set, in whatever order; not with awaits
};

[[nodiscard]] std::span<const Features> feature_sets();
/// Null if none of them is called that.
[[nodiscard]] const Features* find_features(std::string_view name);

/// The same seed and features give the same model.
[[nodiscard]] Model random_model(std::uint64_t seed, const Features& features);

/// Takes steps and processes away and simplifies what is left for as long as the model still fails.
[[nodiscard]] Model shrink(Model model, const std::function<bool(const Model&)>& fails);

}  // namespace mazurka::oracle
