// Windows: how they are made and freed, and what a call about one begins with.
//
// All ranks of a communicator make a window together. It has a communicator of its own, on which
// fences are collective operations.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "programs/mpi/runtime/checks.hpp"
#include "programs/mpi/runtime/communicators.hpp"
#include "programs/mpi/runtime/mpi_part.hpp"

namespace mazurka::mpi {

class Windows : public MpiPart {
 public:
  Windows(const Context& context, Checks& checks, Communicators& communicators)
      : MpiPart(context), checks_(checks), communicators_(communicators) {}

  /// What the current rank brings. The memory of one that is allocated is the checker's to give
  /// back.
  struct Contribution {
    void* base = nullptr;
    std::int64_t size = 0;
    int unit = 1;
    int made = flavor::created;
  };
  /// Answers with an error class; the handle is the program's.
  int make(const char* call, std::uint64_t communicator, const Contribution& own_part,
           std::uint64_t* handle);
  /// The memory is one piece, of the first rank, and all may touch all of it.
  int make_shared(const char* call, std::uint64_t communicator, std::int64_t size, int unit,
                  void** base, std::uint64_t* handle);
  int free(const char* call, std::uint64_t* handle);
  int attach(const char* call, std::uint64_t handle, void* base, std::int64_t size);
  int detach(const char* call, std::uint64_t handle, const void* base);

  /// Of a handle that was checked.
  [[nodiscard]] WindowHandle& held(std::uint64_t handle) const;
  [[nodiscard]] Window& of(std::uint64_t handle) const {
    return world_.windows[held(handle).window];
  }
  [[nodiscard]] int rank(std::uint64_t handle) const {
    return rank_in(communicator(of(handle).key), self().rank);
  }
  /// Where in the target's memory the values lie; empty: not all of them are in the window.
  [[nodiscard]] std::vector<Piece> pieces(const Window& window, int target,
                                          std::int64_t displacement, const Datatype& type,
                                          std::uint64_t count) const;
  [[nodiscard]] static std::uintptr_t address(const Window& window, int target,
                                              std::int64_t displacement);
  /// Forgets accesses that everybody knows of.
  void tidy_log();

  /// Memory of the program's heap, as the program's own call of malloc.
  [[nodiscard]] static void* allocate(std::size_t size);
  static void give_back(void* memory);

 private:
  [[nodiscard]] std::uint32_t find_or_add(const Collective& made, CommunicatorKey key, int flavor);
  std::uint64_t add_handle(std::uint32_t window, CommunicatorKey key,
                           const std::vector<int>& members);
  [[nodiscard]] int check_no_epoch(const char* call, std::uint64_t handle);

  Checks& checks_;
  Communicators& communicators_;
};

}  // namespace mazurka::mpi
