// What reads bytes that others may have written, and may refuse them in one way only.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mazurka::fuzz {

struct Target {
  std::string_view name;
  std::vector<std::string> (*samples)();  // valid inputs
  std::vector<std::string> words;         // that matter in them
  bool lines;                             // of names and numbers, or bytes
  /// Takes the input in, or refuses it with the documented exception, which it catches. True:
  /// taken.
  bool (*take)(const std::string& input);
};

[[nodiscard]] std::span<const Target> targets();

}  // namespace mazurka::fuzz
