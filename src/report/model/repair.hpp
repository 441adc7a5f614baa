// Which memory orders of a program would have to be stronger for what was found not to happen.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mazurka {

enum class RepairResult : std::uint8_t {
  not_asked,
  verified,    // with the changes the program is verified
  sequential,  // the same, under sequential consistency
  bounded,     // with the changes there is no finding within the bounds of the search
  none,        // no stronger orders help
  unknown,     // it was not found out
};

[[nodiscard]] constexpr std::string_view name(RepairResult result) {
  switch (result) {
    case RepairResult::not_asked: return "not asked";
    case RepairResult::verified: return "verified";
    case RepairResult::sequential: return "verified under sequential consistency";
    case RepairResult::bounded: return "bounded";
    case RepairResult::none: return "none";
    case RepairResult::unknown: return "unknown";
  }
  return "unknown";
}

struct Repair {
  struct Change {
    std::string place;      // "queue.cpp:9"
    std::string operation;  // "store"
    std::string from;       // "relaxed"
    std::string to;         // "release"
    std::string source;     // the line of the program
    int column = 0;         // in it, where the operation stands; 0: not known
    friend bool operator==(const Change&, const Change&) = default;
  };
  RepairResult result = RepairResult::not_asked;
  std::vector<Change> changes;   // verified, bounded
  bool minimal = false;          // none of them can be weaker, or be left out
  std::string reason;            // why there is none, or why it may not be the smallest
  std::uint64_t candidates = 0;  // that were explored
  double seconds = 0;
};

}  // namespace mazurka
