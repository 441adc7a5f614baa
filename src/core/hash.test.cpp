#include "core/hash.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <unordered_set>

#include "core/ids.hpp"

namespace mazurka {
namespace {

// Published values: files that were written before are still recognised.
TEST(RunningHash, IsFnv) {
  EXPECT_EQ(RunningHash().value(), 0xcbf29ce484222325U);
  EXPECT_EQ(RunningHash().add("a").value(), 0xaf63dc4c8601ec8cU);
  EXPECT_EQ(RunningHash().add("foobar").value(), 0x85944171f73967e8U);
  const std::array<std::byte, 1> a{std::byte{'a'}};
  EXPECT_EQ(RunningHash().add(a).value(), 0xaf63dc4c8601ec8cU);
}

TEST(RunningHash, GoesOnFromWhereAnotherEnded) {
  EXPECT_EQ(RunningHash(RunningHash().add("foo").value()).add("bar").value(),
            RunningHash().add("foobar").value());
}

TEST(Scrambled, ChangesHalfOfTheBits) {
  EXPECT_EQ(scrambled(0), 0U);
  int changed = 0;
  for (unsigned bit = 0; bit < 64; ++bit) {
    changed += std::popcount(scrambled(12345) ^ scrambled(12345 ^ (std::uint64_t{1} << bit)));
  }
  EXPECT_GT(changed, 64 * 28);
  EXPECT_LT(changed, 64 * 36);
}

TEST(Fingerprint, TellsNamesAndValuesApart) {
  std::unordered_set<Fingerprint, FingerprintHash> seen;
  for (std::uint64_t name = 0; name < 100; ++name) {
    for (std::uint64_t value = 0; value < 100; ++value) seen.insert(fingerprint_of(name, value));
  }
  EXPECT_EQ(seen.size(), 10'000U);
  EXPECT_EQ(fingerprint_of(1, 2) ^ fingerprint_of(1, 2), Fingerprint{});
}

}  // namespace
}  // namespace mazurka
