#include "programs/mpi/matching.hpp"

#include <gtest/gtest.h>

namespace mazurka::mpi {
namespace {

constexpr CommunicatorKey world = 7;
constexpr CommunicatorKey other = 8;

using Causes = std::vector<std::uint32_t>;

class MatchingTest : public testing::Test {
 protected:
  MessageId send(int source, int tag = 0, CommunicatorKey communicator = world) {
    return matching_.send({communicator, source, 0}, tag, event_++);
  }
  ReceiveId post(int source, int tag = any_tag) {
    return matching_.post({world, 0, source, tag, false}, event_++);
  }
  void match(ReceiveId receive, int source) {
    const auto candidate = matching_.candidate(receive, source);
    ASSERT_TRUE(candidate);
    matching_.match(receive, candidate->message, event_++);
  }
  MessageId taken(ReceiveId receive) { return matching_[receive].message; }

  Matching matching_;
  std::uint32_t event_ = 0;
};

TEST_F(MatchingTest, TheEarliestMessageOfASourceIsTaken) {
  const MessageId first = send(1);
  send(1);
  const ReceiveId receive = post(1);
  EXPECT_FALSE(matching_[receive].chooses);
  const auto candidate = matching_.candidate(receive, 1);
  ASSERT_TRUE(candidate);
  EXPECT_EQ(candidate->message, first);
  EXPECT_EQ(candidate->causes, (Causes{0, 2}));  // the send and the post
}

TEST_F(MatchingTest, AMessageWithAnotherTagStaysBehind) {
  send(1, 5);
  const MessageId wanted = send(1, 6);
  EXPECT_EQ(matching_.candidate(post(1, 6), 1)->message, wanted);
}

TEST_F(MatchingTest, CommunicatorsAreWorldsOfTheirOwn) {
  send(1, 0, other);
  EXPECT_FALSE(matching_.candidate(post(1), 1));
}

TEST_F(MatchingTest, AReceiveFromAnywhereHasACandidatePerSource) {
  const ReceiveId receive = post(any_source);
  EXPECT_TRUE(matching_[receive].chooses);
  EXPECT_FALSE(matching_.candidate(receive, 1));
  const MessageId one = send(1);
  const MessageId two = send(2);
  EXPECT_EQ(matching_.candidate(receive, 1)->message, one);
  EXPECT_EQ(matching_.candidate(receive, 2)->message, two);
}

TEST_F(MatchingTest, CandidatesAreTheSameWhenTheReceiveIsTaken) {
  const ReceiveId receive = post(any_source);
  send(1);
  match(receive, 1);
  const MessageId late = send(2);
  const auto candidate = matching_.candidate(receive, 2);
  ASSERT_TRUE(candidate);
  EXPECT_EQ(candidate->message, late);
  EXPECT_EQ(candidate->causes, (Causes{0, 3}));
}

TEST_F(MatchingTest, TheEarlierOfTwoReceivesComesFirst) {
  const ReceiveId first = post(any_source);
  const ReceiveId second = post(any_source);
  send(1);                                       // event 2
  EXPECT_FALSE(matching_.candidate(second, 1));  // the message belongs to the first
  const MessageId two = send(2);
  match(first, 1);  // event 4
  EXPECT_FALSE(matching_.candidate(second, 1));
  const auto candidate = matching_.candidate(second, 2);
  ASSERT_TRUE(candidate);
  EXPECT_EQ(candidate->message, two);
  EXPECT_EQ(candidate->causes, (Causes{1, 3, 4}));
}

TEST_F(MatchingTest, ANamedReceiveBehindOneFromAnywhereChooses) {
  const ReceiveId anywhere = post(any_source);
  const ReceiveId named = post(1);
  EXPECT_TRUE(matching_[named].chooses);
  send(1);
  EXPECT_FALSE(matching_.candidate(named, 1));
  send(2);
  match(anywhere, 2);
  EXPECT_TRUE(matching_.candidate(named, 1));
}

TEST_F(MatchingTest, OneThatIsKnownToBeCompleteIsNoRival) {
  const ReceiveId anywhere = post(any_source);
  send(2);
  match(anywhere, 2);
  matching_.know_complete(anywhere);
  const ReceiveId named = post(1);
  EXPECT_FALSE(matching_[named].chooses);
  send(1);  // event 4
  EXPECT_EQ(matching_.candidate(named, 1)->causes, (Causes{3, 4}));
}

TEST_F(MatchingTest, ReceivesWithOtherTagsDoNotCompete) {
  post(any_source, 3);
  const ReceiveId named = post(1, 4);
  EXPECT_FALSE(matching_[named].chooses);
  send(1, 3);
  const MessageId wanted = send(1, 4);
  EXPECT_EQ(matching_.candidate(named, 1)->message, wanted);
}

TEST_F(MatchingTest, WhatAnEarlierReceiveTookIsACauseOfTakingTheNext) {
  const ReceiveId first = post(any_source);   // 0
  const ReceiveId second = post(any_source);  // 1
  send(1);                                    // 2
  const MessageId next = send(1);             // 3
  match(first, 1);                            // 4
  const auto candidate = matching_.candidate(second, 1);
  ASSERT_TRUE(candidate);
  EXPECT_EQ(candidate->message, next);
  EXPECT_EQ(candidate->causes, (Causes{1, 3, 4}));
}

TEST_F(MatchingTest, AProbeTakesNothing) {
  const MessageId message = send(1);
  const ReceiveId probe = matching_.post({world, 0, any_source, any_tag, true}, event_++);
  match(probe, 1);
  EXPECT_EQ(taken(probe), message);
  EXPECT_EQ(matching_.candidate(post(1), 1)->message, message);
}

TEST_F(MatchingTest, WhatAnOpenReceiveWillHaveIsNotVisible) {
  const Pattern look{world, 0, any_source, any_tag, true};
  const MessageId message = send(1, 3);
  EXPECT_EQ(matching_.first_visible(look, 1), message);
  const ReceiveId open = post(any_source, 3);
  EXPECT_EQ(matching_.first_visible(look, 1), no_message);
  send(2, 3);
  match(open, 2);
  EXPECT_EQ(matching_.first_visible(look, 1), message);
}

TEST_F(MatchingTest, AReceiveHasWhatOneThatIsWithdrawnWouldHaveHad) {
  const ReceiveId first = post(any_source);
  const ReceiveId second = post(any_source);
  send(1);
  EXPECT_FALSE(matching_.candidate(second, 1));
  matching_.withdraw(first, event_++);
  const auto candidate = matching_.candidate(second, 1);
  ASSERT_TRUE(candidate);
  EXPECT_EQ(candidate->causes, (Causes{1, 2, 3}));  // the post, the send and the withdrawal
}

TEST_F(MatchingTest, AWithdrawnReceiveTakesNothing) {
  const ReceiveId anywhere = post(any_source);
  matching_.withdraw(anywhere, event_++);
  const ReceiveId named = post(1);
  EXPECT_FALSE(matching_[named].chooses);
  send(1);
  EXPECT_TRUE(matching_.candidate(named, 1));
}

}  // namespace
}  // namespace mazurka::mpi
