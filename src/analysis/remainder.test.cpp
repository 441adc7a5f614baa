#include "analysis/remainder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace mazurka {
namespace {

std::vector<std::uint32_t> left(const Remainder& remainder) {
  std::vector<std::uint32_t> positions;
  for (std::uint32_t at = remainder.first(); at != remainder.end(); at = remainder.next(at)) {
    positions.push_back(at);
  }
  for (std::uint32_t at = 0; at != remainder.end(); ++at) {
    EXPECT_EQ(remainder.contains(at), std::count(positions.begin(), positions.end(), at) == 1);
  }
  EXPECT_EQ(positions.size(), remainder.size());
  return positions;
}

using Positions = std::vector<std::uint32_t>;

TEST(Remainder, LosesWhatIsTakenOutAndGetsItBack) {
  Remainder remainder;
  EXPECT_TRUE(remainder.empty());
  remainder.reset(4);
  EXPECT_EQ(left(remainder), (Positions{0, 1, 2, 3}));
  remainder.take_out(1);
  remainder.take_out(0);
  EXPECT_EQ(left(remainder), (Positions{2, 3}));
  remainder.take_out(3);
  remainder.take_out(2);
  EXPECT_TRUE(remainder.empty());
  EXPECT_EQ(remainder.first(), remainder.end());
  remainder.put_back(2);
  remainder.put_back(3);
  remainder.put_back(0);
  EXPECT_EQ(left(remainder), (Positions{0, 2, 3}));
  remainder.put_back(1);
  EXPECT_EQ(left(remainder), (Positions{0, 1, 2, 3}));
}

TEST(Remainder, CanBeUsedForAnotherLength) {
  Remainder remainder;
  remainder.reset(3);
  remainder.take_out(1);
  remainder.reset(1);
  EXPECT_EQ(left(remainder), (Positions{0}));
  remainder.reset(0);
  EXPECT_EQ(left(remainder), (Positions{}));
}

}  // namespace
}  // namespace mazurka
