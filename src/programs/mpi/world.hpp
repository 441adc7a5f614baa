// All that MPI knows in one execution: messages and receives, requests, and what each rank has
// made.
//
// It is a part of the state that is put back before an execution (threads/runtime/state), hence one
// value, which can be copied and compared. Handles that the program gets are numbers of a rank's
// own tables, so they are the same in every execution that does the same in the rank.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/ids.hpp"
#include "core/list.hpp"
#include "core/table.hpp"
#include "native/memory_model/clocks.hpp"
#include "programs/mpi/communicator.hpp"
#include "programs/mpi/datatypes.hpp"
#include "programs/mpi/matching.hpp"
#include "programs/mpi/window.hpp"

namespace mazurka::mpi {

enum class SendMode : std::uint8_t { standard, synchronous, buffered, ready };

/// What a finished operation has to say of itself (MPI_Status).
struct Result {
  int source = any_source;
  int tag = any_tag;
  int error = 0;                     // its class ...
  CommunicatorKey communicator = 0;  // ... and whose handler of errors it is for
  std::uint64_t bytes = 0;
  bool cancelled = false;
  friend bool operator==(const Result&, const Result&) = default;
};

enum class RequestKind : std::uint8_t { none, send, receive, collective, window };

/// What has to be done in a window before a process can go on.
enum class Awaits : std::uint8_t {
  nothing,
  exposures,   // of those whom MPI_Win_start names
  departures,  // of those whom MPI_Win_post names
  updates,     // that its rank has asked for
  results,     // of those: the ones that bring something
};

struct Request {
  RequestKind kind = RequestKind::none;  // none: its number is free
  std::uint32_t generation = 0;          // how often the number was used before
  SendMode mode = SendMode::standard;
  bool persistent = false;
  bool active = false;
  bool complete = false;
  bool released = false;  // by MPI_Request_free: nobody asks for it any more
  bool cancelled = false;
  bool nothing = false;   // to or from MPI_PROC_NULL
  const char* call = "";  // that made it
  const void* buffer = nullptr;
  std::uint64_t count = 0;
  std::uint64_t type = 0;  // a handle
  Datatype layout;
  CommunicatorKey communicator = 0;
  int peer = any_source;
  int tag = any_tag;
  MessageId message = no_message;
  ReceiveId receive = no_receive;
  RequestRef in_buffer;             // of a buffered send: what MPI_Buffer_detach waits for
  std::uint32_t collective = 0;     // its number in World::collectives
  std::uint64_t access = 0;         // its id in World::window_log
  std::uint32_t update = no_event;  // its number in World::updates
  bool fills = false;               // an operation on a window that writes to its buffer
  std::uint32_t plan = no_event;    // its number in Rank::plans
  bool internal = false;            // the program has no handle of it
  bool told = false;                // the rank knows how it ended, and has not waited for it yet
  Result ending;
  Awaits awaits = Awaits::nothing;  // of others, in a window
  std::string awaits_in_words;
  std::vector<std::uint32_t> causes;  // events without which it would not be complete
  std::vector<std::uint64_t> stack;   // of the call that made it, while a report is made
  friend bool operator==(const Request&, const Request&) = default;
};

/// What travels.
struct Payload {
  std::vector<std::byte> bytes;
  Signature signature;
  VectorClock knowledge;  // of the sender
  RequestRef sender;
  std::int32_t buffered_by = -1;  // rank whose attached buffer it is in
  friend bool operator==(const Payload&, const Payload&) = default;
};

/// What belongs to a receive besides what matching knows of it.
struct Posted {
  RequestRef request;              // none: it is a probe of ...
  ProcessId process = no_process;  // ... this process
  ObjectId object{};
  std::vector<ProcessId> agents;  // one per source; of a named one only that
  std::vector<bool> announced;
  std::vector<std::uint32_t> causes;  // of the match
  std::vector<std::uint64_t> stack;
  friend bool operator==(const Posted&, const Posted&) = default;
};

/// A call that goes on with one of several requests, whichever comes first.
struct Pick {
  ProcessId process = no_process;
  ObjectId object{};
  List<RequestRef> requests;
  std::vector<ProcessId> agents;
  std::vector<bool> announced;
  std::int32_t chosen = -1;
  std::uint32_t event = no_event;
  friend bool operator==(const Pick&, const Pick&) = default;
};

/// A process without a stack, whose only step is a choice: this source, or this request.
struct Agent {
  enum class Kind : std::uint8_t { match, pick, update };
  Kind kind{};
  ReceiveId receive = no_receive;
  std::uint32_t pick = 0;  // or the number of the update
  int alternative = 0;     // the source, or the number of the request
  std::size_t place = 0;   // among the agents of its choice
  friend bool operator==(const Agent&, const Agent&) = default;
};

/// What a parked process waits for: all of these, or what the probe finds.
struct Waiting {
  List<RequestRef> requests;
  ReceiveId probe = no_receive;
  std::int32_t pick = -1;
  bool parked = false;
  friend bool operator==(const Waiting&, const Waiting&) = default;
};

/// The requests that a call is about, and what it has found.
struct Asked {
  List<RequestRef> requests;
  List<std::uint32_t> places;  // among the handles that it was given
  List<int> done;
  List<Result> results;
  bool nothing = false;  // there was nothing to ask about
  friend bool operator==(const Asked&, const Asked&) = default;
};

/// The communicator as a rank holds it.
struct CommunicatorHandle {
  std::uint32_t communicator = 0;  // number in World::communicators
  bool freed = false;
  RequestRef made_by;             // MPI_Comm_idup: it may not be used before that is complete
  std::uint64_t handler = 0;      // of errors, as the program has set it; 0: errors are fatal
  std::uint32_t collectives = 0;  // so many it has begun
  std::vector<std::uint64_t> stack;
  std::vector<std::pair<int, void*>> attributes;
  std::vector<std::pair<std::string, std::string>> info;
  friend bool operator==(const CommunicatorHandle&, const CommunicatorHandle&) = default;
};

struct UserType {
  Datatype type;
  bool freed = false;
  std::vector<std::uint64_t> stack;
  friend bool operator==(const UserType&, const UserType&) = default;
};

struct Group {
  std::vector<int> members;
  bool freed = false;
  std::vector<std::uint64_t> stack;
  friend bool operator==(const Group&, const Group&) = default;
};

struct UserOp {
  void (*function)(void*, void*, int*, void*) = nullptr;
  bool commutes = true;
  bool freed = false;
  std::vector<std::uint64_t> stack;
  friend bool operator==(const UserOp&, const UserOp&) = default;
};

/// What the program keeps with communicators.
struct Keyval {
  int (*copy)(void*, int, void*, void*, void*, int*) = nullptr;
  int (*remove)(void*, int, void*, void*) = nullptr;
  void* extra = nullptr;
  friend bool operator==(const Keyval&, const Keyval&) = default;
};

/// A function of the program that is told of errors.
struct ErrorHandler {
  void (*function)(void*, int*, ...) = nullptr;
  friend bool operator==(const ErrorHandler&, const ErrorHandler&) = default;
};

struct Info {
  std::vector<std::pair<std::string, std::string>> entries;
  bool freed = false;
  friend bool operator==(const Info&, const Info&) = default;
};

/// Memory of the program that data goes to.
struct Place {
  void* buffer = nullptr;
  std::uint64_t count = 0;
  Datatype layout;
  friend bool operator==(const Place&, const Place&) = default;
};

/// What a collective operation does with what its ranks bring.
enum class Shape : std::uint8_t {
  barrier,
  broadcast,
  gather,
  scatter,
  all_gather,
  all_to_all,
  reduce,
  all_reduce,
  scan,
  exclusive_scan,
  reduce_scatter,
  communicator,
  neighbours,
};

/// What one rank has brought to a collective operation.
struct Arrival {
  bool here = false;
  bool left = false;  // its rank has finished the operation
  Shape shape = Shape::barrier;
  std::uint32_t event = no_event;
  const char* call = "";
  int root = -1;                             // its place; negative: none, or not known here
  std::uint64_t op = 0;                      // a handle of the rank
  std::uint64_t type = 0;                    // that the operation is told of
  Datatype layout;                           // of the values that are combined
  std::vector<std::vector<std::byte>> data;  // for each rank, or one for all
  std::vector<Signature> signatures;         // of these
  std::vector<Place> places;                 // for what comes from each rank, or one for the result
  std::vector<Place> sources;                // what was read: not to be changed before the end
  std::vector<std::int64_t> numbers;         // what else others must know: colour, key, counts
  VectorClock knowledge;
  std::vector<std::uint64_t> stack;
  friend bool operator==(const Arrival&, const Arrival&) = default;
};

/// A collective operation that is described once and started many times.
struct Plan {
  std::uint32_t communicator = 0;  // number in Rank::communicators
  Arrival arrival;                 // but for the data
  friend bool operator==(const Plan&, const Plan&) = default;
};

struct Collective {
  CommunicatorKey communicator = 0;
  std::uint32_t nth = 0;
  ObjectId object{};
  std::vector<Arrival> arrivals;  // by rank of the communicator
  std::size_t arrived = 0;
  friend bool operator==(const Collective&, const Collective&) = default;
};

enum class Phase : std::uint8_t { before, during, after };

struct Rank {
  Phase phase = Phase::before;
  bool ended = false;
  int level = 0;  // of threads
  ProcessId main = no_process;
  List<Request> requests;
  List<CommunicatorHandle> communicators;  // the first two are there from the beginning
  List<UserType> types;
  List<Group> groups;
  List<UserOp> ops;
  List<Info> infos;
  List<Keyval> keyvals;
  List<ErrorHandler> handlers;
  List<Plan> plans;
  List<WindowHandle> windows;
  List<Exposed> exposed;
  List<ProcessId> idle_agents;    // of updates that are known to be performed
  List<ReceiveId> messages;       // found by MPI_Mprobe, and not received yet
  std::uint64_t buffer_size = 0;  // MPI_Buffer_attach
  void* buffer = nullptr;
  bool is_ahead = false;    // of others, if collectives wait only for the data that they need
  std::uint64_t owned = 0;  // so many active requests have a buffer
  friend bool operator==(const Rank&, const Rank&) = default;
};

struct World {
  /// Whether the operation, which is under way in this rank, has a part of the memory.
  [[nodiscard]] bool owns(const Request& request, std::int32_t rank, std::uintptr_t address,
                          std::size_t size, bool write) const;

