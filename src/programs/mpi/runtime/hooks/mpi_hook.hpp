// What every function of MPI that a program can call begins with.
//
// PMPI_ is the function itself, and MPI_ another name for it that a program may take for a function
// of its own.
#pragma once

#pragma GCC visibility push(default)
#include "mazurka/mpi/mpi.h"
#pragma GCC visibility pop

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "programs/mpi/runtime/handles.hpp"
#include "programs/mpi/runtime/mpi.hpp"
#include "programs/threads/runtime/hooks/hooks.hpp"
#include "programs/threads/runtime/machine/call_site.hpp"

#define MAZURKA_MPI_HOOK(result, name, ...)                                                \
  MAZURKA_HOOK result PMPI_##name(__VA_ARGS__);                                            \
  MAZURKA_HOOK __attribute__((weak, alias("PMPI_" #name))) result MPI_##name(__VA_ARGS__); \
  MAZURKA_HOOK result PMPI_##name(__VA_ARGS__)

/// The same for a function that a waiting loop may consist of: it notes its call site.
#define MAZURKA_MPI_SITE_HOOK(result, name, ...)                    \
  asm(".weak MPI_" #name "\n.set MPI_" #name ", PMPI_" #name "\n"); \
  MAZURKA_SITE_HOOK(result, PMPI_##name, __VA_ARGS__)
/// ... with many arguments.
#define MAZURKA_MPI_WIDE_SITE_HOOK(result, name, ...)               \
  asm(".weak MPI_" #name "\n.set MPI_" #name ", PMPI_" #name "\n"); \
  MAZURKA_WIDE_SITE_HOOK(result, PMPI_##name, __VA_ARGS__)

namespace mazurka::mpi {

static_assert(any_source == MPI_ANY_SOURCE && any_tag == MPI_ANY_TAG);
static_assert(no_process_rank == MPI_PROC_NULL && outside == MPI_PROC_NULL);
static_assert(is_root_itself == MPI_ROOT);
static_assert(error::truncated == MPI_ERR_TRUNCATE && error::in_status == MPI_ERR_IN_STATUS);
static_assert(error::attachment == MPI_ERR_RMA_ATTACH &&
              error::synchronization == MPI_ERR_RMA_SYNC);

/// The program calls this function. Ends the program if nobody checks it.
Mpi& enter(const char* function, const void* caller);
void leave();
struct Leaving {
  Leaving() = default;
  ~Leaving() { leave(); }
  Leaving(const Leaving&) = delete;
  Leaving& operator=(const Leaving&) = delete;
};

template <typename Handle>
[[nodiscard]] std::uint64_t number(Handle handle) {
  return reinterpret_cast<std::uint64_t>(handle);
}
/// The program's array of handles.
[[nodiscard]] inline std::span<std::uint64_t> handles(int count, MPI_Request* requests) {
  return {reinterpret_cast<std::uint64_t*>(requests), static_cast<std::size_t>(count)};
}

/// For the request of a function that has another form without one.
inline void require_place(Mpi& mpi, const char* call, const MPI_Request* request) {
  if (request == nullptr) mpi.checks.misuse(call, "an argument is a null pointer");
}

[[nodiscard]] inline Buffer made(const void* memory, int count, MPI_Datatype type) {
  return {memory, count, number(type)};
}
/// What the current rank keeps with a communicator.
[[nodiscard]] inline CommunicatorHandle& held(Mpi& mpi, MPI_Comm comm) {
  return mpi.own_rank().communicators[mpi.checks.number_of_communicator(number(comm))];
}
/// The keys of attributes that the program has made.
constexpr int first_key = 0x1000;
[[nodiscard]] inline bool is_key(Mpi& mpi, int key) {
  return key >= first_key &&
         static_cast<std::size_t>(key - first_key) < mpi.own_rank().keyvals.size();
}

/// The program's own function is told that the attribute goes; what it answers.
int remove_attribute(Mpi& mpi, MPI_Comm comm, int nth);
/// All of them, the latest first, up to one that the program keeps.
int remove_attributes(Mpi& mpi, MPI_Comm comm);
/// The program's function, which does that, has answered with an error.
int refused_attribute(Mpi& mpi, const char* call, MPI_Comm comm, const char* does, int code);

/// What infos are told to objects of MPI: nothing is heeded, but it can be asked for.
using Entries = std::vector<std::pair<std::string, std::string>>;
void take_over(Mpi& mpi, MPI_Info info, Entries& known);
int make_info(Mpi& mpi, const Entries& known, MPI_Info* result);

/// So many statuses are to be filled in, or MPI_STATUS_IGNORE says that they are not.
[[nodiscard]] inline int check_statuses(Mpi& mpi, const char* call, int count,
                                        const MPI_Status* statuses,
                                        MPI_Comm comm = MPI_COMM_WORLD) {
  return mpi.checks.check(call, number(comm))
      .that(statuses != nullptr || count == 0, error::argument,
            "the status is a null pointer, which is not MPI_STATUS_IGNORE")
      .failed();
}
void fill(MPI_Status* status, const Result& result);
/// The status of what was not there.
void fill_empty(MPI_Status* status);

}  // namespace mazurka::mpi

/// Within a function of MPI: what there is to it. What it allocates is the checker's, not the
/// program's.
#define MAZURKA_ENTER(name)                                                                \
  mazurka::mpi::Mpi& mpi = mazurka::mpi::enter("MPI_" #name, __builtin_return_address(0)); \
  const mazurka::threads::EngineScope in_engine;                                           \
  const mazurka::mpi::Leaving leaving;                                                     \
  constexpr const char* call = "MPI_" #name
/// ... where the call site was noted.
#define MAZURKA_ENTER_SITE(name)                                       \
  mazurka::mpi::Mpi& mpi = mazurka::mpi::enter("MPI_" #name, nullptr); \
  const mazurka::threads::EngineScope in_engine;                       \
  const mazurka::mpi::Leaving leaving;                                 \
  constexpr const char* call = "MPI_" #name
