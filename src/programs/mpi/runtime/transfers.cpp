#include "programs/mpi/runtime/transfers.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "core/check.hpp"
#include "programs/mpi/runtime/completion.hpp"

namespace mazurka::mpi {

namespace {

std::string transfer_words(const Request& request, const Communicator& communicator) {
  std::string words = request.call;
  words += request.kind == RequestKind::send ? " to " : " from ";
  words += rank_words(request.peer) + tag_words(request.tag);
  if (communicator.name != "MPI_COMM_WORLD") words += " in " + communicator.name;
  return words;
}

}  // namespace

// --- sends ---------------------------------------------------------------------------------------

void Transfers::send(RequestRef ref) {
  const Channel channel{at(ref).communicator, rank_in(communicator(at(ref).communicator), ref.rank),
                        at(ref).peer};
  tell_access(at(ref).buffer, at(ref).layout, at(ref).count, false);
  const ObjectId place = object_of(channel);
  const std::array<Access, 1> accesses{access(place, Kind::channel, channel_mode::send)};
  if (recording()) note_words(transfer_words(at(ref), communicator(at(ref).communicator)));
  note_time(false);
  meet_others();
  park({accesses, no_process, false}, true);
  if (recording()) record_words(transfer_words(at(ref), communicator(at(ref).communicator)));
  const auto event = static_cast<std::uint32_t>(run().position());
  const bool waits = commit_send(at(ref).mode);
  Request& request = at(ref);
  changed(place);
  request.message = world_.matching.send(channel, request.tag, event);
  Payload payload;
  payload.bytes = pack(request.buffer, request.layout, request.count);
  payload.signature = signature_of(request.layout, request.count);
  payload.knowledge.assign(self().knowledge.now);
  payload.sender = ref;
  if (request.mode == SendMode::buffered) payload.buffered_by = ref.rank;
  if (request.in_buffer.any()) {
    payload.sender = request.in_buffer;
    at(request.in_buffer).message = request.message;
  }
  self().knowledge.now.tick(self().id);
  MAZURKA_CHECK(index(request.message) == world_.payloads.size(), "each message has its payload");
  world_.payloads.push_back(std::move(payload));
  if (recording()) stacks_[request.message] = self().stack;
  if (!waits) completion_.complete(ref, {});
  const MessageId message = request.message;
  match_at_once(channel);
  refresh(channel.communicator, channel.destination);
  if (at(ref).mode == SendMode::ready) check_ready_mode(ref, message);
}

// Whether it waits for its receive; where each send may be buffered or not, that is a choice.
bool Transfers::commit_send(SendMode mode) {
  const host::Buffering buffering = request_.checks.buffering;
  const bool chooses = mode == SendMode::standard && buffering == host::Buffering::each;
  constexpr std::uint16_t ways = 2;
  const std::uint16_t choices = chooses ? ways : 1;
  const std::uint16_t chosen = run().outcome(choices);
  if (chooses) state_.decision.choice = chosen;
  commit({}, choices);
  return mode == SendMode::synchronous ||
         (mode == SendMode::standard &&
          (chooses ? chosen != 0 : buffering == host::Buffering::zero));
}

// A send in ready mode is right only if its receive has been posted.
void Transfers::check_ready_mode(RequestRef ref, MessageId message) {
  const Message& sent = world_.matching[message];
  const auto posted = world_.matching.posted(sent.channel.communicator, sent.channel.destination);
  const bool there = std::any_of(posted.begin(), posted.end(), [&](ReceiveId one) {
    const Receive& receive = world_.matching[one];
    return receive.posted < sent.sent && !receive.pattern.probes && fits(receive.pattern, sent) &&
           (world_.matching.is_open(one) || receive.message == message);
  });
  if (there) return;
  fail(FindingKind::misuse,
       std::string(at(ref).call) + ": no receive is posted for it in " +
           rank_words(sent.channel.destination),
       std::string(at(ref).call) + " without receive");
}

void Transfers::match_at_once(const Channel& channel) {
  for (const ReceiveId receive : world_.matching.waiting_at_once(channel)) {
    const auto candidate = world_.matching.candidate(receive, channel.source);
    if (candidate) matched(receive, candidate->message, candidate->causes);
  }
}

// The receive and the message have met.
void Transfers::matched(ReceiveId receive, MessageId message,
                        std::span<const std::uint32_t> causes) {
  MAZURKA_CHECK(run().position() > 0, "a receive and a message meet in an event");
  const auto event = static_cast<std::uint32_t>(run().position() - 1);
  world_.matching.match(receive, message, event);
  Posted& posted = world_.posted[index(receive)];
  posted.causes.assign(causes.begin(), causes.end());
  changed(posted.object);
  changed(object_of(world_.matching[message].channel));
  if (posted.request.any()) {
    completion_.complete(posted.request, causes);
  } else {
    completion_.found(receive, causes);
  }
  const bool kept = !posted.request.any();  // by a probe: it is not received yet
  if (world_.matching[receive].pattern.probes || kept) return;
  if (waits_for_receive(message)) {
    completion_.complete(world_.payloads[index(message)].sender, causes);
  }
}

bool Transfers::waits_for_receive(MessageId message) const {
  const RequestRef sender = world_.payloads[index(message)].sender;
  return sender.any() && at(sender).message == message && !at(sender).complete;
}

// --- receives ------------------------------------------------------------------------------------

std::vector<ProcessId> Transfers::create_agents(std::size_t count) {
  std::vector<ProcessId> agents;
  try {
    for (std::size_t nth = 0; nth < count; ++nth) agents.push_back(run().create(self().id));
  } catch (const std::exception& problem) {
    scheduler_.refusal().error = problem.what();
  }
  return agents;
}

// Parks before the post, and performs it.
ReceiveId Transfers::post_pattern(const Pattern& pattern, RequestRef ref) {
  scratch_.clear();
  const ObjectId queue = queue_of(pattern.communicator, pattern.destination);
  scratch_.push_back(access(queue, Kind::queue, queue_mode::post));
  if (pattern.source != any_source && !pattern.probes) {
    const Channel channel{pattern.communicator, pattern.source, pattern.destination};
    scratch_.push_back(access(object_of(channel), Kind::channel, channel_mode::take));
  }
  note_time(pattern.source == any_source);
  meet_others();
  park({scratch_, no_process, false}, true);
  if (recording()) record_words(self().words);
  const bool chooses = world_.matching.would_choose(pattern);
  const std::size_t sources =
      pattern.source == any_source ? communicator(pattern.communicator).members.size() : 1;
  Posted posted;
  posted.request = ref;
  posted.process = self().id;
  if (chooses) posted.agents = create_agents(sources);
  if (!scheduler_.refusal().error.empty()) {
    posted = {};
    leave();
  }
  posted.announced.assign(posted.agents.size(), false);
  if (recording()) posted.stack = self().stack;
  const auto event = static_cast<std::uint32_t>(run().position());
  commit({}, 1, posted.agents);
  const ReceiveId id = world_.matching.post(pattern, event);
  posted.object = object(Kind::receive, pattern.communicator,
                         static_cast<std::uint64_t>(pattern.destination), world_.matching[id].nth);
  for (std::size_t place = 0; place < posted.agents.size(); ++place) {
    Agent& agent = world_.agents[posted.agents[place]];
    agent.kind = Agent::Kind::match;
    agent.receive = id;
    agent.alternative = pattern.source == any_source ? static_cast<int>(place) : pattern.source;
    agent.place = place;
  }
  MAZURKA_CHECK(index(id) == world_.posted.size(), "each receive has what belongs to it");
  world_.posted.push_back(std::move(posted));
  if (ref.any()) at(ref).receive = id;
  changed(queue);
  if (chooses) {
    refresh_receive(id);
  } else if (const auto candidate = world_.matching.candidate(id, pattern.source)) {
    matched(id, candidate->message, candidate->causes);
  }
  return id;
}

void Transfers::post(RequestRef ref) {
  const Communicator& group = communicator(at(ref).communicator);
  const Pattern pattern{at(ref).communicator, rank_in(group, ref.rank), at(ref).peer, at(ref).tag,
                        false};
  if (recording()) note_words(transfer_words(at(ref), group));
  post_pattern(pattern, ref);
}

MessageId Transfers::probe(const Pattern& pattern, const char* call) {
  const ReceiveId id = match_probe(pattern, call);
  return world_.matching[id].message;
}

ReceiveId Transfers::match_probe(const Pattern& pattern, const char* call) {
  const auto words = [&] {
    return std::string(call) + " from " + rank_words(pattern.source) + tag_words(pattern.tag);
  };
  if (recording()) note_words(words());
  const ReceiveId id = post_pattern(pattern, {});
  completion_.wait_for_probe(id, call);
  return id;
}

ReceiveId Transfers::take_now(MessageId message, std::uint32_t event) {
  const Message& sent = world_.matching[message];
  const Pattern pattern{sent.channel.communicator, sent.channel.destination, sent.channel.source,
                        sent.tag, false};
  const ReceiveId id = world_.matching.post(pattern, event);
  Posted posted;
  posted.process = self().id;
  posted.object = object(Kind::receive, pattern.communicator,
                         static_cast<std::uint64_t>(pattern.destination), world_.matching[id].nth);
  world_.posted.push_back(std::move(posted));
  changed(queue_of(pattern.communicator, pattern.destination));
  const std::array<std::uint32_t, 1> causes{event};
  matched(id, message, causes);
  return id;
}

// Only now a send is complete that waits for its receive (section 3.8.2 of MPI 3.1).
void Transfers::receive_kept(ReceiveId receive, const char* call) {
  const MessageId message = world_.matching[receive].message;
  if (!waits_for_receive(message)) return;
  const ObjectId place = object_of(world_.matching[message].channel);
  const std::array<Access, 1> accesses{access(place, Kind::channel, channel_mode::take)};
  if (recording()) note_words(call);
  note_time(false);
  meet_others();
  park({accesses, no_process, false}, true);
  if (recording()) record_words(call);
  const std::array<std::uint32_t, 1> causes{static_cast<std::uint32_t>(run().position())};
  commit();
  changed(place);
  completion_.complete(world_.payloads[index(message)].sender, causes);
}

// --- agents --------------------------------------------------------------------------------------

void Transfers::refresh(CommunicatorKey communicator, int destination) {
  const auto all = world_.matching.posted(communicator, destination);
  for (const ReceiveId receive : all) {
    if (world_.matching[receive].chooses) refresh_receive(receive);
  }
}

void Transfers::rivals_gone(ReceiveId withdrawn) {
  const Pattern pattern = world_.matching[withdrawn].pattern;
  const auto size = static_cast<int>(communicator(pattern.communicator).members.size());
  for (int source = 0; source < size; ++source) {
    match_at_once({pattern.communicator, source, pattern.destination});
  }
  refresh(pattern.communicator, pattern.destination);
}

// Announces the matches that are possible now, or would be if the receive had been kept open.
void Transfers::refresh_receive(ReceiveId receive) {
  Posted& posted = world_.posted[index(receive)];
  const Receive& known = world_.matching[receive];
  for (std::size_t place = 0; place < posted.agents.size(); ++place) {
    if (posted.announced[place]) continue;
    const ProcessId process = posted.agents[place];
    MAZURKA_CHECK(world_.agents[process].kind == Agent::Kind::match &&
                      world_.agents[process].receive == receive,
                  "an agent of a receive is its own");
    const int source = world_.agents[process].alternative;
    const auto candidate = world_.matching.candidate(receive, source);
    if (!candidate) continue;
    posted.announced[place] = true;
    const ObjectId queue = queue_of(known.pattern.communicator, known.pattern.destination);
    const std::array<Access, 2> accesses{access(posted.object, Kind::receive, receive_mode::take),
                                         access(queue, Kind::queue, queue_mode::match)};
    run().announce(process, {accesses, no_process, false}, world_.matching.is_open(receive));
    run().caused_by(process, candidate->causes);
  }
}

void Transfers::refresh_picks() {
  for (Pick& pick : world_.picks) {
    if (pick.process == no_process) continue;
    for (std::size_t place = 0; place < pick.agents.size(); ++place) {
      if (pick.announced[place] || !at(pick.requests[place]).complete) continue;
      MAZURKA_CHECK(pick.event != no_event,
                    "agents come into being with the step of their process");
      pick.announced[place] = true;
      const std::array<Access, 1> accesses{access(pick.object, Kind::receive, receive_mode::take)};
      run().announce(pick.agents[place], {accesses, no_process, false}, pick.chosen < 0);
      std::vector<std::uint32_t> causes = at(pick.requests[place]).causes;
      causes.push_back(pick.event);
      run().caused_by(pick.agents[place], causes);
    }
  }
}

void Transfers::close_alternatives(RequestRef ref) {
  for (Pick& pick : world_.picks) {
    for (std::size_t place = 0; place < pick.announced.size(); ++place) {
      if (pick.requests[place] == ref) pick.announced[place] = true;
    }
  }
}

bool Transfers::commit_agent() {
  const std::array<std::uint64_t, 1> before{receive_open};
  return scheduler_.commit_agent(before);
}

void Transfers::perform(ProcessId agent) {
  EngineScope scope;
  const Agent choice = world_.agents[agent];
  if (choice.kind == Agent::Kind::match) {
    perform_match(agent, choice);
  } else {
    perform_pick(agent, choice);
  }
}

void Transfers::perform_match(ProcessId agent, const Agent& choice) {
  const auto candidate = world_.matching.candidate(choice.receive, choice.alternative);
  MAZURKA_CHECK(candidate.has_value(), "a match is a step once there is a message for it");
  const auto event = static_cast<std::uint32_t>(run().position());
  if (recording()) record_match(choice.receive, candidate->message);
  if (!commit_agent()) return;
  note_race(choice);
  const std::array<std::uint32_t, 1> causes{event};
  matched(choice.receive, candidate->message, causes);
  for (const ProcessId sibling : world_.posted[index(choice.receive)].agents) {
    if (sibling != agent) run().enable(sibling, false);
  }
  run().finish(agent);
  const Pattern& pattern = world_.matching[choice.receive].pattern;
  refresh(pattern.communicator, pattern.destination);
}

// Another match was possible in the same moment: which of them it is depends on time alone.
void Transfers::note_race(const Agent& choice) {
  const Posted& posted = world_.posted[index(choice.receive)];
  const Receive& receive = world_.matching[choice.receive];
  for (std::size_t place = 0; place < posted.agents.size(); ++place) {
    if (place == choice.place || !posted.announced[place]) continue;
    learned_.grounds.message_races = true;
    if (!request_.checks.message_races) return;
    const int other = world_.agents[posted.agents[place]].alternative;
    const auto [first, second] = std::minmax(choice.alternative, other);
    const std::string what = "the receive of " + rank_words(receive.pattern.destination) +
                             " takes the message of " + rank_words(first) + " or that of " +
                             rank_words(second) + ", whichever comes first";
    if (recording()) {
      RawEvent& event = recorder()->add(posted.process, host::Action::failure,
                                        static_cast<std::uint32_t>(run().position()));
      event.stack.assign(posted.stack.begin(), posted.stack.end());
      event.ends.clear();
    }
    run().report(posted.process, FindingKind::message_race, what,
                 what + " " + std::to_string(receive.nth));
    return;
  }
}

void Transfers::perform_pick(ProcessId agent, const Agent& choice) {
  Pick& pick = world_.picks[choice.pick];
  const auto event = static_cast<std::uint32_t>(run().position());
  if (!commit_agent()) return;
  pick.chosen = choice.alternative;
  for (const ProcessId sibling : pick.agents) {
    if (sibling != agent) run().enable(sibling, false);
  }
  run().finish(agent);
  completion_.picked(choice.pick, event);
}

void Transfers::record_match(ReceiveId receive, MessageId message) {
  const Posted& posted = world_.posted[index(receive)];
  const Message& sent = world_.matching[message];
  RawEvent& event = recorder()->add(posted.process, host::Action::mpi,
                                    static_cast<std::uint32_t>(run().position()));
  event.stack.assign(posted.stack.begin(), posted.stack.end());
  event.ends.clear();
  event.words = (world_.matching[receive].pattern.probes ? "finds the message of "
                                                         : "takes the message of ") +
                rank_words(sent.channel.source) + tag_words(sent.tag);
}

}  // namespace mazurka::mpi
