#include "programs/threads/host/storyteller.hpp"

#include <gtest/gtest.h>

namespace mazurka::threads {
namespace {

constexpr ProcessId main_process{0};
constexpr ProcessId t1{1};
constexpr ProcessId t2{2};

RawEvent event(ProcessId process, Action action, std::uint64_t address = 0, std::uint64_t value = 0,
               std::uint8_t flags = 0) {
  RawEvent result;
  result.process = process;
  result.action = action;
  result.address = address;
  result.size = address == 0 ? 0 : 4;
  result.value = value;
  result.flags = flags;
  return result;
}

RawEvent with_peer(RawEvent raw, ProcessId peer) {
  raw.peer = peer;
  return raw;
}

RawStory three_processes() {
  RawStory raw;
  raw.processes = {
      {main_process, no_process, 0, 0}, {t1, main_process, 0, 0}, {t2, main_process, 1, 0}};
  return raw;
}

TEST(Storyteller, ShowsWhatIsSharedAndWhoWroteIt) {
  RawStory raw = three_processes();
  raw.events = {with_peer(event(main_process, Action::create), t1),
                with_peer(event(main_process, Action::create), t2),
                event(t1, Action::write, 0x1000, 7, flag_plain),  // shared
                event(t1, Action::write, 0x2000, 1, flag_plain),  // its own: not told
                event(t1, Action::exit_process),
                event(t2, Action::read, 0x1000, 7, flag_plain),
                event(t2, Action::failure)};
  Finding finding;
  finding.kind = FindingKind::assertion;
  finding.message = "x == 0 does not hold";
  const Symbols symbols({});
  const Story story = Storyteller(symbols, raw).tell(&finding);

  ASSERT_EQ(story.rows.size(), 4U);
  EXPECT_EQ(story.rows[0].action, "start T1, T2");
  EXPECT_EQ(story.rows[1].action, "write 0x1000 = 7");
  EXPECT_FALSE(story.rows[1].decision);
  EXPECT_EQ(story.rows[2].read_from, 1U);
  EXPECT_EQ(story.rows[2].switch_reason, "T1 finished");
  EXPECT_TRUE(story.rows[3].failing);
  EXPECT_EQ(story.rows[3].action, "assertion fails");
}

TEST(Storyteller, SaysWhyProcessesSwitch) {
  RawStory raw = three_processes();
  raw.events = {event(t1, Action::lock, 0x100), event(t2, Action::read, 0x200),
                event(t1, Action::unlock, 0x100), event(t2, Action::lock, 0x100),
                with_peer(event(main_process, Action::join), t1)};
  const Symbols symbols({});
  const Story story = Storyteller(symbols, raw).tell(nullptr);
  ASSERT_EQ(story.rows.size(), 5U);
  EXPECT_EQ(story.rows[1].switch_reason, "T1 is held up before: unlock 0x100");
  EXPECT_EQ(story.rows[2].switch_reason, "T2 waits for mutex 0x100, held by T1");
}

TEST(Storyteller, ADeadlockSaysWhoWaitsForWhat) {
  RawStory raw = three_processes();
  raw.events = {event(t1, Action::lock, 0x100), event(t2, Action::lock, 0x200)};
  raw.waiting = {{main_process, Action::join, 0, t1, no_process, false, {}},
                 {t1, Action::lock, 0x200, no_process, t2, false, {}},
                 {t2, Action::lock, 0x100, no_process, t1, false, {}}};
  Finding finding;
  finding.kind = FindingKind::deadlock;
  const Symbols symbols({});
  const Story story = Storyteller(symbols, raw).tell(&finding);
  ASSERT_EQ(story.endings.size(), 3U);
  EXPECT_EQ(story.endings[0], "main waits for T1 to finish");
  EXPECT_EQ(story.endings[1], "T1 waits for mutex 0x200, held by T2");
  EXPECT_NE(finding.message.find("T1 and T2 wait for each other"), std::string::npos);
}

TEST(Storyteller, ADataRaceNamesBothAccesses) {
  RawStory raw = three_processes();
  raw.events = {event(t1, Action::write, 0x1000, 1, flag_plain | flag_racing),
                event(t2, Action::read, 0x1000, 1, flag_plain | flag_racing)};
  Finding finding;
  finding.kind = FindingKind::data_race;
  const Symbols symbols({});
  const Story story = Storyteller(symbols, raw).tell(&finding);
  EXPECT_EQ(finding.message, "0x1000: T1 writes and T2 reads without an order between them");
  EXPECT_TRUE(story.rows[0].failing);
  EXPECT_TRUE(story.rows[1].failing);
}

TEST(Storyteller, ALongStoryLosesItsMiddle) {
  RawStory raw = three_processes();
  for (std::uint64_t i = 0; i < 6000; ++i) {
    raw.events.push_back(event(i % 2 == 0 ? t1 : t2, Action::update, 0x1000, i));
  }
  const Symbols symbols({});
  const Story story = Storyteller(symbols, raw).tell(nullptr);
  ASSERT_EQ(story.rows.size(), 5000U);
  EXPECT_EQ(story.rows[200].switch_reason, "1000 events before this one are not shown");
  // The two take turns 3000 times: of these rounds the first and the last are shown.
  EXPECT_EQ(story.rows[1].folded, "");
  EXPECT_EQ(story.rows[2].folded, "2998 more rounds of 2 rows");
  EXPECT_EQ(story.rows[4997].folded, story.rows[2].folded);
  EXPECT_EQ(story.rows[4998].folded, "");
}

TEST(Storyteller, WholeRoundsAreLeftOutOfALongStory) {
  RawStory raw = three_processes();
  for (std::uint64_t i = 0; i < 6000; ++i) {
    const Action action = i % 3 == 0 ? Action::lock : i % 3 == 1 ? Action::update : Action::unlock;
    raw.events.push_back(event(i % 6 < 3 ? t1 : t2, action, 0x1000, i));
  }
  const Symbols symbols({});
  const Story story = Storyteller(symbols, raw).tell(nullptr);
  ASSERT_EQ(story.rows.size(), 6000U - 996U);
  EXPECT_EQ(story.rows[200].event.left_out, 996U);
  EXPECT_EQ(story.rows[6].folded, "998 more rounds of 6 rows");
  EXPECT_EQ(story.rows[4997].folded, story.rows[6].folded);
  EXPECT_EQ(story.rows[4998].folded, "");
}

TEST(Storyteller, AFoldCountsWhatTheStoryDoesNotHave) {
  RawStory raw = three_processes();
  std::uint32_t chance = 1;
  for (std::uint64_t i = 0; i < 6000; ++i) {  // no loop
    chance = chance * 1'103'515'245U + 12'345U;
    const Action action = (chance >> 16U) % 2 == 0 ? Action::update : Action::write;
    raw.events.push_back(event((chance >> 17U) % 2 == 0 ? t1 : t2, action, 0x1000, i));
  }
  const Symbols symbols({});
  const Story story = Storyteller(symbols, raw).tell(nullptr);
  ASSERT_EQ(story.rows.size(), 5000U);
  EXPECT_EQ(story.rows[200].folded, story.rows[2000].folded);
  EXPECT_TRUE(story.rows[2000].folded.ends_with(
      " rows in the middle and 1000 events that are not in the report"))
      << story.rows[2000].folded;
}

TEST(Storyteller, RepetitionsBecomeOneRow) {
  RawStory raw = three_processes();
  raw.events = {event(t1, Action::read, 0x1000, 0), event(t1, Action::read, 0x1000, 0),
                event(t1, Action::read, 0x1000, 0), event(t2, Action::write, 0x1000, 1)};
  const Symbols symbols({});
  const Story story = Storyteller(symbols, raw).tell(nullptr);
  ASSERT_EQ(story.rows.size(), 2U);
  EXPECT_NE(story.rows[0].action.find("3 times"), std::string::npos);
}

TEST(Storyteller, HeapAndStackHaveNames) {
  RawStory raw = three_processes();
  raw.blocks = {{0x5000, 16, t1, 2, {}}};
  raw.stacks = {{t2, 0x7000, 0x8000}};
  raw.events = {event(t1, Action::write, 0x5008, 1), event(t2, Action::write, 0x7ff0, 1)};
  const Symbols symbols({});
  const Story story = Storyteller(symbols, raw).tell(nullptr);
  EXPECT_EQ(story.rows[0].action, "write heap block 2 of T1+8 = 1");
  EXPECT_EQ(story.rows[1].action, "write local of T2 at -0x10 = 1");
}

}  // namespace
}  // namespace mazurka::threads
