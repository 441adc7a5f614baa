// How many matchings small programs have, counted by brute force: the numbers that docs/mpi.md and
// the tests of the checker state, derived by hand.
#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "mpi/reference/machine.hpp"

namespace mazurka::mpi_reference {
namespace {

struct Numbers {
  std::size_t all = 0;
  std::size_t deadlocks = 0;  // of these
  friend bool operator==(const Numbers&, const Numbers&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Numbers& numbers) {
    return out << numbers.all << " (" << numbers.deadlocks << " deadlocks)";
  }
};

Numbers count(const std::string& text, const MachineOptions& options) {
  std::string problem;
  const std::optional<Program> program = decode(text, problem);
  EXPECT_TRUE(program) << text << ": " << problem;
  Numbers numbers;
  if (!program) return numbers;
  EXPECT_EQ(encode(*program), text);
  for (const auto& [outcome, endings] : explore(*program, options).outcomes) {
    numbers.all += endings;
    if (outcome.starts_with("deadlock")) numbers.deadlocks += endings;
  }
  return numbers;
}

void expect(const std::string& text, Numbers infinite, Numbers zero) {
  EXPECT_EQ(count(text, {.buffering = Buffering::infinite}), infinite) << text;
  EXPECT_EQ(count(text, {.buffering = Buffering::zero}), zero) << text;
}

TEST(MpiReference, EveryOrderOfSenders) {
  const std::string two = "/send.std.0.0.21/send.std.0.0.41";
  const std::string three = two + "/send.std.0.0.61";
  expect("recv.-1.0,recv.-1.0" + two, {2, 0}, {2, 0});
  expect("recv.-1.0,recv.-1.0,recv.-1.0" + three, {6, 0}, {6, 0});
  expect("irecv.-1.0,irecv.-1.0,irecv.-1.0,wait.0,wait.1,wait.2" + three, {6, 0}, {6, 0});
  expect("probe.-1.0,take,probe.-1.0,take,probe.-1.0,take" + three, {6, 0}, {6, 0});
  expect("mprobe.-1.0,mrecv,mprobe.-1.0,mrecv,mprobe.-1.0,mrecv" + three, {6, 0}, {6, 0});
  expect("irecv.1.0,irecv.2.0,irecv.3.0,waitany.0.1.2,waitany.0.1.2,waitany.0.1.2" + three, {6, 0},
         {6, 0});
  expect("recv.1.0,recv.2.0,recv.3.0" + three, {1, 0}, {1, 0});
  expect("recvinit.-1.0,start.2.0,wait.0,start.4.0,wait.0" + two, {2, 0}, {2, 0});
}

TEST(MpiReference, SeveralMessagesOfASender) {
  expect(
      "recv.-1.0,recv.-1.0,recv.-1.0,recv.-1.0/send.std.0.0.21,send.std.0.0.22/"
      "send.std.0.0.41,send.std.0.0.42",
      {6, 0}, {6, 0});
  expect("irecv.1.1,irecv.1.-1,wait.0,wait.1/send.std.0.1.21,send.std.0.2.22", {1, 0}, {1, 0});
}

TEST(MpiReference, Deadlocks) {
  expect("recv.-1.0,recv.1.0/send.std.0.0.21/send.std.0.0.41", {2, 1}, {2, 1});
  expect(
      "irecv.-1.0,recv.2.0,send.std.2.0.3,recv.-1.0,wait.0/send.std.0.0.21/"
      "send.std.0.0.41,recv.0.0,send.std.0.0.43",
      {2, 1}, {2, 1});
  expect("send.std.1.0.1,recv.1.0/send.std.0.0.21,recv.0.0", {1, 0}, {1, 1});
  expect("send.sync.1.0.1,recv.1.0/send.sync.0.0.21,recv.0.0", {1, 1}, {1, 1});
  expect("send.buf.1.0.1,recv.1.0/send.buf.0.0.21,recv.0.0", {1, 0}, {1, 0});
}

TEST(MpiReference, BufferingMakesMatchingsPossible) {
  expect("recv.-1.0,recv.-1.0/send.std.0.0.21,send.std.2.0.22/recv.1.0,send.std.0.0.42", {2, 0},
         {1, 0});
  expect(
      "recv.-1.0,recv.-1.0/recv.-1.0,recv.-1.0/send.std.0.0.41,send.std.1.0.42/"
      "send.std.0.0.61,send.std.1.0.62",
      {4, 0}, {4, 0});
}

TEST(MpiReference, EverySendChooses) {
  const MachineOptions each{.buffering = Buffering::each};
  EXPECT_EQ(count("recv.1.0/send.std.0.0.21", each), (Numbers{2, 0}));
  EXPECT_EQ(count("send.std.1.0.1,recv.1.0/send.std.0.0.21,recv.0.0", each), (Numbers{4, 1}));
  EXPECT_EQ(count("sendrecv.1.0.1.1.0/sendrecv.0.0.21.0.0", each), (Numbers{4, 0}));
  EXPECT_EQ(count("recv.1.0/send.sync.0.0.21", each), (Numbers{1, 0}));
}

TEST(MpiReference, ATestMayFail) {
  expect("irecv.1.0,test.0,wait.0/send.std.0.0.21", {2, 0}, {2, 0});
}

TEST(MpiReference, WhatAProbeKeepsIsNotReceived) {
  const std::string late = "mprobe.1.0,recv.1.1,mrecv/";
  expect(late + "send.sync.0.0.30,send.std.0.1.31", {1, 1}, {1, 1});
  expect(late + "send.std.0.0.30,send.std.0.1.31", {1, 0}, {1, 1});
}

TEST(MpiReference, CollectivesThatNeedNotWait) {
  const std::string bcast =
      "recv.-1.0,bcast.1,recv.-1.0/bcast.1,send.std.0.0.22/send.std.0.0.41,bcast.1";
  EXPECT_EQ(count(bcast, {.loose = false}), (Numbers{1, 0}));
  EXPECT_EQ(count(bcast, {.loose = true}), (Numbers{2, 0}));
  // Each waits for those behind the slash, in both or only if it synchronises.
  const auto stuck = [](const std::string& text) {
    return std::pair{count(text, {.loose = false}).deadlocks,
                     count(text, {.loose = true}).deadlocks};
  };
  for (const std::string one : {"bcast.0", "scatter.0", "reduce.1", "gather.1", "scan", "exscan"}) {
    EXPECT_EQ(stuck(one + ",send.std.1.0.2/recv.0.0," + one), (std::pair{1UL, 0UL})) << one;
  }
  for (const std::string one : {"barrier", "allreduce", "alltoall", "bcast.1", "reduce.0"}) {
    EXPECT_EQ(stuck(one + ",send.std.1.0.2/recv.0.0," + one), (std::pair{1UL, 1UL})) << one;
  }
}

}  // namespace
}  // namespace mazurka::mpi_reference
