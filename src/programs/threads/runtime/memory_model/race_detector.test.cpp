// Which accesses race, decided by the detector alone: three processes, and clocks made by hand.
#include "programs/threads/runtime/memory_model/race_detector.hpp"

#include <gtest/gtest.h>

#include <array>

#include "programs/threads/runtime/memory_model/three_processes.test.hpp"

namespace mazurka::threads {
namespace {

class RaceDetectorTest : public ThreeProcesses {
 protected:
  RaceDetectorTest() {
    const auto begin = reinterpret_cast<std::uintptr_t>(memory_.data());
    detector_.add_region(begin, begin + sizeof memory_);
    detector_.clear();
  }

  bool access(ProcessId process, AccessKind kind, std::size_t offset = 0, std::size_t size = 4) {
    return detector_.access(process, clock(process),
                            reinterpret_cast<std::uintptr_t>(memory_.data()) + offset, size, kind);
  }

  std::array<std::uint32_t, 8> memory_{};
  RaceDetector detector_;
};

TEST_F(RaceDetectorTest, AtomicAccessesDoNotRace) {
  EXPECT_TRUE(access(a, AccessKind::atomic_write));
  EXPECT_TRUE(access(b, AccessKind::atomic_write));
  EXPECT_TRUE(access(c, AccessKind::atomic_read));
}

TEST_F(RaceDetectorTest, ThreadLocalVariablesOfParkedThreadsAreMemory) {
  const std::uintptr_t local = parked_zone + 2 * parked_size - 256;
  EXPECT_TRUE(detector_.access(a, clock(a), local, 4, AccessKind::write));
  const RaceDetector copy = detector_;
  EXPECT_TRUE(copy == detector_);
  EXPECT_FALSE(detector_.access(b, clock(b), local, 4, AccessKind::read));
  EXPECT_TRUE(detector_.access(b, clock(b), local + parked_size, 4, AccessKind::read));
  detector_ = copy;
  EXPECT_FALSE(detector_.access(c, clock(c), local, 4, AccessKind::write));
}

TEST_F(RaceDetectorTest, PlainReadIsNotHiddenByAnAtomicReadOfTheSameProcess) {
  EXPECT_TRUE(access(a, AccessKind::read));
  EXPECT_TRUE(access(a, AccessKind::atomic_read));
  EXPECT_FALSE(access(b, AccessKind::atomic_write));
}

TEST_F(RaceDetectorTest, PlainReadIsNotHiddenByALaterTick) {
  EXPECT_TRUE(access(a, AccessKind::read));
  order(a, c);
  EXPECT_TRUE(access(a, AccessKind::atomic_read));
  EXPECT_TRUE(access(c, AccessKind::atomic_write));  // knows of the plain read
  EXPECT_FALSE(access(b, AccessKind::atomic_write));
}

TEST_F(RaceDetectorTest, PlainReadIsNotHiddenByAnAtomicReadOfOneWhoKnows) {
  EXPECT_TRUE(access(a, AccessKind::read));
  order(a, b);
  EXPECT_TRUE(access(b, AccessKind::atomic_read));
  EXPECT_FALSE(access(c, AccessKind::atomic_write));
}

TEST_F(RaceDetectorTest, PlainWriteIsNotHiddenByAnAtomicWrite) {
  EXPECT_TRUE(access(a, AccessKind::write));
  EXPECT_TRUE(access(a, AccessKind::atomic_write));
  order(a, b);
  EXPECT_TRUE(access(b, AccessKind::atomic_write));
  EXPECT_FALSE(access(c, AccessKind::atomic_read));
}

TEST_F(RaceDetectorTest, AtomicWriteIsNotHiddenByAnother) {
  EXPECT_TRUE(access(a, AccessKind::atomic_write));
  EXPECT_TRUE(access(b, AccessKind::atomic_write));
  order(b, c);
  EXPECT_FALSE(access(c, AccessKind::read));
}

TEST_F(RaceDetectorTest, PlainWriteThatKnowsOfAllSpeaksForAll) {
  EXPECT_TRUE(access(a, AccessKind::atomic_write));
  EXPECT_TRUE(access(b, AccessKind::atomic_write));
  order(a, c);
  order(b, c);
  EXPECT_TRUE(access(c, AccessKind::write));
  order(c, a);
  EXPECT_TRUE(access(a, AccessKind::read));
}

TEST_F(RaceDetectorTest, BytesOfOneWordHaveHistoriesOfTheirOwn) {
  EXPECT_TRUE(access(a, AccessKind::atomic_write));
  EXPECT_TRUE(access(b, AccessKind::atomic_write));
  EXPECT_FALSE(access(c, AccessKind::write, 1, 1));
  order(a, c);
  order(b, c);
  EXPECT_TRUE(access(c, AccessKind::write, 0, 1));
  EXPECT_FALSE(access(a, AccessKind::atomic_read, 0, 1));
  EXPECT_TRUE(access(a, AccessKind::atomic_read, 2, 1));
}

TEST_F(RaceDetectorTest, AccessMayEndBeyondTheRegion) {
  EXPECT_TRUE(access(a, AccessKind::write, 28, 8));
  EXPECT_TRUE(access(a, AccessKind::atomic_write, 28, 16));
  EXPECT_FALSE(access(b, AccessKind::write, 28, 4));
}

TEST_F(RaceDetectorTest, CopyKnowsOfTheSameAccesses) {
  EXPECT_TRUE(access(a, AccessKind::write, 0));
  EXPECT_TRUE(access(a, AccessKind::read, 4));
  EXPECT_TRUE(access(b, AccessKind::read, 4));      // a list
  EXPECT_TRUE(access(a, AccessKind::write, 9, 1));  // a byte
  const RaceDetector kept = detector_;
  RaceDetector further = kept;  // and copies of copies
  EXPECT_EQ(kept, detector_);
  EXPECT_EQ(further, kept);

  const auto begin = reinterpret_cast<std::uintptr_t>(memory_.data());
  EXPECT_TRUE(further.access(b, clock(b), begin + 8, 1, AccessKind::write));
  EXPECT_FALSE(further.access(b, clock(b), begin + 9, 1, AccessKind::write));
  EXPECT_FALSE(further.access(c, clock(c), begin + 4, 4, AccessKind::write));
  EXPECT_FALSE(further == kept);

  // What comes later is forgotten when it is put back.
  EXPECT_TRUE(access(c, AccessKind::write, 16));
  detector_ = kept;
  EXPECT_EQ(detector_, kept);
  EXPECT_TRUE(access(b, AccessKind::write, 16));
  EXPECT_FALSE(access(b, AccessKind::write, 0));
}

}  // namespace
}  // namespace mazurka::threads
