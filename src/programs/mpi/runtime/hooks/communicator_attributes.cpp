// What the program keeps with communicators: attributes, and handlers of errors.
#include <algorithm>
#include <utility>

#include "programs/mpi/runtime/handles.hpp"
#include "programs/mpi/runtime/hooks/mpi_hook.hpp"

namespace {

using mazurka::mpi::Check;
using mazurka::mpi::first_key;
using mazurka::mpi::HandleKind;
using mazurka::mpi::held;
using mazurka::mpi::is_key;
using mazurka::mpi::Mpi;
using mazurka::mpi::number;
using mazurka::mpi::refused_attribute;
using mazurka::mpi::remove_attribute;
using mazurka::threads::EngineScope;

}  // namespace

// --- attributes ----------------------------------------------------------------------------------

namespace {

/// Null: it is none of those that are there from the beginning.
const void* predefined_attribute(Mpi& mpi, int key) {
  static const int largest_tag = 0x7fff'ffff;
  static const int nobody = MPI_PROC_NULL;
  static const int anybody = MPI_ANY_SOURCE;
  static const int is_not = 0;
  static int all = 0;
  switch (key) {
    case MPI_TAG_UB: return &largest_tag;
    case MPI_HOST: return &nobody;
    case MPI_IO: return &anybody;
    case MPI_WTIME_IS_GLOBAL:
    case MPI_APPNUM: return &is_not;
    case MPI_LASTUSEDCODE: return &largest_tag;
    case MPI_UNIVERSE_SIZE: all = static_cast<int>(mpi.world().ranks.size()); return &all;
    default: return nullptr;
  }
}

/// Where the communicator has it; negative: it has none.
int place_of(Mpi& mpi, MPI_Comm comm, int key) {
  const auto& all = held(mpi, comm).attributes;
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const auto& one) { return one.first == key - first_key; });
  return found == all.end() ? -1 : static_cast<int>(found - all.begin());
}

}  // namespace

namespace mazurka::mpi {

int remove_attribute(Mpi& mpi, MPI_Comm comm, int nth) {
  const auto [key, value] = held(mpi, comm).attributes[static_cast<std::size_t>(nth)];
  const Keyval keyval = mpi.own_rank().keyvals[static_cast<std::size_t>(key)];
  if (keyval.remove != nullptr) {
    threads::inside_engine = false;
    const int code = keyval.remove(comm, key + first_key, value, keyval.extra);
    threads::inside_engine = true;
    if (code != MPI_SUCCESS) return code;
  }
  std::erase_if(held(mpi, comm).attributes, [&](const auto& one) { return one.first == key; });
  return MPI_SUCCESS;
}

int remove_attributes(Mpi& mpi, MPI_Comm comm) {
  while (!held(mpi, comm).attributes.empty()) {
    const auto last = static_cast<int>(held(mpi, comm).attributes.size()) - 1;
    if (const int code = remove_attribute(mpi, comm, last); code != MPI_SUCCESS) return code;
  }
  return MPI_SUCCESS;
}

int refused_attribute(Mpi& mpi, const char* call, MPI_Comm comm, const char* does, int code) {
  return mpi.checks.check(call, number(comm))
      .that(false, code,
            std::string("the program's function that ") + does + " an attribute returns error " +
                std::to_string(code))
      .failed();
}

}  // namespace mazurka::mpi

