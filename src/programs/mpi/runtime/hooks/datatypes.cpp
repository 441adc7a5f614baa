// Datatypes that are made of others, addresses, packing.
#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "programs/mpi/runtime/handles.hpp"
#include "programs/mpi/runtime/hooks/mpi_hook.hpp"

namespace {

using mazurka::mpi::Check;
using mazurka::mpi::Datatype;
using mazurka::mpi::HandleKind;
using mazurka::mpi::Mpi;
using mazurka::mpi::number;
using mazurka::mpi::Part;
using mazurka::threads::EngineScope;

int add(Mpi& mpi, Datatype made, MPI_Datatype* result) {
  mazurka::mpi::UserType fresh;
  fresh.type = std::move(made);
  fresh.stack = mpi.stack_if_recording();
  auto& all = mpi.own_rank().types;
  all.push_back(std::move(fresh));
  *result =
      reinterpret_cast<MPI_Datatype>(mazurka::mpi::handle_of(HandleKind::type, all.size() - 1));
  return MPI_SUCCESS;
}

std::string made_by(const char* call) {
  std::string name = "made by ";
  name += call;
  return name;
}

/// One part per block.
int make(Mpi& mpi, const char* call, const std::vector<Part>& parts, MPI_Datatype* result) {
  return add(mpi, mazurka::mpi::made_of(parts, made_by(call)), result);
}

/// Of blocks of one type; `at` says where the n-th begins, in bytes, `length` how long it is.
template <typename Length, typename At>
int make_of_blocks(Mpi& mpi, const char* call, int count, MPI_Datatype old, MPI_Datatype* result,
                   Length&& length, At&& at) {
  const EngineScope scope;
  Check check = mpi.checks.check(call, number(MPI_COMM_WORLD));
  check.that(count >= 0, MPI_ERR_COUNT, "the count is negative").type(number(old), false);
  for (int nth = 0; nth < count && check.failed() == 0; ++nth) {
    check.that(length(nth) >= 0, MPI_ERR_ARG, "a block's length is negative");
  }
  if (check.failed() != 0) return check.failed();
  const Datatype& layout = mpi.checks.layout(number(old));
  std::vector<Part> parts;
  for (int nth = 0; nth < count; ++nth) {
    parts.push_back({at(nth, layout), static_cast<std::uint64_t>(length(nth)), &layout});
  }
  return make(mpi, call, parts, result);
}

}  // namespace

MAZURKA_MPI_HOOK(int, Type_contiguous, int count, MPI_Datatype old, MPI_Datatype* result) {
  MAZURKA_ENTER(Type_contiguous);
  return make_of_blocks(
      mpi, call, 1, old, result, [&](int) { return count; },
      [](int, const Datatype&) { return std::int64_t{0}; });
}
MAZURKA_MPI_HOOK(int, Type_vector, int count, int length, int stride, MPI_Datatype old,
                 MPI_Datatype* result) {
  MAZURKA_ENTER(Type_vector);
  return make_of_blocks(
      mpi, call, count, old, result, [&](int) { return length; },
      [&](int nth, const Datatype& layout) { return std::int64_t{nth} * stride * layout.extent; });
}

#define MAZURKA_HVECTOR(name)                                                           \
  MAZURKA_MPI_HOOK(int, name, int count, int length, MPI_Aint stride, MPI_Datatype old, \
                   MPI_Datatype* result) {                                              \
    MAZURKA_ENTER(name);                                                                \
    return make_of_blocks(                                                              \
        mpi, call, count, old, result, [&](int) { return length; },                     \
        [&](int nth, const Datatype&) { return std::int64_t{nth} * stride; });          \
  }
MAZURKA_HVECTOR(Type_create_hvector)
MAZURKA_HVECTOR(Type_hvector)

