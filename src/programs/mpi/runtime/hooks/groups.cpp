// Groups of ranks.
#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "programs/mpi/runtime/handles.hpp"
#include "programs/mpi/runtime/hooks/mpi_hook.hpp"

namespace {

using mazurka::mpi::Check;
using mazurka::mpi::Communicator;
using mazurka::mpi::Group;
using mazurka::mpi::HandleKind;
using mazurka::mpi::Mpi;
using mazurka::mpi::number;
using mazurka::threads::EngineScope;

using Members = std::vector<int>;

/// Null after an error that is returned.
const Members* members_of(Mpi& mpi, const char* call, MPI_Group group, int& code) {
  Check check = mpi.checks.check(call, number(MPI_COMM_WORLD));
  const Group* found = mpi.communicators.find_group(number(group));
  check.that(found != nullptr, MPI_ERR_GROUP,
             group == MPI_GROUP_NULL ? "the group is MPI_GROUP_NULL"
                                     : "the group does not exist, or was freed");
  code = check.failed();
  return found == nullptr ? nullptr : &found->members;
}

int add(Mpi& mpi, const char* call, Members members, MPI_Group* result) {
  Check check = mpi.checks.check(call, number(MPI_COMM_WORLD));
  check.that(result != nullptr, MPI_ERR_ARG, "there is no place for the result");
  if (check.failed() != 0) return check.failed();
  *result = reinterpret_cast<MPI_Group>(mpi.communicators.add_group(std::move(members)));
  return MPI_SUCCESS;
}

int place_of(const Members& members, int rank) {
  const auto found = std::find(members.begin(), members.end(), rank);
  return found == members.end() ? MPI_UNDEFINED : static_cast<int>(found - members.begin());
}

/// The places that are named, checked; empty after an error that is returned.
int chosen(Mpi& mpi, const char* call, const Members& all, int count, const int* ranks,
           std::vector<bool>& named) {
  Check check = mpi.checks.check(call, number(MPI_COMM_WORLD));
  named.assign(all.size(), false);
  check.that(count >= 0, MPI_ERR_ARG, "the count is negative");
  for (int nth = 0; nth < count && check.failed() == 0; ++nth) {
    check.that(ranks[nth] >= 0 && static_cast<std::size_t>(ranks[nth]) < all.size(), MPI_ERR_RANK,
               "there is no rank " + std::to_string(ranks[nth]) + " in the group");
    if (check.failed() != 0) break;
    const auto place = static_cast<std::size_t>(ranks[nth]);
    check.that(!named[place], MPI_ERR_RANK, "a rank is named twice");
    named[place] = true;
  }
  return check.failed();
}

/// The ranks of ranges (first, last, stride).
std::vector<int> ranks_in(int count, int ranges[][3]) {
  std::vector<int> ranks;
  for (int nth = 0; nth < count; ++nth) {
    const int stride = ranges[nth][2];
    if (stride == 0) continue;
    for (int rank = ranges[nth][0]; stride > 0 ? rank <= ranges[nth][1] : rank >= ranges[nth][1];
         rank += stride) {
      ranks.push_back(rank);
    }
  }
  return ranks;
}

int include(Mpi& mpi, const char* call, MPI_Group group, int count, const int* ranks,
            MPI_Group* result) {
  int code = 0;
  const Members* all = members_of(mpi, call, group, code);
  std::vector<bool> named;
  if (code == 0) code = chosen(mpi, call, *all, count, ranks, named);
  if (code != 0) return code;
  Members members;
  for (int nth = 0; nth < count; ++nth) {
    members.push_back((*all)[static_cast<std::size_t>(ranks[nth])]);
  }
  return add(mpi, call, std::move(members), result);
}

int exclude(Mpi& mpi, const char* call, MPI_Group group, int count, const int* ranks,
            MPI_Group* result) {
  int code = 0;
  const Members* all = members_of(mpi, call, group, code);
  std::vector<bool> named;
  if (code == 0) code = chosen(mpi, call, *all, count, ranks, named);
  if (code != 0) return code;
  Members members;
  for (std::size_t place = 0; place < all->size(); ++place) {
    if (!named[place]) members.push_back((*all)[place]);
  }
  return add(mpi, call, std::move(members), result);
}

/// What `combine` makes of the members of two groups.
template <typename Combine>
int together(Mpi& mpi, const char* call, MPI_Group first, MPI_Group second, MPI_Group* result,
             Combine&& combine) {
  int code = 0;
  const Members* one = members_of(mpi, call, first, code);
  if (code != 0) return code;
  const Members* other = members_of(mpi, call, second, code);
  if (code != 0) return code;
  return add(mpi, call, combine(*one, *other), result);
}

bool contains(const Members& members, int rank) {
  return std::find(members.begin(), members.end(), rank) != members.end();
}

}  // namespace