MAZURKA_MPI_HOOK(int, Comm_create_keyval, MPI_Comm_copy_attr_function* copy,
                 MPI_Comm_delete_attr_function* remove, int* key, void* extra) {
  MAZURKA_ENTER(Comm_create_keyval);
  const EngineScope scope;
  mpi.checks.require_running(call);
  mazurka::mpi::Keyval fresh;
  fresh.copy = reinterpret_cast<decltype(fresh.copy)>(copy);
  fresh.remove = reinterpret_cast<decltype(fresh.remove)>(remove);
  fresh.extra = extra;
  mpi.own_rank().keyvals.push_back(fresh);
  *key = first_key + static_cast<int>(mpi.own_rank().keyvals.size()) - 1;
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Comm_free_keyval, int* key) {
  MAZURKA_ENTER(Comm_free_keyval);
  mpi.checks.require_running(call);
  *key = MPI_KEYVAL_INVALID;
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Comm_set_attr, MPI_Comm comm, int key, void* value) {
  MAZURKA_ENTER(Comm_set_attr);
  const EngineScope scope;
  Check check = mpi.checks.check(call, number(comm));
  check.communicator().that(is_key(mpi, key), MPI_ERR_KEYVAL, "there is no such key");
  if (check.failed() != 0) return check.failed();
  if (const int place = place_of(mpi, comm, key); place >= 0) {
    const int code = remove_attribute(mpi, comm, place);
    if (code != MPI_SUCCESS) return refused_attribute(mpi, call, comm, "deletes", code);
  }
  held(mpi, comm).attributes.emplace_back(key - first_key, value);
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Comm_get_attr, MPI_Comm comm, int key, void* value, int* flag) {
  MAZURKA_ENTER(Comm_get_attr);
  const EngineScope scope;
  Check check = mpi.checks.check(call, number(comm));
  const void* known = predefined_attribute(mpi, key);
  check.communicator().that(known != nullptr || is_key(mpi, key), MPI_ERR_KEYVAL,
                            "there is no such key");
  if (check.failed() != 0) return check.failed();
  *flag = known != nullptr ? 1 : 0;
  if (known != nullptr) *static_cast<const void**>(value) = known;
  for (const auto& [own_key, own_value] : held(mpi, comm).attributes) {
    if (own_key != key - first_key) continue;
    *static_cast<void**>(value) = own_value;
    *flag = 1;
  }
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Comm_delete_attr, MPI_Comm comm, int key) {
  MAZURKA_ENTER(Comm_delete_attr);
  const EngineScope scope;
  Check check = mpi.checks.check(call, number(comm));
  check.communicator().that(is_key(mpi, key), MPI_ERR_KEYVAL, "there is no such key");
  if (check.failed() != 0) return check.failed();
  const int place = place_of(mpi, comm, key);
  if (place < 0) return MPI_SUCCESS;
  const int code = remove_attribute(mpi, comm, place);
  return code == MPI_SUCCESS ? code : refused_attribute(mpi, call, comm, "deletes", code);
}
MAZURKA_MPI_HOOK(int, Keyval_create, MPI_Copy_function* copy, MPI_Delete_function* remove, int* key,
                 void* extra) {
  return PMPI_Comm_create_keyval(copy, remove, key, extra);
}
MAZURKA_MPI_HOOK(int, Keyval_free, int* key) { return PMPI_Comm_free_keyval(key); }
MAZURKA_MPI_HOOK(int, Attr_put, MPI_Comm comm, int key, void* value) {
  return PMPI_Comm_set_attr(comm, key, value);
}
MAZURKA_MPI_HOOK(int, Attr_get, MPI_Comm comm, int key, void* value, int* flag) {
  return PMPI_Comm_get_attr(comm, key, value, flag);
}
MAZURKA_MPI_HOOK(int, Attr_delete, MPI_Comm comm, int key) {
  return PMPI_Comm_delete_attr(comm, key);
}

// --- errors --------------------------------------------------------------------------------------

MAZURKA_MPI_HOOK(int, Comm_create_errhandler, MPI_Comm_errhandler_function* function,
                 MPI_Errhandler* handler) {
  MAZURKA_ENTER(Comm_create_errhandler);
  const EngineScope scope;
  mpi.checks.require_running(call);
  mazurka::mpi::ErrorHandler fresh;
  fresh.function = reinterpret_cast<decltype(fresh.function)>(function);
  mpi.own_rank().handlers.push_back(fresh);
  *handler = reinterpret_cast<MPI_Errhandler>(
      mazurka::mpi::handle_of(HandleKind::error_handler, mpi.own_rank().handlers.size() - 1));
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Comm_set_errhandler, MPI_Comm comm, MPI_Errhandler handler) {
  MAZURKA_ENTER(Comm_set_errhandler);
  const EngineScope scope;
  Check check = mpi.checks.check(call, number(comm));
  if (check.communicator().failed() != 0) return check.failed();
  held(mpi, comm).handler = number(handler);
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Comm_get_errhandler, MPI_Comm comm, MPI_Errhandler* handler) {
  MAZURKA_ENTER(Comm_get_errhandler);
  Check check = mpi.checks.check(call, number(comm));
  if (check.communicator().failed() != 0) return check.failed();
  const std::uint64_t known = held(mpi, comm).handler;
  *handler = known == 0 ? MPI_ERRORS_ARE_FATAL : reinterpret_cast<MPI_Errhandler>(known);
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Comm_call_errhandler, MPI_Comm comm, int code) {
  MAZURKA_ENTER(Comm_call_errhandler);
  const EngineScope scope;
  Check check = mpi.checks.check(call, number(comm));
  check.communicator().that(mpi.checks.returns_errors(number(comm)), code,
                            "an error, which is fatal");
  if (check.failed() == 0) mpi.checks.call_handler(number(comm), code);
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Errhandler_free, MPI_Errhandler* handler) {
  *handler = MPI_ERRHANDLER_NULL;
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Errhandler_create, MPI_Handler_function* function, MPI_Errhandler* handler) {
  return PMPI_Comm_create_errhandler(function, handler);
}
MAZURKA_MPI_HOOK(int, Errhandler_set, MPI_Comm comm, MPI_Errhandler handler) {
  return PMPI_Comm_set_errhandler(comm, handler);
}
MAZURKA_MPI_HOOK(int, Errhandler_get, MPI_Comm comm, MPI_Errhandler* handler) {
  return PMPI_Comm_get_errhandler(comm, handler);
}
