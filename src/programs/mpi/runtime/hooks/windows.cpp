// Windows: how they are made and freed, epochs, and what the program keeps with them.
#include <cstring>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "programs/mpi/runtime/handles.hpp"
#include "programs/mpi/runtime/hooks/mpi_hook.hpp"

namespace {

using mazurka::mpi::Check;
using mazurka::mpi::first_key;
using mazurka::mpi::HandleKind;
using mazurka::mpi::is_key;
using mazurka::mpi::Mpi;
using mazurka::mpi::number;
using mazurka::mpi::Windows;
using mazurka::threads::EngineScope;
namespace flavor = mazurka::mpi::flavor;

std::uint64_t* as_numbers(MPI_Win* win) { return reinterpret_cast<std::uint64_t*>(win); }

int check_maker(Mpi& mpi, const char* call, MPI_Comm comm, MPI_Aint size, int unit) {
  Check check = mpi.checks.check(call, number(comm));
  check.communicator()
      .one_group()
      .that(size >= 0, MPI_ERR_SIZE, "the size is negative (" + std::to_string(size) + ")")
      .that(unit > 0, MPI_ERR_DISP, "the unit is not positive (" + std::to_string(unit) + ")");
  return check.failed();
}

bool is_assertion(int assertion) {
  constexpr int known = MPI_MODE_NOCHECK | MPI_MODE_NOSTORE | MPI_MODE_NOPUT | MPI_MODE_NOPRECEDE |
                        MPI_MODE_NOSUCCEED;
  return (assertion & ~known) == 0;
}

int check_window(Mpi& mpi, const char* call, MPI_Win win) {
  return mpi.checks.check(call, number(win)).window().failed();
}

int check_epoch(Mpi& mpi, const char* call, MPI_Win win, int assertion) {
  Check check = mpi.checks.check(call, number(win));
  check.window().that(is_assertion(assertion), MPI_ERR_ASSERT,
                      "there is no such assertion (" + std::to_string(assertion) + ")");
  return check.failed();
}

int check_target(Mpi& mpi, const char* call, int rank, MPI_Win win) {
  Check check = mpi.checks.check(call, number(win));
  check.window().destination(rank).that(rank != MPI_PROC_NULL, MPI_ERR_RANK,
                                        "the target is MPI_PROC_NULL");
  return check.failed();
}

/// The window was made with that info, if all went well.
int note_info(Mpi& mpi, MPI_Info info, const MPI_Win* win, int code) {
  if (code == 0) take_over(mpi, info, mpi.windows.held(number(*win)).info);
  return code;
}

/// Null after an error that is returned.
const std::vector<int>* members_of(Mpi& mpi, const char* call, MPI_Group group, MPI_Win win,
                                   int& code) {
  Check check = mpi.checks.check(call, number(win));
  const auto* found = mpi.communicators.find_group(number(group));
  check.window().that(found != nullptr, MPI_ERR_GROUP, "the group does not exist, or was freed");
  code = check.failed();
  return code != 0 ? nullptr : &found->members;
}

}  // namespace

// --- made and freed ------------------------------------------------------------------------------

