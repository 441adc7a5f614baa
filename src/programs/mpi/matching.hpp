// Which message a receive takes: the rules of MPI, without anything that runs.
//
// A message meets the earliest posted receive that it fits and that is open; a receive meets, per
// source, the earliest message that fits. Between sources there is no order. So everything is
// decided by the program except which source a receive from anywhere takes.
//
// Two points on which implementations may differ are decided like this. A receive may take a
// message of another source than the one that came first: the standard orders messages of one
// source only. And a message may stay behind while a later one of its sender, with another tag,
// meets another receive: the order of messages counts only between those that fit the same receive.
//
// Two kinds of receives are told apart. One that *chooses* is matched by a step of its own, one per
// source ("match R with s"), as soon as candidate() says that it can; the others are matched at
// once, by the send or the post that comes last. A receive chooses if it names no source, or if one
// that chooses was posted before it, could take the same message, and is not known to be complete
// by the rank that posts: so whether it does is a property of the rank's own doings, not of the
// schedule.
//
// What a match needs are its causes: the post, the send, and the matches of earlier receives that
// would have taken the message, or have taken an earlier one. Receives that the rank knew to be
// complete when it posted come before the post, and need not be named.
//
// A probe is a receive that takes nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/check.hpp"
#include "core/ids.hpp"
#include "core/list.hpp"

namespace mazurka::mpi {

inline constexpr int any_source = -32101;  // MPI_ANY_SOURCE
inline constexpr int any_tag = -32102;     // MPI_ANY_TAG

enum class MessageId : std::uint32_t {};
enum class ReceiveId : std::uint32_t {};
inline constexpr MessageId no_message{0xffff'ffff};
inline constexpr ReceiveId no_receive{0xffff'ffff};
[[nodiscard]] constexpr std::size_t index(MessageId one) { return static_cast<std::size_t>(one); }
[[nodiscard]] constexpr std::size_t index(ReceiveId one) { return static_cast<std::size_t>(one); }

/// Names a communicator, in every execution alike.
using CommunicatorKey = std::uint64_t;

/// From one rank of a communicator to another.
struct Channel {
  CommunicatorKey communicator = 0;
  int source = 0;
  int destination = 0;
  friend bool operator==(const Channel&, const Channel&) = default;
};

struct Message {
  Channel channel;
  int tag = 0;
  std::uint32_t sent = no_event;
  ReceiveId taken_by = no_receive;
  friend bool operator==(const Message&, const Message&) = default;
};

/// What a receive asks for.
struct Pattern {
  CommunicatorKey communicator = 0;
  int destination = 0;
  int source = any_source;
  int tag = any_tag;
  bool probes = false;  // takes nothing
  friend bool operator==(const Pattern&, const Pattern&) = default;
};

struct Receive {
  Pattern pattern;
  std::uint32_t posted = no_event;
  std::uint32_t nth = 0;  // of its queue
  bool chooses = false;
  MessageId message = no_message;    // that it has taken, or seen
  std::uint32_t matched = no_event;  // the event that matched it, if it chooses, or withdrew it
  bool withdrawn = false;
  std::vector<ReceiveId> rivals;  // posted before, and not known to be complete then
  friend bool operator==(const Receive&, const Receive&) = default;
};

class Matching {
 public:
  /// A message that a receive would take, and the events without which it could not.
  struct Candidate {
    MessageId message = no_message;
    std::vector<std::uint32_t> causes;
  };

  MessageId send(const Channel& channel, int tag, std::uint32_t event);
  ReceiveId post(const Pattern& pattern, std::uint32_t event);
  /// Whether a receive that is posted now would choose.
  [[nodiscard]] bool would_choose(const Pattern& pattern) const;
  /// The rank knows that the receive is complete.
  void know_complete(ReceiveId receive);
  /// The receive is no longer there (cancelled, by this event).
  void withdraw(ReceiveId receive, std::uint32_t event);
  /// Whether the receive may still take a message.
  [[nodiscard]] bool is_open(ReceiveId receive) const {
    return (*this)[receive].message == no_message && !(*this)[receive].withdrawn;
  }

  /// What the receive would take from the source, if everything that has to come first has come.
  /// It is the same for good, whether the receive is still open or not.
  [[nodiscard]] std::optional<Candidate> candidate(ReceiveId receive, int source) const;
  /// `event`: of the match, if the receive chooses.
  void match(ReceiveId receive, MessageId message, std::uint32_t event);

  [[nodiscard]] const Message& operator[](MessageId message) const {
    MAZURKA_CHECK(index(message) < messages_.size(), "a message is asked for that was sent");
    return messages_[index(message)];
  }
  [[nodiscard]] const Receive& operator[](ReceiveId receive) const {
    MAZURKA_CHECK(index(receive) < receives_.size(), "a receive is asked for that was posted");
    return receives_[index(receive)];
  }
  [[nodiscard]] std::size_t messages() const { return messages_.size(); }
  [[nodiscard]] std::size_t receives() const { return receives_.size(); }

  /// The receives that were posted there, in order; and of these the open ones that do not choose.
  [[nodiscard]] std::span<const ReceiveId> posted(CommunicatorKey communicator,
                                                  int destination) const;
  [[nodiscard]] std::vector<ReceiveId> waiting_at_once(const Channel& channel) const;
  /// What a look at the source's messages finds now: the earliest that fits and was not taken,
  /// unless an open receive is going to have it.
  [[nodiscard]] MessageId first_visible(const Pattern& pattern, int source) const;
  /// The receives that choose and that the rank does not know to be complete.
  [[nodiscard]] std::vector<ReceiveId> choosing(CommunicatorKey communicator,
                                                int destination) const;
  [[nodiscard]] std::span<const MessageId> sent(const Channel& channel) const;

  friend bool operator==(const Matching&, const Matching&) = default;

 private:
  struct Queue {
    CommunicatorKey communicator = 0;
    int destination = 0;
    std::vector<ReceiveId> posted;
    std::vector<ReceiveId> unknown;  // of these, what the rank does not know to be complete
    std::vector<std::vector<MessageId>> arrived;  // per source
    friend bool operator==(const Queue&, const Queue&) = default;
  };
  Queue& queue(CommunicatorKey communicator, int destination);
  [[nodiscard]] const Queue* find_queue(CommunicatorKey communicator, int destination) const;

  List<Message> messages_;
  List<Receive> receives_;
  List<Queue> queues_;
};

/// Whether the receive would take such a message.
[[nodiscard]] bool fits(const Pattern& pattern, const Message& message);
/// Whether a message could fit both.
[[nodiscard]] bool compete(const Pattern& one, const Pattern& other);

}  // namespace mazurka::mpi
