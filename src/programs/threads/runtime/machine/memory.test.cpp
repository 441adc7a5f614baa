// Memory is put back: heaps by resetting them, static data from a copy.
#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "programs/threads/runtime/machine/heaps.hpp"
#include "programs/threads/runtime/machine/snapshot.hpp"

namespace mazurka::threads {
namespace {

Heaps& shared_heaps() {  // they lie at fixed addresses: there is one
  static Heaps heaps;
  static const bool ready = (heaps.keep_initial(), true);  // as before main
  (void)ready;
  return heaps;
}

std::uintptr_t address_of(const void* block) { return reinterpret_cast<std::uintptr_t>(block); }

class HeapsTest : public testing::Test {
 protected:
  HeapsTest() { heaps_.reset(); }
  Heaps& heaps_ = shared_heaps();
};

TEST_F(HeapsTest, AddressesAreThoseOfTheProcessAndTheSameAfterAReset) {
  void* one = heaps_.allocate(1, 24, 16);
  void* other = heaps_.allocate(2, 24, 16);
  EXPECT_EQ(slot_of(address_of(one)), 1U);
  EXPECT_EQ(slot_of(address_of(other)), 2U);
  EXPECT_EQ(Heaps::header(one).size, 24U);
  heaps_.reset();
  EXPECT_EQ(heaps_.allocate(2, 24, 16), other);  // whoever comes first
  EXPECT_EQ(heaps_.allocate(1, 24, 16), one);
}

TEST_F(HeapsTest, FreedBlockIsNotUsedAgainAndItsUseIsNoticed) {
  void* block = heaps_.allocate(1, 8, 16);
  EXPECT_EQ(heaps_.look(address_of(block), 8), HeapFault::none);
  EXPECT_EQ(heaps_.look(address_of(block) + 4, 8), HeapFault::outside);
  heaps_.release(block, 1);
  EXPECT_EQ(heaps_.look(address_of(block), 8), HeapFault::freed);
  EXPECT_NE(heaps_.allocate(1, 8, 16), block);
  EXPECT_EQ(heaps_.block_near(address_of(block) + 3), block);
}

TEST_F(HeapsTest, EachBlockInUseIsVisited) {
  void* kept = heaps_.allocate(1, 8, 16);
  heaps_.release(heaps_.allocate(1, 8, 16), 1);
  std::size_t found = 0;
  heaps_.for_each_block([&](std::size_t slot, void* block) {
    EXPECT_EQ(slot, 1U);
    EXPECT_EQ(block, kept);
    ++found;
  });
  EXPECT_EQ(found, 1U);
}

TEST_F(HeapsTest, MoreThanThereIsIsRefused) {
  EXPECT_EQ(heaps_.allocate(1, slot_size, 16), nullptr);
}

TEST(Snapshot, PutsBackWhatItWasGiven) {
  std::array<std::byte, 100> memory{};
  memory[7] = std::byte{1};
  Snapshot snapshot;
  snapshot.include(memory);
  const auto before = memory;
  memory.fill(std::byte{9});
  snapshot.restore();
  EXPECT_EQ(memory, before);
  ASSERT_EQ(snapshot.regions().size(), 1U);
  EXPECT_EQ(snapshot.regions()[0].begin, address_of(memory.data()));
}

}  // namespace
}  // namespace mazurka::threads
