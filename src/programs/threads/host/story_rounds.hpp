// Rounds of loops in a story: all but the first and the last are folded.
//
// Of a very long story the middle is not even there. It is whole rounds of a loop, if it is in one,
// so that the rounds before and after it are told as one; whatever is left out is counted.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "host/raw_story.hpp"
#include "report/model/story.hpp"

namespace mazurka::threads {
using namespace host;

/// A row of a story, and the raw events that it stands for.
struct ShownRow {
  std::size_t event = 0;  // index into the raw events
  std::string action;
  std::size_t first = 0;  // of the events that are one row ...
  std::size_t last = 0;   // ... the first and the last
  std::vector<ProcessId> peers{};
};

[[nodiscard]] inline bool may_fold(const StoryRow& row) {
  return !row.failing && !row.no_return && row.folded.empty();
}

class StoryRounds {
 public:
  explicit StoryRounds(const std::vector<RawEvent>& events) : events_(events) {}

  /// Keeps the beginning and the end of a story that nobody would read as a whole.
  void leave_out_the_middle(std::vector<std::size_t>& story);
  /// Those that were left out after one event and before another.
  [[nodiscard]] std::span<const std::size_t> left_out_between(std::size_t after,
                                                              std::size_t before) const;
  /// ... and before the row, after the one above.
  [[nodiscard]] std::span<const std::size_t> left_out_before(const std::vector<ShownRow>& shown,
                                                             std::size_t row) const;

  void fold(const std::vector<ShownRow>& shown, Story& story) const;

 private:
  /// Rows that are the same so many times in a row.
  struct Rounds {
    std::size_t begin = 0;
    std::size_t length = 0;  // 0: there are none
    std::size_t count = 0;

    [[nodiscard]] std::size_t last() const { return begin + (count - 1) * length; }
  };

  [[nodiscard]] bool is_same_place(std::size_t one, std::size_t other) const;
  [[nodiscard]] bool goes_on(const std::vector<ShownRow>& shown, const Rounds& rounds,
                             const Story& story) const;
  [[nodiscard]] Rounds rounds_from(const std::vector<ShownRow>& shown, std::size_t begin,
                                   const Story& story) const;

  const std::vector<RawEvent>& events_;
  std::vector<std::size_t> left_out_;  // in order
};

}  // namespace mazurka::threads
