// Communicators between two groups.
//
// The leaders tell each other, on a communicator that no program sees, who is in their groups, and
// tell the others of their own group. The group whose leader has the lower rank comes first.
#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "programs/mpi/runtime/handles.hpp"
#include "programs/mpi/runtime/hooks/mpi_hook.hpp"

namespace {

using mazurka::mpi::Check;
using mazurka::mpi::Collective;
using mazurka::mpi::Communicator;
using mazurka::mpi::Group;
using mazurka::mpi::key_of;
using mazurka::mpi::Mpi;
using mazurka::mpi::number;

using Numbers = std::vector<std::int64_t>;

Check checked_between(Mpi& mpi, const char* call, MPI_Comm comm) {
  Check check = mpi.checks.check(call, number(comm));
  check.communicator();
  if (check.failed() == 0) {
    check.that(mpi.checks.is_between(number(comm)), MPI_ERR_COMM,
               "the communicator is not one between two groups");
  }
  return check;
}

/// What the leader has to tell its own group, as a draft: the key, whether they come first, and the
/// members of the other group.
void meet_other_leader(Mpi& mpi, const char* call, MPI_Comm local, MPI_Comm peer, int here,
                       int there, int tag) {
  std::uint32_t meeting = 0;
  {
    const std::vector<int>& all = mpi.communicators.of(number(peer)).members;
    Group leaders;
    for (const int leader : {std::min(here, there), std::max(here, there)}) {
      leaders.members.push_back(all[static_cast<std::size_t>(leader)]);
    }
    constexpr std::int64_t not_of_create_group = std::int64_t{1} << 32U;
    meeting = mpi.communicators.hidden_number(number(peer), leaders, tag + not_of_create_group);
    const std::vector<int>& own = mpi.communicators.of(number(local)).members;
    mpi.collectives.draft().numbers.assign(own.begin(), own.end());
  }
  const Collective& met = mpi.communicators.construct_at(call, meeting);
  const bool is_first = here < there;
  const Numbers& others = met.arrivals[is_first ? 1 : 0].numbers;
  Numbers& told = mpi.collectives.draft().numbers;
  told = {static_cast<std::int64_t>(key_of(met, 0)), is_first ? 1 : 0};
  told.insert(told.end(), others.begin(), others.end());
}

}  // namespace

MAZURKA_MPI_HOOK(int, Intercomm_create, MPI_Comm local, int local_leader, MPI_Comm peer,
                 int remote_leader, int tag, MPI_Comm* result) {
  MAZURKA_ENTER(Intercomm_create);
  Check check = mpi.checks.check(call, number(local));
  check.communicator().one_group().root(local_leader).send_tag(tag);
  check.that(result != nullptr, MPI_ERR_ARG, "there is no place for the result");
  if (check.failed() != 0) return check.failed();
  const bool leads = mpi.communicators.rank(number(local)) == local_leader;
  if (leads) {
    Check other = mpi.checks.check(call, number(peer));
    other.communicator().one_group().root(remote_leader);
    if (other.failed() != 0) return other.failed();
    const int here = mpi.communicators.place(number(peer));
    other.that(here >= 0 && here != remote_leader, MPI_ERR_RANK,
               "the leaders are not two ranks of the communicator on which they meet");
    if (other.failed() != 0) return other.failed();
    meet_other_leader(mpi, call, local, peer, here, remote_leader, tag);
  } else {
    (void)mpi.collectives.draft();
  }
  const auto group = static_cast<std::uint32_t>(mpi.checks.number_of_communicator(number(local)));
  const Collective& made = mpi.communicators.construct_at(call, group);
  const Numbers& told = made.arrivals[static_cast<std::size_t>(local_leader)].numbers;
  check.that(told.size() > 2, MPI_ERR_ARG, "the ranks name different leaders");
  if (check.failed() != 0) return check.failed();
  const std::vector<int>& own = mpi.communicators.of(number(local)).members;
  Communicator fresh;
  fresh.key = static_cast<std::uint64_t>(told[0]);
  fresh.members.assign(told.begin() + 2, told.end());
  fresh.first_group = told[1] != 0 ? own.size() : fresh.members.size();
  fresh.members.insert(told[1] != 0 ? fresh.members.begin() : fresh.members.end(), own.begin(),
                       own.end());
  fresh.name = "a communicator between two groups";
  *result = reinterpret_cast<MPI_Comm>(mpi.communicators.add(std::move(fresh)));
  return MPI_SUCCESS;
}

// Those who say that they are high come last; if both groups say the same, the first comes first.
MAZURKA_MPI_HOOK(int, Intercomm_merge, MPI_Comm comm, int high, MPI_Comm* result) {
  MAZURKA_ENTER(Intercomm_merge);
  Check check = checked_between(mpi, call, comm);
  check.that(result != nullptr, MPI_ERR_ARG, "there is no place for the result");
  if (check.failed() != 0) return check.failed();
  const std::array<std::int64_t, 1> numbers{high != 0 ? 1 : 0};
  const Collective& made = mpi.communicators.construct(call, number(comm), numbers);
  const Communicator& between = mpi.communicators.of(number(comm));
  const std::size_t first = between.first_group;
  for (std::size_t place = 0; place < made.arrivals.size(); ++place) {
    const std::size_t model = place < first ? 0 : first;
    check.that(made.arrivals[place].numbers == made.arrivals[model].numbers, MPI_ERR_ARG,
               "the ranks of a group do not agree whether they are high");
  }
  if (check.failed() != 0) return check.failed();
  const bool turned = made.arrivals[0].numbers[0] > made.arrivals[first].numbers[0];
  Communicator fresh;
  fresh.key = key_of(made, 0);
  fresh.members = between.members_at(between.group_of(turned ? static_cast<int>(first) : 0));
  const std::vector<int> others =
      between.members_at(between.group_of(turned ? 0 : static_cast<int>(first)));
  fresh.members.insert(fresh.members.end(), others.begin(), others.end());
  fresh.name = "two groups merged";
  *result = reinterpret_cast<MPI_Comm>(mpi.communicators.add(std::move(fresh)));
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Comm_test_inter, MPI_Comm comm, int* flag) {
  MAZURKA_ENTER(Comm_test_inter);
  Check check = mpi.checks.check(call, number(comm));
  if (check.communicator().failed() != 0) return check.failed();
  *flag = mpi.checks.is_between(number(comm)) ? 1 : 0;
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Comm_remote_size, MPI_Comm comm, int* size) {
  MAZURKA_ENTER(Comm_remote_size);
  Check check = checked_between(mpi, call, comm);
  if (check.failed() == 0) *size = mpi.checks.partners_of_communicator(number(comm));
  return check.failed();
}
MAZURKA_MPI_HOOK(int, Comm_remote_group, MPI_Comm comm, MPI_Group* group) {
  MAZURKA_ENTER(Comm_remote_group);
  Check check = checked_between(mpi, call, comm);
  if (check.failed() != 0) return check.failed();
  const Communicator& between = mpi.communicators.of(number(comm));
  const int place = mpi.communicators.place(number(comm));
  *group = reinterpret_cast<MPI_Group>(
      mpi.communicators.add_group(between.members_at(between.partners_of(place))));
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Comm_get_parent, MPI_Comm* parent) {
  MAZURKA_ENTER(Comm_get_parent);
  mpi.checks.require_running(call);
  *parent = MPI_COMM_NULL;  // nobody was spawned
  return MPI_SUCCESS;
}
