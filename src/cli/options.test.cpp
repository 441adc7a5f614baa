#include "cli/options.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "cli/kind.hpp"
#include "cli/values.hpp"

namespace mazurka::cli {
namespace {

std::optional<int> parse_words(std::vector<const char*> words, Options& options) {
  words.insert(words.begin(), "mazurka");
  return parse(static_cast<int>(words.size()), words.data(), options);
}

TEST(Options, CompilerFlagsPassThrough) {
  Options options;
  ASSERT_EQ(parse_words(
                {"check", "bench/lastwrite.c", "-DN=8", "--racy", "--technique", "source", "--json",
                 "out.json", "-I", "include", "-O2", "-std=c11", "-lm", "-Wall", "-fno-inline"},
                options),
            std::nullopt);
  EXPECT_EQ(options.program, "bench/lastwrite.c");
  EXPECT_EQ(options.extra, (std::vector<std::string>{"-DN=8", "-I", "include", "-O2", "-std=c11",
                                                     "-lm", "-Wall", "-fno-inline"}));
  EXPECT_TRUE(options.racy);
  EXPECT_EQ(options.technique, "source");
  EXPECT_EQ(options.reports.front(), "out.json");
}

TEST(Options, WhatFollowsTheDashesIsNotOurs) {
  Options options;
  ASSERT_EQ(parse_words({"check", "./server", "--keep-going", "--", "--racy", "-h", "x"}, options),
            std::nullopt);
  EXPECT_FALSE(options.racy);
  EXPECT_TRUE(options.limits.keep_going);
  EXPECT_EQ(options.extra, (std::vector<std::string>{"--racy", "-h", "x"}));
}

TEST(Options, Limits) {
  Options options;
  ASSERT_EQ(
      parse_words({"check",       "a.c",          "--max-time", "5m",         "--max-executions",
                   "10",          "--max-events", "99",         "--seed",     "7",
                   "--max-stall", "500ms",        "--json",     "-",          "--color",
                   "never",       "--progress",   "always",     "--compiler", "clang"},
                  options),
      std::nullopt);
  EXPECT_EQ(options.limits.max_seconds, 300);
  EXPECT_EQ(options.limits.max_executions, 10U);
  EXPECT_EQ(options.limits.max_events, 99U);
  EXPECT_EQ(options.limits.seed, 7U);
  EXPECT_EQ(options.stall_seconds, 0.5);
  EXPECT_EQ(options.reports.front(), "-");
  EXPECT_EQ(options.color, report::When::never);
  EXPECT_EQ(options.compiler, host::Compiler::clang);
  EXPECT_TRUE(options.extra.empty());
}

TEST(Options, MistakesAreRefused) {
  for (const std::vector<const char*>& words : {std::vector<const char*>{},
                                                {"chek"},
                                                {"check"},
                                                {"check", "a.c", "--tecnique", "x"},
                                                {"check", "a.c", "--max-time", "soon"},
                                                {"check", "a.c", "--color", "blue"},
                                                {"check", "a.c", "--max-events", "0"},
                                                {"replay"},
                                                {"replay", "x", "--print"},
                                                {"techniques", "extra"}}) {
    Options options;
    EXPECT_EQ(parse_words(words, options), 2);
  }
}

TEST(Options, HelpIsNoError) {
  for (const std::vector<const char*>& words :
       {std::vector<const char*>{"--help"}, {"check", "--help"}, {"replay", "-h"}}) {
    Options options;
    EXPECT_EQ(parse_words(words, options), 0);
  }
}

TEST(Options, Times) {
  EXPECT_EQ(parse_seconds("10"), 10);
  EXPECT_EQ(parse_seconds("1.5m"), 90);
  EXPECT_EQ(parse_seconds("2h"), 7200);
  EXPECT_EQ(parse_seconds("-1"), std::nullopt);
  EXPECT_EQ(parse_seconds("m"), std::nullopt);
  EXPECT_EQ(parse_seconds("1 day"), std::nullopt);
}

TEST(Options, Numbers) {
  EXPECT_EQ(parse_number("0"), 0U);
  EXPECT_EQ(parse_number("18446744073709551615"), 18446744073709551615U);
  for (const char* text : {"", "-1", "+1", " 1", "1 ", "0x10", "1.0", "18446744073709551616"}) {
    EXPECT_EQ(parse_number(text), std::nullopt) << text;
  }
}

TEST(Options, TheLastOfTwoCounts) {
  Options options;
  ASSERT_EQ(parse_words({"check", "a.c", "--max-memory", "2G", "--max-memory=1.5k", "--seed", "010",
                         "--save-every", "1.5m", "--save-every", "300ms"},
                        options),
            std::nullopt);
  EXPECT_EQ(options.max_memory, 1536U);
  EXPECT_EQ(options.limits.seed, 10U);
  EXPECT_EQ(options.save_seconds, 0.3);
}

TEST(Options, OneKindTakesWhatNoOtherRecognises) {
  EXPECT_EQ(std::count_if(kinds().begin(), kinds().end(),
                          [](const Kind& kind) { return kind.recognises == nullptr; }),
            1);
  EXPECT_EQ(kind_of("").recognises, nullptr);
  EXPECT_EQ(kind_of("no_such_file.c").name, "threads");
  EXPECT_EQ(kind_of("no_such_file.tck").name, "automata");
}

TEST(Options, UsualTechniques) {
  for (const auto& [program, technique] :
       {std::pair{"a.c", "optimal"}, {"a.tck", "stateful"}, {"./a.out", "optimal"}}) {
    Options options;
    ASSERT_EQ(parse_words({"check", program}, options), std::nullopt);
    EXPECT_EQ(options.technique, technique);
    EXPECT_TRUE(options.technique_is_default);
  }
}

}  // namespace
}  // namespace mazurka::cli
