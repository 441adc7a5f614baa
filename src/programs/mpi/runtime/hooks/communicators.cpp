// Communicators, and what the program keeps with them.
#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "programs/mpi/runtime/handles.hpp"
#include "programs/mpi/runtime/hooks/mpi_hook.hpp"

namespace {

using mazurka::mpi::Arrival;
using mazurka::mpi::Check;
using mazurka::mpi::Collective;
using mazurka::mpi::Communicator;
using mazurka::mpi::CommunicatorHandle;
using mazurka::mpi::HandleKind;
using mazurka::mpi::key_of;
using mazurka::mpi::Mpi;
using mazurka::mpi::number;
using mazurka::threads::EngineScope;

MPI_Comm as_handle(std::uint64_t value) { return reinterpret_cast<MPI_Comm>(value); }

CommunicatorHandle& held(Mpi& mpi, MPI_Comm comm) {
  return mpi.own_rank().communicators[mpi.checks.number_of_communicator(number(comm))];
}

/// The ranks with the same first number, ordered by the second and by rank.
std::vector<int> members_like(const Collective& made, const Communicator& parent,
                              std::int64_t color) {
  std::vector<std::pair<std::int64_t, int>> chosen;
  for (std::size_t rank = 0; rank < made.arrivals.size(); ++rank) {
    const Arrival& one = made.arrivals[rank];
    if (one.numbers[0] == color) chosen.emplace_back(one.numbers[1], static_cast<int>(rank));
  }
  std::stable_sort(chosen.begin(), chosen.end(),
                   [](const auto& one, const auto& other) { return one.first < other.first; });
  std::vector<int> members;
  for (const auto& [key, rank] : chosen) {
    members.push_back(parent.members[static_cast<std::size_t>(rank)]);
  }
  return members;
}

MPI_Comm split(Mpi& mpi, const char* call, MPI_Comm comm, int color, int key) {
  const EngineScope scope;
  const std::array<std::int64_t, 2> numbers{color, key};
  const Collective& made = mpi.communicators.construct(call, number(comm), numbers);
  if (color == MPI_UNDEFINED) return MPI_COMM_NULL;
  Communicator fresh;
  fresh.members = members_like(made, mpi.communicators.of(number(comm)), color);
  fresh.key = key_of(made, static_cast<std::uint64_t>(color) + 1);
  fresh.name = "a part of " + mpi.communicators.of(number(comm)).name;
  return as_handle(mpi.communicators.add(std::move(fresh)));
}

/// The attributes of the old one, as their keys say.
void copy_attributes(Mpi& mpi, MPI_Comm from, MPI_Comm to) {
  const auto attributes = held(mpi, from).attributes;
  for (const auto& [key, value] : attributes) {
    const auto& keyval = mpi.own_rank().keyvals[static_cast<std::size_t>(key)];
    void* copied = value;
    int flag = 0;
    if (keyval.copy == reinterpret_cast<decltype(keyval.copy)>(MPI_COMM_DUP_FN)) {
      flag = 1;
    } else if (keyval.copy != nullptr) {
      const auto copy = keyval.copy;
      mazurka::threads::inside_engine = false;
      copy(from, key + 0x1000, keyval.extra, value, &copied, &flag);
      mazurka::threads::inside_engine = true;
    }
    if (flag != 0) held(mpi, to).attributes.emplace_back(key, copied);
  }
}

int duplicate(Mpi& mpi, const char* call, MPI_Comm comm, MPI_Comm* result) {
  const EngineScope scope;
  Check check = mpi.checks.check(call, number(comm));
  check.communicator().that(result != nullptr, MPI_ERR_ARG, "there is no place for the result");
  if (check.failed() != 0) return check.failed();
  const Collective& made = mpi.communicators.construct(call, number(comm), {});
  Communicator fresh = mpi.communicators.of(number(comm));
  fresh.key = key_of(made, 0);
  fresh.name = "a copy of " + fresh.name;
  *result = as_handle(mpi.communicators.add(std::move(fresh)));
  held(mpi, *result).handler = held(mpi, comm).handler;
  copy_attributes(mpi, comm, *result);
  return MPI_SUCCESS;
}

}  // namespace

