// Places, turns, and what a reset leaves.
#include "programs/actors/channels.hpp"

#include <gtest/gtest.h>

namespace mazurka::actors {
namespace {

TEST(Channels, MessagesStandInLineBySenderAndReceiver) {
  Channels channels;
  const auto first = channels.enter(1, 2);
  const auto second = channels.enter(1, 2);
  const auto back = channels.enter(2, 1);
  EXPECT_EQ(first.channel, second.channel);
  EXPECT_NE(first.channel, back.channel);
  EXPECT_EQ(first.place, 0);
  EXPECT_EQ(second.place, 1);
  EXPECT_EQ(back.place, 0);
}

TEST(Channels, TurnComesWhenAllBeforeAreDelivered) {
  Channels channels;
  const std::uint32_t channel = channels.enter(1, 2).channel;
  const auto second = channels.enter(1, 2);
  EXPECT_NE(channels.delivered(channel), second.place);
  channels.deliver(channel);
  EXPECT_EQ(channels.delivered(channel), second.place);
}

TEST(Channels, AnUrgentMessageOvertakesAndIsNotOvertaken) {
  Channels channels;
  const auto first = channels.enter(1, 2);
  const auto urgent = channels.enter(1, 2, Lane::urgent);
  const auto last = channels.enter(1, 2);
  EXPECT_EQ(urgent.place, channels.delivered(urgent.channel, Lane::urgent)) << "at once";
  EXPECT_EQ(first.after, 0) << "nor does what was sent before it wait for it";
  EXPECT_EQ(last.place, 1);
  EXPECT_EQ(last.after, 1);
  channels.deliver(urgent.channel, Lane::urgent);
  EXPECT_EQ(channels.delivered(urgent.channel), first.place);
  EXPECT_EQ(channels.delivered(urgent.channel, Lane::urgent), last.after);
}

TEST(Channels, ResetLeavesWhatWasKept) {
  Channels channels;
  const std::uint32_t kept = channels.enter(1, 2).channel;
  channels.keep();
  for (int execution = 0; execution < 2; ++execution) {
    EXPECT_EQ(channels.enter(1, 2).place, 1);
    EXPECT_EQ(channels.enter(3, 4).place, 0) << "in a channel of this execution alone";
    channels.deliver(kept);
    channels.reset();
    EXPECT_EQ(channels.delivered(kept), 0);
  }
}

}  // namespace
}  // namespace mazurka::actors
