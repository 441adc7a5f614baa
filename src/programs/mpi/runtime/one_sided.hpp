// Transfers to and from the memory of other ranks, as the program calls them.
//
// MPI_Put and MPI_Get happen at once: whoever could notice that they might happen later is in
// conflict with them. Updates are asked for (updates.hpp). Until the epoch ends, or a flush, the
// operation owns the rank's buffers, as a request does that is not complete.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "programs/mpi/runtime/epochs.hpp"
#include "programs/mpi/runtime/mpi_part.hpp"
#include "programs/mpi/runtime/point_to_point.hpp"
#include "programs/mpi/runtime/windows.hpp"

namespace mazurka::mpi {

/// Values in the memory of another rank.
struct Remote {
  std::uint64_t window = 0;
  int target = 0;
  std::int64_t displacement = 0;
  std::int64_t count = 0;
  std::uint64_t type = 0;
};

class OneSided : public MpiPart {
 public:
  struct Parts {
    Checks& checks;
    Requests& requests;
    Completion& completion;
    Windows& windows;
    Epochs& epochs;
    Updates& updates;
    threads::SpinRecognition& spins;
  };
  OneSided(const Context& context, const Parts& parts)
      : MpiPart(context),
        checks_(parts.checks),
        requests_(parts.requests),
        completion_(parts.completion),
        windows_(parts.windows),
        epochs_(parts.epochs),
        updates_(parts.updates),
        spins_(parts.spins) {}

  // All answer with an error class. `request`: null, or the handle is the program's.
  int put(const char* call, const Buffer& origin, const Remote& remote, std::uint64_t* request);
  int get(const char* call, const Buffer& origin, const Remote& remote, std::uint64_t* request);
  /// `result`: where what was there goes; no memory: it is not asked for.
  int accumulate(const char* call, const Buffer& origin, const Buffer& result, const Remote& remote,
                 std::uint64_t op, std::uint64_t* request);
  int compare_and_swap(const char* call, const Buffer& origin, const Buffer& compared,
                       const Buffer& result, const Remote& remote);

 private:
  /// What every operation begins with. Answers with an error class, 0: it may go on.
  int check(const char* call, const Buffer& origin, const Remote& remote, bool origin_counts,
            bool with_request);
  /// What is written is not written twice.
  int check_apart(const char* call, std::uint64_t window, std::int64_t count, std::uint64_t type);
  int check_op(const char* call, const Buffer& result, const Remote& remote, std::uint64_t op);
  void nothing_to_do(const char* call, std::uint64_t* request);
  std::uint64_t note(const char* call, const Remote& remote, Touch touch, std::uint64_t op);
  static void describe_elements(WindowAccess& access, const Datatype& type);
  void watch_read(std::uintptr_t address, std::size_t size);
  void arrive(const char* call, const Remote& remote, std::uint64_t op);
  void require_same(const char* call, const Buffer& one, const Remote& remote);
  RequestRef own_buffer(const char* call, const Buffer& buffer, const Remote& remote, bool fills,
                        std::uint64_t access, std::uint64_t* handle);
  void describe(Update& update, const char* call, const Buffer& result, const Remote& remote,
                std::uint64_t op);
  void own_result(const char* call, const Buffer& result, const Remote& remote,
                  std::uint64_t access, std::uint32_t number, std::uint64_t* request);

  Checks& checks_;
  Requests& requests_;
  Completion& completion_;
  Windows& windows_;
  Epochs& epochs_;
  Updates& updates_;
  threads::SpinRecognition& spins_;
};

}  // namespace mazurka::mpi