MAZURKA_MPI_HOOK(int, Comm_rank, MPI_Comm comm, int* rank) {
  MAZURKA_ENTER(Comm_rank);
  Check check = mpi.checks.check(call, number(comm));
  check.communicator().that(rank != nullptr, MPI_ERR_ARG, "there is no place for the result");
  if (check.failed() != 0) return check.failed();
  *rank = mpi.communicators.rank(number(comm));
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Comm_size, MPI_Comm comm, int* size) {
  MAZURKA_ENTER(Comm_size);
  Check check = mpi.checks.check(call, number(comm));
  check.communicator().that(size != nullptr, MPI_ERR_ARG, "there is no place for the result");
  if (check.failed() != 0) return check.failed();
  *size = static_cast<int>(mpi.communicators.of(number(comm)).members.size());
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Comm_dup, MPI_Comm comm, MPI_Comm* result) {
  MAZURKA_ENTER(Comm_dup);
  return duplicate(mpi, call, comm, result);
}
MAZURKA_MPI_HOOK(int, Comm_dup_with_info, MPI_Comm comm, MPI_Info, MPI_Comm* result) {
  MAZURKA_ENTER(Comm_dup_with_info);
  return duplicate(mpi, call, comm, result);
}
MAZURKA_MPI_HOOK(int, Comm_split, MPI_Comm comm, int color, int key, MPI_Comm* result) {
  MAZURKA_ENTER(Comm_split);
  Check check = mpi.checks.check(call, number(comm));
  check.communicator()
      .that(color >= 0 || color == MPI_UNDEFINED, MPI_ERR_ARG, "the colour is negative")
      .that(result != nullptr, MPI_ERR_ARG, "there is no place for the result");
  if (check.failed() != 0) return check.failed();
  *result = split(mpi, call, comm, color, key);
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Comm_split_type, MPI_Comm comm, int split_type, int key, MPI_Info,
                 MPI_Comm* result) {
  MAZURKA_ENTER(Comm_split_type);
  Check check = mpi.checks.check(call, number(comm));
  check.communicator().that(split_type == MPI_COMM_TYPE_SHARED || split_type == MPI_UNDEFINED,
                            MPI_ERR_ARG, "there is no such way to split");
  if (check.failed() != 0) return check.failed();
  *result = split(mpi, call, comm, split_type == MPI_UNDEFINED ? MPI_UNDEFINED : 0, key);
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Comm_create, MPI_Comm comm, MPI_Group group, MPI_Comm* result) {
  MAZURKA_ENTER(Comm_create);
  const EngineScope scope;
  Check check = mpi.checks.check(call, number(comm));
  check.communicator();
  const bool empty = group == MPI_GROUP_EMPTY;
  check.that(empty || mpi.communicators.find_group(number(group)) != nullptr, MPI_ERR_GROUP,
             "there is no such group");
  if (check.failed() != 0) return check.failed();
  const Collective& made = mpi.communicators.construct(call, number(comm), {});
  const std::vector<int> members =
      empty ? std::vector<int>() : mpi.communicators.find_group(number(group))->members;
  const int own = mazurka::threads::runtime->current().rank;
  *result = MPI_COMM_NULL;
  if (std::find(members.begin(), members.end(), own) == members.end()) return MPI_SUCCESS;
  Communicator fresh;
  fresh.members = members;
  fresh.key = key_of(made, static_cast<std::uint64_t>(members.front()) + 1);
  fresh.name = "a part of " + mpi.communicators.of(number(comm)).name;
  *result = as_handle(mpi.communicators.add(std::move(fresh)));
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Comm_free, MPI_Comm* comm) {
  MAZURKA_ENTER(Comm_free);
  const EngineScope scope;
  Check check = mpi.checks.check(call, number(*comm));
  check.communicator().that(*comm != MPI_COMM_WORLD && *comm != MPI_COMM_SELF, MPI_ERR_COMM,
                            "a predefined communicator can not be freed");
  if (check.failed() != 0) return check.failed();
  const auto attributes = held(mpi, *comm).attributes;
  for (const auto& [key, value] : attributes) {
    const auto keyval = mpi.own_rank().keyvals[static_cast<std::size_t>(key)];
    if (keyval.remove == nullptr) continue;
    mazurka::threads::inside_engine = false;
    keyval.remove(*comm, key + 0x1000, value, keyval.extra);
    mazurka::threads::inside_engine = true;
  }
  held(mpi, *comm).freed = true;
  *comm = MPI_COMM_NULL;
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Comm_disconnect, MPI_Comm* comm) { return PMPI_Comm_free(comm); }

