// The model of single objects: what is said to commute does.
#include "objects.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace certify::tests {
namespace {

bool same(Value one, Value other, bool ordered) {
  for (Value* value : {&one, &other}) {
    if (!ordered) std::sort(value->waiting.begin(), value->waiting.end());
    std::sort(value->woken.begin(), value->woken.end());
    std::sort(value->sharers.begin(), value->sharers.end());
  }
  return one.number == other.number && one.waiting == other.waiting && one.woken == other.woken &&
         one.sharers == other.sharers;
}

Value random_value(Kind kind, std::mt19937_64& random) {
  Value value;
  if (kind == Kind::mutex) {
    value.number = random() % 2;
  } else if (kind == Kind::read_write_lock) {
    if (random() % 3 == 0) {
      value.number = held_alone;
    } else {
      for (std::uint32_t process = 0; process < 2; ++process) {
        if (random() % 2 == 0) value.sharers.push_back(process);
      }
      value.number = value.sharers.size();
    }
  } else if (kind == Kind::condition) {
    for (std::uint32_t process = 2; process < 5; ++process) {
      const std::uint64_t lot = random() % 3;
      if (lot == 0) value.waiting.push_back(process);
      if (lot == 1) value.woken.push_back(process);
    }
    for (std::uint32_t process = 0; process < 2; ++process) {
      if (random() % 2 == 0) value.woken.push_back(process);
    }
  } else {
    value.number = random() % 4;
  }
  return value;
}

Part random_part(Kind kind, std::mt19937_64& random) {
  while (true) {
    const auto action = static_cast<Action>(random() % actions);
    if (kind_of(action) == kind) return {0, action, 8, random() % 4};
  }
}

// Two actions of classes that do not conflict, one after the other: in the other order both can be
// performed, do and observe the same, and leave the same.
TEST(Objects, CommuteAsTheirClassesSay) {
  std::mt19937_64 random(3);
  std::uint64_t tried = 0;
  for (int round = 0; round < 400'000; ++round) {
    const auto kind = static_cast<Kind>(random() % kinds);
    const Value begin = random_value(kind, random);
    const Part one = random_part(kind, random);
    const Part other = random_part(kind, random);
    const PartOutcome outcome{random() % 2 == 0, 0, random() % 4};
    const auto misused = [&](const Part& part, std::uint32_t process, const Value& value) {
      return misuse(part, process, value).has_value();
    };
    Value first = begin;
    if (!enabled(one, 0, first) || misused(one, 0, first)) continue;
    const Effect effect = perform(one, 0, 0, outcome, first);
    if (!enabled(other, 1, first) || misused(other, 1, first)) continue;
    const Effect then = perform(other, 1, 0, outcome, first);
    if (conflict(effect.performed, then.performed)) continue;
    ++tried;
    SCOPED_TRACE(std::string(name(one.action)) + " and " + std::string(name(other.action)));
    Value second = begin;
    ASSERT_TRUE(enabled(other, 1, second));
    ASSERT_FALSE(misused(other, 1, second));
    const Effect sooner = perform(other, 1, 0, outcome, second);
    ASSERT_TRUE(enabled(one, 0, second));
    const Effect later = perform(one, 0, 0, outcome, second);
    EXPECT_EQ(sooner.performed, then.performed);
    EXPECT_EQ(sooner.succeeded, then.succeeded);
    EXPECT_EQ(sooner.observed, then.observed);
    EXPECT_EQ(later.performed, effect.performed);
    EXPECT_EQ(later.succeeded, effect.succeeded);
    EXPECT_EQ(later.observed, effect.observed);
    EXPECT_TRUE(same(first, second, one.action == Action::wait_in_order));
    if (HasFailure()) return;
  }
  EXPECT_GT(tried, 10'000U);
}

TEST(Objects, HaveNamesForAllActions) {
  for (std::uint64_t action = 0; action < actions; ++action) {
    EXPECT_FALSE(name(static_cast<Action>(action)).empty());
    EXPECT_LT(static_cast<std::uint64_t>(kind_of(static_cast<Action>(action))), kinds);
  }
}

}  // namespace
}  // namespace certify::tests