MAZURKA_MPI_HOOK(int, Win_create, void* base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm,
                 MPI_Win* win) {
  MAZURKA_ENTER(Win_create);
  if (const int code = check_maker(mpi, call, comm, size, unit); code != 0) return code;
  Check check = mpi.checks.check(call, number(comm));
  check.that(base != nullptr || size == 0, MPI_ERR_BASE, "the memory is null");
  if (check.failed() != 0) return check.failed();
  return note_info(
      mpi, info, win,
      mpi.windows.make(call, number(comm), {base, size, unit, flavor::created}, as_numbers(win)));
}
MAZURKA_MPI_HOOK(int, Win_allocate, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm,
                 void* base, MPI_Win* win) {
  MAZURKA_ENTER(Win_allocate);
  if (const int code = check_maker(mpi, call, comm, size, unit); code != 0) return code;
  void* const memory = Windows::allocate(static_cast<std::size_t>(size));
  *static_cast<void**>(base) = memory;
  return note_info(mpi, info, win,
                   mpi.windows.make(call, number(comm), {memory, size, unit, flavor::allocated},
                                    as_numbers(win)));
}
MAZURKA_MPI_HOOK(int, Win_allocate_shared, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm,
                 void* base, MPI_Win* win) {
  MAZURKA_ENTER(Win_allocate_shared);
  if (const int code = check_maker(mpi, call, comm, size, unit); code != 0) return code;
  return note_info(mpi, info, win,
                   mpi.windows.make_shared(call, number(comm), size, unit,
                                           static_cast<void**>(base), as_numbers(win)));
}
MAZURKA_MPI_HOOK(int, Win_shared_query, MPI_Win win, int rank, MPI_Aint* size, int* unit,
                 void* base) {
  MAZURKA_ENTER(Win_shared_query);
  Check check = mpi.checks.check(call, number(win));
  check.window().destination(rank);
  if (check.failed() != 0) return check.failed();
  const mazurka::mpi::Window& window = mpi.windows.of(number(win));
  check.that(window.made == flavor::shared, MPI_ERR_RMA_FLAVOR,
             "the window was not made by MPI_Win_allocate_shared");
  if (check.failed() != 0) return check.failed();
  // Of MPI_PROC_NULL: the first that has something.
  std::size_t place = rank == MPI_PROC_NULL ? 0 : static_cast<std::size_t>(rank);
  while (rank == MPI_PROC_NULL && place + 1 < window.parts.size() &&
         window.parts[place].size == 0) {
    ++place;
  }
  const mazurka::mpi::WindowPart& part = window.parts[place];
  *size = static_cast<MPI_Aint>(part.size);
  *unit = part.unit;
  *static_cast<void**>(base) = reinterpret_cast<void*>(part.base);
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Win_create_dynamic, MPI_Info info, MPI_Comm comm, MPI_Win* win) {
  MAZURKA_ENTER(Win_create_dynamic);
  if (const int code = check_maker(mpi, call, comm, 0, 1); code != 0) return code;
  return note_info(
      mpi, info, win,
      mpi.windows.make(call, number(comm), {nullptr, 0, 1, flavor::dynamic}, as_numbers(win)));
}
MAZURKA_MPI_HOOK(int, Win_attach, MPI_Win win, void* base, MPI_Aint size) {
  MAZURKA_ENTER(Win_attach);
  if (const int code = check_window(mpi, call, win); code != 0) return code;
  return mpi.windows.attach(call, number(win), base, size);
}
MAZURKA_MPI_HOOK(int, Win_detach, MPI_Win win, const void* base) {
  MAZURKA_ENTER(Win_detach);
  if (const int code = check_window(mpi, call, win); code != 0) return code;
  return mpi.windows.detach(call, number(win), base);
}
MAZURKA_MPI_HOOK(int, Win_free, MPI_Win* win) {
  MAZURKA_ENTER(Win_free);
  if (const int code = check_window(mpi, call, *win); code != 0) return code;
  for (std::size_t nth = 0; nth < mpi.windows.held(number(*win)).attributes.size(); ++nth) {
    const auto [key, value] = mpi.windows.held(number(*win)).attributes[nth];
    const auto keyval = mpi.own_rank().keyvals[static_cast<std::size_t>(key)];
    if (keyval.remove == nullptr) continue;
    mazurka::threads::inside_engine = false;
    keyval.remove(*win, key + 0x1000, value, keyval.extra);
    mazurka::threads::inside_engine = true;
  }
  return mpi.windows.free(call, as_numbers(win));
}

// --- epochs --------------------------------------------------------------------------------------