MAZURKA_MPI_HOOK(int, Type_indexed, int count, const int lengths[], const int places[],
                 MPI_Datatype old, MPI_Datatype* result) {
  MAZURKA_ENTER(Type_indexed);
  return make_of_blocks(
      mpi, call, count, old, result, [&](int nth) { return lengths[nth]; },
      [&](int nth, const Datatype& layout) { return places[nth] * layout.extent; });
}
MAZURKA_MPI_HOOK(int, Type_create_hindexed, int count, const int lengths[], const MPI_Aint places[],
                 MPI_Datatype old, MPI_Datatype* result) {
  MAZURKA_ENTER(Type_create_hindexed);
  return make_of_blocks(
      mpi, call, count, old, result, [&](int nth) { return lengths[nth]; },
      [&](int nth, const Datatype&) { return std::int64_t{places[nth]}; });
}
MAZURKA_MPI_HOOK(int, Type_create_indexed_block, int count, int length, const int places[],
                 MPI_Datatype old, MPI_Datatype* result) {
  MAZURKA_ENTER(Type_create_indexed_block);
  return make_of_blocks(
      mpi, call, count, old, result, [&](int) { return length; },
      [&](int nth, const Datatype& layout) { return places[nth] * layout.extent; });
}
MAZURKA_MPI_HOOK(int, Type_create_hindexed_block, int count, int length, const MPI_Aint places[],
                 MPI_Datatype old, MPI_Datatype* result) {
  MAZURKA_ENTER(Type_create_hindexed_block);
  return make_of_blocks(
      mpi, call, count, old, result, [&](int) { return length; },
      [&](int nth, const Datatype&) { return std::int64_t{places[nth]}; });
}
MAZURKA_MPI_HOOK(int, Type_create_struct, int count, const int lengths[], const MPI_Aint places[],
                 const MPI_Datatype types[], MPI_Datatype* result) {
  MAZURKA_ENTER(Type_create_struct);
  const EngineScope scope;
  Check check = mpi.checks.check(call, number(MPI_COMM_WORLD));
  check.that(count >= 0, MPI_ERR_COUNT, "the count is negative");
  for (int nth = 0; nth < count && check.failed() == 0; ++nth) {
    check.type(number(types[nth]), false);
    check.that(lengths[nth] >= 0, MPI_ERR_ARG, "a block's length is negative");
  }
  if (check.failed() != 0) return check.failed();
  std::vector<Part> parts;
  for (int nth = 0; nth < count; ++nth) {
    parts.push_back({places[nth], static_cast<std::uint64_t>(lengths[nth]),
                     &mpi.checks.layout(number(types[nth]))});
  }
  Datatype made = mazurka::mpi::made_of(parts, made_by(call));
  // As a structure of C: its size is a multiple of what its members are aligned to.
  std::int64_t alignment = 1;
  for (const mazurka::mpi::Block& block : made.blocks) {
    const auto own = static_cast<std::int64_t>(mazurka::mpi::alignment_of(block.type));
    alignment = std::max(alignment, std::min<std::int64_t>(own, alignof(std::max_align_t)));
  }
  if (!made.upper_set) made.extent = (made.extent + alignment - 1) / alignment * alignment;
  return add(mpi, std::move(made), result);
}
MAZURKA_MPI_HOOK(int, Type_hindexed, int count, int lengths[], MPI_Aint places[], MPI_Datatype old,
                 MPI_Datatype* result) {
  return PMPI_Type_create_hindexed(count, lengths, places, old, result);
}
MAZURKA_MPI_HOOK(int, Type_struct, int count, int lengths[], MPI_Aint places[],
                 MPI_Datatype types[], MPI_Datatype* result) {
  return PMPI_Type_create_struct(count, lengths, places, types, result);
}
MAZURKA_MPI_HOOK(int, Type_create_resized, MPI_Datatype old, MPI_Aint lower, MPI_Aint extent,
                 MPI_Datatype* result) {
  MAZURKA_ENTER(Type_create_resized);
  const EngineScope scope;
  Check check = mpi.checks.check(call, number(MPI_COMM_WORLD));
  if (check.type(number(old), false).failed() != 0) return check.failed();
  Datatype made = mpi.checks.layout(number(old));
  made.lower = lower;
  made.extent = extent;
  made.lower_set = true;
  made.upper_set = true;
  made.committed = false;
  made.name = made_by(call);
  return add(mpi, std::move(made), result);
}
MAZURKA_MPI_HOOK(int, Type_dup, MPI_Datatype old, MPI_Datatype* result) {
  MAZURKA_ENTER(Type_dup);
  const EngineScope scope;
  Check check = mpi.checks.check(call, number(MPI_COMM_WORLD));
  if (check.type(number(old), false).failed() != 0) return check.failed();
  return add(mpi, mpi.checks.layout(number(old)), result);
}
MAZURKA_MPI_HOOK(int, Type_create_subarray, int dimensions, const int sizes[], const int subsizes[],
                 const int starts[], int order, MPI_Datatype old, MPI_Datatype* result) {
  MAZURKA_ENTER(Type_create_subarray);
  const EngineScope scope;
  Check check = mpi.checks.check(call, number(MPI_COMM_WORLD));
  check.type(number(old), false).that(dimensions > 0, MPI_ERR_ARG, "it has no dimensions");
  for (int nth = 0; nth < dimensions && check.failed() == 0; ++nth) {
    check.that(subsizes[nth] >= 1 && starts[nth] >= 0 && starts[nth] + subsizes[nth] <= sizes[nth],
               MPI_ERR_ARG, "the part is not within the array");
  }
  if (check.failed() != 0) return check.failed();
  const Datatype& layout = mpi.checks.layout(number(old));
  std::vector<Part> parts;
  std::vector<int> at(static_cast<std::size_t>(dimensions), 0);
  std::int64_t whole = 1;
  for (int nth = 0; nth < dimensions; ++nth) whole *= sizes[nth];
  for (bool more = true; more;) {
    std::int64_t place = 0;
    for (int step = 0; step < dimensions; ++step) {
      const int nth = order == MPI_ORDER_C ? step : dimensions - 1 - step;
      place = place * sizes[nth] + starts[nth] + at[static_cast<std::size_t>(nth)];
    }
    parts.push_back({place * layout.extent, 1, &layout});
    more = false;
    for (int step = dimensions - 1; step >= 0 && !more; --step) {
      const int nth = order == MPI_ORDER_C ? step : dimensions - 1 - step;
      int& here = at[static_cast<std::size_t>(nth)];
      more = ++here < subsizes[nth];
      if (!more) here = 0;
    }
  }
  Datatype made = mazurka::mpi::made_of(parts, made_by(call));
  made.lower = 0;
  made.extent = whole * layout.extent;
  made.lower_set = true;
  made.upper_set = true;
  return add(mpi, std::move(made), result);
}

