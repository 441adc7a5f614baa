// Communicators.
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
using mazurka::mpi::first_key;
using mazurka::mpi::held;
using mazurka::mpi::key_of;
using mazurka::mpi::Mpi;
using mazurka::mpi::number;
using mazurka::mpi::refused_attribute;
using mazurka::mpi::remove_attributes;
using mazurka::threads::EngineScope;

MPI_Comm as_handle(std::uint64_t value) { return reinterpret_cast<MPI_Comm>(value); }

/// Those at these places with the same first number, ordered by the second and by rank.
std::vector<int> members_like(const Collective& made, const Communicator& parent,
                              const std::vector<int>& places, std::int64_t color) {
  std::vector<std::pair<std::int64_t, int>> chosen;
  for (const int place : places) {
    const Arrival& one = made.arrivals[static_cast<std::size_t>(place)];
    if (one.numbers[0] == color) chosen.emplace_back(one.numbers[1], place);
  }
  std::stable_sort(chosen.begin(), chosen.end(),
                   [](const auto& one, const auto& other) { return one.first < other.first; });
  std::vector<int> members;
  for (const auto& [key, rank] : chosen) {
    members.push_back(parent.members[static_cast<std::size_t>(rank)]);
  }
  return members;
}

/// Between two groups, one between the parts of both; if there are none in one of them, there is
/// nothing to make.
MPI_Comm add_between(Mpi& mpi, const Communicator& parent, mazurka::mpi::CommunicatorKey key,
                     std::vector<int> first, const std::vector<int>& second) {
  if (first.empty() || second.empty()) return MPI_COMM_NULL;
  Communicator fresh;
  fresh.key = key;
  fresh.first_group = first.size();
  fresh.members = std::move(first);
  fresh.members.insert(fresh.members.end(), second.begin(), second.end());
  fresh.name = "a part of " + parent.name;
  return as_handle(mpi.communicators.add(std::move(fresh)));
}

MPI_Comm split(Mpi& mpi, const char* call, MPI_Comm comm, int color, int key) {
  const EngineScope scope;
  const std::array<std::int64_t, 2> numbers{color, key};
  const Collective& made = mpi.communicators.construct(call, number(comm), numbers);
  if (color == MPI_UNDEFINED) return MPI_COMM_NULL;
  const Communicator& parent = mpi.communicators.of(number(comm));
  const auto chosen = [&](const std::vector<int>& places) {
    return members_like(made, parent, places, color);
  };
  const auto new_key = key_of(made, static_cast<std::uint64_t>(color) + 1);
  const auto first = static_cast<int>(parent.first_group);
  if (parent.is_between()) {
    return add_between(mpi, parent, new_key, chosen(parent.group_of(0)),
                       chosen(parent.group_of(first)));
  }
  Communicator fresh;
  fresh.members = chosen(parent.group_of(0));
  fresh.key = new_key;
  fresh.name = "a part of " + parent.name;
  return as_handle(mpi.communicators.add(std::move(fresh)));
}

/// Whether those who are members of the group have brought it, too.
bool all_name_it(const Collective& made, const Communicator& parent,
                 const std::vector<int>& members) {
  for (std::size_t rank = 0; rank < made.arrivals.size(); ++rank) {
    const bool is_member =
        std::find(members.begin(), members.end(), parent.members[rank]) != members.end();
    const std::vector<std::int64_t>& brought = made.arrivals[rank].numbers;
    if (is_member && !std::equal(brought.begin(), brought.end(), members.begin(), members.end())) {
      return false;
    }
  }
  return true;
}