MAZURKA_MPI_HOOK(int, Comm_compare, MPI_Comm first, MPI_Comm second, int* result) {
  MAZURKA_ENTER(Comm_compare);
  const EngineScope scope;
  Check one = mpi.checks.check(call, number(first));
  if (one.communicator().failed() != 0) return one.failed();
  Check other = mpi.checks.check(call, number(second));
  if (other.communicator().failed() != 0) return other.failed();
  const Communicator& a = mpi.communicators.of(number(first));
  const Communicator& b = mpi.communicators.of(number(second));
  *result = MPI_UNEQUAL;
  if (a.key == b.key) {
    *result = MPI_IDENT;
  } else if (a.members == b.members) {
    *result = MPI_CONGRUENT;
  } else if (std::is_permutation(a.members.begin(), a.members.end(), b.members.begin(),
                                 b.members.end())) {
    *result = MPI_SIMILAR;
  }
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Comm_test_inter, MPI_Comm comm, int* flag) {
  MAZURKA_ENTER(Comm_test_inter);
  Check check = mpi.checks.check(call, number(comm));
  if (check.communicator().failed() != 0) return check.failed();
  *flag = 0;
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Comm_remote_size, MPI_Comm comm, int*) {
  MAZURKA_ENTER(Comm_remote_size);
  Check check = mpi.checks.check(call, number(comm));
  check.communicator().that(false, MPI_ERR_COMM, "the communicator is not one between two groups");
  return check.failed();
}
MAZURKA_MPI_HOOK(int, Comm_set_name, MPI_Comm comm, const char* name) {
  MAZURKA_ENTER(Comm_set_name);
  const EngineScope scope;
  Check check = mpi.checks.check(call, number(comm));
  if (check.communicator().failed() != 0) return check.failed();
  mpi.world().communicators[held(mpi, comm).communicator].name = name;
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Comm_get_name, MPI_Comm comm, char* name, int* length) {
  MAZURKA_ENTER(Comm_get_name);
  const EngineScope scope;
  Check check = mpi.checks.check(call, number(comm));
  if (check.communicator().failed() != 0) return check.failed();
  const std::string& text = mpi.communicators.of(number(comm)).name;
  std::strcpy(name, text.c_str());
  *length = static_cast<int>(text.size());
  return MPI_SUCCESS;
}

// --- attributes ----------------------------------------------------------------------------------

namespace {

constexpr int first_key = 0x1000;

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

bool is_key(Mpi& mpi, int key) {
  return key >= first_key &&
         static_cast<std::size_t>(key - first_key) < mpi.own_rank().keyvals.size();
}

}  // namespace

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
  auto& all = held(mpi, comm).attributes;
  std::erase_if(all, [&](const auto& one) { return one.first == key - first_key; });
  all.emplace_back(key - first_key, value);
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
  std::erase_if(held(mpi, comm).attributes,
                [&](const auto& one) { return one.first == key - first_key; });
  return MPI_SUCCESS;
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
