// Conditions that look as good as the right one, and are wrong: an incomplete set for each of them
// that it accepts, and that the checker refuses.
#include <gtest/gtest.h>

#include <algorithm>

#include "check.hpp"
#include "program.test.hpp"

namespace certify::tests {
namespace {

Verdict verdict(const Program& program, const std::vector<Log>& logs, Weakening weakening) {
  CheckOptions options;
  options.weakening = weakening;
  return check(read_certificate(encode(program, logs)), options).verdict;
}

// Tries all incomplete sets of executions of the program: the weak condition must accept one of
// `size`, and the right one none.
void expect_wrong(const Program& program, Weakening weakening, std::size_t size,
                  std::size_t traces) {
  const auto all = all_traces(program, {});
  ASSERT_TRUE(all);
  ASSERT_EQ(all->size(), traces);
  EXPECT_EQ(verdict(program, *all, weakening), Verdict::accepted);
  bool accepted = false;
  for (std::uint32_t set = 1; set + 1 < (1U << traces); ++set) {
    std::vector<Log> some;
    for (std::size_t at = 0; at < traces; ++at) {
      if ((set >> at & 1U) != 0) some.push_back((*all)[at]);
    }
    EXPECT_EQ(verdict(program, some, Weakening::nothing), Verdict::refused);
    if (verdict(program, some, weakening) != Verdict::accepted) continue;
    accepted = accepted || some.size() == size;
  }
  EXPECT_TRUE(accepted);
}

Program memory_program(std::size_t variables, std::vector<std::vector<Instruction>> codes) {
  Program program;
  program.objects.resize(variables);
  for (std::vector<Instruction>& code : codes) program.processes.push_back({none, std::move(code)});
  return program;
}

Program mutex_program(std::size_t mutexes, std::vector<std::vector<Instruction>> codes) {
  Program program = memory_program(mutexes, std::move(codes));
  for (TestObject& object : program.objects) object.kind = Kind::mutex;
  return program;
}

TEST(WrongCondition, OnlyWhatTheStepNeeds) {
  expect_wrong(memory_program(2, {{access(Action::write, 0, 1)},
                                  {access(Action::write, 0, 2)},
                                  {access(Action::write, 1, 1)},
                                  {access(Action::write, 1, 2)}}),
               Weakening::needed_context, 2, 4);
}

TEST(WrongCondition, OnlyWhatTheStepNeedsWithAStop) {
  expect_wrong(memory_program(2, {{end_program(Ending::stop)},
                                  {access(Action::write, 1, 1), access(Action::write, 0, 1)}}),
               Weakening::needed_context, 2, 3);
}

// Three logs of W x | W x | W y | W y, in orders in which the fourth trace seems to be unneeded.
TEST(WrongCondition, OnlyWhatComesBeforeInTheLog) {
  const Program program = memory_program(2, {{access(Action::write, 0, 1)},
                                             {access(Action::write, 0, 2)},
                                             {access(Action::write, 1, 1)},
                                             {access(Action::write, 1, 2)}});
  const auto log = [&](std::initializer_list<std::uint32_t> order) {
    Log one;
    for (const std::uint32_t process : order) {
      const Operation& operation = program.processes[process].instructions[0].operation;
      one.steps.push_back({process, operation, {0, {PartOutcome{}}}});
      Operation& end = one.last.emplace_back().emplace();
      end.end = true;
    }
    return one;
  };
  const std::vector<Log> logs = {log({0, 1, 2, 3}), log({0, 1, 3, 2}), log({2, 3, 1, 0})};
  EXPECT_EQ(verdict(program, logs, Weakening::short_context), Verdict::accepted);
  EXPECT_EQ(verdict(program, logs, Weakening::nothing), Verdict::refused);
  const auto all = all_traces(program, {});
  ASSERT_TRUE(all);
  EXPECT_EQ(all->size(), 4U);
}

TEST(WrongCondition, NoWaitingSteps) {
  expect_wrong(mutex_program(1, {{access(Action::lock, 0)}, {access(Action::lock, 0)}}),
               Weakening::no_waiting, 1, 2);
}

TEST(WrongCondition, ImmediateRacesOnly) {
  expect_wrong(mutex_program(1, {{access(Action::lock, 0), access(Action::unlock, 0)},
                                 {access(Action::lock, 0)}}),
               Weakening::immediate_only, 1, 2);
}

TEST(WrongCondition, OneEventLeftOut) {
  Instruction both = access(Action::lock, 0);
  both.operation.parts.push_back({1, Action::lock, 8, 0});
  expect_wrong(mutex_program(2, {{access(Action::lock, 0)}, {access(Action::lock, 1)}, {both}}),
               Weakening::one_left_out, 1, 2);
}

TEST(WrongCondition, NoOtherChoices) {
  expect_wrong(memory_program(1, {{choose(2)}, {access(Action::update, 0)}}), Weakening::no_choices,
               1, 2);
}

TEST(WrongCondition, OneRaceOfEachStep) {
  expect_wrong(
      memory_program(
          1, {{access(Action::read, 0)}, {access(Action::write, 0, 1)}, {access(Action::read, 0)}}),
      Weakening::one_race, 3, 4);
}

TEST(WrongCondition, OneCutOfEachStep) {
  expect_wrong(
      memory_program(
          1, {{access(Action::read, 0)}, {access(Action::write, 0, 1)}, {access(Action::read, 0)}}),
      Weakening::one_cut, 3, 4);
}

}  // namespace
}  // namespace certify::tests
