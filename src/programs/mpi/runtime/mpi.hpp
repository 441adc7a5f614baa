// MPI as the hooks see it: arguments are checked, and operations begun and ended.
//
// Every function takes handles as numbers and answers with an error class, 0 if all went well. What
// is wrong with arguments is a finding, unless the program has asked for errors to be returned.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "programs/mpi/runtime/checks.hpp"
#include "programs/mpi/runtime/collectives.hpp"
#include "programs/mpi/runtime/completion.hpp"
#include "programs/mpi/runtime/mpi_part.hpp"
#include "programs/mpi/runtime/transfers.hpp"

namespace mazurka::mpi {

/// Values of a datatype in the program's memory.
struct Buffer {
  const void* memory = nullptr;
  std::int64_t count = 0;
  std::uint64_t type = 0;
};

/// To or from whom.
struct Envelope {
  int peer = 0;
  int tag = 0;
  std::uint64_t communicator = 0;
};

inline constexpr int undefined = -32766;  // MPI_UNDEFINED

/// Everything that all ranks start with.
[[nodiscard]] World make_world(std::size_t ranks);

class Mpi : public MpiPart {
 public:
  Mpi(Scheduler& scheduler, Accesses& accesses, std::uint8_t first_kind,
      threads::SpinRecognition& spins)
      : MpiPart({scheduler, accesses, first_kind}),
        checks(context_),
        transfers(context_, completion),
        completion(context_, transfers, collectives, spins),
        collectives(context_, completion) {}

  // --- beginning and end ------------------------------------------------------------------------
  int init(const char* call, int level);
  int finalize();
  [[noreturn]] void abort(int code);
  /// The rank's main returns, or the rank exits.
  void end_of_rank();
  /// After an execution that all ranks lived to see the end of.
  void report_leftovers();

  // --- point to point ---------------------------------------------------------------------------
  int send(const char* call, SendMode mode, const Buffer& buffer, const Envelope& to);
  int receive(const char* call, const Buffer& buffer, const Envelope& from, Result* result);
  /// Begins it; `persistent`: only describes it. The handle is the program's.
  int begin_send(const char* call, SendMode mode, const Buffer& buffer, const Envelope& to,
                 bool persistent, std::uint64_t* handle);
  int begin_receive(const char* call, const Buffer& buffer, const Envelope& from, bool persistent,
                    std::uint64_t* handle);
  int start(const char* call, std::uint64_t handle);
  int send_and_receive(const char* call, const Buffer& sent, const Envelope& to,
                       const Buffer& received, const Envelope& from, Result* result);
  int probe(const char* call, const Envelope& from, Result* result);
  int look(const char* call, const Envelope& from, bool* found, Result* result);
  int send_and_replace(const char* call, const Buffer& buffer, const Envelope& to,
                       const Envelope& from, Result* result);
  /// A message that is found is nobody else's any more; the handle is the program's.
  int probe_and_keep(const char* call, const Envelope& from, std::uint64_t* message,
                     Result* result);
  int receive_kept(const char* call, const Buffer& buffer, std::uint64_t* message, Result* result);
  int attach(void* buffer, int size);
  int detach(void** buffer, int* size);

  // --- requests ---------------------------------------------------------------------------------
  int wait_all(const char* call, std::span<std::uint64_t> handles,
               const std::function<void(std::size_t, const Result&)>& tell_result);
  int wait_any(const char* call, std::span<std::uint64_t> handles, int* which, Result* result);
  /// What they find is in asked().
  int wait_some(const char* call, std::span<std::uint64_t> handles);
  int test(const char* call, std::span<std::uint64_t> handles, Completion::Asks asks);
  [[nodiscard]] const Asked& asked() const { return world_.asked[self().id]; }
  int release(const char* call, std::uint64_t* handle);
  int cancel(const char* call, std::uint64_t handle);
  /// The active request of this handle; none if there is none.
  [[nodiscard]] RequestRef ref_of(std::uint64_t handle) const;

  // --- collective operations --------------------------------------------------------------------
  /// The current process has filled in a draft (Collectives::draft); blocks if there is no handle.
  int collective(const char* call, std::uint64_t communicator, std::uint64_t* handle);
  /// All ranks make a communicator: each brings numbers. Returns what all have brought.
  const Collective& construct(const char* call, std::uint64_t communicator,
                              std::span<const std::int64_t> numbers);

  /// The layout of a type that was checked.
  [[nodiscard]] const Datatype& layout(std::uint64_t type) const { return *checks.find_type(type); }
  /// The communicator of a handle that was checked.
  [[nodiscard]] const Communicator& group(std::uint64_t handle) const {
    return world_
        .communicators[own().communicators[checks.number_of_communicator(handle)].communicator];
  }
  /// Null: there is none.
  [[nodiscard]] const Group* find_group(std::uint64_t handle) const;
  std::uint64_t add_group(std::vector<int> members);
  [[nodiscard]] int rank(std::uint64_t handle) const { return rank_in(group(handle), self().rank); }
  [[nodiscard]] Rank& own_rank() const { return own(); }
  [[nodiscard]] World& world() const { return world_; }
  [[nodiscard]] std::vector<std::uint64_t> stack_if_recording() const {
    return recording() ? capture() : std::vector<std::uint64_t>();
  }
  /// Tells of an access on the program's behalf.
  void touch(const void* buffer, const Datatype& type, std::uint64_t count, bool write) {
    tell_access(buffer, type, count, write);
  }
  [[noreturn]] void refuse(const char* what) { scheduler_.unsupported(what); }
  /// A new handle of the communicator for the current rank.
  std::uint64_t add_communicator(Communicator fresh);

 private:
  [[nodiscard]] static std::vector<std::uint64_t> capture();
  RequestRef new_request();
  void describe(Request& request, const char* call, const Buffer& buffer, const Envelope& with);
  void begin(RequestRef ref);
  Result finish_now(RequestRef ref, const char* call);
  [[nodiscard]] std::uint64_t handle_of_request(RequestRef ref) const;
  void find_requests(const char* call, std::span<const std::uint64_t> handles);
  void finish_asked(std::size_t nth, std::span<std::uint64_t> handles, Result* result);
  void release_number(RequestRef ref);
  void describe_message(MessageId message, Result& result);
  void require_room(const char* call, const Request& request);
  void report_leaks();
  void report_leak(const std::string& what, const std::vector<std::uint64_t>& stack);

 public:
  Checks checks;
  Transfers transfers;
  Completion completion;
  Collectives collectives;
};

}  // namespace mazurka::mpi
