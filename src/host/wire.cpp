// The members of every struct that crosses, once for both directions (core/archive.hpp).
#include "host/wire.hpp"

#include <algorithm>
#include <cstdint>
#include <string>

#include "core/archive.hpp"

namespace mazurka::host {
namespace {

constexpr std::uint32_t request_magic = 0x5152'5a4d;  // "MZRQ"
constexpr std::uint32_t reply_magic = 0x5052'5a4d;    // "MZRP"
constexpr std::uint32_t question_magic = 0x5152'4d5a;
constexpr std::uint32_t answer_magic = 0x4152'4d5a;

}  // namespace
}  // namespace mazurka::host

// Found through their arguments, so beside the structs and not in an unnamed namespace.
namespace mazurka {

// The version of a message comes before all else.
template <>
inline constexpr std::size_t members_left_out<host::Request> = 1;
template <>
inline constexpr std::size_t members_left_out<host::Reply> = 1;
template <>
inline constexpr std::size_t members_left_out<host::RaceQuestion> = 1;
template <>
inline constexpr std::size_t members_left_out<host::RaceAnswer> = 1;
// The process that explores decides stop_when_cut (Request::bound_is_default) and record_values
// (Request::certificate).
template <>
inline constexpr std::size_t members_left_out<Limits> = 2;
template <typename Archive>
void members(Archive& archive, Same<Limits> auto& v) {
  archive(v.max_executions, v.max_seconds, v.reserved_seconds, v.max_events, v.keep_going, v.seed,
          v.preemptions, v.sleep_sets);
}
template <typename Archive>
void members(Archive& archive, Same<Rest> auto& v) {
  archive(v.tasks, v.explored);
}
template <typename Archive>
void members(Archive& archive, Same<CrashingSchedule> auto& v) {
  archive(v.decisions, v.message);
}
// Of what those draw who draw it, only what front-ends that tell it themselves have to say: not the
// last 7 members of an event, and of a story neither `switches`, `fewest` nor what comes after
// `objects`.
template <>
inline constexpr std::size_t members_left_out<StoryEvent> = 7;
template <>
inline constexpr std::size_t members_left_out<Story> = 6;
template <typename Archive>
void members(Archive& archive, Same<StoryObject> auto& v) {
  archive(v.name, v.type);
}
template <typename Archive>
void members(Archive& archive, Same<StoryEvent> auto& v) {
  archive(v.deed, v.object, v.value, v.after);
}
template <typename Archive>
void members(Archive& archive, Same<StoryRow> auto& v) {
  archive(v.process, v.action, v.place, v.stack, v.read_from, v.overtakes, v.switch_reason,
          v.failing, v.no_return, v.decision, v.from, v.source, v.folded, v.event);
}
template <typename Archive>
void members(Archive& archive, Same<Story> auto& v) {
  archive(v.layout, v.processes, v.rows, v.endings, v.remarks, v.drawing, v.summary, v.place,
          v.objects);
}

}  // namespace mazurka

