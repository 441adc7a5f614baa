#include "host/wire.hpp"

#include <gtest/gtest.h>

namespace mazurka::host {
namespace {

Request sample_request() {
  Request request;
  request.task = Task::replay;
  request.technique = "source";
  request.racy = true;
  request.limits = {
      .max_executions = 7, .max_seconds = 1.5, .max_events = 99, .keep_going = true, .seed = 42};
  request.stall_seconds = 0.25;
  request.schedule = {{ProcessId{0}, 0}, {ProcessId{1}, 3}};
  request.checks.weak_cas = 2;
  request.orders = {true, true, {{{0x10, 0x20}, AtomicKind::store, {MemoryOrder::release, {}}}}};
  return request;
}

Reply sample_reply() {
  RawEvent event;
  event.process = ProcessId{1};
  event.action = Action::update;
  event.flags = flag_plain | flag_racing;
  event.size = 8;
  event.position = 5;
  event.address = 0xfedc'ba98'7654'3210;
  event.second_address = 0x1000;
  event.value = 1;
  event.new_value = 2;
  event.peer = ProcessId{2};
  event.stack = {0x10, 0x20};

  RawFinding raw;
  raw.finding.kind = FindingKind::data_race;
  raw.finding.process = ProcessId{1};
  raw.finding.message = "x = 1";
  raw.finding.key = "key";
  raw.finding.schedule = {{ProcessId{0}, 1}};
  raw.story.processes = {{ProcessId{0}, no_process, 0, 0}, {ProcessId{1}, ProcessId{0}, 0, 0x99}};
  raw.story.events = {event, {}};
  raw.story.waiting = {{ProcessId{0}, Action::join, 0, ProcessId{1}, no_process, true, {0x30}}};
  raw.story.blocks = {{0x5000, 24, ProcessId{1}, 3, {0x40}}};
  raw.story.stacks = {{ProcessId{0}, 0x7000, 0x8000}};

  Reply reply;
  reply.complete = true;
  reply.stopped = Stop::finding;
  reply.statistics = {.executions = 24,
                      .asleep = 1,
                      .events = 300,
                      .deepest = 12,
                      .processes = 3,
                      .cut = 2,
                      .stalled = 1,
                      .explored = 0.75};
  reply.seconds = 0.5;
  reply.peak_memory = 4096;
  reply.findings = {raw};
  reply.modules = {{0x5555'0000, "./bank"}};
  reply.divergence = {{3, "lock m", "read clock"}};
  reply.notes = {"a note"};
  reply.replayed = raw.story;
  reply.stalled_at = {0x50};
  reply.stalled_process = ProcessId{1};
  reply.limit = "went too far";
  reply.tree.tree.processes = {"main", "T1"};
  reply.tree.tree.nodes.resize(2);
  reply.tree.tree.nodes[1].step = {1, "write x = 1", "a.c:3"};
  reply.tree.tree.nodes[1].end = TreeEnd::asleep;
  reply.tree.tree.nodes[1].explored_at = {1};
  reply.tree.steps = {{}, event};
  reply.tree.values = {event};
  reply.tree.finals = {{1, {0}}};
  reply.profile.executions = 3;
  reply.profile.spots = {{{0x10, 0x20}, Action::try_lock, 2.5, 0.5, 3, 4, 5}};
  reply.sites = {{{0x10}, AtomicKind::fence, {MemoryOrder::acquire, {}}}};
  return reply;
}

TEST(Wire, RequestSurvivesTheTrip) {
  const Request request = sample_request();
  const Request back = decode_request(encode(request));
  EXPECT_EQ(back.task, Task::replay);
  EXPECT_EQ(back.technique, "source");
  EXPECT_TRUE(back.racy);
  EXPECT_EQ(back.limits.max_executions, 7U);
  EXPECT_EQ(back.limits.max_seconds, 1.5);
  EXPECT_EQ(back.limits.seed, 42U);
  EXPECT_EQ(back.stall_seconds, 0.25);
  EXPECT_EQ(back.schedule, request.schedule);
  EXPECT_EQ(back.checks.weak_cas, 2U);
  EXPECT_EQ(back.orders.changes, request.orders.changes);
}

// Encoding is a function of all members, so equal bytes mean that nothing was lost on the way.
TEST(Wire, EveryMemberSurvivesTheTrip) {
  EXPECT_EQ(encode(decode_request(encode(sample_request()))), encode(sample_request()));
  EXPECT_EQ(encode(decode_reply(encode(sample_reply()))), encode(sample_reply()));
  const Reply back = decode_reply(encode(sample_reply()));
  ASSERT_EQ(back.findings.size(), 1U);
  EXPECT_EQ(back.findings[0].story.events[0].address, 0xfedc'ba98'7654'3210U);
  EXPECT_EQ(back.findings[0].story.events[0].stack.size(), 2U);
  EXPECT_EQ(back.findings[0].story.waiting[0].holder, no_process);
  EXPECT_EQ(back.modules[0].path, "./bank");
  EXPECT_EQ(back.statistics.explored, 0.75);
  EXPECT_EQ(back.sites, sample_reply().sites);
}

TEST(Wire, ADraftHoldsUntilTheReplyIsWhole) {
  Reply draft = sample_reply();
  draft.draft = true;
  draft.notes = {"a draft"};
  std::vector<std::byte> bytes = encode(draft);
  const std::size_t first = bytes.size();
  const std::vector<std::byte> whole = encode(sample_reply());
  bytes.insert(bytes.end(), whole.begin(), whole.end());
  EXPECT_EQ(decode_last_reply(bytes).notes, sample_reply().notes);
  for (std::size_t size = first; size < bytes.size(); ++size) {
    EXPECT_EQ(decode_last_reply(std::span(bytes).first(size)).notes, draft.notes) << size;
  }
  EXPECT_THROW((void)decode_last_reply(std::span(bytes).first(first - 1)), WireError);
}

TEST(Wire, EveryCutIsAnError) {
  const std::vector<std::byte> bytes = encode(sample_reply());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THROW((void)decode_reply(std::span(bytes).first(size)), WireError) << size;
  }
}

TEST(Wire, ACorruptByteNeverDoesHarm) {
  const std::vector<std::byte> bytes = encode(sample_reply());
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::vector<std::byte> corrupt = bytes;
    corrupt[i] = std::byte{0xff};
    try {
      (void)decode_reply(corrupt);  // a changed value may pass; a changed length may not crash
    } catch (const WireError& error) {
      EXPECT_NE(error.what()[0], '\0');
    }
  }
}

TEST(Wire, ATreeNamesOnlyWhatIsThere) {
  const auto refused = [](auto spoil) {
    Reply reply = sample_reply();
    spoil(reply.tree);
    EXPECT_THROW((void)decode_reply(encode(reply)), WireError);
  };
  refused([](RawTree& tree) { tree.tree.nodes[1].parent = 1; });
  refused([](RawTree& tree) { tree.tree.nodes[1].step.process = 2; });
  refused([](RawTree& tree) { tree.tree.nodes[1].before = 2; });
  refused([](RawTree& tree) { tree.tree.nodes[1].explored_at = {2}; });
  refused([](RawTree& tree) { tree.finals[0].values = {1}; });
  refused([](RawTree& tree) { tree.finals[0].node = 2; });
}

TEST(Wire, ReplyIsNotARequest) {
  EXPECT_THROW((void)decode_request(encode(sample_reply())), WireError);
  std::vector<std::byte> longer = encode(sample_request());
  longer.push_back(std::byte{0});
  EXPECT_THROW((void)decode_request(longer), WireError);
  Request other = sample_request();
  other.version = protocol_version + 1;
  EXPECT_THROW((void)decode_request(encode(other)), WireError);
}

}  // namespace
}  // namespace mazurka::host