MAZURKA_MPI_HOOK(int, Win_fence, int assertion, MPI_Win win) {
  MAZURKA_ENTER(Win_fence);
  if (const int code = check_epoch(mpi, call, win, assertion); code != 0) return code;
  return mpi.epochs.fence(call, number(win), assertion);
}
MAZURKA_MPI_SITE_HOOK(int, Win_lock, int type, int rank, int assertion, MPI_Win win) {
  MAZURKA_ENTER_SITE(Win_lock);
  Check check = mpi.checks.check(call, number(win));
  check.window()
      .that(type == MPI_LOCK_EXCLUSIVE || type == MPI_LOCK_SHARED, MPI_ERR_LOCKTYPE,
            "there is no such type of lock (" + std::to_string(type) + ")")
      .destination(rank)
      .that(is_assertion(assertion), MPI_ERR_ASSERT,
            "there is no such assertion (" + std::to_string(assertion) + ")");
  if (check.failed() != 0 || rank == MPI_PROC_NULL) return check.failed();
  return mpi.epochs.lock(call, number(win), rank, type == MPI_LOCK_EXCLUSIVE,
                         (assertion & MPI_MODE_NOCHECK) != 0);
}
MAZURKA_MPI_HOOK(int, Win_unlock, int rank, MPI_Win win) {
  MAZURKA_ENTER(Win_unlock);
  Check check = mpi.checks.check(call, number(win));
  check.window().destination(rank);
  if (check.failed() != 0 || rank == MPI_PROC_NULL) return check.failed();
  return mpi.epochs.unlock(call, number(win), rank);
}
MAZURKA_MPI_SITE_HOOK(int, Win_lock_all, int assertion, MPI_Win win) {
  MAZURKA_ENTER_SITE(Win_lock_all);
  if (const int code = check_epoch(mpi, call, win, assertion); code != 0) return code;
  return mpi.epochs.lock_all(call, number(win), (assertion & MPI_MODE_NOCHECK) != 0);
}
MAZURKA_MPI_HOOK(int, Win_unlock_all, MPI_Win win) {
  MAZURKA_ENTER(Win_unlock_all);
  if (const int code = check_window(mpi, call, win); code != 0) return code;
  return mpi.epochs.unlock_all(call, number(win));
}
MAZURKA_MPI_HOOK(int, Win_flush, int rank, MPI_Win win) {
  MAZURKA_ENTER(Win_flush);
  if (const int code = check_target(mpi, call, rank, win); code != 0) return code;
  return mpi.epochs.flush(call, number(win), rank, false);
}
MAZURKA_MPI_HOOK(int, Win_flush_all, MPI_Win win) {
  MAZURKA_ENTER(Win_flush_all);
  if (const int code = check_window(mpi, call, win); code != 0) return code;
  return mpi.epochs.flush(call, number(win), -1, false);
}
MAZURKA_MPI_HOOK(int, Win_flush_local, int rank, MPI_Win win) {
  MAZURKA_ENTER(Win_flush_local);
  if (const int code = check_target(mpi, call, rank, win); code != 0) return code;
  return mpi.epochs.flush(call, number(win), rank, true);
}
MAZURKA_MPI_HOOK(int, Win_flush_local_all, MPI_Win win) {
  MAZURKA_ENTER(Win_flush_local_all);
  if (const int code = check_window(mpi, call, win); code != 0) return code;
  return mpi.epochs.flush(call, number(win), -1, true);
}
// There is only one copy of the memory.
MAZURKA_MPI_HOOK(int, Win_sync, MPI_Win win) {
  MAZURKA_ENTER(Win_sync);
  return check_window(mpi, call, win);
}
MAZURKA_MPI_HOOK(int, Win_start, MPI_Group group, int assertion, MPI_Win win) {
  MAZURKA_ENTER(Win_start);
  int code = check_epoch(mpi, call, win, assertion);
  if (code != 0) return code;
  const auto* members = members_of(mpi, call, group, win, code);
  return members == nullptr ? code : mpi.epochs.start(call, number(win), *members);
}
MAZURKA_MPI_HOOK(int, Win_complete, MPI_Win win) {
  MAZURKA_ENTER(Win_complete);
  if (const int code = check_window(mpi, call, win); code != 0) return code;
  return mpi.epochs.complete(call, number(win));
}
MAZURKA_MPI_HOOK(int, Win_post, MPI_Group group, int assertion, MPI_Win win) {
  MAZURKA_ENTER(Win_post);
  int code = check_epoch(mpi, call, win, assertion);
  if (code != 0) return code;
  const auto* members = members_of(mpi, call, group, win, code);
  return members == nullptr ? code : mpi.epochs.post(call, number(win), *members);
}
MAZURKA_MPI_HOOK(int, Win_wait, MPI_Win win) {
  MAZURKA_ENTER(Win_wait);
  if (const int code = check_window(mpi, call, win); code != 0) return code;
  return mpi.epochs.wait(call, number(win));
}
MAZURKA_MPI_SITE_HOOK(int, Win_test, MPI_Win win, int* flag) {
  MAZURKA_ENTER_SITE(Win_test);
  if (const int code = check_window(mpi, call, win); code != 0) return code;
  bool done = false;
  const int code = mpi.epochs.test(call, number(win), &done);
  *flag = done ? 1 : 0;
  return code;
}

