// Data races that the user accepts, in the format of ThreadSanitizer's suppressions.
//
// A line is KIND:PATTERN. A pattern matches a name that it is a part of; ^ and $ bind it to the
// beginning and the end, * stands for anything. `race` looks at both stacks of a race (functions,
// source files, the program or library) and at the variable; `race_top` at the innermost function
// of each only. What else ThreadSanitizer can be told to be silent about does not exist here: in a
// file, which may serve both, such lines are left out with a note; on the command line they are
// mistakes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "host/protocol.hpp"
#include "programs/threads/host/symbols.hpp"

namespace mazurka::threads {
using namespace host;

struct SuppressionList {
  std::vector<Suppression> suppressions;
  std::vector<std::string> notes;
};

/// Both throw InputError when it is no suppression. `text`: "race:counter".
void add_suppression(const std::string& text, SuppressionList& list);
void add_suppressions_of(const std::filesystem::path& file, SuppressionList& list);

[[nodiscard]] bool matches(std::string_view pattern, std::string_view name);

/// Answers what the program under test asks about its races, and about accesses by MPI.
class RaceJudge {
 public:
  explicit RaceJudge(std::vector<Suppression> suppressions)
      : suppressions_(std::move(suppressions)) {}
  [[nodiscard]] RaceAnswer judge(const RaceQuestion& question);

 private:
  /// In words; empty: not at all.
  [[nodiscard]] std::string how_far_beyond(const RaceQuestion& question) const;
  [[nodiscard]] bool accepts(const Suppression& suppression, const RaceQuestion& question,
                             const std::string& variable) const;

  std::vector<Suppression> suppressions_;
  std::unique_ptr<Symbols> symbols_;  // of the modules that the first question names
};

/// What was accepted, how often and by which line; and which lines were not needed.
[[nodiscard]] std::vector<std::string> account_of(const std::vector<AcceptedRace>& accepted,
                                                  const std::vector<Suppression>& suppressions,
                                                  bool complete);

/// For Launch::on_uses: what the parts of a search know of accesses to memory, taken together.
[[nodiscard]] std::function<bool(const std::vector<std::uint64_t>&)> compare_uses();

}  // namespace mazurka::threads