MAZURKA_MPI_HOOK(int, Comm_group, MPI_Comm comm, MPI_Group* group) {
  MAZURKA_ENTER(Comm_group);
  const EngineScope scope;
  Check check = mpi.checks.check(call, number(comm));
  if (check.communicator().failed() != 0) return check.failed();
  const Communicator& all = mpi.communicators.of(number(comm));
  return add(mpi, call, all.members_at(all.group_of(mpi.communicators.place(number(comm)))), group);
}
MAZURKA_MPI_HOOK(int, Group_size, MPI_Group group, int* size) {
  MAZURKA_ENTER(Group_size);
  const EngineScope scope;
  int code = 0;
  const Members* all = members_of(mpi, call, group, code);
  if (code == 0) *size = static_cast<int>(all->size());
  return code;
}
MAZURKA_MPI_HOOK(int, Group_rank, MPI_Group group, int* rank) {
  MAZURKA_ENTER(Group_rank);
  const EngineScope scope;
  int code = 0;
  const Members* all = members_of(mpi, call, group, code);
  if (code == 0) *rank = place_of(*all, mazurka::threads::runtime->current().rank);
  return code;
}
MAZURKA_MPI_HOOK(int, Group_compare, MPI_Group first, MPI_Group second, int* result) {
  MAZURKA_ENTER(Group_compare);
  const EngineScope scope;
  int code = 0;
  const Members* one = members_of(mpi, call, first, code);
  if (code != 0) return code;
  const Members* other = members_of(mpi, call, second, code);
  if (code != 0) return code;
  const bool similar = std::is_permutation(one->begin(), one->end(), other->begin(), other->end());
  *result = *one == *other ? MPI_IDENT : similar ? MPI_SIMILAR : MPI_UNEQUAL;
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Group_translate_ranks, MPI_Group from, int count, const int ranks[],
                 MPI_Group to, int result[]) {
  MAZURKA_ENTER(Group_translate_ranks);
  const EngineScope scope;
  int code = 0;
  const Members* one = members_of(mpi, call, from, code);
  if (code != 0) return code;
  const Members* other = members_of(mpi, call, to, code);
  if (code != 0) return code;
  Check check = mpi.checks.check(call, number(MPI_COMM_WORLD));
  for (int nth = 0; nth < count; ++nth) {
    if (ranks[nth] == MPI_PROC_NULL) {
      result[nth] = MPI_PROC_NULL;
      continue;
    }
    check.that(ranks[nth] >= 0 && static_cast<std::size_t>(ranks[nth]) < one->size(), MPI_ERR_RANK,
               "there is no rank " + std::to_string(ranks[nth]) + " in the group");
    if (check.failed() != 0) return check.failed();
    result[nth] = place_of(*other, (*one)[static_cast<std::size_t>(ranks[nth])]);
  }
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Group_incl, MPI_Group group, int count, const int ranks[],
                 MPI_Group* result) {
  MAZURKA_ENTER(Group_incl);
  const EngineScope scope;
  return include(mpi, call, group, count, ranks, result);
}
MAZURKA_MPI_HOOK(int, Group_excl, MPI_Group group, int count, const int ranks[],
                 MPI_Group* result) {
  MAZURKA_ENTER(Group_excl);
  const EngineScope scope;
  return exclude(mpi, call, group, count, ranks, result);
}
MAZURKA_MPI_HOOK(int, Group_range_incl, MPI_Group group, int count, int ranges[][3],
                 MPI_Group* result) {
  MAZURKA_ENTER(Group_range_incl);
  const EngineScope scope;
  const std::vector<int> ranks = ranks_in(count, ranges);
  return include(mpi, call, group, static_cast<int>(ranks.size()), ranks.data(), result);
}
MAZURKA_MPI_HOOK(int, Group_range_excl, MPI_Group group, int count, int ranges[][3],
                 MPI_Group* result) {
  MAZURKA_ENTER(Group_range_excl);
  const EngineScope scope;
  const std::vector<int> ranks = ranks_in(count, ranges);
  return exclude(mpi, call, group, static_cast<int>(ranks.size()), ranks.data(), result);
}
MAZURKA_MPI_HOOK(int, Group_union, MPI_Group first, MPI_Group second, MPI_Group* result) {
  MAZURKA_ENTER(Group_union);
  const EngineScope scope;
  return together(mpi, call, first, second, result, [](const Members& one, const Members& other) {
    Members all = one;
    std::copy_if(other.begin(), other.end(), std::back_inserter(all),
                 [&](int rank) { return !contains(one, rank); });
    return all;
  });
}
MAZURKA_MPI_HOOK(int, Group_intersection, MPI_Group first, MPI_Group second, MPI_Group* result) {
  MAZURKA_ENTER(Group_intersection);
  const EngineScope scope;
  return together(mpi, call, first, second, result, [](const Members& one, const Members& other) {
    Members all;
    std::copy_if(one.begin(), one.end(), std::back_inserter(all),
                 [&](int rank) { return contains(other, rank); });
    return all;
  });
}
MAZURKA_MPI_HOOK(int, Group_difference, MPI_Group first, MPI_Group second, MPI_Group* result) {
  MAZURKA_ENTER(Group_difference);
  const EngineScope scope;
  return together(mpi, call, first, second, result, [](const Members& one, const Members& other) {
    Members all;
    std::copy_if(one.begin(), one.end(), std::back_inserter(all),
                 [&](int rank) { return !contains(other, rank); });
    return all;
  });
}
MAZURKA_MPI_HOOK(int, Group_free, MPI_Group* group) {
  MAZURKA_ENTER(Group_free);
  const EngineScope scope;
  int code = 0;
  (void)members_of(mpi, call, *group, code);
  if (code != 0) return code;
  if (mazurka::mpi::is_handle(number(*group), HandleKind::group)) {
    mpi.own_rank().groups[mazurka::mpi::number_in(number(*group))].freed = true;
  }
  *group = MPI_GROUP_NULL;
  return MPI_SUCCESS;
}