// --- what the program keeps with it --------------------------------------------------------------

namespace {

/// Somewhere that stays.
template <typename Value>
const void* place_of(Value value) {
  static std::set<Value> all;
  return &*all.insert(value).first;
}

/// Null: it is none of those that are there from the beginning.
const void* predefined_attribute(Mpi& mpi, MPI_Win win, int key) {
  const mazurka::mpi::Window& window = mpi.windows.of(number(win));
  const auto rank = static_cast<std::size_t>(mpi.windows.rank(number(win)));
  switch (key) {
    case MPI_WIN_BASE: return reinterpret_cast<const void*>(window.parts[rank].base);
    case MPI_WIN_SIZE: return place_of(static_cast<MPI_Aint>(window.parts[rank].size));
    case MPI_WIN_DISP_UNIT: return place_of(window.parts[rank].unit);
    case MPI_WIN_CREATE_FLAVOR: return place_of(window.made);
    case MPI_WIN_MODEL: return place_of(MPI_WIN_UNIFIED);
    default: return nullptr;
  }
}

bool is_predefined(int key) { return key >= MPI_WIN_BASE && key <= MPI_WIN_MODEL; }

}  // namespace

MAZURKA_MPI_HOOK(int, Win_create_keyval, MPI_Win_copy_attr_function* copy,
                 MPI_Win_delete_attr_function* remove, int* key, void* extra) {
  return PMPI_Comm_create_keyval(reinterpret_cast<MPI_Comm_copy_attr_function*>(copy),
                                 reinterpret_cast<MPI_Comm_delete_attr_function*>(remove), key,
                                 extra);
}
MAZURKA_MPI_HOOK(int, Win_free_keyval, int* key) { return PMPI_Comm_free_keyval(key); }
MAZURKA_MPI_HOOK(int, Win_set_attr, MPI_Win win, int key, void* value) {
  MAZURKA_ENTER(Win_set_attr);
  Check check = mpi.checks.check(call, number(win));
  check.window().that(is_key(mpi, key), MPI_ERR_KEYVAL, "there is no such key");
  if (check.failed() != 0) return check.failed();
  auto& all = mpi.windows.held(number(win)).attributes;
  std::erase_if(all, [&](const auto& one) { return one.first == key - first_key; });
  all.emplace_back(key - first_key, value);
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Win_get_attr, MPI_Win win, int key, void* value, int* flag) {
  MAZURKA_ENTER(Win_get_attr);
  Check check = mpi.checks.check(call, number(win));
  check.window().that(is_predefined(key) || is_key(mpi, key), MPI_ERR_KEYVAL,
                      "there is no such key");
  if (check.failed() != 0) return check.failed();
  *flag = is_predefined(key) ? 1 : 0;
  if (*flag != 0) *static_cast<const void**>(value) = predefined_attribute(mpi, win, key);
  for (const auto& [own_key, own_value] : mpi.windows.held(number(win)).attributes) {
    if (own_key != key - first_key) continue;
    *static_cast<void**>(value) = own_value;
    *flag = 1;
  }
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Win_delete_attr, MPI_Win win, int key) {
  MAZURKA_ENTER(Win_delete_attr);
  Check check = mpi.checks.check(call, number(win));
  check.window().that(is_key(mpi, key), MPI_ERR_KEYVAL, "there is no such key");
  if (check.failed() != 0) return check.failed();
  std::erase_if(mpi.windows.held(number(win)).attributes,
                [&](const auto& one) { return one.first == key - first_key; });
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Win_get_group, MPI_Win win, MPI_Group* group) {
  MAZURKA_ENTER(Win_get_group);
  if (const int code = check_window(mpi, call, win); code != 0) return code;
  const auto& held = mpi.windows.held(number(win));
  const auto& all = mpi.own_rank().communicators[held.communicator];
  *group = reinterpret_cast<MPI_Group>(
      mpi.communicators.add_group(mpi.world().communicators[all.communicator].members));
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Win_set_name, MPI_Win win, const char* name) {
  MAZURKA_ENTER(Win_set_name);
  if (const int code = check_window(mpi, call, win); code != 0) return code;
  mpi.windows.of(number(win)).name = name;
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Win_get_name, MPI_Win win, char* name, int* length) {
  MAZURKA_ENTER(Win_get_name);
  if (const int code = check_window(mpi, call, win); code != 0) return code;
  const std::string& text = mpi.windows.of(number(win)).name;
  std::strcpy(name, text.c_str());
  *length = static_cast<int>(text.size());
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Win_set_info, MPI_Win win, MPI_Info info) {
  MAZURKA_ENTER(Win_set_info);
  return note_info(mpi, info, &win, check_window(mpi, call, win));
}
MAZURKA_MPI_HOOK(int, Win_get_info, MPI_Win win, MPI_Info* info) {
  MAZURKA_ENTER(Win_get_info);
  if (const int code = check_window(mpi, call, win); code != 0) return code;
  return make_info(mpi, mpi.windows.held(number(win)).info, info);
}

