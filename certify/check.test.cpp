// The verdict about sets of executions, against brute force.
#include "check.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "program.test.hpp"
#include "random.test.hpp"

namespace certify::tests {
namespace {

constexpr int programs_of_a_family = 200;

Verdict verdict(const Program& program, const std::vector<Log>& logs,
                Weakening weakening = Weakening::nothing, bool by_histories = false,
                unsigned bits = 128) {
  CheckOptions options;
  options.weakening = weakening;
  options.secret.bits = bits;
  try {
    return check(read_certificate(encode(program, logs, by_histories)), options).verdict;
  } catch (const BadCertificate&) {
    return Verdict::refused;
  }
}

std::set<std::string> traces(const Program& program, const std::vector<Log>& logs) {
  std::set<std::string> all;
  for (const Log& log : logs) all.insert(trace_of(program, log));
  return all;
}

class RandomPrograms : public testing::TestWithParam<std::size_t> {
 protected:
  // Calls look(program, traces) for each program of the family that is small enough.
  template <typename Look>
  void for_each_program(Look look) {
    const Family& family = families()[GetParam()];
    int looked_at = 0;
    for (int number = 0; number < programs_of_a_family && !HasFailure(); ++number) {
      std::mt19937_64 random(GetParam() * 1'000'003 + static_cast<unsigned>(number));
      const Program program = random_program(random, family);
      const auto all = all_traces(program, {.states = 600, .traces = 24});
      if (!all) continue;
      SCOPED_TRACE(family.name + " " + std::to_string(number));
      ++looked_at;
      look(program, *all, random);
    }
    EXPECT_GT(looked_at, programs_of_a_family / 2);
  }
};

TEST_P(RandomPrograms, AreAcceptedIfAllTracesAreThere) {
  for_each_program([](const Program& program, const std::vector<Log>& all, auto&) {
    for (const bool by_histories : {false, true}) {
      const Judgement judgement =
          check(read_certificate(encode(program, all, by_histories)), CheckOptions{});
      EXPECT_EQ(judgement.verdict, Verdict::accepted) << judgement.why;
      EXPECT_EQ(judgement.statistics.traces, all.size());
    }
  });
}

TEST_P(RandomPrograms, AreAcceptedWithRepetitions) {
  for_each_program([](const Program& program, std::vector<Log> all, auto& random) {
    const std::size_t traces = all.size();
    all.push_back(all[random() % all.size()]);
    const Judgement judgement = check(read_certificate(encode(program, all)), CheckOptions{});
    EXPECT_EQ(judgement.verdict, Verdict::accepted) << judgement.why;
    EXPECT_EQ(judgement.statistics.traces, traces);
  });
}

TEST_P(RandomPrograms, AreRefusedWithoutAnyOneTrace) {
  for_each_program([](const Program& program, const std::vector<Log>& all, auto&) {
    for (std::size_t missing = 0; missing < all.size() && all.size() > 1; ++missing) {
      std::vector<Log> rest = all;
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(missing));
      for (const bool by_histories : {false, true}) {
        EXPECT_EQ(verdict(program, rest, Weakening::nothing, by_histories), Verdict::refused);
      }
    }
  });
}

TEST_P(RandomPrograms, AreRefusedWithSomeOfTheTraces) {
  for_each_program([](const Program& program, std::vector<Log> all, auto& random) {
    std::shuffle(all.begin(), all.end(), random);
    for (int round = 0; round < 3 && all.size() > 1; ++round) {
      const auto size = static_cast<std::ptrdiff_t>(1 + random() % (all.size() - 1));
      EXPECT_EQ(verdict(program, {all.begin(), all.begin() + size}), Verdict::refused);
    }
  });
}

// Different events may have one name then; the verdict is worth nothing, but there is one.
TEST_P(RandomPrograms, HaveNoCrashWhereNamesCollide) {
  for_each_program([](const Program& program, const std::vector<Log>& all, auto&) {
    (void)verdict(program, all, Weakening::nothing, false, 4);
    (void)verdict(program, all, Weakening::nothing, true, 16);
  });
}

// Two steps of a log exchanged, its last step cut off, or its end replaced by that of another.
Log changed(const Log& log, const Log& other, int change, std::mt19937_64& random) {
  Log result = log;
  const auto at = static_cast<std::ptrdiff_t>(random() % (log.steps.size() - 1));
  if (change == 0) {
    std::iter_swap(result.steps.begin() + at, result.steps.begin() + at + 1);
  } else if (change == 1) {
    result.last[log.steps.back().process] = log.steps.back().operation;
    result.steps.pop_back();
  } else {
    const std::ptrdiff_t from =
        std::min<std::ptrdiff_t>(at, static_cast<std::ptrdiff_t>(other.steps.size()));
    result.steps.erase(result.steps.begin() + at, result.steps.end());
    result.steps.insert(result.steps.end(), other.steps.begin() + from, other.steps.end());
    result.last = other.last;
  }
  return result;
}

// What is accepted nevertheless is the whole set in other orders, or describes another program,
// all traces of which are there.
TEST_P(RandomPrograms, AreRefusedWithAChangedLog) {
  int refused = 0;
  for_each_program([&](const Program& program, const std::vector<Log>& all, auto& random) {
    for (int change = 0; change < 3; ++change) {
      std::vector<Log> logs = all;
      Log& log = logs[random() % logs.size()];
      if (log.steps.size() < 2) continue;
      log = changed(log, all[random() % all.size()], change, random);
      if (verdict(program, logs) != Verdict::accepted) {
        ++refused;
        continue;
      }
      const auto described = described_traces(program, logs);
      ASSERT_TRUE(described.has_value());
      EXPECT_EQ(traces(program, logs), *described) << "change " << change;
    }
  });
  EXPECT_GT(refused, 0);
}

INSTANTIATE_TEST_SUITE_P(Certify, RandomPrograms, testing::Range<std::size_t>(0, 16),
                         [](const auto& family) { return families()[family.param].name; });

TEST(Families, AreAllTested) { EXPECT_EQ(families().size(), 16U); }

TEST(Check, RefusesAnEmptySet) {
  const Program program{{{Kind::memory, 0}}, {{none, {access(Action::read, 0)}}}};
  EXPECT_EQ(verdict(program, {}), Verdict::refused);
}

Program two_locks() {
  return {{{Kind::mutex, 0}},
          {{none, {access(Action::lock, 0)}}, {none, {access(Action::lock, 0)}}}};
}

void forge_ends(Log& log) {
  for (auto& last : log.last) {
    last = Operation{};
    last->end = true;
  }
}

// A process that waits is said to have ended. Here the other log shows what it does.
TEST(Check, FindsAForgedEndWhereAnotherLogShowsTheSamePast) {
  const Program program = two_locks();
  std::vector<Log> all = *all_traces(program, {});
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(verdict(program, all), Verdict::accepted);
  for (Log& log : all) forge_ends(log);
  EXPECT_EQ(verdict(program, all), Verdict::refused);
}

// And here no log does: another program is described, and of that the set is complete. This is the
// limit of what a certificate can show; only performing the schedule finds it.
TEST(Check, CannotFindAForgedEndOtherwise) {
  const Program program = two_locks();
  std::vector<Log> all = *all_traces(program, {});
  all.pop_back();
  EXPECT_EQ(verdict(program, all), Verdict::refused);
  forge_ends(all.front());
  EXPECT_EQ(verdict(program, all), Verdict::accepted);
}

TEST(Check, SaysWhatIsMissing) {
  const Program program{
      {{Kind::memory, 0}},
      {{none, {access(Action::write, 0, 1)}}, {none, {access(Action::write, 0, 2)}}}};
  std::vector<Log> all = *all_traces(program, {});
  ASSERT_EQ(all.size(), 2U);
  all.pop_back();
  const Judgement judgement = check(read_certificate(encode(program, all)), CheckOptions{});
  EXPECT_EQ(judgement.verdict, Verdict::refused);
  EXPECT_NE(judgement.why.find("an execution is missing"), std::string::npos) << judgement.why;
  EXPECT_NE(judgement.why.find("memory 0"), std::string::npos) << judgement.why;
}

}  // namespace
}  // namespace certify::tests
