// Every function of MPI that nothing else here defines: refused by name when it is called.
//
// Its parameters do not matter, so it is defined without them: the names are weak, and those that
// others define with all that belongs to them take their place.
#include "programs/threads/runtime/hooks/hooks.hpp"

namespace {

[[noreturn]] void refuse(const char* function) {
  using namespace mazurka::threads;
  if (scheduled()) runtime->unsupported(function);
  native()._exit(2);
  __builtin_unreachable();
}

}  // namespace

#define MAZURKA_MPI_FUNCTION(result, name, parameters)                        \
  extern "C" __attribute__((visibility("default"), weak)) void PMPI_##name(); \
  extern "C" void PMPI_##name() { refuse("MPI_" #name); }                     \
  extern "C" __attribute__((visibility("default"), weak, alias("PMPI_" #name))) void MPI_##name();
#include "mazurka/mpi_interface/functions.h"
