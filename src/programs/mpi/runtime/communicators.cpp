#include "programs/mpi/runtime/communicators.hpp"

#include <algorithm>
#include <utility>

#include "core/check.hpp"
#include "programs/mpi/runtime/handles.hpp"

namespace mazurka::mpi {

CommunicatorKey key_of(const Collective& made, std::uint64_t part) {
  const std::uint64_t parent = fingerprint_of(made.communicator, made.nth + 1).low;
  return fingerprint_of(parent, part).low | 1U << 16U;
}

RequestRef Communicators::describe(const char* call, std::uint32_t number) {
  const RequestRef ref = requests_.add();
  Request& fresh = at(ref);
  fresh.kind = RequestKind::collective;
  fresh.call = call;
  fresh.communicator = world_.communicators[own().communicators[number].communicator].key;
  return ref;
}

RequestRef Communicators::begin(const char* call, std::uint32_t number) {
  const RequestRef ref = describe(call, number);
  Request& fresh = at(ref);
  fresh.active = true;
  ++own().owned;
  return ref;
}

int Communicators::collective(const char* call, std::uint64_t handle, std::uint64_t* request) {
  const auto number = static_cast<std::uint32_t>(checks_.number_of_communicator(handle));
  const RequestRef ref = begin(call, number);
  if (request != nullptr) *request = requests_.handle_of_request(ref);
  collectives_.arrive(ref, number);
  if (request == nullptr) (void)requests_.finish_now(ref, call);
  return 0;
}

void Communicators::plan(const char* call, std::uint64_t handle, std::uint64_t* request) {
  const auto number = static_cast<std::uint32_t>(checks_.number_of_communicator(handle));
  const RequestRef ref = describe(call, number);
  Request& fresh = at(ref);
  fresh.persistent = true;
  fresh.plan = static_cast<std::uint32_t>(own().plans.size());
  own().plans.push_back({number, std::move(world_.drafts[self().id])});
  *request = requests_.handle_of_request(ref);
}

void Communicators::start(RequestRef ref) {
  MAZURKA_CHECK(at(ref).plan < own().plans.size(), "a persistent operation has its plan");
  const Plan& plan = own().plans[at(ref).plan];
  const std::uint32_t number = plan.communicator;
  Arrival& arrival = collectives_.draft();
  arrival = plan.arrival;
  for (const Place& source : arrival.sources) {
    tell_access(source.buffer, source.layout, source.count, false);
    arrival.data.push_back(pack(source.buffer, source.layout, source.count));
  }
  at(ref).complete = false;
  at(ref).active = true;
  ++own().owned;
  collectives_.arrive(ref, number);
}

void Communicators::meet(const char* call, std::uint32_t number) {
  (void)collectives_.draft();
  const RequestRef ref = begin(call, number);
  collectives_.arrive(ref, number);
  (void)requests_.finish_now(ref, call);
}

const Collective& Communicators::construct(const char* call, std::uint64_t handle,
                                           std::span<const std::int64_t> numbers) {
  Arrival& arrival = collectives_.draft();
  arrival.shape = Shape::communicator;
  arrival.numbers.assign(numbers.begin(), numbers.end());
  return construct_at(call, static_cast<std::uint32_t>(checks_.number_of_communicator(handle)));
}

// Members that are numbers for the others: whether they mean the same group.
const Collective& Communicators::construct_of(const char* call, std::uint64_t handle,
                                              const Group& group) {
  Arrival& arrival = collectives_.draft();
  arrival.shape = Shape::communicator;
  arrival.numbers.assign(group.members.begin(), group.members.end());
  return construct_at(call, static_cast<std::uint32_t>(checks_.number_of_communicator(handle)));
}

const Collective& Communicators::construct_at(const char* call, std::uint32_t place) {
  const std::uint32_t nth = own().communicators[place].collectives;
  const RequestRef ref = begin(call, place);
  const CommunicatorKey key = at(ref).communicator;
  collectives_.arrive(ref, place);
  (void)requests_.finish_now(ref, call);
  std::size_t number = world_.collectives.size() - 1;
  while (world_.collectives[number].communicator != key || world_.collectives[number].nth != nth) {
    MAZURKA_CHECK(number > 0, "the operation that has ended is there");
    --number;
  }
  return world_.collectives[number];
}

// All that the copy needs to know is known already.
std::uint64_t Communicators::begin_copy(const char* call, std::uint64_t handle,
                                        std::uint64_t* request) {
  const auto place = static_cast<std::uint32_t>(checks_.number_of_communicator(handle));
  std::uint64_t copy = 0;
  {
    Communicator fresh = of(handle);
    Collective making;
    making.communicator = fresh.key;
    making.nth = own().communicators[place].collectives;
    fresh.key = key_of(making, 0);
    fresh.name = "a copy of " + fresh.name;
    copy = add(std::move(fresh));
  }
  collectives_.draft().shape = Shape::communicator;
  const RequestRef ref = begin(call, place);
  own().communicators[number_in(copy)].made_by = ref;
  *request = requests_.handle_of_request(ref);
  collectives_.arrive(ref, place);
  return copy;
}

// There may be one already.
std::uint32_t Communicators::hidden_number(std::uint64_t parent, const Group& group,
                                           std::int64_t tag) {
  Communicator hidden;
  hidden.key = fingerprint_of(of(parent).key, static_cast<std::uint64_t>(tag)).low;
  for (const int member : group.members) {
    hidden.key = fingerprint_of(hidden.key, static_cast<std::uint64_t>(member) + 1).low;
  }
  hidden.members = group.members;
  hidden.name = "a group of " + of(parent).name;
  const CommunicatorKey key = hidden.key;
  const auto is_it = [&](const CommunicatorHandle& one) {
    return world_.communicators[one.communicator].key == key;
  };
  const List<CommunicatorHandle>& all = own().communicators;
  auto place = static_cast<std::size_t>(std::find_if(all.begin(), all.end(), is_it) - all.begin());
  if (place == all.size()) {
    place = number_in(add(std::move(hidden)));
    own().communicators[place].freed = true;  // the program has no handle of it
  }
  return static_cast<std::uint32_t>(place);
}

const Collective& Communicators::construct_in_group(const char* call, std::uint64_t parent,
                                                    const Group& group, std::int64_t tag) {
  const std::uint32_t place = hidden_number(parent, group, tag);
  collectives_.draft().shape = Shape::communicator;
  return construct_at(call, place);
}

std::uint64_t Communicators::add(Communicator fresh) {
  std::size_t number = 0;
  while (number < world_.communicators.size() && world_.communicators[number].key != fresh.key) {
    ++number;
  }
  if (number == world_.communicators.size()) world_.communicators.push_back(std::move(fresh));
  CommunicatorHandle held;
  held.communicator = static_cast<std::uint32_t>(number);
  held.stack = stack_if_recording();
  own().communicators.push_back(std::move(held));
  return handle_of(HandleKind::communicator, own().communicators.size() - 1);
}

const Group* Communicators::find_group(std::uint64_t handle) const {
  static const Group empty;
  if (handle == empty_group) return &empty;
  if (!is_handle(handle, HandleKind::group)) return nullptr;
  const std::size_t number = number_in(handle);
  const List<Group>& all = own().groups;
  return number < all.size() && !all[number].freed ? &all[number] : nullptr;
}

std::uint64_t Communicators::add_group(std::vector<int> members) {
  if (members.empty()) return empty_group;
  Group fresh;
  fresh.members = std::move(members);
  fresh.stack = stack_if_recording();
  own().groups.push_back(std::move(fresh));
  return handle_of(HandleKind::group, own().groups.size() - 1);
}

}  // namespace mazurka::mpi
