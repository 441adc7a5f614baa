#include "host/slice.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "host/files.hpp"

namespace mazurka::host {
namespace {

namespace fs = std::filesystem;

TEST(SliceFolder, StaysWhileItIsInUse) {
  // Each looks for abandoned folders while others have just made theirs.
  std::atomic<int> gone = 0;
  const auto make_many = [&gone] {
    for (int times = 0; times < 300; ++times) {
      const SliceFolder folder;
      write_text(folder / "rest", "what is left");
      std::this_thread::yield();
      if (!fs::exists(folder / "rest")) ++gone;
    }
  };
  std::vector<std::thread> threads;
  for (int each = 0; each < 4; ++each) threads.emplace_back(make_many);
  for (std::thread& one : threads) one.join();
  EXPECT_EQ(gone, 0);
}

TEST(SliceFolder, OfOneWhoWasKilledIsRemovedByTheNext) {
  const fs::path abandoned =
      fs::temp_directory_path() / ("mazurka-jobs-killed-" + std::to_string(getpid()));
  fs::create_directory(abandoned);
  write_text(abandoned / "rest", "what was left");
  write_text(abandoned / "lock", "");  // at last: from here on anybody may remove it
  { const SliceFolder next; }
  // If another process has begun to remove it at the same time, that one does.
  for (int tries = 0; fs::exists(abandoned) && tries < 1000; ++tries) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_FALSE(fs::exists(abandoned));
}

TEST(Slices, AreLongerAfterLosses) {
  EXPECT_EQ(after_losses(short_slice, 0), short_slice);
  EXPECT_EQ(after_losses(short_slice, 2), 16 * short_slice);
  EXPECT_LT(after_losses(short_slice, 100), std::chrono::minutes(4));
}

}  // namespace
}  // namespace mazurka::host
