#include "core/check.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <string>

namespace mazurka {
namespace {

int half_of(int even) {
  MAZURKA_CHECK(even % 2 == 0, "only an even number has a half");
  return even / 2;
}

TEST(Check, WhatHoldsPasses) {
  int evaluated = 0;
  MAZURKA_CHECK(++evaluated == 1);
  EXPECT_EQ(evaluated, 1);
  EXPECT_EQ(half_of(4), 2);
}

TEST(CheckDeathTest, AViolatedRuleEndsTheProcessWithWhatAndWhere) {
  EXPECT_EXIT(half_of(3), testing::ExitedWithCode(2),
              "^mazurka: error: internal error: `even % 2 == 0` does not hold "
              "\\(src/core/check.test.cpp:[0-9]+, half_of\\): only an even number has a half\n"
              "  this is a defect of Mazurka.* report it with");
}

TEST(CheckDeathTest, TheRuleInWordsCanBeLeftOut) {
  EXPECT_EXIT(MAZURKA_CHECK(half_of(2) == 2), testing::ExitedWithCode(2),
              "`half_of\\(2\\) == 2` does not hold \\(src/core/check.test.cpp:[0-9]+, "
              "TestBody\\)\n");
}

TEST(CheckDeathTest, AHandlerGetsTheTextAndCanNotGoOn) {
  const auto fail = [] {
    on_failed_check([](const char* text) { std::fprintf(stderr, "handed on: %.15s\n", text); });
    half_of(5);
  };
  EXPECT_EXIT(fail(), testing::ExitedWithCode(2), "^handed on: internal error:\n$");
}

TEST(Check, ATextThatIsTooLongIsCut) {
  const std::string rule(2 * failed_check_text_size, 'x');
  char text[failed_check_text_size];
  write_text_of({"a", rule.c_str(), "/home/src/core/b.cpp", 7, "c"}, text, sizeof text);
  EXPECT_EQ(std::strlen(text), failed_check_text_size - 1);
  EXPECT_EQ(std::string(text).find("internal error: `a` does not hold (src/core/b.cpp:7, c): xx"),
            0U);
  write_text_of({"a", "", "b.cpp", 0, "c"}, text, 1);
  EXPECT_STREQ(text, "");
}

}  // namespace
}  // namespace mazurka