// --- errors --------------------------------------------------------------------------------------

MAZURKA_MPI_HOOK(int, Win_create_errhandler, MPI_Win_errhandler_function* function,
                 MPI_Errhandler* handler) {
  return PMPI_Comm_create_errhandler(reinterpret_cast<MPI_Comm_errhandler_function*>(function),
                                     handler);
}
MAZURKA_MPI_HOOK(int, Win_set_errhandler, MPI_Win win, MPI_Errhandler handler) {
  MAZURKA_ENTER(Win_set_errhandler);
  if (const int code = check_window(mpi, call, win); code != 0) return code;
  mpi.windows.held(number(win)).handler = number(handler);
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Win_get_errhandler, MPI_Win win, MPI_Errhandler* handler) {
  MAZURKA_ENTER(Win_get_errhandler);
  if (const int code = check_window(mpi, call, win); code != 0) return code;
  const std::uint64_t known = mpi.windows.held(number(win)).handler;
  *handler = known == 0 ? MPI_ERRORS_ARE_FATAL : reinterpret_cast<MPI_Errhandler>(known);
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Win_call_errhandler, MPI_Win win, int code) {
  MAZURKA_ENTER(Win_call_errhandler);
  Check check = mpi.checks.check(call, number(win));
  check.window().that(mpi.checks.returns_errors(number(win)), code, "an error, which is fatal");
  if (check.failed() == 0) mpi.checks.call_handler(number(win), code);
  return MPI_SUCCESS;
}
