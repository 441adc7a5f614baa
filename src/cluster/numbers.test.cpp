#include "cluster/numbers.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "cluster/ending.hpp"
#include "cluster/kinship.hpp"

namespace mazurka::cluster {
namespace {

using host::Reply;

Finding finding(const std::string& key, std::vector<Decision> schedule) {
  Finding made;
  made.kind = FindingKind::assertion;
  made.message = made.key = key;
  made.schedule = std::move(schedule);
  return made;
}

Reply reply_with(std::uint64_t executions, std::uint64_t digest) {
  Reply reply;
  reply.statistics.executions = executions;
  reply.statistics.digest = digest;
  reply.statistics.deepest = executions;
  reply.rest.explored = 0.25;
  return reply;
}

/// As the server does it.
void add(Numbers& whole, const Numbers& part) {
  whole.explored += part.explored;
  for (const auto& [name, value] : part.sums) {
    const auto known = std::find_if(whole.sums.begin(), whole.sums.end(),
                                    [&, &key = name](const auto& one) { return one.first == key; });
    if (known == whole.sums.end()) {
      whole.sums.emplace_back(name, value);
    } else {
      known->second += value;
    }
  }
  for (const auto& [name, value] : part.most) {
    const auto known = std::find_if(whole.most.begin(), whole.most.end(),
                                    [&, &key = name](const auto& one) { return one.first == key; });
    if (known == whole.most.end()) {
      whole.most.emplace_back(name, value);
    } else {
      known->second = std::max(known->second, value);
    }
  }
  whole.facts.insert(whole.facts.end(), part.facts.begin(), part.facts.end());
  whole.findings.insert(whole.findings.end(), part.findings.begin(), part.findings.end());
}

TEST(Numbers, AddUpAsStatisticsDo) {
  const Reply one = reply_with(3, 0xffff'ffff'ffff'fff0U);
  const Reply other = reply_with(5, 0x8000'0000'0000'0025U);
  Numbers whole;
  add(whole, numbers_of(one, {}));
  add(whole, numbers_of(other, {}));
  Statistics sum = one.statistics;
  sum.add(other.statistics);
  Reply reply;
  take_over(whole, reply);
  EXPECT_EQ(reply.statistics.executions, sum.executions);
  EXPECT_EQ(reply.statistics.digest, sum.digest);
  EXPECT_EQ(reply.statistics.deepest, sum.deepest);
  EXPECT_EQ(whole.explored, 0.5);
}

TEST(Numbers, FactsAndFindingsComeBack) {
  Reply one = reply_with(1, 1);
  one.grounds.clocks = true;
  one.grounds.as_strong = "because";
  one.grounds.as_strong_object = {0x1234, 8, {0x10, 0x20}, {1, 2}};
  one.notes = {"a note: with a colon"};
  one.statistics.bad_exits = 1;
  one.statistics.exit_code = 7;
  one.accepted = {{2, "race: a and b", 4}};
  one.findings.push_back(
      {.finding = finding("x", {{ProcessId{1}, 0}, {ProcessId{0}, 2}}), .story = {}, .told = {}});
  Reply reply;
  take_over(numbers_of(one, {"beside"}), reply);
  EXPECT_TRUE(reply.grounds.clocks);
  EXPECT_FALSE(reply.grounds.chance);
  EXPECT_EQ(reply.grounds.as_strong, "because");
  EXPECT_EQ(reply.grounds.as_strong_object, one.grounds.as_strong_object);
  EXPECT_EQ(reply.notes, (std::vector<std::string>{"a note: with a colon", "beside"}));
  EXPECT_EQ(reply.statistics.exit_code, 7U);
  EXPECT_EQ(reply.accepted, one.accepted);
  ASSERT_EQ(reply.findings.size(), 1U);
  EXPECT_EQ(reply.findings[0].finding, one.findings[0].finding);
}

TEST(Numbers, ShorterFindingsComeFirst) {
  const auto rank = [](std::vector<Decision> schedule) {
    return rank_of(finding("x", std::move(schedule)));
  };
  const Decision low{ProcessId{2}, 0};
  const Decision high{ProcessId{10}, 0};
  EXPECT_LT(rank({high}), rank({low, low}));
  EXPECT_LT(rank({low, high}), rank({high, low}));
  EXPECT_LT(rank({low}), rank({{ProcessId{2}, 1}}));
}

TEST(Ending, ComesBack) {
  host::LaunchResult result;
  result.fate = host::Fate::killed;
  result.signal = 11;
  result.by_memory = true;
  result.schedule = {{ProcessId{3}, 1}};
  result.reply.error = "refused";
  const host::LaunchResult back = ending_from_text(ending_text(result));
  EXPECT_EQ(back.fate, host::Fate::killed);
  EXPECT_EQ(back.signal, 11);
  EXPECT_TRUE(back.by_memory);
  EXPECT_EQ(back.schedule, result.schedule);
  EXPECT_EQ(back.reply.error, "refused");
  EXPECT_THROW((void)ending_from_text("x"), std::exception);
}

TEST(Ending, OnlySomeResultsDecideAll) {
  host::LaunchResult result;
  result.reply.stopped = Stop::max_seconds;
  EXPECT_FALSE(decides(result));
  result.reply.stopped = Stop::finding;
  EXPECT_TRUE(decides(result));
  result.reply.stopped = Stop::interrupted;
  EXPECT_FALSE(decides(result));
  result.by_memory = true;
  EXPECT_TRUE(decides(result));
  result.reply.complete = true;
  EXPECT_FALSE(decides(result));
  result.reply.must_begin_anew = true;
  EXPECT_TRUE(decides(result));
}

TEST(Kinship, TheFirstDifferenceIsTold) {
  EXPECT_EQ(difference("a: 1\nb: 2\n", "a: 1\nb: 2\n"), "");
  EXPECT_EQ(difference("a: 1\nb: 2\n", "a: 1\nb: 3\n"), "b: 2 there, 3 here");
  EXPECT_EQ(difference("a: 1\n", "a: 1\nb: 3\n"), "b: none there, 3 here");
  EXPECT_EQ(difference("a: 1\n", ""), "a: 1 there, none here");
}

}  // namespace
}  // namespace mazurka::cluster
