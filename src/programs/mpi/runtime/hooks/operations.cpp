// Operations of reductions.
#include <algorithm>
#include <vector>

#include "programs/mpi/operations.hpp"
#include "programs/mpi/runtime/handles.hpp"
#include "programs/mpi/runtime/hooks/mpi_hook.hpp"

namespace {

using mazurka::mpi::Check;
using mazurka::mpi::HandleKind;
using mazurka::mpi::number;
using mazurka::threads::EngineScope;

}  // namespace

MAZURKA_MPI_HOOK(int, Op_create, MPI_User_function* function, int commute, MPI_Op* op) {
  MAZURKA_ENTER(Op_create);
  const EngineScope scope;
  Check check = mpi.checks.check(call, number(MPI_COMM_WORLD));
  check.that(function != nullptr, MPI_ERR_ARG, "the function is null")
      .that(op != nullptr, MPI_ERR_ARG, "there is no place for the result");
  if (check.failed() != 0) return check.failed();
  mazurka::mpi::UserOp fresh;
  fresh.function = reinterpret_cast<decltype(fresh.function)>(function);
  fresh.commutes = commute != 0;
  fresh.stack = mpi.stack_if_recording();
  auto& all = mpi.own_rank().ops;
  all.push_back(std::move(fresh));
  *op = reinterpret_cast<MPI_Op>(mazurka::mpi::handle_of(HandleKind::op, all.size() - 1));
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Op_free, MPI_Op* op) {
  MAZURKA_ENTER(Op_free);
  const EngineScope scope;
  Check check = mpi.checks.check(call, number(MPI_COMM_WORLD));
  check.that(mpi.checks.find_op(number(*op)) != nullptr, MPI_ERR_OP,
             mazurka::mpi::is_predefined_op(number(*op))
                 ? "a predefined operation can not be freed"
                 : "the operation does not exist, or was freed");
  if (check.failed() != 0) return check.failed();
  mpi.own_rank().ops[mazurka::mpi::number_in(number(*op))].freed = true;
  *op = MPI_OP_NULL;
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Op_commutative, MPI_Op op, int* commute) {
  MAZURKA_ENTER(Op_commutative);
  const EngineScope scope;
  Check check = mpi.checks.check(call, number(MPI_COMM_WORLD));
  const auto* known = mpi.checks.find_op(number(op));
  check.that(known != nullptr || mazurka::mpi::is_predefined_op(number(op)), MPI_ERR_OP,
             "the operation does not exist, or was freed");
  if (check.failed() != 0) return check.failed();
  *commute = known == nullptr || known->commutes ? 1 : 0;
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Reduce_local, const void* in, void* inout, int count, MPI_Datatype type,
                 MPI_Op op) {
  MAZURKA_ENTER(Reduce_local);
  const EngineScope scope;
  Check check = mpi.checks.check(call, number(MPI_COMM_WORLD));
  check.buffer(in, count, number(type), false)
      .buffer(inout, count, number(type), false)
      .op(number(op), number(type));
  if (check.failed() != 0) return check.failed();
  const mazurka::mpi::Datatype& layout = mpi.checks.layout(number(type));
  const auto values = static_cast<std::uint64_t>(count);
  mpi.touch(in, layout, values, false);
  mpi.touch(inout, layout, values, true);
  if (const auto* known = mpi.checks.find_op(number(op))) {
    const auto function = known->function;
    void* handle = type;
    mazurka::threads::inside_engine = false;
    function(const_cast<void*>(in), inout, &count, &handle);
    mazurka::threads::inside_engine = true;
    return MPI_SUCCESS;
  }
  const std::vector<std::byte> left = mazurka::mpi::pack(in, layout, values);
  std::vector<std::byte> right = mazurka::mpi::pack(inout, layout, values);
  mazurka::mpi::combine(number(op), layout, left, right);
  mazurka::mpi::unpack(right, inout, layout, values);
  return MPI_SUCCESS;
}
