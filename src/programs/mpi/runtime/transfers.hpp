// Sends, receives and probes as steps, and who matches them.
//
// A receive that chooses has an agent per possible source: a process without a stack, whose only
// step is "this receive is matched with that source". The scheduler performs the step itself. An
// agent announces its step as soon as the match is possible, with all that had to come first as its
// causes; and also when the receive has been matched with another source meanwhile: then the step
// is disabled, and the explorers see that it might have come first.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "programs/mpi/runtime/mpi_part.hpp"

namespace mazurka::mpi {

class Completion;

class Transfers : public MpiPart {
 public:
  Transfers(const Context& context, Completion& completion)
      : MpiPart(context), completion_(completion) {}

  /// Begins the operation that the request of the current rank describes.
  void send(RequestRef ref);
  void post(RequestRef ref);
  /// Waits for a message that fits; returns it.
  MessageId probe(const Pattern& pattern, const char* call);
  /// Takes the message that is found out of the queue, for a receive of its own (Mprobe).
  ReceiveId match_probe(const Pattern& pattern, const char* call);
  /// The receive of what was taken in this way.
  void receive_kept(ReceiveId receive, const char* call);

  /// Takes the message, which nobody else is going to have, as a part of the step before.
  ReceiveId take_now(MessageId message, std::uint32_t event);

  /// Where the message was sent, while a report is made.
  [[nodiscard]] const std::vector<std::uint64_t>& stack_of(MessageId message) {
    return stacks_[message];
  }

  /// It is the agent's turn.
  void perform(ProcessId agent);
  /// Agents of calls that go on with one of several requests: announces those that can move.
  /// Also those of calls that have gone on with another request: they might have come first.
  void refresh_picks();
  /// The receive was withdrawn: those that were posted after it may have what it would have had.
  void rivals_gone(ReceiveId withdrawn);
  /// The request comes to its end: what becomes of its handle later is no alternative of such a
  /// call.
  void close_alternatives(RequestRef ref);
  /// Creates so many agents of the step that the current process is about to take.
  [[nodiscard]] std::vector<ProcessId> create_agents(std::size_t count);

 private:
  ReceiveId post_pattern(const Pattern& pattern, RequestRef ref);
  void match_at_once(const Channel& channel);
  /// Whether the send is not complete before its message is received.
  [[nodiscard]] bool waits_for_receive(MessageId message) const;
  void matched(ReceiveId receive, MessageId message, std::span<const std::uint32_t> causes);
  void refresh(CommunicatorKey communicator, int destination);
  void refresh_receive(ReceiveId receive);
  void perform_match(ProcessId agent, const Agent& choice);
  void perform_pick(ProcessId agent, const Agent& choice);
  [[nodiscard]] bool commit_agent();
  [[nodiscard]] bool commit_send(SendMode mode);
  void note_race(const Agent& choice);
  void record_match(ReceiveId receive, MessageId message);
  void check_ready_mode(RequestRef ref, MessageId message);

  Completion& completion_;
  std::vector<Access> scratch_;
  std::map<MessageId, std::vector<std::uint64_t>> stacks_;
};

}  // namespace mazurka::mpi
