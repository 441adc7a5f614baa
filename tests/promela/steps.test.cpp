// One rule of the language at a time. The numbers of states are SPIN's.
#include <gtest/gtest.h>

#include "promela/explored.hpp"

namespace mazurka::promela_test {
namespace {

TEST(PromelaSteps, AtomicSequencesHaveNoStatesInBetween) {
  EXPECT_EQ(explore("byte x; init { x = 1; x = 2; x = 3 }").states, 5U);
  EXPECT_EQ(explore("byte x; init { atomic { x = 1; x = 2; x = 3 } }").states, 3U);
  EXPECT_EQ(explore("byte x; init { d_step { x = 1; x = 2; x = 3 } }").states, 3U);
}

TEST(PromelaSteps, AtomicityIsLostWhereTheProcessCanNotGoOn) {
  const char* model = R"(byte x, y;
    active proctype P() { atomic { x = 1; y == 1; assert(x == 1) } }
    active proctype Q() { atomic { x == 1; x = 2; y = 1 } })";
  EXPECT_TRUE(explore(model).assertion_fails);
}

TEST(PromelaSteps, OnlyTheYoungestProcessDisappears) {
  EXPECT_EQ(explore("active [2] proctype P() { skip }").states, 7U);
}

TEST(PromelaSteps, ValuesWrapAround) {
  EXPECT_FALSE(
      explore(R"(byte b = 255; bit t = 1; short s = 32767; unsigned u : 2 = 3; int n = 2147483647;
    init { b++; t++; s++; u++; n++;
           assert(b == 0 && t == 0 && s == -32768 && u == 0 && n < 0) })")
          .assertion_fails);
}

TEST(PromelaSteps, DivisionByZeroAndIndicesAreFindings) {
  EXPECT_TRUE(explore("byte x; init { x = 1 / x }").assertion_fails);
  EXPECT_TRUE(explore("byte x = 2; byte a[2]; init { a[x] = 1 }").assertion_fails);
  EXPECT_TRUE(explore("chan c; init { c!1 }").assertion_fails);
}

TEST(PromelaSteps, MessagesWithoutSomeFieldsAreFindingsAndGoOn) {
  const char* fewer = R"(chan c = [2] of {byte, byte}; byte x, y;
    init { c!1; assert(len(c) == 1 && c?[1] && c?[1,0]); c?<x>; c?x; x = 2; x = 3 })";
  EXPECT_EQ(explore(fewer), (Explored{8, true, false}));
  const promela::Model model = promela::parse_model(fewer, "model.pml");
  promela::Settings settings;
  settings.keep_going = true;
  const promela::Result result = promela::reach(model, settings);
  ASSERT_EQ(result.problems.size(), 2U);
  EXPECT_EQ(result.problems[0].message, "the message has 1 field, those of the channel have 2");
  EXPECT_EQ(result.problems[1].message,
            "the receive has 1 field, the messages of the channel have 2");
  // A channel of the model has as many fields, but not this one.
  EXPECT_TRUE(explore(R"(chan c = [1] of {byte}; chan d = [1] of {byte, byte};
                         init { c!1,2 })")
                  .assertion_fails);
  EXPECT_TRUE(explore(R"(chan c = [1] of {byte}; chan d = [1] of {byte, byte}; byte x, y;
                         init { c!1; c?x,y })")
                  .assertion_fails);
  EXPECT_FALSE(
      explore("chan c = [1] of {byte, byte}; byte x; init { c!1,2; c?<x>; assert(x == 1) }")
          .assertion_fails);
}

TEST(PromelaSteps, WhatCanNotBeEvaluatedIsRefused) {
  EXPECT_THROW((void)explore("byte x; byte y = 1 / x; init { skip }"), promela::PromelaError);
  EXPECT_THROW((void)explore("byte x; active proctype P() provided (1 / x) { skip }"),
               promela::PromelaError);
  EXPECT_THROW((void)explore("chan c = [1] of {byte}; init { c!1,2 }"), promela::PromelaError);
  EXPECT_THROW((void)explore("chan c = [1] of {byte}; byte x; init { c!1; c?x,x }"),
               promela::PromelaError);
  EXPECT_THROW((void)explore("active proctype P() { run P(); false }"), promela::PromelaError);
}

TEST(PromelaSteps, EndLabelsSayWhereAProcessMayStay) {
  EXPECT_TRUE(explore("chan c = [0] of {byte}; init { c?_ }").invalid_end);
  EXPECT_FALSE(explore("chan c = [0] of {byte}; init { end: c?_ }").invalid_end);
  EXPECT_FALSE(explore("byte x; init { end_here: do :: x == 1 -> skip od }").invalid_end);
}

TEST(PromelaSteps, TimeoutIsForWhenNothingElseIsPossible) {
  EXPECT_FALSE(explore(R"(byte x; active proctype P() { timeout -> assert(x == 1) }
                          active proctype Q() { x = 1 })")
                   .assertion_fails);
}

TEST(PromelaSteps, ElseIsForWhenNoOtherOptionIsPossible) {
  EXPECT_FALSE(explore(R"(byte x; init { if :: else -> assert(false) :: x == 0 -> skip fi;
                                         if :: else -> skip :: x == 1 -> assert(false) fi })")
                   .assertion_fails);
}

TEST(PromelaSteps, MessagesComeInOrderAndSortedOnesByValue) {
  EXPECT_FALSE(explore(R"(chan c = [3] of {byte}; byte x;
    init { c!3; c!1; c?x; assert(x == 3); c!!0; c?x; assert(x == 0); c!7; c??7; c?<x>;
           assert(x == 1 && len(c) == 1 && c?[1] && !(c?[2]) && nempty(c) && nfull(c)) })")
                   .assertion_fails);
}

TEST(PromelaSteps, ChannelsAreValues) {
  EXPECT_FALSE(explore(R"(chan names = [1] of {chan}; byte got;
    active proctype P() { chan mine = [1] of {byte}; names!mine; mine?got; assert(got == 5) }
    active proctype Q() { chan to; names?to; to!5 })")
                   .assertion_fails);
}

TEST(PromelaSteps, ARendezvousIsOneStepOfTwo) {
  EXPECT_EQ(explore(R"(chan c = [0] of {byte}; byte x;
    active proctype P() { c!7 } active proctype Q() { c?x; assert(x == 7) })"),
            (Explored{5, false, false}));
}

TEST(PromelaSteps, ACounterExampleEndsWithTheFailure) {
  const promela::Model model =
      promela::parse_model("byte x; active [2] proctype P() { x++; assert(x != 2) }", "model.pml");
  const promela::Result result = promela::reach(model, {});
  ASSERT_EQ(result.problems.size(), 1U);
  const std::vector<promela::Taken>& path = result.problems.front().path;
  ASSERT_EQ(path.size(), 3U);
  EXPECT_EQ(model.statements[path.back().statement].text, "assert(x != 2)");
}

TEST(PromelaSteps, LimitsEndTheSearch) {
  const promela::Model model = promela::parse_model("int x; init { do :: x++ od }", "model.pml");
  promela::Settings settings;
  settings.max_states = 1000;
  EXPECT_EQ(promela::reach(model, settings).end, promela::Result::End::max_states);
  settings.max_states = 0;
  settings.max_depth = 10;
  const promela::Result cut = promela::reach(model, settings);
  EXPECT_EQ(cut.counts.states, 11U);
  EXPECT_EQ(cut.counts.cut, 1U);
}

}  // namespace
}  // namespace mazurka::promela_test
