// The reference on programs whose behaviours are known by heart, and the generator's promises.
#include "native/reference.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "native/generator.hpp"
#include "native/printer.hpp"
#include "native/shrinking.hpp"

namespace mazurka::native {
namespace {

Statement make(Op op, int v = 0, int c = 0, int d = 0, int w = 0) {
  Statement one;
  one.op = op;
  one.v = v;
  one.w = w;
  one.c = c;
  one.d = d;
  return one;
}

// main starts these, joins them and reports.
Program program(std::vector<Block> threads) {
  Program all;
  all.functions.emplace_back();
  for (Block& one : threads) all.functions.push_back(std::move(one));
  Block& main = all.functions[0];
  const int count = static_cast<int>(threads.size());
  for (int at = 1; at <= count; ++at) main.push_back(make(Op::spawn, at));
  for (int at = 1; at <= count; ++at) main.push_back(make(Op::join, at));
  main.push_back(make(Op::report));
  return all;
}

Expected look(const Program& program) {
  Expected expected = explore(program, 100'000);
  EXPECT_TRUE(expected.complete);
  return expected;
}

Statement locked(Block body) {
  Statement one = make(Op::locked);
  one.body = std::move(body);
  return one;
}

Statement wait_for(int value, Wait how, bool timed = false) {
  Statement one = make(timed ? Op::wait_timed : Op::wait, 0, value, 0, 0);
  one.wait = how;
  return one;
}

TEST(Reference, StoreBufferingHasThreeOutcomes) {
  const Expected expected = look(program(
      {{make(Op::store, 0, 1), make(Op::load, 1)}, {make(Op::store, 1, 1), make(Op::load, 0)}}));
  EXPECT_EQ(expected.finals,
            (std::set<std::string>{"F 0 0 1 / 1 1 0", "F 0 1 0 / 1 1 0", "F 0 1 1 / 1 1 0"}));
  EXPECT_TRUE(expected.deadlocks.empty());
}

TEST(Reference, AnyThreadOfABarrierIsTheSerialOne) {
  const Expected expected = look(program({{make(Op::barrier, 0, 1)}, {make(Op::barrier, 0, 1)}}));
  EXPECT_EQ(expected.finals, (std::set<std::string>{"F 0 0 1 / 0 0 0", "F 0 1 0 / 0 0 0"}));
}

TEST(Reference, ABarrierWithTooManyUsersKeepsAnyOfThem) {
  const Expected expected =
      look(program({{make(Op::barrier)}, {make(Op::barrier)}, {make(Op::barrier)}}));
  EXPECT_TRUE(expected.finals.empty());
  EXPECT_EQ(expected.deadlocks, (std::set<std::vector<int>>{{0, 1}, {0, 2}, {0, 3}}));
}

TEST(Reference, ALatchLetsPassWhenAllHaveCountedDown) {
  Program one = program({{make(Op::latch_down, 0, 2), make(Op::latch_try)},
                         {make(Op::latch_down, 0, 1), make(Op::latch_wait)}});
  one.latch = 3;
  EXPECT_EQ(look(one).finals, (std::set<std::string>{"F 0 1 0 / 0 0 0", "F 0 2 0 / 0 0 0"}));
  EXPECT_FALSE(look(one).misuse);
  one.latch = 2;
  EXPECT_TRUE(look(one).misuse);
  one.latch = 4;
  EXPECT_EQ(look(one).deadlocks, (std::set<std::vector<int>>{{0, 2}}));
}

TEST(Reference, AnyThreadThatMeetsCallsTheCompletionFunction) {
  Program one = program({{make(Op::phase_meet)}, {make(Op::phase_meet)}});
  one.completion = {make(Op::bump, 0, 1)};
  EXPECT_EQ(look(one).finals, (std::set<std::string>{"F 0 0 1 / 1 0 0", "F 0 1 0 / 1 0 0"}));
}

TEST(Reference, WhoComesBeforeThePhaseHasEndedIsOneTooMany) {
  const Statement come = make(Op::phase_come, 0, 1);
  EXPECT_TRUE(look(program({{come}, {come, come}})).misuse);
  EXPECT_FALSE(look(program({{come}, {make(Op::phase_apart, 0, 1), make(Op::load)}})).misuse);
  const Program left =
      program({{make(Op::phase_drop)}, {make(Op::phase_meet), make(Op::phase_meet)}});
  EXPECT_FALSE(look(left).misuse);
  EXPECT_TRUE(look(left).deadlocks.empty());
}

TEST(Reference, ASignalIsLostIfNobodyWaits) {
  const Expected expected = look(program({{wait_for(1, Wait::always)}, {make(Op::signal)}}));
  EXPECT_EQ(expected.finals, (std::set<std::string>{"F 0 0 0 / 0 0 0"}));
  EXPECT_EQ(expected.deadlocks, (std::set<std::vector<int>>{{0, 1}}));
}

TEST(Reference, ATimeLimitMayPassWhileTheMutexIsHeld) {
  // Found at once; signalled; timed out before; timed out, and the mutex came back late.
  const Expected expected = look(program(
      {{wait_for(2, Wait::once, true)}, {locked({make(Op::store, 0, 2), make(Op::signal)})}}));
  EXPECT_EQ(expected.finals,
            (std::set<std::string>{"F 0 2 0 / 2 0 0", "F 0 5 0 / 2 0 0", "F 0 7 0 / 2 0 0"}));
}

TEST(Reference, ASpuriousWakeUpNeedsTheOption) {
  Program one = program({{wait_for(1, Wait::always)}});
  EXPECT_TRUE(look(one).finals.empty());
  one.spurious = 1;
  EXPECT_EQ(look(one).finals.size(), 1U);
}

TEST(Reference, WaitingInALoopForNothingIsALivelock) {
  const Expected expected = look(program({{make(Op::spin, 0, 1)}}));
  EXPECT_TRUE(expected.livelock);
  EXPECT_FALSE(expected.busy);
  EXPECT_TRUE(expected.deadlocks.empty());
  EXPECT_FALSE(look(program({{make(Op::spin, 0, 1)}, {make(Op::store, 0, 1)}})).livelock);
}

TEST(Reference, ALoopThatStoresTheSameIsQuietAndTwoThatDifferAreNot) {
  const Statement ones = make(Op::spin_store, 0, 1, 1, 1);
  const Statement twos = make(Op::spin_store, 0, 1, 2, 1);
  EXPECT_TRUE(look(program({{ones}, {ones}})).livelock);
  EXPECT_FALSE(look(program({{ones}, {ones}})).busy);
  EXPECT_TRUE(look(program({{ones}, {twos}})).busy);
}

TEST(Reference, ABoundedLoopTellsHowOftenItLooked) {
  const Expected expected =
      look(program({{make(Op::spin_bounded, 0, 1, 2)}, {make(Op::store, 0, 1)}}));
  EXPECT_EQ(expected.finals,
            (std::set<std::string>{"F 0 0 0 / 1 0 0", "F 0 1 0 / 1 0 0", "F 0 2 0 / 1 0 0"}));
}

TEST(Reference, PlainAccessesRaceUnlessAMutexIsHeld) {
  const Statement access = make(Op::plain_add, 0, 1);
  EXPECT_TRUE(look(program({{access}, {access}})).race);
  EXPECT_FALSE(look(program({{locked({access})}, {locked({access})}})).race);
  EXPECT_FALSE(look(program({{make(Op::plain_load)}, {make(Op::plain_load)}})).race);
}

TEST(Reference, AFreedBlockMayBeUsed) {
  const Statement take = make(Op::heap_free, 0, 0, 1);
  EXPECT_TRUE(look(program({{make(Op::heap_new, 0, 1), make(Op::heap_use)}, {take}})).memory);
  EXPECT_FALSE(look(program({{make(Op::heap_new, 0, 1), take}, {take}})).memory);
}

TEST(Reference, AFailureEndsTheProgramAndOthersMayFailFirst) {
  const Expected expected = look(program({{make(Op::fail, 0, 1)}, {make(Op::fail, 0, 2)}}));
  EXPECT_EQ(expected.failures, (std::set<std::string>{"A 1 1", "A 2 2"}));
  EXPECT_TRUE(expected.finals.empty());
}

TEST(Reference, ABlockOfAThreadEndsWithIt) {
  for (const int mine : {on_stack, thread_local_variable}) {
    const Statement share = make(Op::share, 0, 0, 0, mine);
    EXPECT_TRUE(look(program({{share}, {make(Op::heap_use)}})).memory);
    const Block stays{share, make(Op::sem_wait)};
    EXPECT_FALSE(look(program({stays, {make(Op::heap_use), make(Op::sem_post)}})).memory);
    EXPECT_TRUE(look(program({stays, {make(Op::sem_post), make(Op::heap_use)}})).memory);
    const Block writes{share, make(Op::mine_set, 0, 2, 0, mine), make(Op::sem_wait)};
    EXPECT_TRUE(look(program({writes, {make(Op::heap_use), make(Op::sem_post)}})).memory);
  }
}

TEST(Reference, WhatIsSetInTheBlockOfAnotherIsReadThere) {
  const Statement share = make(Op::share);
  const Expected expected = look(program({{share, make(Op::sem_wait), make(Op::mine_get)},
                                          {make(Op::heap_set, 0, 2), make(Op::sem_post)}}));
  EXPECT_FALSE(expected.memory);
  EXPECT_EQ(expected.finals, (std::set<std::string>{"F 0 0 0 / 0 0 0", "F 0 2 0 / 0 0 0"}));
}

TEST(Reference, InitialisingWhatIsHeldIsMisuseAndRacesWithUses) {
  const Expected expected = look(program({{locked({make(Op::load)})}, {make(Op::begin_mutex)}}));
  EXPECT_TRUE(expected.misuse);
  EXPECT_TRUE(expected.race);
  Program before = program({{locked({make(Op::load)})}});
  before.functions[0].insert(before.functions[0].begin(), make(Op::begin_mutex));
  EXPECT_FALSE(look(before).misuse);
  EXPECT_FALSE(look(before).race);
  EXPECT_TRUE(look(program({{wait_for(1, Wait::always)}, {make(Op::begin_condition)}})).misuse);
}

TEST(Reference, InitialisingASemaphoreForgetsWhatWasPosted) {
  const Expected expected =
      look(program({{make(Op::sem_post), make(Op::sem_wait)}, {make(Op::begin_semaphore)}}));
  EXPECT_TRUE(expected.race);
  EXPECT_EQ(expected.deadlocks, (std::set<std::vector<int>>{{0, 1}}));
  EXPECT_FALSE(expected.finals.empty());
}

TEST(Reference, InitialisingASemaphoreThatAThreadWaitsForIsMisuse) {
  const Statement begin = make(Op::begin_semaphore, 0, 1);
  EXPECT_TRUE(look(program({{make(Op::sem_wait)}, {begin}})).misuse);
  Program one = program({{make(Op::sem_wait)}, {begin}});
  one.semaphores[0] = 1;
  EXPECT_FALSE(look(one).misuse);
}

TEST(Reference, JoiningWhatWasDetachedIsMisuse) {
  Program one = program({{make(Op::load)}});
  Block& main = one.functions[0];
  main[1] = make(Op::detach, 1);
  EXPECT_FALSE(look(one).misuse);
  main.insert(main.begin() + 2, make(Op::join_detached, 1));
  EXPECT_TRUE(look(one).misuse);
}

TEST(Printer, WhatIsBeforeMainBeginsRunsInAConstructorOrAnObject) {
  Program one = program({{make(Op::store, 0, 1)}});
  Block& main = one.functions[0];
  main.insert(main.end() - 1, make(Op::main_ends, 0, 0, at_exit));
  main.insert(main.begin() + 1, make(Op::main_begins, 0, 0, by_object));
  Style style;
  const std::string c = print({&one, 1}, style);
  EXPECT_NE(c.find("__attribute__((constructor)) static void p0_begin"), std::string::npos);
  EXPECT_NE(c.find("atexit(p0_end)"), std::string::npos);
  style.language = Language::cpp;
  const std::string cpp = print({&one, 1}, style);
  EXPECT_NE(cpp.find("p0_Edge() { p0_begin(); }"), std::string::npos);
  EXPECT_EQ(look(one).finals, (std::set<std::string>{"F 0 0 / 1 0 0"}));
}

TEST(Generator, ANumberOfASeedIsAlwaysTheSameProgram) {
  std::set<std::string> different;
  for (const std::string_view profile : profiles()) {
    const Program one = generate(profile, 3, 4);
    EXPECT_EQ(outline(one), outline(generate(profile, 3, 4)));
    EXPECT_FALSE(print({&one, 1}, {}).empty());
    different.insert(outline(one));
    different.insert(outline(generate(profile, 3, 5)));
  }
  EXPECT_GT(different.size(), profiles().size());
}

TEST(Shrinking, KeepsWhatFailsAndNothingElse) {
  Program large = program({{make(Op::load), locked({make(Op::store, 0, 2), make(Op::load)})},
                           {make(Op::load), make(Op::store, 1, 1)}});
  const Program small = shrink(large, [](const Program& less) {
    return any_of(less, [](const Statement& one) { return one.op == Op::store && one.c == 2; });
  });
  EXPECT_EQ(size(small), 4U);  // spawn, join, report, and the store
}

}  // namespace
}  // namespace mazurka::native
