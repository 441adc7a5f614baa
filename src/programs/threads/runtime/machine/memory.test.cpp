// Memory is put back: heaps by resetting them, static data from a copy.
#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "programs/threads/runtime/machine/heaps.hpp"
#include "programs/threads/runtime/machine/snapshot.hpp"
#include "programs/threads/runtime/machine/stacks.hpp"

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

TEST(Snapshot, PutsBackWhatThereWasWhenItWasRebased) {
  std::array<std::byte, 100> memory{};
  Snapshot snapshot;
  snapshot.include(memory);
  memory[7] = std::byte{1};
  snapshot.rebase({});
  const auto before = memory;
  memory.fill(std::byte{9});
  snapshot.restore();
  EXPECT_EQ(memory, before);
}

TEST_F(HeapsTest, WhatIsKeptLaterStays) {
  void* kept = heaps_.allocate(0, 24, 16);
  void* freed = heaps_.allocate(0, 24, 16);
  heaps_.release(freed, 0);
  heaps_.keep_initial();
  void* next = heaps_.allocate(0, 24, 16);
  heaps_.release(kept, 0);
  heaps_.reset();
  EXPECT_TRUE(heaps_.is_initial(address_of(kept)));
  EXPECT_FALSE(heaps_.is_initial(address_of(next)));
  EXPECT_EQ(heaps_.look(address_of(kept), 8), HeapFault::none);
  EXPECT_EQ(heaps_.look(address_of(freed), 8), HeapFault::freed);
  EXPECT_EQ(heaps_.allocate(0, 24, 16), next);
}

TEST_F(HeapsTest, ArePutBackToWhatTheyWere) {
  auto* kept = static_cast<char*>(heaps_.allocate(1, 24, 16));
  std::strcpy(kept, "as it was");
  void* freed = heaps_.allocate(1, 8, 16);
  heaps_.release(freed, 1);
  MemoryImage image;
  Heaps::Extents extents;
  ASSERT_TRUE(heaps_.copy_into(image, extents));

  std::strcpy(kept, "otherwise");
  void* later = heaps_.allocate(1, 40, 16);
  void* elsewhere = heaps_.allocate(2, 8, 16);
  heaps_.release(kept, 1);
  EXPECT_EQ(heaps_.look(address_of(kept), 8), HeapFault::freed);

  heaps_.reset_to(extents);
  image.put_back();
  EXPECT_STREQ(kept, "as it was");
  EXPECT_EQ(heaps_.look(address_of(kept), 8), HeapFault::none);
  EXPECT_EQ(heaps_.look(address_of(freed), 8), HeapFault::freed);
  EXPECT_EQ(heaps_.look(address_of(later), 8), HeapFault::outside);
  EXPECT_EQ(heaps_.look(address_of(elsewhere), 8), HeapFault::outside);
  EXPECT_EQ(heaps_.allocate(1, 40, 16), later);
  EXPECT_EQ(heaps_.allocate(2, 8, 16), elsewhere);
}

TEST(MemoryImage, TellsWhereItDiffers) {
  std::array<int, 4> program{1, 2, 3, 4};
  int runtime = 1;
  const auto copy = [&] {
    MemoryImage image;
    image.add(program.data(), sizeof program);
    image.add(&runtime, sizeof runtime, true);
    return image;
  };
  const MemoryImage before = copy();
  runtime = 2;
  EXPECT_EQ(copy().difference(before), 0U);
  program[2] = 5;
  EXPECT_EQ(copy().difference(before), address_of(&program[2]));
  before.put_back();
  EXPECT_EQ(program[2], 3);
  EXPECT_EQ(runtime, 1);
  MemoryImage more = copy();
  more.add(&runtime, sizeof runtime);
  EXPECT_EQ(more.difference(before), address_of(&runtime));
  EXPECT_EQ(before.difference(more), address_of(&runtime));
}

TEST(Stacks, LeaveOutWhatIsNotInUse) {
  // The program stands at `frame`, in a hook that works further down.
  shared_heaps().ensure_slot(3);
  Stacks stacks;
  stacks.begin(3);
  const std::uintptr_t frame = stack_top(3) - 512;
  const std::uintptr_t pointer = frame - far_down - 256;
  auto* own = reinterpret_cast<int*>(frame);
  auto* hooks = reinterpret_cast<int*>(pointer);
  *own = *hooks = 1;
  MemoryImage image;
  stacks.copy_into(image, 3, pointer, frame);
  EXPECT_LT(image.size(), 4096U);
  *own = *hooks = 2;
  image.put_back();
  EXPECT_EQ(*own, 1);
  EXPECT_EQ(*hooks, 1);

  // Where it is not known, or can not be, all of it.
  for (const std::uintptr_t unknown : {std::uintptr_t{0}, stack_top(4) - 512, pointer + 64}) {
    MemoryImage whole;
    stacks.copy_into(whole, 3, pointer, unknown);
    EXPECT_EQ(whole.size(), stack_top(3) - pointer);
  }
}

TEST(Stacks, BeginAsZerosOrWithWhatIsKept) {
  shared_heaps().ensure_slot(0);
  Stacks stacks;
  stacks.begin(0);
  auto* const kept = reinterpret_cast<int*>(stack_top(0) - 64);
  auto* const below = reinterpret_cast<int*>(stack_top(0) - 128);
  const auto use = [&](int value) {
    *kept = *below = value;
    stacks.note_use(0, stack_top(0) - 128);
  };
  use(1);
  stacks.begin(0);
  EXPECT_EQ(*kept, 0);
  EXPECT_EQ(*below, 0);
  use(2);
  stacks.keep_first(stack_top(0) - 64);
  use(3);
  stacks.begin(0);
  EXPECT_EQ(*kept, 2);
  EXPECT_EQ(*below, 0);
}

}  // namespace
}  // namespace mazurka::threads
