#include "programs/mpi/runtime/completion.hpp"

#include <algorithm>

#include "core/check.hpp"
#include "programs/mpi/runtime/checks.hpp"
#include "programs/mpi/runtime/collectives.hpp"
#include "programs/mpi/runtime/handles.hpp"
#include "programs/mpi/runtime/transfers.hpp"

namespace mazurka::mpi {

// --- told by others ------------------------------------------------------------------------------

void Completion::complete(RequestRef ref, std::span<const std::uint32_t> causes) {
  Request& request = at(ref);
  MAZURKA_CHECK(request.kind != RequestKind::none && !request.complete,
                "a request is complete once");
  request.complete = true;
  request.causes.assign(causes.begin(), causes.end());
  if (request.released) return;  // nobody will ask
  wake_waiting();
}

void Completion::found(ReceiveId, std::span<const std::uint32_t>) { wake_waiting(); }
void Completion::picked(std::uint32_t, std::uint32_t) { wake_waiting(); }

bool Completion::is_complete(const Waiting& waiting) const {
  if (waiting.probe != no_receive) {
    return world_.matching[waiting.probe].message != no_message;
  }
  if (waiting.pick >= 0) return world_.picks[static_cast<std::size_t>(waiting.pick)].chosen >= 0;
  return std::all_of(waiting.requests.begin(), waiting.requests.end(),
                     [&](RequestRef ref) { return at(ref).complete; });
}

void Completion::gather_causes(const Waiting& waiting) {
  causes_.clear();
  const auto add = [&](std::span<const std::uint32_t> more) {
    causes_.insert(causes_.end(), more.begin(), more.end());
  };
  if (waiting.probe != no_receive) add(world_.posted[mpi::index(waiting.probe)].causes);
  if (waiting.pick >= 0) {
    const Pick& pick = world_.picks[static_cast<std::size_t>(waiting.pick)];
    MAZURKA_CHECK(pick.chosen >= 0, "what was picked is known when somebody goes on");
    const auto chosen = static_cast<std::size_t>(pick.chosen);
    causes_.push_back(run().latest_event(pick.agents[chosen]));
  }
  for (const RequestRef ref : waiting.requests) add(at(ref).causes);
  std::sort(causes_.begin(), causes_.end());
  causes_.erase(std::unique(causes_.begin(), causes_.end()), causes_.end());
}

// Those that were parked and can go on now.
void Completion::wake_waiting() {
  transfers_.refresh_picks();
  for (std::size_t number = 0; number < world_.waiting.end(); ++number) {
    const auto process = static_cast<ProcessId>(number);
    Waiting* waiting = world_.waiting.find(process);
    if (waiting == nullptr || !waiting->parked || !is_complete(*waiting)) continue;
    waiting->parked = false;
    gather_causes(*waiting);
    run().release(process);
    run().enable(process, true);
    run().caused_by(process, causes_);
  }
}

// --- waits ---------------------------------------------------------------------------------------

std::string Completion::one_waiting_in_words(const Request& request) const {
  std::string words;
  switch (request.kind) {
    case RequestKind::send:
      words = "for its message to " + rank_words(request.peer) + tag_words(request.tag) +
              " to be received";
      break;
    case RequestKind::receive:
      words = "for a message of " + rank_words(request.peer) + tag_words(request.tag);
      break;
    case RequestKind::collective:
      words = "for " + collectives_.missing_in_words(request.collective);
      break;
    case RequestKind::window: words = "for " + request.awaits_in_words; break;
    case RequestKind::none: break;
  }
  const Communicator& group = communicator(request.communicator);
  if (group.name != "MPI_COMM_WORLD") words += " in " + group.name;
  return words;
}

std::string Completion::waiting_words(const char* call) {
  const Waiting& waiting = world_.waiting[self().id];
  std::string words = std::string("waits in ") + call;
  if (waiting.probe != no_receive) {
    const Pattern& pattern = world_.matching[waiting.probe].pattern;
    return words + " for a message of " + rank_words(pattern.source) + tag_words(pattern.tag);
  }
  const char* separator = " ";
  for (const RequestRef ref : waiting.requests) {
    if (at(ref).complete) continue;
    words += separator + one_waiting_in_words(at(ref));
    separator = ", and ";
  }
  return words;
}

void Completion::park_until_complete(const char* call) {
  Waiting& waiting = world_.waiting[self().id];
  MAZURKA_CHECK(!waiting.parked, "a process waits in one call at a time");
  const bool done = is_complete(waiting);
  waiting.parked = !done;
  causes_.clear();
  if (done) gather_causes(waiting);
  if (recording()) note_words(waiting_words(call));
  run().waits_at(self().id, threads::address_of(threads_caller()));
  park({}, done, done, causes_);
  if (recording()) record_words(std::string(call) + " returns");
  state_.quiet = world_.is_for_updates(world_.waiting[self().id]);
  commit();
}

void Completion::wait_for(std::span<const RequestRef> refs, const char* call) {
  Waiting& waiting = world_.waiting[self().id];
  waiting = {};
  waiting.requests.assign(refs.begin(), refs.end());
  park_until_complete(call);
}

void Completion::wait_for_probe(ReceiveId probe, const char* call) {
  Waiting& waiting = world_.waiting[self().id];
  waiting = {};
  waiting.probe = probe;
  park_until_complete(call);
}

// The choice is made by agents, one per request; they come into being with a step of this process.
std::size_t Completion::wait_for_one(std::span<const RequestRef> refs, const char* call) {
  if (refs.size() == 1) {
    wait_for(refs, call);
    return 0;
  }
  const auto number = static_cast<std::uint32_t>(world_.picks.size());
  world_.picks.push_back({});
  world_.picks.back().requests.assign(refs.begin(), refs.end());
  if (recording()) note_words(call);
  note_time(true);
  park({}, true);
  Pick& pick = world_.picks[number];
  pick.process = self().id;
  pick.agents = transfers_.create_agents(pick.requests.size());
  if (!scheduler_.refusal().error.empty()) leave();
  pick.announced.assign(pick.agents.size(), false);
  pick.event = static_cast<std::uint32_t>(run().position());
  pick.object = object(Kind::receive, mpi::index(MessageId{0}) + mazurka::index(self().id),
                       run().events_of(self().id), 0x7069'636b);
  for (std::size_t place = 0; place < pick.agents.size(); ++place) {
    Agent& agent = world_.agents[pick.agents[place]];
    agent.kind = Agent::Kind::pick;
    agent.pick = number;
    agent.alternative = static_cast<int>(place);
    agent.place = place;
  }
  commit({}, 1, pick.agents);
  Waiting& waiting = world_.waiting[self().id];
  waiting = {};
  waiting.pick = static_cast<std::int32_t>(number);
  transfers_.refresh_picks();
  park_until_complete(call);
  MAZURKA_CHECK(world_.picks[number].chosen >= 0, "one of the requests was chosen");
  // Its agents stay: a request that is complete later might have come first.
  return static_cast<std::size_t>(world_.picks[number].chosen);
}

// --- ends ----------------------------------------------------------------------------------------

void Completion::learn(MessageId message) {
  self().knowledge.now.join(world_.payloads[mpi::index(message)].knowledge);
}

// What was sent must be what is received, value by value. That there is too much of it is an error
// of MPI; that it is of other types is something that MPI may not notice.
int Completion::check_fit(const Request& request, MessageId message) {
  const Payload& payload = world_.payloads[mpi::index(message)];
  const Signature expected = signature_of(request.layout, request.count);
  Fit fit = compare(payload.signature, expected);
  const std::uint64_t room = request.layout.size * request.count;
  if (fit == Fit::fits && payload.bytes.size() > room) fit = Fit::too_long;
  if (fit == Fit::fits) return 0;
  const bool returned =
      returns_to_program(error_handler_of(world_.matching[message].channel.communicator));
  if (fit == Fit::too_long && returned) return error::truncated;
  const Message& sent = world_.matching[message];
  const std::string what = std::string(request.call) + ": the message of " +
                           rank_words(sent.channel.source) + tag_words(sent.tag) + " has " +
                           text(payload.signature) + ", and the receive is for " + text(expected);
  fail(FindingKind::misuse,
       what + (fit == Fit::too_long ? ": it is truncated" : ": the types do not match"),
       std::string(fit == Fit::too_long ? "truncated " : "types ") + request.call + " " +
           std::to_string(request.count));
}

void Completion::take_message(const Request& request, Result& result) {
  MAZURKA_CHECK(request.receive != no_receive, "a receive was posted before it ends");
  const MessageId message = world_.matching[request.receive].message;
  const Message& sent = world_.matching[message];
  result.source = communicator(sent.channel.communicator).rank_at(sent.channel.source);
  result.tag = sent.tag;
  learn(message);
  result.error = check_fit(request, message);
  result.communicator = sent.channel.communicator;
  // Of several threads, others may not have heard of it when they post the next.
  if (!has_threads()) world_.matching.know_complete(request.receive);
  const Payload& payload = world_.payloads[mpi::index(message)];
  result.bytes = std::min<std::uint64_t>(payload.bytes.size(), request.layout.size * request.count);
  void* const buffer = const_cast<void*>(request.buffer);
  const std::uint64_t values =
      request.layout.size == 0 ? 0 : (result.bytes + request.layout.size - 1) / request.layout.size;
  tell_access(buffer, request.layout, values, true);
  MAZURKA_CHECK(result.bytes <= payload.bytes.size(), "no more is received than was sent");
  unpack(payload.bytes, buffer, request.layout, request.count);
}

Result Completion::finish(RequestRef ref) {
  Request& request = at(ref);
  Result result = request.ending;
  result.cancelled = request.cancelled;
  // The buffer is the program's again.
  const bool owns = request.active && !request.nothing && !request.told;
  if (owns && own().owned > 0) --own().owned;
  request.active = false;
  transfers_.close_alternatives(ref);
  if (request.told) {
    // Everything has been done.
  } else if (request.nothing && request.kind == RequestKind::receive) {
    result.source = no_process_rank;
  } else if (request.kind == RequestKind::receive && !request.cancelled) {
    take_message(request, result);
  } else if (request.kind == RequestKind::collective) {
    collectives_.finish(ref);
    for (CommunicatorHandle& one : own().communicators) {
      if (one.made_by == ref) one.made_by = {};
    }
  } else if (request.kind == RequestKind::window) {
    world_.finish_access(request, self().id, self().knowledge.now);
  }
  Request& same = at(ref);
  if (same.persistent) {
    same.complete = false;
    same.told = false;
    same.ending = {};
    same.message = no_message;  // which may be on its way yet, and concerns the request no more
    same.causes.clear();
  } else {
    const std::uint32_t generation = same.generation;
    same = {};
    same.generation = generation;
  }
  return result;
}

Result Completion::finish_but_keep(RequestRef ref) {
  const bool persistent = at(ref).persistent;
  const RequestKind kind = at(ref).kind;
  const char* const made_by = at(ref).call;
  at(ref).persistent = true;  // it is not gone yet
  const Result ending = finish(ref);
  Request& same = at(ref);
  MAZURKA_CHECK(!same.active, "an operation has ended that is told and kept");
  same.persistent = persistent;
  same.kind = kind;
  same.call = made_by;
  same.active = true;
  same.complete = true;
  same.told = true;
  same.ending = ending;
  return ending;
}

}  // namespace mazurka::mpi