/// Each group names those of its own who take part.
int create_between(Mpi& mpi, const char* call, MPI_Comm comm, MPI_Group group, Check& check,
                   MPI_Comm* result) {
  const int place = mpi.communicators.place(number(comm));
  const auto members = [&] { return mpi.communicators.find_group(number(group))->members; };
  for (const int member : members()) {
    const Communicator& all = mpi.communicators.of(number(comm));
    const std::vector<int> own = all.group_of(place);
    check.that(std::find(own.begin(), own.end(), all.place_of(member)) != own.end(), MPI_ERR_GROUP,
               "the group has a member that is not of the own group");
  }
  if (check.failed() != 0) return check.failed();
  const Collective& made = mpi.communicators.construct_of(
      call, number(comm), *mpi.communicators.find_group(number(group)));
  const auto brought = [&](int at) -> const std::vector<std::int64_t>& {
    return made.arrivals[static_cast<std::size_t>(at)].numbers;
  };
  const Communicator& parent = mpi.communicators.of(number(comm));
  for (const int other : parent.group_of(place)) {
    check.that(brought(other) == brought(place), MPI_ERR_GROUP,
               "the ranks of a group do not name the same group");
  }
  *result = MPI_COMM_NULL;
  const std::vector<int> own = members();
  const int self = parent.members[static_cast<std::size_t>(place)];
  const bool takes_part = std::find(own.begin(), own.end(), self) != own.end();
  if (check.failed() != 0 || !takes_part) return check.failed();
  const std::vector<std::int64_t>& there = brought(parent.partners_of(place).front());
  const std::vector<int> others(there.begin(), there.end());
  const bool is_first = place < static_cast<int>(parent.first_group);
  *result =
      add_between(mpi, parent, key_of(made, 1), is_first ? own : others, is_first ? others : own);
  return MPI_SUCCESS;
}

/// The attributes of the old one, as their keys say; what a function of the program has answered.
int copy_attributes(Mpi& mpi, MPI_Comm from, MPI_Comm to) {
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
      const int code = copy(from, key + first_key, keyval.extra, value, &copied, &flag);
      mazurka::threads::inside_engine = true;
      if (code != MPI_SUCCESS) return code;
    }
    if (flag != 0) held(mpi, to).attributes.emplace_back(key, copied);
  }
  return MPI_SUCCESS;
}

/// The copy keeps what belongs to the original. If a function of the program refuses an attribute,
/// there is no copy.
int complete_copy(Mpi& mpi, const char* call, MPI_Comm from, MPI_Comm* copy) {
  held(mpi, *copy).handler = held(mpi, from).handler;
  held(mpi, *copy).info = held(mpi, from).info;
  const int code = copy_attributes(mpi, from, *copy);
  if (code == MPI_SUCCESS) return code;
  (void)remove_attributes(mpi, *copy);
  held(mpi, *copy).freed = true;
  *copy = MPI_COMM_NULL;
  return refused_attribute(mpi, call, from, "copies", code);
}

/// The communicator was made with that info and no other, if all went well.
int note_info(Mpi& mpi, MPI_Info info, const MPI_Comm* comm, int code) {
  if (code != 0 || *comm == MPI_COMM_NULL) return code;
  held(mpi, *comm).info.clear();
  take_over(mpi, info, held(mpi, *comm).info);
  return code;
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
  return complete_copy(mpi, call, comm, result);
}

