// Who knows of what, after atomic operations in each memory order.
#include "programs/threads/runtime/memory_model/atomic_cell.hpp"

#include <gtest/gtest.h>

namespace mazurka::threads {
namespace {

constexpr ProcessId a{0}, b{1}, c{2};
constexpr AtomicResult read{.reads = true}, write{.writes = true},
    update{.reads = true, .writes = true};

class AtomicCellTest : public testing::Test {
 protected:
  AtomicCellTest() {
    for (const ProcessId process : {a, b, c}) of(process).now.tick(process);
  }
  Knowledge& of(ProcessId process) { return knowledge_[index(process)]; }
  void perform(ProcessId process, const AtomicResult& what, MemoryOrder order) {
    cell_.perform(what, order, process, of(process));
  }
  bool knows(ProcessId one, ProcessId other) { return of(one).now[index(other)] > 0; }

 private:
  AtomicCell cell_;
  Knowledge knowledge_[3];
};

TEST_F(AtomicCellTest, AcquireTakesOverWhatReleasePublishes) {
  perform(a, write, MemoryOrder::release);
  perform(b, read, MemoryOrder::acquire);
  EXPECT_TRUE(knows(b, a));
}

TEST_F(AtomicCellTest, RelaxedPassesNothingOn) {
  perform(a, write, MemoryOrder::relaxed);
  perform(b, read, MemoryOrder::acquire);
  EXPECT_FALSE(knows(b, a));
  perform(a, write, MemoryOrder::release);
  perform(c, read, MemoryOrder::relaxed);
  EXPECT_FALSE(knows(c, a));
}

TEST_F(AtomicCellTest, FencesMakeUpForIt) {
  perform_fence(MemoryOrder::release, a, of(a));
  perform(a, write, MemoryOrder::relaxed);
  perform(b, read, MemoryOrder::relaxed);
  EXPECT_FALSE(knows(b, a));
  perform_fence(MemoryOrder::acquire, b, of(b));
  EXPECT_TRUE(knows(b, a));
}

TEST_F(AtomicCellTest, UpdateContinuesAReleaseSequence) {
  perform(a, write, MemoryOrder::release);
  perform(b, update, MemoryOrder::relaxed);
  perform(c, read, MemoryOrder::acquire);
  EXPECT_TRUE(knows(c, a));
  EXPECT_FALSE(knows(c, b));
}

TEST_F(AtomicCellTest, StoreEndsAReleaseSequence) {
  perform(a, write, MemoryOrder::release);
  perform(b, write, MemoryOrder::relaxed);
  perform(c, read, MemoryOrder::acquire);
  EXPECT_FALSE(knows(c, a));
}

}  // namespace
}  // namespace mazurka::threads
