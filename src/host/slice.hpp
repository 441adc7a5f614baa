// A part of a search, for a while: from a saved exploration to what is left of it.
//
// With techniques whose explorations are lists of tasks (Technique::divisible) a search can be done
// in such slices, one after the other or at the same time, here or elsewhere.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>

#include "host/launcher.hpp"

namespace mazurka::host {

/// How long a slice takes: not long while others have nothing to do.
inline constexpr std::chrono::milliseconds short_slice{150};
inline constexpr std::chrono::milliseconds usual_slice{1000};

struct Slice {
  std::filesystem::path from;  // a saved exploration; empty: the search begins here
  std::uint32_t part = 0;      // of it, this part ...
  std::uint32_t parts = 0;     // ... of so many
  std::filesystem::path to;    // where what is left is saved
  std::uint64_t budget = 0;    // executions; 0: as many as it likes
  std::chrono::milliseconds time = usual_slice;
};

/// How the slice of the whole is explored. Its end is not after that of the whole.
[[nodiscard]] Launch launch_of(const Slice& slice, const Launch& whole);

/// It ended before all was explored, and what is left could not be saved: then nothing of it
/// counts.
[[nodiscard]] bool is_rest_lost(const Reply& reply);

/// So often a part may be lost, with whoever had it, before that is told.
inline constexpr unsigned most_losses = 4;

/// How long a slice takes that was lost so often. On a machine that is busy the program may not
/// come to its first execution in a short time, and then there is nothing that could be saved.
[[nodiscard]] std::chrono::milliseconds after_losses(std::chrono::milliseconds time,
                                                     unsigned losses);

/// A folder of our own for what is left of slices; it goes with us. However we end: what a process
/// that was killed has left behind is removed by the next one that makes such a folder.
class SliceFolder {
 public:
  SliceFolder();
  SliceFolder(const SliceFolder&) = delete;
  SliceFolder& operator=(const SliceFolder&) = delete;
  ~SliceFolder();

  [[nodiscard]] std::filesystem::path operator/(const std::string& name) const {
    return folder_ / name;
  }

 private:
  std::filesystem::path folder_;
  int lock_ = -1;
};

}  // namespace mazurka::host
