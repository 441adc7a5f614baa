#include "analysis/wakeup_trees.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "analysis/made_execution.test.hpp"

namespace mazurka {
namespace {

constexpr unsigned p = 0;
constexpr unsigned q = 1;
constexpr unsigned r = 2;
constexpr unsigned s = 3;
constexpr unsigned t = 4;

class WakeupTreesTest : public MadeExecution {
 protected:
  struct Short {  // a step of one access
    unsigned process;
    unsigned object;
    VariableMode mode = write;
    std::uint16_t choice = 0;
  };
  void insert(std::size_t node, const std::vector<Short>& sequence) {
    StepList steps;
    for (const Short& one : sequence) {
      const std::vector<Access> accesses{access(one.object, one.mode)};
      Step made = step(one.process, accesses);
      made.decision.choice = one.choice;
      made.choices = 2;
      steps.push_back(made);
    }
    trees_.insert(node, steps);
  }
  /// The processes that are followed from the node on.
  std::vector<unsigned> follow(std::size_t node) {
    std::vector<unsigned> processes;
    for (; !trees_.empty(node); ++node) {
      processes.push_back(static_cast<unsigned>(trees_.advance(node).process()));
    }
    return processes;
  }
  /// All that is in the trees, each branch as it is followed.
  std::vector<std::vector<unsigned>> all() {
    std::vector<std::vector<unsigned>> rows;
    for (std::size_t node = trees_.deepest(); node != no_node; node = trees_.deepest()) {
      rows.push_back(follow(node));
    }
    return rows;
  }
  using Row = std::vector<unsigned>;
  using Rows = std::vector<Row>;