namespace mazurka::host {

template <typename Archive>
void members(Archive& archive, Same<Suppression> auto& v) {
  archive(v.pattern, v.top_only, v.origin);
}
template <typename Archive>
void members(Archive& archive, Same<Refinement> auto& v) {
  archive(v.exposed, v.escaped, v.guards, v.ordered, v.latches_by_library);
}
template <typename Archive>
void members(Archive& archive, Same<Checks> auto& v) {
  archive(v.spurious, v.weak_cas, v.leaks, v.heap, v.uninitialised, v.memory, v.graphs, v.races,
          v.exit_code, v.liveness, v.volatile_atomic, v.ranks, v.buffering, v.collectives,
          v.message_races, v.rules, v.suppressions, v.refinement);
}
template <typename Archive>
void members(Archive& archive, Same<Orders> auto& v) {
  archive(v.order, v.failure);
}
template <typename Archive>
void members(Archive& archive, Same<AtomicSite> auto& v) {
  archive(v.stack, v.kind, v.orders);
}
template <typename Archive>
void members(Archive& archive, Same<OrderChange> auto& v) {
  archive(v.stack, v.kind, v.at_least);
}
template <typename Archive>
void members(Archive& archive, Same<OrderRequest> auto& v) {
  archive(v.collect, v.strongest, v.changes);
}
template <typename Archive>
void members(Archive& archive, Same<RawEvent> auto& v) {
  archive(v.process, v.action, v.flags, v.size, v.position, v.address, v.second_address, v.value,
          v.new_value, v.high, v.new_high, v.peer, v.source, v.newest, v.order, v.stack, v.ends,
          v.words);
}
template <typename Archive>
void members(Archive& archive, Same<RawProcess> auto& v) {
  archive(v.id, v.parent, v.nth, v.routine, v.rank);
}
template <typename Archive>
void members(Archive& archive, Same<RawWaiting> auto& v) {
  archive(v.process, v.action, v.address, v.peer, v.holder, v.enabled, v.stack, v.words);
}
template <typename Archive>
void members(Archive& archive, Same<RawBlock> auto& v) {
  archive(v.address, v.size, v.owner, v.nth, v.stack);
}
template <typename Archive>
void members(Archive& archive, Same<RawStack> auto& v) {
  archive(v.process, v.low, v.high);
}
template <typename Archive>
void members(Archive& archive, Same<RawModule> auto& v) {
  archive(v.base, v.path);
}
template <typename Archive>
void members(Archive& archive, Same<RawGap> auto& v) {
  archive(v.before, v.events);
}
template <typename Archive>
void members(Archive& archive, Same<RawStory> auto& v) {
  archive(v.processes, v.events, v.waiting, v.blocks, v.stacks, v.gaps, v.signal_fences);
}
template <typename Archive>
void members(Archive& archive, Same<RawTree::Final> auto& v) {
  archive(v.node, v.values);
}
template <typename Archive>
void members(Archive& archive, Same<RawTree> auto& v) {
  archive(v.tree, v.steps, v.parted, v.values, v.finals, v.left_out, v.processes, v.blocks,
          v.stacks);
}
template <typename Archive>
void members(Archive& archive, Same<RawShortened> auto& v) {
  archive(v.done, v.switches, v.fewest, v.always_fails, v.no_return);
}
template <typename Archive>
void members(Archive& archive, Same<RawFinding> auto& v) {
  archive(v.finding, v.story, v.told, v.shortened, v.hidden);
}
template <typename Archive>
void members(Archive& archive, Same<RawDivergence> auto& v) {
  archive(v.event, v.expected, v.seen, v.stack);
}
template <typename Archive>
void members(Archive& archive, Same<RawHotSpot> auto& v) {
  archive(v.stack, v.action, v.events, v.branching, v.processes, v.rounds, v.tries);
}
template <typename Archive>
void members(Archive& archive, Same<RawProfile> auto& v) {
  archive(v.executions, v.events, v.total, v.error, v.at_least, v.spots);
}
template <typename Archive>
void members(Archive& archive, Same<Request> auto& v) {
  archive(v.task, v.technique, v.racy, v.limits, v.stall_seconds, v.schedule, v.order, v.checks,
          v.bound_is_default, v.technique_is_default, v.task_log, v.certificate, v.measure_replay,
          v.save_file, v.save_about, v.save_seconds, v.must_save, v.resume_file, v.part, v.parts,
          v.shared, v.compares_uses, v.crashing, v.shorten, v.check, v.checkpoints, v.probes,
          v.tree, v.orders, v.hidden, v.unseen, v.filter, v.filter_key);
}
template <typename Archive>
void members(Archive& archive, Same<Reply> auto& v) {
  archive(v.error, v.draft, v.refused_call, v.refused_at, v.refused_object, v.complete,
          v.must_begin_anew, v.stopped, v.statistics, v.rest, v.seconds, v.peak_memory, v.findings,
          v.modules, v.divergence, v.grounds, v.memory, v.notes, v.replayed, v.stalled_at,
          v.stalled_process, v.left_waiting, v.limit, v.replay_seconds, v.replay_executions,
          v.accepted, v.refinement, v.profile, v.tree, v.sites, v.uses);
}
template <typename Archive>
void members(Archive& archive, Same<RaceQuestion> auto& v) {
  archive(v.story, v.modules);
}
template <typename Archive>
void members(Archive& archive, Same<RaceAnswer> auto& v) {
  archive(v.accepted, v.suppression, v.race);
}

namespace {

template <typename Message>
std::vector<std::byte> encode_message(std::uint32_t magic, const Message& message) {
  std::vector<std::byte> bytes;
  ArchiveWriter writer(bytes);
  writer(magic, message.version);
  each_member(writer, message);
  return bytes;
}

/// Takes one message from the front of the bytes.
template <typename Message>
Message take_message(std::uint32_t magic, const char* what, std::span<const std::byte>& bytes) {
  try {
    ArchiveReader reader(bytes);
    std::uint32_t seen_magic = 0;
    Message message;
    reader(seen_magic, message.version);
    if (seen_magic != magic) throw ArchiveError("it does not begin as one");
    if (message.version != protocol_version) {
      throw ArchiveError("it speaks protocol version " + std::to_string(message.version) +
                         " and this program version " + std::to_string(protocol_version) +
                         "; build both from the same release");
    }
    each_member(reader, message);
    bytes = reader.rest();
    return message;
  } catch (const ArchiveError& error) {
    throw WireError(std::string("not a valid ") + what + ": " + error.what());
  }
}

template <typename Message>
Message decode_message(std::uint32_t magic, const char* what, std::span<const std::byte> bytes) {
  Message message = take_message<Message>(magic, what, bytes);
  if (!bytes.empty()) {
    throw WireError(std::string("not a valid ") + what + ": " + std::to_string(bytes.size()) +
                    " bytes follow the end of the message");
  }
  return message;
}

// What tells a story looks up by these numbers, and they are the program's.
void require_consistent(const Story& story) {
  const auto within = [](std::optional<std::size_t> at, const auto& list) {
    return !at || *at < list.size();
  };
  for (const StoryRow& row : story.rows) {
    bool good = within(row.process, story.processes) && within(row.from, story.processes) &&
                within(row.read_from, story.rows) && within(row.overtakes, story.rows) &&
                within(row.event.object, story.objects);
    for (const std::size_t before : row.event.after) good = good && within(before, story.rows);
    if (!good) throw WireError("not a valid reply: a row of a story names what is not there");
  }
}

void require_consistent(const RawStory& story) {
  if (story.processes.empty() && !story.events.empty()) {
    throw WireError("not a valid reply: a story without processes");
  }
}

void require_consistent(const RawTree& tree) {
  const auto are_values = [&](const RawTree::Final& one) {
    return one.node < tree.tree.nodes.size() &&
           std::all_of(one.values.begin(), one.values.end(),
                       [&](std::uint32_t at) { return at < tree.values.size(); });
  };
  if (!is_consistent(tree.tree) ||
      !std::all_of(tree.finals.begin(), tree.finals.end(), are_values)) {
    throw WireError("not a valid reply: a tree names what is not there");
  }
}

void require_consistent(const Reply& reply) {
  require_consistent(reply.tree);
  require_consistent(reply.replayed);
  for (const RawFinding& found : reply.findings) {
    require_consistent(found.story);
    for (const Story& story : found.told) require_consistent(story);
  }
}

}  // namespace

std::vector<std::byte> encode(const Request& request) {
  return encode_message(request_magic, request);
}
std::vector<std::byte> encode(const Reply& reply) { return encode_message(reply_magic, reply); }

std::vector<std::byte> encode(const RaceQuestion& question) {
  return encode_message(question_magic, question);
}
std::vector<std::byte> encode(const RaceAnswer& answer) {
  return encode_message(answer_magic, answer);
}

Request decode_request(std::span<const std::byte> bytes) {
  return decode_message<Request>(request_magic, "request", bytes);
}
Reply decode_reply(std::span<const std::byte> bytes) {
  Reply reply = decode_message<Reply>(reply_magic, "reply", bytes);
  require_consistent(reply);
  return reply;
}
RaceQuestion decode_question(std::span<const std::byte> bytes) {
  return decode_message<RaceQuestion>(question_magic, "question about a race", bytes);
}
RaceAnswer decode_answer(std::span<const std::byte> bytes) {
  return decode_message<RaceAnswer>(answer_magic, "answer about a race", bytes);
}
Reply decode_last_reply(std::span<const std::byte> bytes) {
  Reply reply = take_message<Reply>(reply_magic, "reply", bytes);
  while (!bytes.empty()) {
    try {
      reply = take_message<Reply>(reply_magic, "reply", bytes);
    } catch (const WireError&) {
      if (!reply.draft) throw;
      break;  // it ended while it wrote the next one
    }
  }
  require_consistent(reply);
  return reply;
}

}  // namespace mazurka::host
