#include "programs/threads/runtime/memory_model/contention.hpp"

#include <gtest/gtest.h>

namespace mazurka::threads {
namespace {

constexpr std::uint16_t looping = 1;
constexpr std::uint16_t other = 2;
constexpr std::uint64_t lock = 7;

Contention::Use use(std::uint16_t process, bool writes, bool atomic = false) {
  Contention::Use one;
  one.address = 4096;
  one.size = 4;
  one.process = process;
  one.writes = writes;
  one.atomic = atomic;
  return one;
}

bool contest(Contention& contention, const Contention::Use& left_out, const Contention::Use& made) {
  const std::uint64_t all = ~std::uint64_t{0};
  return contention.leave_out(left_out) || contention.make(made, all);
}

TEST(Contention, AccessesThatMayRace) {
  Contention contention;
  EXPECT_FALSE(contention.is_contested(use(looping, false)));
  EXPECT_TRUE(contest(contention, use(looping, false), use(other, true)));
  EXPECT_TRUE(contention.is_contested(use(looping, false)));
  EXPECT_FALSE(contest(contention, use(looping, false), use(other, true))) << "that is known";
}

TEST(Contention, InEitherOrder) {
  Contention contention;
  EXPECT_FALSE(contention.make(use(other, true), Contention::bit_of(looping)));
  EXPECT_TRUE(contention.leave_out(use(looping, false, true)));
}

TEST(Contention, WhatIsNoRace) {
  Contention readers;
  EXPECT_FALSE(contest(readers, use(looping, false), use(other, false)));
  Contention atomic;
  EXPECT_FALSE(contest(atomic, use(looping, true, true), use(other, true, true)));
  Contention contention;
  EXPECT_FALSE(contest(contention, use(looping, true), use(looping, true)));
  Contention::Use elsewhere = use(other, true);
  elsewhere.address += 4;
  EXPECT_FALSE(contention.make(elsewhere, ~std::uint64_t{0})) << "beside it";
}

TEST(Contention, AMutexThatBothHold) {
  Contention contention;
  Contention::Use left_out = use(looping, false);
  Contention::Use made = use(other, true);
  left_out.mutexes = made.mutexes = lock;
  EXPECT_FALSE(contest(contention, left_out, made));
  made.mutexes = 0;
  EXPECT_TRUE(contest(contention, left_out, made));
}

TEST(Contention, BeforeTheProcessBegins) {
  Contention contention;
  EXPECT_FALSE(contention.make(use(other, true), 0));
  EXPECT_FALSE(contention.leave_out(use(looping, false)));
  EXPECT_TRUE(contention.begin_late(looping, other)) << "and nothing orders the two";
}

TEST(Contention, LargePieces) {
  constexpr std::uint64_t large = 1U << 20U;
  Contention contention;
  Contention::Use all = use(other, true);
  all.address = 64;
  all.size = large;
  EXPECT_FALSE(contention.make(all, ~std::uint64_t{0}));
  EXPECT_TRUE(contention.leave_out(use(looping, false)));
}

TEST(Contention, IsArchived) {
  Contention contention;
  EXPECT_FALSE(contention.make(use(other, true), Contention::bit_of(looping)));
  EXPECT_FALSE(contention.leave_out(use(3, false)));
  std::vector<std::byte> bytes;
  ArchiveWriter writer(bytes);
  writer(contention);
  Contention read;
  ArchiveReader archive(bytes);
  archive(read);
  EXPECT_EQ(read, contention);
  EXPECT_TRUE(read.leave_out(use(looping, false)));
  EXPECT_TRUE(read.knows_left_out(use(3, false)));
  EXPECT_FALSE(read == contention);
}

}  // namespace
}  // namespace mazurka::threads
