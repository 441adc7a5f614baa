#include "report/layout.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace mazurka::report {
namespace {

TEST(Layout, MeasuresCodePoints) {
  EXPECT_EQ(display_width("abc"), 3U);
  EXPECT_EQ(display_width("⟵ é"), 3U);
  EXPECT_EQ(display_width(padded("é", 4)), 4U);
}

TEST(Layout, CutsAtEitherEnd) {
  const Style ascii;
  const Style unicode{.color = false, .unicode = true, .width = 80};
  EXPECT_EQ(cut_end("abcdefgh", 6, ascii), "abc...");
  EXPECT_EQ(cut_end("abcdefgh", 6, unicode), "abcde…");
  EXPECT_EQ(cut_begin("src/bank.cpp:14", 11, ascii), "...k.cpp:14");
  EXPECT_EQ(cut_end("abc", 6, ascii), "abc");
}

TEST(Layout, WrapsBetweenWords) {
  EXPECT_EQ(wrapped("one two three", 8), (std::vector<std::string>{"one two", "three"}));
  EXPECT_EQ(wrapped("abcdefghij", 4), (std::vector<std::string>{"abcd", "efgh", "ij"}));
  EXPECT_EQ(wrapped("read x = 100", 9), (std::vector<std::string>{"read x", "= 100"}));
  EXPECT_EQ(wrapped("", 4).size(), 1U);
}

TEST(Layout, ColoursOnlyWhereWanted) {
  EXPECT_TRUE(detect_style(When::always, stdout).color);
  EXPECT_FALSE(detect_style(When::never, stdout).color);
  setenv("NO_COLOR", "1", 1);
  EXPECT_FALSE(detect_style(When::automatic, stdout).color);
  unsetenv("NO_COLOR");
  EXPECT_EQ(painted("x", Ink::red, Style{}), "x");
}

}  // namespace
}  // namespace mazurka::report