int begin_duplicate(Mpi& mpi, const char* call, MPI_Comm comm, MPI_Comm* result,
                    MPI_Request* request) {
  Check check = mpi.checks.check(call, number(comm));
  check.communicator()
      .that(result != nullptr, MPI_ERR_ARG, "there is no place for the result")
      .that(request != nullptr, MPI_ERR_ARG, "there is no place for the request");
  if (check.failed() != 0) return check.failed();
  *result = as_handle(
      mpi.communicators.begin_copy(call, number(comm), reinterpret_cast<std::uint64_t*>(request)));
  return complete_copy(mpi, call, comm, result);
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
  const Communicator& all = mpi.communicators.of(number(comm));
  *size = static_cast<int>(all.group_of(mpi.communicators.place(number(comm))).size());
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Comm_dup, MPI_Comm comm, MPI_Comm* result) {
  MAZURKA_ENTER(Comm_dup);
  return duplicate(mpi, call, comm, result);
}
MAZURKA_MPI_HOOK(int, Comm_dup_with_info, MPI_Comm comm, MPI_Info info, MPI_Comm* result) {
  MAZURKA_ENTER(Comm_dup_with_info);
  return note_info(mpi, info, result, duplicate(mpi, call, comm, result));
}
MAZURKA_MPI_HOOK(int, Comm_idup, MPI_Comm comm, MPI_Comm* result, MPI_Request* request) {
  MAZURKA_ENTER(Comm_idup);
  return begin_duplicate(mpi, call, comm, result, request);
}
MAZURKA_MPI_HOOK(int, Comm_idup_with_info, MPI_Comm comm, MPI_Info info, MPI_Comm* result,
                 MPI_Request* request) {
  MAZURKA_ENTER(Comm_idup_with_info);
  return note_info(mpi, info, result, begin_duplicate(mpi, call, comm, result, request));
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
MAZURKA_MPI_HOOK(int, Comm_split_type, MPI_Comm comm, int split_type, int key, MPI_Info info,
                 MPI_Comm* result) {
  MAZURKA_ENTER(Comm_split_type);
  Check check = mpi.checks.check(call, number(comm));
  check.communicator().one_group().that(
      split_type == MPI_COMM_TYPE_SHARED || split_type == MPI_UNDEFINED, MPI_ERR_ARG,
      "there is no such way to split");
  if (check.failed() != 0) return check.failed();
  *result = split(mpi, call, comm, split_type == MPI_UNDEFINED ? MPI_UNDEFINED : 0, key);
  return note_info(mpi, info, result, MPI_SUCCESS);
}
MAZURKA_MPI_HOOK(int, Comm_create, MPI_Comm comm, MPI_Group group, MPI_Comm* result) {
  MAZURKA_ENTER(Comm_create);
  const EngineScope scope;
  Check check = mpi.checks.check(call, number(comm));
  check.communicator().that(mpi.communicators.find_group(number(group)) != nullptr, MPI_ERR_GROUP,
                            "there is no such group");
  check.that(result != nullptr, MPI_ERR_ARG, "there is no place for the result");
  if (check.failed() != 0) return check.failed();
  if (mpi.checks.is_between(number(comm))) {
    return create_between(mpi, call, comm, group, check, result);
  }
  const Collective& made = mpi.communicators.construct_of(
      call, number(comm), *mpi.communicators.find_group(number(group)));
  const std::vector<int> members = mpi.communicators.find_group(number(group))->members;
  const int own = mazurka::threads::runtime->current().rank;
  *result = MPI_COMM_NULL;
  if (std::find(members.begin(), members.end(), own) == members.end()) return MPI_SUCCESS;
  check.that(all_name_it(made, mpi.communicators.of(number(comm)), members), MPI_ERR_GROUP,
             "a member of the group names another group");
  if (check.failed() != 0) return check.failed();
  Communicator fresh;
  fresh.members = members;
  fresh.key = key_of(made, static_cast<std::uint64_t>(members.front()) + 1);
  fresh.name = "a part of " + mpi.communicators.of(number(comm)).name;
  *result = as_handle(mpi.communicators.add(std::move(fresh)));
  return MPI_SUCCESS;
}
// Only the members of the group take part.
MAZURKA_MPI_HOOK(int, Comm_create_group, MPI_Comm comm, MPI_Group group, int tag,
                 MPI_Comm* result) {
  MAZURKA_ENTER(Comm_create_group);
  Check check = mpi.checks.check(call, number(comm));
  const auto* known = mpi.communicators.find_group(number(group));
  check.communicator()
      .that(known != nullptr, MPI_ERR_GROUP, "there is no such group")
      .that(tag >= 0, MPI_ERR_TAG, "the tag is negative")
      .that(result != nullptr, MPI_ERR_ARG, "there is no place for the result");
  if (check.failed() != 0) return check.failed();
  const int own = mazurka::threads::runtime->current().rank;
  *result = MPI_COMM_NULL;
  const bool takes_part =
      std::find(known->members.begin(), known->members.end(), own) != known->members.end();
  if (!takes_part) return MPI_SUCCESS;
  const Collective& made = mpi.communicators.construct_in_group(call, number(comm), *known, tag);
  Communicator fresh;
  fresh.members = mpi.communicators.find_group(number(group))->members;
  fresh.key = key_of(made, 0);
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
  if (const int code = remove_attributes(mpi, *comm); code != MPI_SUCCESS) {
    return refused_attribute(mpi, call, *comm, "deletes", code);
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
  } else if (a.first_group != b.first_group) {
    *result = MPI_UNEQUAL;
  } else if (a.members == b.members) {
    *result = MPI_CONGRUENT;
  } else if (std::is_permutation(a.members.begin(), a.members.end(), b.members.begin(),
                                 b.members.end())) {
    *result = MPI_SIMILAR;
  }
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Comm_set_info, MPI_Comm comm, MPI_Info info) {
  MAZURKA_ENTER(Comm_set_info);
  const int code = mpi.checks.check(call, number(comm)).communicator().failed();
  if (code == 0) take_over(mpi, info, held(mpi, comm).info);
  return code;
}
MAZURKA_MPI_HOOK(int, Comm_get_info, MPI_Comm comm, MPI_Info* info) {
  MAZURKA_ENTER(Comm_get_info);
  const int code = mpi.checks.check(call, number(comm)).communicator().failed();
  return code != 0 ? code : make_info(mpi, held(mpi, comm).info, info);
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