  /// What MPI has the rank's memory for, in words; empty: it may be freed.
  [[nodiscard]] std::string use_of(std::int32_t rank, std::uintptr_t address,
                                   std::size_t size) const;

  /// Whether the process waits for updates of its own, and nothing else.
  [[nodiscard]] bool is_for_updates(const Waiting& waiting) const;
  /// The rank learns that the operation on a window is complete, as far as it is concerned.
  void finish_access(const Request& request, ProcessId process, VectorClock& knowledge);

  Matching matching;
  List<Payload> payloads;  // by message
  List<Posted> posted;     // by receive
  List<Pick> picks;
  List<Rank> ranks;
  List<Communicator> communicators;
  List<Collective> collectives;
  List<Window> windows;
  List<Update> updates;
  List<LockWaiter> lock_waiters;
  WindowLog window_log;
  Table<ObjectId, VectorClock> cells;  // what those knew who have updated them
  Table<ProcessId, Agent> agents;
  Table<ProcessId, std::uintptr_t> callers;  // where each has called MPI, the last time
  Table<ProcessId, const char*> calls;       // the function of MPI that each is in, or null
  Table<ProcessId, Waiting> waiting;
  Table<ProcessId, Asked> asked;
  Table<ProcessId, Arrival> drafts;         // of arrivals to come
  Table<ObjectId, std::uint64_t> versions;  // of objects: how often they were changed
  friend bool operator==(const World&, const World&) = default;
};

}  // namespace mazurka::mpi
