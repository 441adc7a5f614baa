// Transfers to and from the memory of other ranks.
#include "programs/mpi/operations.hpp"
#include "programs/mpi/runtime/hooks/mpi_hook.hpp"

namespace {

using mazurka::mpi::made;
using mazurka::mpi::number;
using mazurka::mpi::Remote;

std::uint64_t* as_number(mazurka::mpi::Mpi& mpi, const char* call, MPI_Request* request) {
  mazurka::mpi::require_place(mpi, call, request);
  return reinterpret_cast<std::uint64_t*>(request);
}

}  // namespace

// Each also with a request.
#define MAZURKA_TRANSFER(name, with_request, memory, function)                                     \
  MAZURKA_MPI_HOOK(int, name, memory origin, int count, MPI_Datatype type, int target,             \
                   MPI_Aint displacement, int target_count, MPI_Datatype target_type,              \
                   MPI_Win win) {                                                                  \
    MAZURKA_ENTER(name);                                                                           \
    return mpi.one_sided.function(                                                                 \
        call, made(origin, count, type),                                                           \
        Remote{number(win), target, displacement, target_count, number(target_type)}, nullptr);    \
  }                                                                                                \
  MAZURKA_MPI_HOOK(int, with_request, memory origin, int count, MPI_Datatype type, int target,     \
                   MPI_Aint displacement, int target_count, MPI_Datatype target_type, MPI_Win win, \
                   MPI_Request* request) {                                                         \
    MAZURKA_ENTER(with_request);                                                                   \
    return mpi.one_sided.function(                                                                 \
        call, made(origin, count, type),                                                           \
        Remote{number(win), target, displacement, target_count, number(target_type)},              \
        as_number(mpi, call, request));                                                            \
  }

MAZURKA_TRANSFER(Put, Rput, const void*, put)
MAZURKA_TRANSFER(Get, Rget, void*, get)

MAZURKA_MPI_HOOK(int, Accumulate, const void* origin, int count, MPI_Datatype type, int target,
                 MPI_Aint displacement, int target_count, MPI_Datatype target_type, MPI_Op op,
                 MPI_Win win) {
  MAZURKA_ENTER(Accumulate);
  return mpi.one_sided.accumulate(
      call, made(origin, count, type), {},
      {number(win), target, displacement, target_count, number(target_type)}, number(op), nullptr);
}
MAZURKA_MPI_HOOK(int, Raccumulate, const void* origin, int count, MPI_Datatype type, int target,
                 MPI_Aint displacement, int target_count, MPI_Datatype target_type, MPI_Op op,
                 MPI_Win win, MPI_Request* request) {
  MAZURKA_ENTER(Raccumulate);
  return mpi.one_sided.accumulate(
      call, made(origin, count, type), {},
      {number(win), target, displacement, target_count, number(target_type)}, number(op),
      as_number(mpi, call, request));
}
MAZURKA_MPI_WIDE_SITE_HOOK(int, Get_accumulate, const void* origin, int count, MPI_Datatype type,
                           void* result, int result_count, MPI_Datatype result_type, int target,
                           MPI_Aint displacement, int target_count, MPI_Datatype target_type,
                           MPI_Op op, MPI_Win win) {
  MAZURKA_ENTER_SITE(Get_accumulate);
  return mpi.one_sided.accumulate(
      call, made(origin, count, type), made(result, result_count, result_type),
      {number(win), target, displacement, target_count, number(target_type)}, number(op), nullptr);
}
MAZURKA_MPI_HOOK(int, Rget_accumulate, const void* origin, int count, MPI_Datatype type,
                 void* result, int result_count, MPI_Datatype result_type, int target,
                 MPI_Aint displacement, int target_count, MPI_Datatype target_type, MPI_Op op,
                 MPI_Win win, MPI_Request* request) {
  MAZURKA_ENTER(Rget_accumulate);
  return mpi.one_sided.accumulate(
      call, made(origin, count, type), made(result, result_count, result_type),
      {number(win), target, displacement, target_count, number(target_type)}, number(op),
      as_number(mpi, call, request));
}
MAZURKA_MPI_SITE_HOOK(int, Fetch_and_op, const void* origin, void* result, MPI_Datatype type,
                      int target, MPI_Aint displacement, MPI_Op op, MPI_Win win) {
  MAZURKA_ENTER_SITE(Fetch_and_op);
  return mpi.one_sided.accumulate(call, made(origin, 1, type), made(result, 1, type),
                                  {number(win), target, displacement, 1, number(type)}, number(op),
                                  nullptr);
}
MAZURKA_MPI_SITE_HOOK(int, Compare_and_swap, const void* origin, const void* compared, void* result,
                      MPI_Datatype type, int target, MPI_Aint displacement, MPI_Win win) {
  MAZURKA_ENTER_SITE(Compare_and_swap);
  return mpi.one_sided.compare_and_swap(call, made(origin, 1, type), made(compared, 1, type),
                                        made(result, 1, type),
                                        {number(win), target, displacement, 1, number(type)});
}
