#include "programs/mpi/runtime/hints.hpp"

#include <algorithm>
#include <vector>

namespace mazurka::mpi {

namespace {

constexpr std::size_t most_misses = 2;

const Communicator& communicator(const World& world, CommunicatorKey key) {
  const auto found = std::find_if(world.communicators.begin(), world.communicators.end(),
                                  [&](const Communicator& one) { return one.key == key; });
  return found == world.communicators.end() ? world.communicators.front() : *found;
}

ProcessId member(const Communicator& group, int rank) {
  if (rank < 0 || static_cast<std::size_t>(rank) >= group.members.size()) return no_process;
  return static_cast<ProcessId>(group.members[static_cast<std::size_t>(rank)]);
}

const Request& at(const World& world, RequestRef ref) {
  return world.ranks[static_cast<std::size_t>(ref.rank)].requests[ref.number];
}

/// Of those that the process waits for, the ones that are not complete.
std::vector<RequestRef> open_requests(const World& world, ProcessId process) {
  std::vector<RequestRef> open;
  const Waiting* waiting = world.waiting.find(process);
  if (waiting == nullptr || !waiting->parked) return open;
  for (const RequestRef ref : waiting->requests) {
    if (!at(world, ref).complete) open.push_back(ref);
  }
  return open;
}

ProcessId partner(const World& world, const Request& request) {
  const Communicator& group = communicator(world, request.communicator);
  if (request.kind != RequestKind::collective) return member(group, request.peer);
  ProcessId missing = no_process;
  const Collective& one = world.collectives[request.collective];
  for (std::size_t rank = 0; rank < one.arrivals.size(); ++rank) {
    if (one.arrivals[rank].here) continue;
    if (missing != no_process) return no_process;
    missing = member(group, static_cast<int>(rank));
  }
  return missing;
}

std::string described(const World& world, const Message& message) {
  const Communicator& group = communicator(world, message.channel.communicator);
  return "rank " + std::to_string(group.members[static_cast<std::size_t>(message.channel.source)]) +
         " has sent one with tag " + std::to_string(message.tag) +
         (group.name == "MPI_COMM_WORLD" ? "" : " in " + group.name);
}

std::string described(const World& world, const Receive& receive, int rank) {
  const Communicator& group = communicator(world, receive.pattern.communicator);
  const std::string source = receive.pattern.source == any_source
                                 ? "any rank"
                                 : "rank " + std::to_string(receive.pattern.source);
  const std::string tag =
      receive.pattern.tag == any_tag ? "any tag" : "tag " + std::to_string(receive.pattern.tag);
  return "rank " + std::to_string(rank) + " wants one of " + source + " with " + tag +
         (group.name == "MPI_COMM_WORLD" ? "" : " in " + group.name);
}

/// Messages to the rank that nobody has received.
void add_messages(const World& world, RequestRef ref, std::vector<std::string>& found) {
  for (std::size_t nth = 0; nth < world.matching.messages(); ++nth) {
    const Message& message = world.matching[MessageId{static_cast<std::uint32_t>(nth)}];
    const Communicator& group = communicator(world, message.channel.communicator);
    const bool to_it = member(group, message.channel.destination) ==
                       static_cast<ProcessId>(static_cast<std::uint16_t>(ref.rank));
    if (to_it && message.taken_by == no_receive) found.push_back(described(world, message));
  }
}

/// Receives of the rank that the message is for, which nothing has met.
void add_receives(const World& world, const Request& request, std::vector<std::string>& found) {
  const ProcessId wanted = partner(world, request);
  for (std::size_t nth = 0; nth < world.matching.receives(); ++nth) {
    const Receive& receive = world.matching[ReceiveId{static_cast<std::uint32_t>(nth)}];
    const Communicator& group = communicator(world, receive.pattern.communicator);
    if (receive.message != no_message || member(group, receive.pattern.destination) != wanted) {
      continue;
    }
    found.push_back(described(world, receive, static_cast<int>(index(wanted))));
  }
}

}  // namespace

ProcessId waited_for(const World& world, ProcessId process) {
  ProcessId found = no_process;
  for (const RequestRef ref : open_requests(world, process)) {
    const ProcessId one = partner(world, at(world, ref));
    if (one == no_process || (found != no_process && found != one)) return no_process;
    found = one;
  }
  return found;
}

std::string near_misses(const World& world, ProcessId process) {
  std::vector<std::string> found;
  for (const RequestRef ref : open_requests(world, process)) {
    const Request& request = at(world, ref);
    if (request.kind == RequestKind::receive) add_messages(world, ref, found);
    if (request.kind == RequestKind::send) add_receives(world, request, found);
  }
  std::string words;
  for (std::size_t nth = 0; nth < std::min(found.size(), most_misses); ++nth) {
    words += (words.empty() ? " (" : ", ") + found[nth];
  }
  return words.empty() ? words : words + ")";
}

}  // namespace mazurka::mpi
