// Inputs that nobody would write: valid ones, changed a little, or a lot, by lot.
//
// The n-th input of a seed is always the same, so a failure is reproduced by its number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace mazurka::fuzz {

class Mutator {
 public:
  /// `samples`: valid inputs, at least one. `words`: what else may stand in them. `lines`: they are
  /// lines of names and numbers, and are often to stay that.
  Mutator(std::vector<std::string> samples, std::vector<std::string> words, bool lines)
      : samples_(std::move(samples)), words_(std::move(words)), lines_(lines) {}

  [[nodiscard]] std::string input(std::uint64_t seed, std::uint64_t number) const;

 private:
  using Chance = std::mt19937_64;
  void change(std::string& text, Chance& chance) const;

  std::vector<std::string> samples_;
  std::vector<std::string> words_;
  bool lines_;
};

}  // namespace mazurka::fuzz
