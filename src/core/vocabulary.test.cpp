#include "core/vocabulary.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace mazurka {
namespace {

constexpr ObjectId x{3};
constexpr ObjectId y{4};

Vocabulary variables() {
  Vocabulary vocabulary;
  const auto kind = vocabulary.add_kind("variable", {{"read"}, {"write"}});
  vocabulary.declare_independent(kind, 0, 0);
  return vocabulary;
}

TEST(Vocabulary, PairsAreDependentUnlessDeclaredOtherwise) {
  const Vocabulary vocabulary = variables();
  EXPECT_FALSE(vocabulary.dependent({x, 0, 0}, {x, 0, 0}));
  EXPECT_TRUE(vocabulary.dependent({x, 0, 0}, {x, 0, 1}));
  EXPECT_TRUE(vocabulary.dependent({x, 0, 1}, {x, 0, 0}));
  EXPECT_TRUE(vocabulary.dependent({x, 0, 1}, {x, 0, 1}));
  EXPECT_FALSE(vocabulary.dependent({x, 0, 1}, {y, 0, 1}));
}

TEST(Vocabulary, KnowsTotalModes) {
  const Vocabulary vocabulary = variables();
  EXPECT_FALSE(vocabulary.total({x, 0, 0}));
  EXPECT_TRUE(vocabulary.total({x, 0, 1}));
}

TEST(Vocabulary, AWriteCoversReadsAndNoReadAWrite) {
  const Vocabulary vocabulary = variables();
  EXPECT_TRUE(vocabulary.covers({x, 0, 1}, {x, 0, 0}));
  EXPECT_FALSE(vocabulary.covers({x, 0, 0}, {x, 0, 1}));
  EXPECT_TRUE(vocabulary.covers({x, 0, 0}, {x, 0, 0}));
}

TEST(Vocabulary, AccessesComeInRunsUnlessIndependenceIsLost) {
  EXPECT_TRUE(variables().comes_in_runs(0));
  Vocabulary vocabulary;
  const auto kind = vocabulary.add_kind("variable", {{"read"}, {"write"}, {"add"}});
  vocabulary.declare_independent(kind, 0, 0);
  vocabulary.declare_independent(kind, 2, 2);
  EXPECT_TRUE(vocabulary.comes_in_runs(kind));
  vocabulary.declare_independent(kind, 0, 2);
  EXPECT_TRUE(vocabulary.comes_in_runs(kind));  // reads and additions, and writes
  vocabulary.declare_independent(kind, 1, 2);
  EXPECT_FALSE(vocabulary.comes_in_runs(kind));  // a read, an addition, a write
}

TEST(Vocabulary, WhatAddsUpDoesNotMix) {
  Vocabulary vocabulary;
  const auto sums = vocabulary.add_kind("sum", {{"set"}, {.name = "add", .adds_up = true}});
  vocabulary.declare_independent(sums, 1, 1);
  EXPECT_FALSE(vocabulary.mixes(sums));
  EXPECT_TRUE(vocabulary.adds_up({x, sums, 1}));
  EXPECT_FALSE(vocabulary.adds_up({x, sums, 0}));
  const auto queue = vocabulary.add_kind("queue", {{"enter"}, {"leave"}});
  vocabulary.declare_independent(queue, 0, 0);
  EXPECT_TRUE(vocabulary.mixes(queue));
}

TEST(Vocabulary, GuardsCompareTheValueWithTheOperand) {
  Vocabulary vocabulary;
  vocabulary.add_kind(
      "cell",
      {{"set"},
       {"await", [](std::uint16_t operand, std::uint64_t value) { return operand == value; },
        GuardPartners::every}});
  EXPECT_FALSE(vocabulary.guarded({x, 0, 0}));
  const Access await{x, 0, 1, 5};
  EXPECT_TRUE(vocabulary.guarded(await));
  EXPECT_TRUE(vocabulary.allows(await, 5));
  EXPECT_FALSE(vocabulary.allows(await, 6));
  EXPECT_EQ(vocabulary.partners(await), GuardPartners::every);
}

TEST(Vocabulary, RefusesWhatDoesNotFit) {
  Vocabulary vocabulary;
  EXPECT_THROW(vocabulary.add_kind("nothing", {}), std::length_error);
  EXPECT_THROW(vocabulary.add_kind("much", std::vector<Vocabulary::Mode>(17, {"mode"})),
               std::length_error);
  for (std::size_t at = 0; at < max_kinds; ++at) vocabulary.add_kind("kind", {{"mode"}});
  EXPECT_THROW(vocabulary.add_kind("one more", {{"mode"}}), std::length_error);
  EXPECT_THROW(vocabulary.declare_independent(0, 0, 1), std::out_of_range);
}

}  // namespace
}  // namespace mazurka
