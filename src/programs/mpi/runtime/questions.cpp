// Tests, nonblocking probes and cancellations: steps that look at what others may change, and so
// depend on it, where a wait only comes after what it waits for.
#include <algorithm>
#include <array>

#include "core/check.hpp"
#include "programs/mpi/runtime/completion.hpp"
#include "programs/mpi/runtime/transfers.hpp"
#include "programs/threads/runtime/loops/spin_recognition.hpp"

namespace mazurka::mpi {

// What could complete the request.
void Completion::add_tested(RequestRef ref) {
  const Request& request = at(ref);
  if (request.told) return;
  switch (request.kind) {
    case RequestKind::send: {
      const bool needs_nobody = request.complete && request.causes.empty();
      if (request.nothing || needs_nobody || request.message == no_message) return;
      const Channel& channel = world_.matching[request.message].channel;
      scratch_.push_back(access(object_of(channel), Kind::channel, channel_mode::test_send));
      scratch_.push_back(access(queue_of(channel.communicator, channel.destination), Kind::queue,
                                queue_mode::test_send));
      return;
    }
    case RequestKind::receive: {
      if (request.nothing || request.receive == no_receive) return;
      const Receive& receive = world_.matching[request.receive];
      if (receive.chooses) {
        scratch_.push_back(access(world_.posted[mpi::index(request.receive)].object, Kind::receive,
                                  receive_mode::test));
      } else {
        const Channel channel{receive.pattern.communicator, receive.pattern.source,
                              receive.pattern.destination};
        scratch_.push_back(access(object_of(channel), Kind::channel, channel_mode::look));
      }
      return;
    }
    case RequestKind::collective:
      scratch_.push_back(access(world_.collectives[request.collective].object, Kind::collective,
                                collective_mode::test));
      return;
    case RequestKind::window:
      if (request.update == no_event) return;
      for (const ObjectId cell : world_.updates[request.update].cells) {
        scratch_.push_back(access(cell, Kind::cell, cell_mode::test));
      }
      return;
    case RequestKind::none: return;
  }
}

// The step that asks; what it touches is in scratch_ then. Receives are open or taken before it.
void Completion::commit_question(std::uint16_t choices) {
  const Footprint footprint = run().footprint(self().id);
  scratch_.assign(footprint.begin(), footprint.end());
  std::vector<std::uint64_t> before;
  for (const Access& one : scratch_) before.push_back(value_of(one.object));
  commit(before, choices);
}

std::uint64_t Completion::value_of(ObjectId object) const {
  for (std::size_t nth = 0; nth < world_.posted.size(); ++nth) {
    if (world_.posted[nth].object != object || world_.posted[nth].agents.empty()) continue;
    const ReceiveId receive{static_cast<std::uint32_t>(nth)};
    return world_.matching.is_open(receive) ? receive_open : receive_taken;
  }
  return 0;
}

std::vector<std::size_t> Completion::test(std::span<const RequestRef> refs, Asks asks,
                                          const char* call) {
  // What is asked about is kept where it is put back together with the stack.
  Waiting& waiting = world_.waiting[self().id];
  waiting = {};
  waiting.requests.assign(refs.begin(), refs.end());
  scratch_.clear();
  for (const RequestRef ref : refs) add_tested(ref);
  std::uint64_t operands = static_cast<std::uint64_t>(asks);
  for (const Access& one : scratch_) operands = fingerprint_of(operands, index(one.object)).low;
  spins_.arrive(reinterpret_cast<std::uintptr_t>(call), operands);
  if (recording()) note_words(call);
  note_time(true);
  meet_others();
  park({scratch_, no_process, false}, true);
  const List<RequestRef>& asked = world_.waiting[self().id].requests;
  std::vector<std::size_t> done;
  for (std::size_t place = 0; place < asked.size(); ++place) {
    if (at(asked[place]).complete) done.push_back(place);
  }
  std::uint16_t choices = 1;
  if (asks == Asks::all && done.size() != asked.size()) done.clear();
  if (asks == Asks::one && done.size() > 1) {
    choices = static_cast<std::uint16_t>(done.size());
    const std::size_t chosen = run().outcome(choices);
    state_.decision.choice = static_cast<std::uint16_t>(chosen);
    MAZURKA_CHECK(chosen < done.size(), "one of those that are complete is chosen");
    done = {done[chosen]};
  }
  if (recording()) record_words(std::string(call) + (done.empty() ? ": not yet" : ": complete"));
  state_.quiet = done.empty();
  commit_question(choices);
  if (done.empty()) {
    for (const Access& one : scratch_) spins_.watch_object(one.object);
  }
  tell(done.size());
  return done;
}

// What a look depends on: messages, and receives that may have them.
void Completion::announce_look(const Pattern& pattern, bool takes) {
  const auto sources = pattern.source == any_source
                           ? static_cast<int>(communicator(pattern.communicator).members.size())
                           : 1;
  scratch_.clear();
  for (int nth = 0; nth < sources; ++nth) {
    const int source = pattern.source == any_source ? nth : pattern.source;
    const Channel channel{pattern.communicator, source, pattern.destination};
    scratch_.push_back(
        access(object_of(channel), Kind::channel, takes ? channel_mode::keep : channel_mode::look));
  }
  // Other threads may post receives at any time; so all of what happens in the queue counts.
  if (takes || has_threads()) {
    const ObjectId queue = queue_of(pattern.communicator, pattern.destination);
    scratch_.push_back(access(queue, Kind::queue, takes ? queue_mode::keep : queue_mode::look));
  }
  if (has_threads()) return;
  for (const ReceiveId one : world_.matching.choosing(pattern.communicator, pattern.destination)) {
    scratch_.push_back(
        access(world_.posted[mpi::index(one)].object, Kind::receive, receive_mode::test));
  }
}

MessageId Completion::look(const Pattern& pattern, const char* call, ReceiveId* taken) {
  announce_look(pattern, taken != nullptr);
  const auto sources = pattern.source == any_source
                           ? static_cast<int>(communicator(pattern.communicator).members.size())
                           : 1;
  std::uint64_t operands = static_cast<std::uint64_t>(pattern.tag);
  for (const Access& one : scratch_) operands = fingerprint_of(operands, index(one.object)).low;
  spins_.arrive(reinterpret_cast<std::uintptr_t>(call), operands);
  if (recording()) note_words(call);
  note_time(true);
  meet_others();
  park({scratch_, no_process, false}, true);
  std::vector<MessageId> found;
  for (int nth = 0; nth < sources; ++nth) {
    const int source = pattern.source == any_source ? nth : pattern.source;
    const MessageId message = world_.matching.first_visible(pattern, source);
    if (message != no_message) found.push_back(message);
  }
  const auto choices = static_cast<std::uint16_t>(std::max<std::size_t>(found.size(), 1));
  const std::uint16_t chosen = run().outcome(choices);
  state_.decision.choice = chosen;
  MAZURKA_CHECK(found.empty() || chosen < found.size(), "one of the messages is chosen");
  const MessageId answer = found.empty() ? no_message : found[chosen];
  if (recording()) {
    record_words(std::string(call) +
                 (answer == no_message
                      ? ": no message"
                      : ": a message of " + rank_words(world_.matching[answer].channel.source)));
  }
  state_.quiet = answer == no_message;
  const auto event = static_cast<std::uint32_t>(run().position());
  commit_question(choices);
  if (answer != no_message && taken != nullptr) *taken = transfers_.take_now(answer, event);
  if (answer == no_message) {
    for (const Access& one : scratch_) spins_.watch_object(one.object);
  }
  tell(mpi::index(answer));
  return answer;
}

void Completion::cancel(RequestRef ref, const char* call) {
  scratch_.clear();
  add_tested(ref);
  for (Access& one : scratch_) {
    if (one.kind == number_of(Kind::receive)) one.mode = receive_mode::withdraw;
  }
  if (recording()) note_words(call);
  note_time(true);
  meet_others();
  park({scratch_, no_process, false}, true);
  if (recording()) record_words(call);
  const auto event = static_cast<std::uint32_t>(run().position());
  commit_question(1);
  Request& request = at(ref);
  if (request.complete) return;
  request.cancelled = true;
  MAZURKA_CHECK(request.kind == RequestKind::receive, "only a receive can be cancelled");
  world_.matching.withdraw(request.receive, event);
  for (const ProcessId agent : world_.posted[mpi::index(request.receive)].agents) {
    run().enable(agent, false);
  }
  const std::array<std::uint32_t, 1> causes{event};
  complete(ref, causes);
  transfers_.rivals_gone(request.receive);
}

}  // namespace mazurka::mpi
