// Beginning and end, time, names, memory, errors.
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include "programs/mpi/runtime/hooks/mpi_hook.hpp"

namespace mazurka::mpi {

namespace {

Mpi& the_mpi() { return static_cast<Mpi&>(*threads::runtime->ranks); }

}  // namespace

Mpi& enter(const char* function, const void* caller) {
  using namespace mazurka::threads;
  if (!scheduled()) {
    constexpr char message[] =
        "This program is built for Mazurka: run it with `mazurka check PROGRAM --ranks N`.\n";
    (void)!write(2, message, sizeof message - 1);
    threads::native()._exit(2);
  }
  if (caller != nullptr) {
    mazurka_caller = caller;
    mazurka_call_site.stack_pointer = 0;
  }
  if (runtime->current().rank < 0) runtime->unsupported(function);
  // Other hooks, also those that the checker itself calls, are noted in the same place.
  Mpi& mpi = the_mpi();
  mpi.world().callers[runtime->current().id] = address_of(mazurka_caller);
  mpi.world().calls[runtime->current().id] = function;
  return mpi;
}

void leave() {
  using namespace mazurka::threads;
  the_mpi().world().calls[runtime->current().id] = nullptr;
}

void fill(MPI_Status* status, const Result& result) {
  if (status == MPI_STATUS_IGNORE) return;
  status->MPI_SOURCE = result.source;
  status->MPI_TAG = result.tag;
  status->MPI_ERROR = result.error;
  std::memcpy(&status->MPI_internal[0], &result.bytes, sizeof result.bytes);
  status->MPI_internal[2] = result.cancelled ? 1 : 0;
}

void fill_empty(MPI_Status* status) { fill(status, {}); }

}  // namespace mazurka::mpi

using mazurka::mpi::Phase;

namespace {

constexpr std::int64_t nanoseconds = 1'000'000'000;

/// As the program's own call of malloc.
void* allocate(std::size_t size) { return malloc(size); }

const char* error_text(int code) {
  switch (code) {
    case MPI_SUCCESS: return "MPI_SUCCESS: no error";
    case MPI_ERR_BUFFER: return "MPI_ERR_BUFFER: invalid buffer pointer";
    case MPI_ERR_COUNT: return "MPI_ERR_COUNT: invalid count argument";
    case MPI_ERR_TYPE: return "MPI_ERR_TYPE: invalid datatype";
    case MPI_ERR_TAG: return "MPI_ERR_TAG: invalid tag";
    case MPI_ERR_COMM: return "MPI_ERR_COMM: invalid communicator";
    case MPI_ERR_RANK: return "MPI_ERR_RANK: invalid rank";
    case MPI_ERR_REQUEST: return "MPI_ERR_REQUEST: invalid request";
    case MPI_ERR_ROOT: return "MPI_ERR_ROOT: invalid root";
    case MPI_ERR_GROUP: return "MPI_ERR_GROUP: invalid group";
    case MPI_ERR_OP: return "MPI_ERR_OP: invalid operation";
    case MPI_ERR_ARG: return "MPI_ERR_ARG: invalid argument";
    case MPI_ERR_TRUNCATE: return "MPI_ERR_TRUNCATE: message truncated";
    default: return "unknown error";
  }
}

}  // namespace

MAZURKA_MPI_HOOK(int, Init, int*, char***) {
  MAZURKA_ENTER(Init);
  return mpi.init(call, MPI_THREAD_SINGLE);
}
MAZURKA_MPI_HOOK(int, Init_thread, int*, char***, int required, int* provided) {
  MAZURKA_ENTER(Init_thread);
  *provided = required;
  return mpi.init(call, required);
}
MAZURKA_MPI_HOOK(int, Initialized, int* flag) {
  MAZURKA_ENTER(Initialized);
  (void)call;
  *flag = mpi.own_rank().phase != Phase::before ? 1 : 0;
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Finalized, int* flag) {
  MAZURKA_ENTER(Finalized);
  (void)call;
  *flag = mpi.own_rank().phase == Phase::after ? 1 : 0;
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Finalize) {
  MAZURKA_ENTER(Finalize);
  (void)call;
  return mpi.finalize();
}
MAZURKA_MPI_HOOK(int, Abort, MPI_Comm, int code) {
  MAZURKA_ENTER(Abort);
  (void)call;
  mpi.abort(code);
}
MAZURKA_MPI_HOOK(int, Query_thread, int* provided) {
  MAZURKA_ENTER(Query_thread);
  mpi.checks.require_running(call);
  *provided = mpi.own_rank().level;
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Is_thread_main, int* flag) {
  MAZURKA_ENTER(Is_thread_main);
  mpi.checks.require_running(call);
  *flag = mazurka::threads::runtime->current().id == mpi.own_rank().main ? 1 : 0;
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Get_processor_name, char* name, int* length) {
  MAZURKA_ENTER(Get_processor_name);
  mpi.checks.require_running(call);
  std::strcpy(name, "mazurka");
  *length = static_cast<int>(std::strlen(name));
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Get_version, int* version, int* subversion) {
  *version = MPI_VERSION;
  *subversion = MPI_SUBVERSION;
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Get_library_version, char* version, int* length) {
  std::strcpy(version, "Mazurka");
  *length = static_cast<int>(std::strlen(version));
  return MPI_SUCCESS;
}
// The rank's own clock, which goes on with what the rank does.
MAZURKA_MPI_HOOK(double, Wtime) {
  MAZURKA_ENTER(Wtime);
  (void)call;
  (void)mpi;
  auto& time = mazurka::threads::runtime->current().time;
  time.now += 1000;
  mazurka::threads::runtime->grounds().clocks = true;
  return static_cast<double>(time.now % (std::int64_t{1000} * nanoseconds)) /
         static_cast<double>(nanoseconds);
}
MAZURKA_MPI_HOOK(double, Wtick) { return 1e-6; }
MAZURKA_HOOK int PMPI_Pcontrol(const int, ...) { return MPI_SUCCESS; }
MAZURKA_HOOK __attribute__((weak, alias("PMPI_Pcontrol"))) int MPI_Pcontrol(const int, ...);

MAZURKA_MPI_HOOK(int, Alloc_mem, MPI_Aint size, MPI_Info, void* base) {
  MAZURKA_ENTER(Alloc_mem);
  (void)call;
  (void)mpi;
  mazurka::threads::inside_engine = false;
  *static_cast<void**>(base) = allocate(static_cast<std::size_t>(size));
  mazurka::threads::inside_engine = true;
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Free_mem, void* base) {
  MAZURKA_ENTER(Free_mem);
  (void)call;
  (void)mpi;
  mazurka::threads::inside_engine = false;
  free(base);
  mazurka::threads::inside_engine = true;
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Error_class, int code, int* error_class) {
  *error_class = code;
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Error_string, int code, char* text, int* length) {
  std::strcpy(text, error_text(code));
  *length = static_cast<int>(std::strlen(text));
  return MPI_SUCCESS;
}