  WakeupTrees trees_{vocabulary_};
};

TEST_F(WakeupTreesTest, ASequenceIsFollowedFromItsNode) {
  EXPECT_EQ(trees_.deepest(), no_node);
  insert(2, {{p, 0}, {q, 0}, {p, 1}});
  EXPECT_TRUE(trees_.empty(0));
  EXPECT_EQ(trees_.deepest(), 2U);
  const Step first = trees_.advance(2);
  EXPECT_EQ(first.process(), ProcessId{p});
  EXPECT_EQ(first.accesses[0], access(0, write));
  EXPECT_EQ(trees_.deepest(), 3U);
  EXPECT_EQ(follow(3), (Row{q, p}));
  EXPECT_EQ(trees_.deepest(), no_node);
}

TEST_F(WakeupTreesTest, SequencesShareHowTheyBegin) {
  insert(0, {{p, 0}, {q, 0}});
  insert(0, {{p, 0}, {r, 0}});
  EXPECT_EQ(follow(0), (Row{p, q}));
  EXPECT_TRUE(trees_.empty(0));
  EXPECT_EQ(all(), (Rows{{r}}));  // after p
}

TEST_F(WakeupTreesTest, TheLeftmostBranchComesFirst) {
  insert(0, {{p, 0}});
  insert(0, {{q, 0}});
  insert(0, {{r, 0}});
  EXPECT_EQ(all(), (Rows{{p}, {q}, {r}}));
}

TEST_F(WakeupTreesTest, WhatALeafLeadsToIsNotAskedForAgain) {
  insert(0, {{p, 0}});
  insert(0, {{q, 1}});          // p does not disturb it, and nothing is asked for after p
  insert(0, {{q, 1}, {p, 0}});  // it can as well begin with p
  insert(0, {{p, 0}, {q, 0}});
  EXPECT_EQ(all(), (Rows{{p}}));
}

TEST_F(WakeupTreesTest, WhatDisturbsABranchIsAnother) {
  insert(0, {{p, 0}, {p, 1}});
  insert(0, {{q, 1}, {p, 0}});  // begins with p, but not with p p
  EXPECT_EQ(follow(0), (Row{p, p}));
  EXPECT_EQ(all(), (Rows{{q}}));
  insert(0, {{p, 0}});
  insert(0, {{q, 0}, {p, 0}});  // q comes before p
  EXPECT_EQ(all(), (Rows{{p}, {q, p}}));
}

TEST_F(WakeupTreesTest, AnotherOutcomeIsAnotherBranch) {
  insert(0, {{p, 0, write, 0}});
  insert(0, {{p, 0, write, 1}});
  EXPECT_EQ(trees_.advance(0).decision.choice, 0U);
  EXPECT_EQ(trees_.advance(0).decision.choice, 1U);
  EXPECT_TRUE(trees_.empty(0));
}

TEST_F(WakeupTreesTest, DropsWhatIsBeyondACut) {
  insert(1, {{p, 0}});
  insert(4, {{q, 0}, {r, 0}});
  insert(7, {{r, 0}});
  trees_.forget_from(4);
  EXPECT_EQ(trees_.deepest(), 1U);
  EXPECT_TRUE(trees_.empty(4) && trees_.empty(7));
  insert(4, {{r, 0}});  // in recycled branches
  EXPECT_EQ(all(), (Rows{{r}, {p}}));
}

TEST_F(WakeupTreesTest, AnAttemptKeepsWhatItTookIn) {
  insert(0, {{p, 0, attempt}});
  insert(0, {{q, 1}});
  insert(0, {{q, 1}});  // once is enough
  insert(0, {{r, 0, read}});
  const std::vector<Access> failed{access(0, read)};
  const std::vector<Access> announced{access(0, attempt)};
  Step performed = step(p, failed);
  performed.announced = announced;
  performed.choices = 2;
  EXPECT_EQ(trees_.advance(0).process(), ProcessId{p});
  const std::vector<StepList> after = trees_.settle_leaf(0, performed);
  // q was taken in; r is disturbed by a write, but there was none.
  ASSERT_EQ(after.size(), 2U);
  EXPECT_EQ(after[0].process(0), ProcessId{q});
  EXPECT_EQ(after[1].process(0), ProcessId{r});
  EXPECT_EQ(trees_.deepest(), no_node);
}

TEST_F(WakeupTreesTest, WhatAFailedAttemptDisturbsStays) {
  insert(0, {{p, 0, attempt}});
  insert(0, {{q, 0, write}});
  const std::vector<Access> failed{access(0, read)};
  trees_.advance(0);
  EXPECT_TRUE(trees_.settle_leaf(0, step(p, failed)).empty());
  EXPECT_EQ(all(), (Rows{{q}}));
}

TEST_F(WakeupTreesTest, OnlyAttemptsKeepWhatTheyTookIn) {
  insert(0, {{p, 0}});
  insert(0, {{q, 1}});
  const std::vector<Access> accesses{access(0, write)};
  trees_.advance(0);
  EXPECT_TRUE(trees_.settle_leaf(0, step(p, accesses)).empty());
}

TEST_F(WakeupTreesTest, ALeafThatIsMovedTakesItsBranchAlong) {
  insert(0, {{p, 0, attempt}});
  insert(0, {{q, 0, read}, {r, 1}});
  insert(0, {{q, 0, read}, {s, 1}, {s, 0}});
  insert(0, {{r, 0}, {q, 0, read}});
  const std::vector<Access> failed{access(0, read)};
  trees_.advance(0);
  const std::vector<StepList> after = trees_.settle_leaf(0, step(p, failed));
  ASSERT_EQ(after.size(), 1U);  // the others write what p has read
  EXPECT_EQ(after[0].size(), 2U);
  EXPECT_EQ(all(), (Rows{{q, s, s}, {r, q}}));
}

TEST_F(WakeupTreesTest, ALeafThatIsMovedLosesNothingThatItTookIn) {
  insert(0, {{p, 0, attempt}});
  insert(0, {{q, 0, read}, {r, 1, attempt}});
  insert(0, {{q, 0, read}, {r, 1, attempt}, {s, 2}});
  insert(0, {{q, 0, read}, {r, 1, attempt}, {t, 0}});  // writes what p has read
  const std::vector<Access> failed{access(0, read)};
  trees_.advance(0);
  const std::vector<StepList> after = trees_.settle_leaf(0, step(p, failed));
  ASSERT_EQ(after.size(), 2U);
  EXPECT_EQ(after[0].size(), 2U);
  ASSERT_EQ(after[1].size(), 3U);
  EXPECT_EQ(after[1].process(2), ProcessId{s});
  EXPECT_EQ(all(), (Rows{{q, r, t}}));
}

TEST_F(WakeupTreesTest, CanBeAsDeepAsAnExecutionIsLong) {
  constexpr std::size_t length = 300'000;
  insert(0, {{p, 0, attempt}});
  insert(0, std::vector<Short>(length, {q, 0, read}));
  std::vector<std::byte> bytes;
  ArchiveWriter writer(bytes);
  trees_.save(writer);
  WakeupTrees back(vocabulary_);
  ArchiveReader reader(bytes);
  back.load(reader, length + 1);
  back.advance(0);
  const std::vector<Access> failed{access(0, read)};
  const std::vector<StepList> after = back.settle_leaf(0, step(p, failed));
  ASSERT_EQ(after.size(), 1U);
  EXPECT_EQ(after[0].size(), length);
  trees_.forget_from(0);
  EXPECT_EQ(trees_.deepest(), no_node);
}

TEST_F(WakeupTreesTest, AreTheSameAfterAJourney) {
  insert(1, {{p, 0}, {q, 0}});
  insert(1, {{p, 0}, {r, 0}});
  insert(1, {{q, 0}});
  insert(3, {{p, 0, attempt, 1}});
  insert(3, {{q, 1}});
  std::vector<std::byte> bytes;
  ArchiveWriter writer(bytes);
  trees_.save(writer);
  const Rows expected = all();

  const auto load = [&](std::span<const std::byte> from, std::size_t nodes) {
    WakeupTrees fresh(vocabulary_);
    ArchiveReader reader(from);
    fresh.load(reader, nodes);
    reader.expect_end();
    return fresh;
  };
  WakeupTrees back = load(bytes, 4);
  EXPECT_EQ(back.deepest(), 3U);
  EXPECT_EQ(back.advance(3).decision, (Decision{ProcessId{p}, 1}));
  const std::vector<Access> failed{access(0, read)};
  EXPECT_EQ(back.settle_leaf(3, step(p, failed)).size(), 1U);
  std::size_t branches = 1;
  for (std::size_t node = back.deepest(); node != no_node; node = back.deepest(), ++branches) {
    for (; !back.empty(node); ++node) back.advance(node);
  }
  EXPECT_EQ(branches, expected.size());

  EXPECT_THROW(load(bytes, 3), ArchiveError);  // there is no node 3
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THROW(load(std::span<const std::byte>(bytes).first(size), 4), ArchiveError) << size;
  }
}

}  // namespace
}  // namespace mazurka