MAZURKA_MPI_HOOK(int, Type_commit, MPI_Datatype* type) {
  MAZURKA_ENTER(Type_commit);
  const EngineScope scope;
  Check check = mpi.checks.check(call, number(MPI_COMM_WORLD));
  if (check.type(number(*type), false).failed() != 0) return check.failed();
  if (mazurka::mpi::is_handle(number(*type), HandleKind::type)) {
    mpi.own_rank().types[mazurka::mpi::number_in(number(*type))].type.committed = true;
  }
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Type_free, MPI_Datatype* type) {
  MAZURKA_ENTER(Type_free);
  const EngineScope scope;
  Check check = mpi.checks.check(call, number(MPI_COMM_WORLD));
  check.type(number(*type), false)
      .that(mazurka::mpi::is_handle(number(*type), HandleKind::type), MPI_ERR_TYPE,
            "a predefined datatype can not be freed");
  if (check.failed() != 0) return check.failed();
  mpi.own_rank().types[mazurka::mpi::number_in(number(*type))].freed = true;
  *type = MPI_DATATYPE_NULL;
  return MPI_SUCCESS;
}

// --- what a type is ------------------------------------------------------------------------------

#define MAZURKA_OF_TYPE(name, result_type, expression)                        \
  MAZURKA_MPI_HOOK(int, name, MPI_Datatype type, result_type* result) {       \
    MAZURKA_ENTER(name);                                                      \
    const EngineScope scope;                                                  \
    Check check = mpi.checks.check(call, number(MPI_COMM_WORLD));             \
    if (check.type(number(type), false).failed() != 0) return check.failed(); \
    const Datatype& layout = mpi.checks.layout(number(type));                 \
    *result = static_cast<result_type>(expression);                           \
    return MPI_SUCCESS;                                                       \
  }
MAZURKA_OF_TYPE(Type_size, int, layout.size)
MAZURKA_OF_TYPE(Type_size_x, MPI_Count, layout.size)
MAZURKA_OF_TYPE(Type_extent, MPI_Aint, layout.extent)
MAZURKA_OF_TYPE(Type_lb, MPI_Aint, layout.lower)
MAZURKA_OF_TYPE(Type_ub, MPI_Aint, layout.upper())

