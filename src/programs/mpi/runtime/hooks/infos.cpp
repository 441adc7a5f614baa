// Infos: words that a program tells of itself, also before MPI_Init and after MPI_Finalize (since
// MPI 4.0).
#include <algorithm>
#include <cstring>
#include <string>

#include "programs/mpi/runtime/handles.hpp"
#include "programs/mpi/runtime/hooks/mpi_hook.hpp"

namespace {

using mazurka::mpi::Check;
using mazurka::mpi::HandleKind;
using mazurka::mpi::Info;
using mazurka::mpi::Mpi;
using mazurka::mpi::number;
using mazurka::threads::EngineScope;

/// Null: there is none.
Info* look_for(Mpi& mpi, MPI_Info info) {
  auto& all = mpi.own_rank().infos;
  const bool known = mazurka::mpi::is_handle(number(info), HandleKind::info) &&
                     mazurka::mpi::number_in(number(info)) < all.size() &&
                     !all[mazurka::mpi::number_in(number(info))].freed;
  return known ? &all[mazurka::mpi::number_in(number(info))] : nullptr;
}

/// Null after an error that is returned.
Info* find(Mpi& mpi, const char* call, MPI_Info info, int& code) {
  Check check = mpi.checks.check_at_any_time(call);
  Info* const known = look_for(mpi, info);
  check.that(known != nullptr, MPI_ERR_INFO, "the info does not exist, or was freed");
  code = check.failed();
  return known;
}

void set(mazurka::mpi::Entries& entries, const std::string& key, const std::string& value) {
  std::erase_if(entries, [&](const auto& one) { return one.first == key; });
  entries.emplace_back(key, value);
}

int add(Mpi& mpi, Info fresh, MPI_Info* result) {
  auto& all = mpi.own_rank().infos;
  all.push_back(std::move(fresh));
  *result = reinterpret_cast<MPI_Info>(mazurka::mpi::handle_of(HandleKind::info, all.size() - 1));
  return MPI_SUCCESS;
}

const std::string* value_of(const Info& info, const char* key) {
  for (const auto& [known, value] : info.entries) {
    if (known == key) return &value;
  }
  return nullptr;
}

}  // namespace

namespace mazurka::mpi {

void take_over(Mpi& mpi, MPI_Info info, Entries& known) {
  const Info* const told = look_for(mpi, info);
  if (told == nullptr) return;
  for (const auto& [key, value] : told->entries) set(known, key, value);
}

int make_info(Mpi& mpi, const Entries& known, MPI_Info* result) {
  Info fresh;
  fresh.entries = known;
  return add(mpi, std::move(fresh), result);
}

}  // namespace mazurka::mpi

MAZURKA_MPI_HOOK(int, Info_create, MPI_Info* info) {
  MAZURKA_ENTER(Info_create);
  const EngineScope scope;
  (void)call;
  return add(mpi, {}, info);
}
MAZURKA_MPI_HOOK(int, Info_dup, MPI_Info info, MPI_Info* result) {
  MAZURKA_ENTER(Info_dup);
  const EngineScope scope;
  int code = 0;
  const Info* known = find(mpi, call, info, code);
  return known == nullptr ? code : add(mpi, *known, result);
}
MAZURKA_MPI_HOOK(int, Info_free, MPI_Info* info) {
  MAZURKA_ENTER(Info_free);
  const EngineScope scope;
  int code = 0;
  Info* known = find(mpi, call, *info, code);
  if (known == nullptr) return code;
  known->freed = true;
  *info = MPI_INFO_NULL;
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Info_set, MPI_Info info, const char* key, const char* value) {
  MAZURKA_ENTER(Info_set);
  const EngineScope scope;
  int code = 0;
  Info* known = find(mpi, call, info, code);
  if (known == nullptr) return code;
  set(known->entries, key, value);
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Info_delete, MPI_Info info, const char* key) {
  MAZURKA_ENTER(Info_delete);
  const EngineScope scope;
  int code = 0;
  Info* known = find(mpi, call, info, code);
  if (known == nullptr) return code;
  const auto gone =
      std::erase_if(known->entries, [&](const auto& one) { return one.first == key; });
  return gone == 0 ? MPI_ERR_INFO_NOKEY : MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Info_get, MPI_Info info, const char* key, int length, char* value,
                 int* flag) {
  MAZURKA_ENTER(Info_get);
  const EngineScope scope;
  int code = 0;
  const Info* known = find(mpi, call, info, code);
  if (known == nullptr) return code;
  const std::string* found = value_of(*known, key);
  *flag = found == nullptr ? 0 : 1;
  if (found == nullptr) return MPI_SUCCESS;
  const std::string text = found->substr(0, static_cast<std::size_t>(std::max(length, 0)));
  std::memcpy(value, text.c_str(), text.size() + 1);
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Info_get_valuelen, MPI_Info info, const char* key, int* length, int* flag) {
  MAZURKA_ENTER(Info_get_valuelen);
  const EngineScope scope;
  int code = 0;
  const Info* known = find(mpi, call, info, code);
  if (known == nullptr) return code;
  const std::string* found = value_of(*known, key);
  *flag = found == nullptr ? 0 : 1;
  if (found != nullptr) *length = static_cast<int>(found->size());
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Info_get_nkeys, MPI_Info info, int* count) {
  MAZURKA_ENTER(Info_get_nkeys);
  const EngineScope scope;
  int code = 0;
  const Info* known = find(mpi, call, info, code);
  if (known != nullptr) *count = static_cast<int>(known->entries.size());
  return code;
}
MAZURKA_MPI_HOOK(int, Info_get_nthkey, MPI_Info info, int n, char* key) {
  MAZURKA_ENTER(Info_get_nthkey);
  const EngineScope scope;
  int code = 0;
  const Info* known = find(mpi, call, info, code);
  if (known == nullptr) return code;
  Check check = mpi.checks.check_at_any_time(call);
  check.that(n >= 0 && static_cast<std::size_t>(n) < known->entries.size(), MPI_ERR_INFO_NOKEY,
             "there is no such key");
  if (check.failed() != 0) return check.failed();
  std::strcpy(key, known->entries[static_cast<std::size_t>(n)].first.c_str());
  return MPI_SUCCESS;
}
