// Beginning and end of MPI in a rank, and what must not be left then.
#include "programs/mpi/runtime/mpi.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "core/check.hpp"
#include "programs/mpi/runtime/handles.hpp"
#include "programs/threads/runtime/recorder.hpp"

namespace mazurka::mpi {

namespace {

constexpr CommunicatorKey key_of_world = 1;
constexpr CommunicatorKey key_of_ends = 2;  // in MPI_Finalize all ranks meet, whatever came before
constexpr CommunicatorKey first_key_of_self = 0x100;

}  // namespace

World Mpi::make_world(std::size_t ranks) const {
  World world;
  Communicator all;
  all.key = key_of_world;
  all.name = "MPI_COMM_WORLD";
  for (std::size_t rank = 0; rank < ranks; ++rank) all.members.push_back(static_cast<int>(rank));
  world.communicators.push_back(all);
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    Communicator alone;
    alone.key = first_key_of_self + rank;
    alone.name = "MPI_COMM_SELF";
    alone.members = {static_cast<int>(rank)};
    world.communicators.push_back(alone);
    Rank fresh;
    CommunicatorHandle of_all;
    CommunicatorHandle of_self;
    of_self.communicator = static_cast<std::uint32_t>(world.communicators.size() - 1);
    fresh.communicators.push_back(of_all);
    fresh.communicators.push_back(of_self);
    world.ranks.push_back(std::move(fresh));
  }
  all.key = key_of_ends;
  world.communicators.push_back(all);
  return world;
}

int Mpi::init(const char* call, int level) {
  EngineScope scope;
  if (own().phase != Phase::before) {
    fail(FindingKind::misuse, std::string(call) + " is called twice", std::string("twice ") + call);
  }
  own().phase = Phase::during;
  own().level = level;
  own().main = self().id;
  return 0;
}

// All ranks have to come here, so it is a collective operation: a rank that does not is waited for.
int Mpi::finalize() {
  EngineScope scope;
  checks.require_running("MPI_Finalize");
  report_leaks();
  (void)collectives.draft();
  const RequestRef ref = requests.add();
  at(ref).kind = RequestKind::collective;
  at(ref).call = "MPI_Finalize";
  at(ref).communicator = key_of_ends;
  at(ref).active = true;
  MAZURKA_CHECK(world_.communicators.size() > world_.ranks.size(), "ranks have a place to meet");
  own().communicators[0].collectives = 0;  // nothing else will come
  collectives.arrive(ref, 0);
  (void)requests.finish_now(ref, "MPI_Finalize");
  own().phase = Phase::after;
  return 0;
}

void Mpi::perform(ProcessId agent) {
  if (world_.agents[agent].kind == Agent::Kind::update) {
    updates.perform(agent);
  } else {
    transfers.perform(agent);
  }
}

void Mpi::abort(int code) {
  EngineScope scope;
  fail(FindingKind::abort, "MPI_Abort with code " + std::to_string(code), "MPI_Abort");
}

void Mpi::end_of_rank() {
  EngineScope scope;
  if (own().phase == Phase::during) {
    fail(FindingKind::misuse, "the rank ends without MPI_Finalize", "no MPI_Finalize");
  }
  const bool last = std::all_of(world_.ranks.begin(), world_.ranks.end(),
                                [&](const Rank& one) { return &one == &own() || one.ended; });
  own().ended = true;
  if (last) run().excuse_waiting();  // agents that have nothing to do
}

// --- what must not be left -----------------------------------------------------------------------

void Mpi::report_leak(const std::string& what, const std::vector<std::uint64_t>& stack) {
  if (RawEvent* event = record(host::Action::failure, 0); event != nullptr && !stack.empty()) {
    event->stack = stack;
    event->ends.clear();
  }
  scheduler_.report(FindingKind::leak, what, what);
}

void Mpi::report_leaks() {
  const Rank& rank = own();
  for (const Request& one : rank.requests) {
    if (one.kind == RequestKind::none || one.internal || one.released) continue;
    if (one.persistent && !one.active) {
      report_leak(std::string("the persistent request of ") + one.call + " is never freed",
                  one.stack);
    } else {
      report_leak(std::string("the request of ") + one.call + " is never completed", one.stack);
    }
  }
  for (std::size_t at = 2; at < rank.communicators.size(); ++at) {
    if (rank.communicators[at].freed) continue;
    report_leak("a communicator is never freed", rank.communicators[at].stack);
  }
  for (const UserType& one : rank.types) {
    if (!one.freed) report_leak("a datatype (" + one.type.name + ") is never freed", one.stack);
  }
  for (const Group& one : rank.groups) {
    if (!one.freed) report_leak("a group is never freed", one.stack);
  }
  for (const UserOp& one : rank.ops) {
    if (!one.freed) report_leak("an operation is never freed", one.stack);
  }
  report_window_leaks();
}

void Mpi::report_window_leaks() {
  for (const WindowHandle& one : own().windows) {
    if (one.freed) continue;
    const bool locked = std::any_of(one.held.begin(), one.held.end(),
                                    [](Held held) { return held != Held::nothing; });
    const WindowAccess* pending = world_.window_log.pending(self().rank, one.window);
    if (locked) report_leak("a lock of a window is never given back", one.epoch_stack);
    if (one.started) report_leak("the epoch of MPI_Win_start is never ended", one.epoch_stack);
    if (pending != nullptr) {
      report_leak(std::string(pending->call) + " is never completed: its epoch is not ended",
                  pending->stack);
    }
    report_leak("a window is never freed", one.stack);
  }
}

// After an execution that all ranks lived to see the end of: messages that nobody has received.
void Mpi::report_leftovers() {
  for (std::size_t at = 0; at < world_.matching.messages(); ++at) {
    const MessageId id{static_cast<std::uint32_t>(at)};
    const Message& message = world_.matching[id];
    if (message.taken_by != no_receive) continue;
    MAZURKA_CHECK(message.channel.source >= 0, "a message was sent by a rank");
    const int sender = communicator(message.channel.communicator)
                           .members[static_cast<std::size_t>(message.channel.source)];
    if (recording()) {
      RawEvent& event = recorder()->add(static_cast<ProcessId>(sender), host::Action::failure,
                                        static_cast<std::uint32_t>(run().position()));
      event.stack = transfers.stack_of(id);
      event.ends.clear();
    }
    run().report(
        static_cast<ProcessId>(sender), FindingKind::orphan,
        "a message of " + rank_words(message.channel.source) + " to " +
            rank_words(message.channel.destination) + tag_words(message.tag) + " is never received",
        "never received " + std::to_string(message.channel.source) + " " +
            std::to_string(message.channel.destination) + " " + std::to_string(message.tag));
    return;
  }
}

}  // namespace mazurka::mpi

namespace mazurka::threads {

std::unique_ptr<Ranks> make_ranks(Scheduler& scheduler, Accesses& accesses, std::uint8_t first_kind,
                                  SpinRecognition& spins) {
  return std::make_unique<mpi::Mpi>(scheduler, accesses, first_kind, spins);
}

}  // namespace mazurka::threads
