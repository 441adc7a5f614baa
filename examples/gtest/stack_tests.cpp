#include <mazurka/gtest.hpp>
#include <thread>

#include "stack.hpp"

namespace {

/// One value, two takers: exactly one of them gets it.
template <typename Kind>
void one_value_two_takers() {
  Kind stack;
  stack.push(7);
  std::optional<int> first, second;
  std::thread one([&] { first = stack.pop(); });
  std::thread two([&] { second = stack.pop(); });
  one.join();
  two.join();
  EXPECT_NE(first.has_value(), second.has_value());
}

TEST(Plain, IsNotChecked) { one_value_two_takers<Stack>(); }

MAZURKA_TEST(Stack, OneOfTwoGetsTheValue) { one_value_two_takers<Stack>(); }

// Fails: the report shows how the second taker finds the stack empty after it had looked.
MAZURKA_TEST(BrokenStack, OneOfTwoGetsTheValue) { one_value_two_takers<BrokenStack>(); }

// Fails: an expectation, not a crash.
MAZURKA_TEST(Stack, TheLastPushIsPoppedFirst) {
  Stack stack;
  std::thread one([&] { stack.push(1); });
  std::thread two([&] { stack.push(2); });
  one.join();
  two.join();
  EXPECT_EQ(stack.pop(), 2);
}

TEST(Function, CanBeCheckedAnywhere) {
  int shared = 0;
  const mazurka::Result result = mazurka::check(
      [&] {
        std::mutex mutex;
        std::thread other([&] {
          const std::lock_guard<std::mutex> guard(mutex);
          ++shared;
        });
        {
          const std::lock_guard<std::mutex> guard(mutex);
          ++shared;
        }
        other.join();
        if (shared != 2) mazurka::fail("lost an increment");
      },
      {.name = "two-increments",
       .options = {},
       .arguments = {"--gtest_filter=Function.CanBeCheckedAnywhere"},
       .replace_arguments = true});
  EXPECT_EQ(result.verdict, mazurka::Verdict::verified) << result.text;
}

}  // namespace
