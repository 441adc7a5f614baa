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
  EXPECT_TRUE(vocabulary.only_totals({x, 0, 0}));   // a read depends on writes
  EXPECT_FALSE(vocabulary.only_totals({x, 0, 1}));  // a write depends on reads too
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
  EXPECT_THROW(vocabulary.add_kind("much", std::vector<Vocabulary::Mode>(9, {"mode"})),
               std::length_error);
  for (std::size_t at = 0; at < max_kinds; ++at) vocabulary.add_kind("kind", {{"mode"}});
  EXPECT_THROW(vocabulary.add_kind("one more", {{"mode"}}), std::length_error);
  EXPECT_THROW(vocabulary.declare_independent(0, 0, 1), std::out_of_range);
}

}  // namespace
}  // namespace mazurka
