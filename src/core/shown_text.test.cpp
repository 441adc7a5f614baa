#include "core/shown_text.hpp"

#include <gtest/gtest.h>

#include <cstdio>

namespace mazurka {
namespace {

TEST(ShownText, SignsStayAndCommandsDoNot) {
  EXPECT_EQ(printable("plain, größer, 世界, 🎵"), "plain, größer, 世界, 🎵");
  EXPECT_EQ(printable("\033]0;title\007\033[41mred"), "\\x1b]0;title\\x07\\x1b[41mred");
  EXPECT_EQ(printable("a\nb\rc\td\x7f"), "a\\nb\\rc\\td\\x7f");
  EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(printable("\xc2\x9b"), "\\u009b");              // the control CSI
  EXPECT_EQ(printable("\xe2\x80\xae"), "\\u202e");          // right to left
  EXPECT_EQ(printable("\xef\xbf\xbf"), "\\uffff");          // not allowed in XML
  EXPECT_EQ(printable("\xf0\x9f\xbf\xbf"), "\\U0001ffff");  // no character either
  EXPECT_EQ(printable_lines("a\n\tb\033"), "a\n\tb\\x1b");
}

TEST(ShownText, WhatIsNotUtf8IsShownByteByByte) {
  EXPECT_EQ(printable("\xff\xfe"), "\\xff\\xfe");
  EXPECT_EQ(printable("\x9b"), "\\x9b");
  EXPECT_EQ(printable("\xc3"), "\\xc3");           // cut
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf");  // overlong
  EXPECT_EQ(printable("\xe0\x80\xaf"), "\\xe0\\x80\\xaf");
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // a surrogate
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
}

TEST(ShownText, WordsForAShell) {
  EXPECT_EQ(shell_word("./a-b_c.d"), "./a-b_c.d");
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("a b"), "'a b'");
  EXPECT_EQ(shell_word("it's $(x)"), "'it'\\''s $(x)'");
  EXPECT_EQ(shell_word("~x"), "'~x'");
  EXPECT_EQ(shell_word("a\n\0331"), "$'a\\012\\0331'");
  EXPECT_EQ(shell_file("-rf"), "./-rf");
}

// What matters: the shell gets back every byte.
TEST(ShownText, AShellReadsTheSameWord) {
  std::string all;
  for (int c = 1; c < 256; ++c) all += static_cast<char>(c);
  for (const std::string& word : {all, std::string("a 'b\" \\c"), std::string("größer $x")}) {
    const std::string command = "bash -c " + shell_word("printf %s " + shell_word(word));
    std::FILE* pipe = popen(("exec " + command).c_str(), "r");
    ASSERT_NE(pipe, nullptr);
    std::string back;
    for (int c = 0; (c = std::fgetc(pipe)) != EOF;) back += static_cast<char>(c);
    pclose(pipe);
    EXPECT_EQ(back, word);
  }
}

}  // namespace
}  // namespace mazurka