MAZURKA_MPI_HOOK(int, Type_get_extent, MPI_Datatype type, MPI_Aint* lower, MPI_Aint* extent) {
  MAZURKA_ENTER(Type_get_extent);
  const EngineScope scope;
  Check check = mpi.checks.check(call, number(MPI_COMM_WORLD));
  if (check.type(number(type), false).failed() != 0) return check.failed();
  const Datatype& layout = mpi.checks.layout(number(type));
  *lower = layout.lower;
  *extent = layout.extent;
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Type_get_true_extent, MPI_Datatype type, MPI_Aint* lower, MPI_Aint* extent) {
  MAZURKA_ENTER(Type_get_true_extent);
  const EngineScope scope;
  Check check = mpi.checks.check(call, number(MPI_COMM_WORLD));
  if (check.type(number(type), false).failed() != 0) return check.failed();
  std::int64_t begin = 0;
  std::int64_t end = 0;
  bool any = false;
  for (const mazurka::mpi::Block& block : mpi.checks.layout(number(type)).blocks) {
    const std::int64_t last =
        block.offset + static_cast<std::int64_t>(block.count * mazurka::mpi::size_of(block.type));
    begin = any ? std::min(begin, block.offset) : block.offset;
    end = any ? std::max(end, last) : last;
    any = true;
  }
  *lower = begin;
  *extent = end - begin;
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Type_set_name, MPI_Datatype type, const char* name) {
  MAZURKA_ENTER(Type_set_name);
  const EngineScope scope;
  Check check = mpi.checks.check(call, number(MPI_COMM_WORLD));
  if (check.type(number(type), false).failed() != 0) return check.failed();
  if (mazurka::mpi::is_handle(number(type), HandleKind::type)) {
    mpi.own_rank().types[mazurka::mpi::number_in(number(type))].type.name = name;
  }
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Type_get_name, MPI_Datatype type, char* name, int* length) {
  MAZURKA_ENTER(Type_get_name);
  const EngineScope scope;
  Check check = mpi.checks.check(call, number(MPI_COMM_WORLD));
  if (check.type(number(type), false).failed() != 0) return check.failed();
  const std::string& text = mpi.checks.layout(number(type)).name;
  std::strcpy(name, text.c_str());
  *length = static_cast<int>(text.size());
  return MPI_SUCCESS;
}

// --- addresses -----------------------------------------------------------------------------------

MAZURKA_MPI_HOOK(int, Get_address, const void* location, MPI_Aint* address) {
  *address = reinterpret_cast<MPI_Aint>(location);
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Address, void* location, MPI_Aint* address) {
  return PMPI_Get_address(location, address);
}
MAZURKA_MPI_HOOK(MPI_Aint, Aint_add, MPI_Aint base, MPI_Aint offset) { return base + offset; }
MAZURKA_MPI_HOOK(MPI_Aint, Aint_diff, MPI_Aint one, MPI_Aint other) { return one - other; }

// --- packing -------------------------------------------------------------------------------------

MAZURKA_MPI_HOOK(int, Pack, const void* from, int count, MPI_Datatype type, void* to, int size,
                 int* position, MPI_Comm comm) {
  MAZURKA_ENTER(Pack);
  const EngineScope scope;
  Check check = mpi.checks.check(call, number(comm));
  check.communicator().buffer(from, count, number(type), false);
  if (check.failed() != 0) return check.failed();
  const Datatype& layout = mpi.checks.layout(number(type));
  const auto values = static_cast<std::uint64_t>(count);
  const std::size_t bytes = layout.size * values;
  check.that(*position >= 0 && static_cast<std::size_t>(*position) + bytes <=
                                   static_cast<std::size_t>(std::max(size, 0)),
             MPI_ERR_TRUNCATE, "the buffer is too small");
  if (check.failed() != 0) return check.failed();
  mpi.touch(from, layout, values, false);
  auto* place = static_cast<std::byte*>(to) + *position;
  mpi.touch(place, *mazurka::mpi::predefined_type(number(MPI_BYTE)), bytes, true);
  const std::vector<std::byte> packed = mazurka::mpi::pack(from, layout, values);
  std::copy(packed.begin(), packed.end(), place);
  *position += static_cast<int>(bytes);
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Unpack, const void* from, int size, int* position, void* to, int count,
                 MPI_Datatype type, MPI_Comm comm) {
  MAZURKA_ENTER(Unpack);
  const EngineScope scope;
  Check check = mpi.checks.check(call, number(comm));
  check.communicator().buffer(to, count, number(type), false);
  if (check.failed() != 0) return check.failed();
  const Datatype& layout = mpi.checks.layout(number(type));
  const auto values = static_cast<std::uint64_t>(count);
  const std::size_t bytes = layout.size * values;
  check.that(*position >= 0 && static_cast<std::size_t>(*position) + bytes <=
                                   static_cast<std::size_t>(std::max(size, 0)),
             MPI_ERR_TRUNCATE, "there is less in the buffer");
  if (check.failed() != 0) return check.failed();
  const auto* place = static_cast<const std::byte*>(from) + *position;
  mpi.touch(place, *mazurka::mpi::predefined_type(number(MPI_BYTE)), bytes, false);
  mpi.touch(to, layout, values, true);
  mazurka::mpi::unpack({place, bytes}, to, layout, values);
  *position += static_cast<int>(bytes);
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Pack_size, int count, MPI_Datatype type, MPI_Comm comm, int* size) {
  MAZURKA_ENTER(Pack_size);
  const EngineScope scope;
  Check check = mpi.checks.check(call, number(comm));
  check.communicator().type(number(type), false);
  if (check.failed() != 0) return check.failed();
  *size = static_cast<int>(mpi.checks.layout(number(type)).size) * count;
  return MPI_SUCCESS;
}
