// What each task of a search took and led to, for those who want to know how a search would go with
// more processes than there are (bench/scale.py).
//
// A line per execution, in the order in which one process performs them: the number of its
// children, and nanoseconds. As the last child is always performed next, that is the whole tree.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "driver/new_file.hpp"

namespace mazurka {

class TaskLog {
 public:
  /// After an execution. `left`: tasks that are left now.
  void note(std::uint64_t left) {
    const auto now = std::chrono::steady_clock::now();
    entries_.push_back({left + 1 - left_, (now - last_).count()});
    left_ = left;
    last_ = now;
  }
  /// 0, or errno.
  [[nodiscard]] int write(NewFile& file) const;

 private:
  struct Entry {
    std::uint64_t children;
    std::int64_t nanoseconds;
  };
  std::vector<Entry> entries_;
  std::uint64_t left_ = 1;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace mazurka
