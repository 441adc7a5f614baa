#include "programs/mpi/runtime/requests.hpp"

#include <algorithm>
#include <array>

#include "core/check.hpp"
#include "programs/mpi/runtime/handles.hpp"
#include "programs/threads/runtime/recorder.hpp"

namespace mazurka::mpi {

RequestRef Requests::add() {
  List<Request>& all = own().requests;
  std::size_t number = 0;
  while (number < all.size() && all[number].kind != RequestKind::none) ++number;
  if (number == all.size()) all.push_back({});
  MAZURKA_CHECK(!all[number].active, "a number is used again when nobody uses it");
  const std::uint32_t generation = all[number].generation + 1;
  all[number] = {};
  all[number].generation = generation;
  if (recording()) all[number].stack = threads::capture_stack();
  return {self().rank, static_cast<std::uint32_t>(number)};
}

std::uint64_t Requests::handle_of_request(RequestRef ref) const {
  const std::uint64_t number = std::uint64_t{at(ref).generation} << generation_shift | ref.number;
  return handle_of(HandleKind::request, number);
}

Result Requests::finish_now(RequestRef ref, const char* call) {
  const std::array<RequestRef, 1> one{ref};
  // A send whose data is out of the way has nothing to wait for.
  const Request& request = at(ref);
  const bool waits =
      request.kind != RequestKind::send || !request.complete || !request.causes.empty();
  if (waits && !request.nothing) completion_.wait_for(one, call);
  return completion_.finish(ref);
}

RequestRef Requests::ref_of(std::uint64_t handle) const {
  if (!is_handle(handle, HandleKind::request)) return {};
  const std::uint64_t both = number_in(handle);
  const std::uint64_t number = both & ((std::uint64_t{1} << generation_shift) - 1);
  const List<Request>& all = own().requests;
  if (number >= all.size() || all[number].kind == RequestKind::none) return {};
  if (all[number].generation != both >> generation_shift || all[number].released) return {};
  return {self().rank, static_cast<std::uint32_t>(number)};
}

// The active ones among the handles, and where they stand. A handle that names nothing is a
// finding. They are kept in the world: what is on the stack may be put back.
void Requests::find_requests(const char* call, std::span<const std::uint64_t> handles) {
  checks_.require_running(call);
  Asked& asked = world_.asked[self().id];
  asked = {};
  for (std::size_t place = 0; place < handles.size(); ++place) {
    tell_handle(handles[place], false);
    if (handles[place] == null_request) continue;
    const RequestRef ref = ref_of(handles[place]);
    if (!ref.any()) {
      checks_.misuse(call, handles[place] == 0
                               ? "the request was not initialised"
                               : "the request does not exist: it was completed or freed before");
    }
    if (!at(ref).active) continue;
    asked.requests.push_back(ref);
    asked.places.push_back(static_cast<std::uint32_t>(place));
  }
}

// Of threads that use the same variable for it, at least.
void Requests::tell_handle(const std::uint64_t& handle, bool write) {
  if (!has_threads()) return;
  accesses_.plain(threads::address_of(&handle), sizeof handle, write, threads_caller());
}

void Requests::finish_asked(std::size_t nth, std::span<std::uint64_t> handles, Result* result) {
  const Asked& asked = world_.asked[self().id];
  MAZURKA_CHECK(nth < asked.requests.size() && asked.places.size() == asked.requests.size(),
                "a request that ends is one of those that the call is about");
  const RequestRef ref = asked.requests[nth];
  const bool persistent = at(ref).persistent;
  const std::uint32_t place = asked.places[nth];
  const Result found = completion_.finish(ref);
  if (!persistent) {
    tell_handle(handles[place], true);
    handles[place] = null_request;
  }
  if (result != nullptr) *result = found;
}

// What a request came to is told for each, with its place among the handles.
int Requests::wait_all(const char* call, std::span<std::uint64_t> handles, Answers answers,
                       const std::function<void(std::size_t, const Result&)>& tell_result) {
  EngineScope scope;
  find_requests(call, handles);
  const std::size_t count = world_.asked[self().id].requests.size();
  if (count == 0) return 0;
  completion_.wait_for(world_.asked[self().id].requests, call);
  Result wrong;
  for (std::size_t nth = 0; nth < count; ++nth) {
    Result result;
    const std::uint32_t place = world_.asked[self().id].places[nth];
    finish_asked(nth, handles, &result);
    tell_result(place, result);
    if (wrong.error == 0) wrong = result;
  }
  return checks_.conclude(wrong, answers);
}

int Requests::wait_any(const char* call, std::span<std::uint64_t> handles, int* which,
                       Result* result, Answers answers) {
  EngineScope scope;
  find_requests(call, handles);
  *which = undefined;
  if (world_.asked[self().id].requests.empty()) return 0;
  const std::size_t chosen = completion_.wait_for_one(world_.asked[self().id].requests, call);
  *which = static_cast<int>(world_.asked[self().id].places[chosen]);
  finish_asked(chosen, handles, result);
  return checks_.conclude(*result, answers);
}

int Requests::test(const char* call, std::span<std::uint64_t> handles, Completion::Asks asks,
                   Answers answers) {
  EngineScope scope;
  find_requests(call, handles);
  Asked& asked = world_.asked[self().id];
  if (asked.requests.empty()) {
    asked.nothing = true;
    return 0;
  }
  const std::vector<std::size_t> done = completion_.test(asked.requests, asks, call);
  Asked& same = world_.asked[self().id];
  Result wrong;
  for (const std::size_t nth : done) {
    Result result;
    const std::uint32_t place = same.places[nth];
    finish_asked(nth, handles, &result);
    same.done.push_back(static_cast<int>(place));
    same.results.push_back(result);
    if (wrong.error == 0) wrong = result;
  }
  return checks_.conclude(wrong, answers);
}

// One that is waited for, and then whichever others are complete by now.
int Requests::wait_some(const char* call, std::span<std::uint64_t> handles) {
  EngineScope scope;
  int which = undefined;
  Result result;
  const int first = wait_any(call, handles, &which, &result, Answers::statuses);
  if (which == undefined) {
    world_.asked[self().id].nothing = true;
    return 0;
  }
  const int others = test(call, handles, Completion::Asks::some, Answers::statuses);
  Asked& asked = world_.asked[self().id];
  asked.nothing = false;
  asked.done.insert(asked.done.begin(), which);
  asked.results.insert(asked.results.begin(), result);
  return first != 0 ? first : others;
}

// The operation ends here; a later wait or test finds what it has come to.
int Requests::look_at(const char* call, std::uint64_t handle, bool* done, Result* ending) {
  EngineScope scope;
  find_requests(call, {&handle, 1});
  *ending = {};
  *done = true;
  if (world_.asked[self().id].requests.empty()) return 0;
  const RequestRef ref = world_.asked[self().id].requests.front();
  *done = !completion_.test(world_.asked[self().id].requests, Completion::Asks::all, call).empty();
  if (!*done) return 0;
  *ending = completion_.finish_but_keep(ref);
  return 0;
}

int Requests::release(const char* call, std::uint64_t* handle) {
  EngineScope scope;
  checks_.require_running(call);
  const RequestRef ref = ref_of(*handle);
  if (!ref.any()) {
    checks_.misuse(call, *handle == null_request ? "the request is MPI_REQUEST_NULL"
                                                 : "the request does not exist");
  }
  Request& request = at(ref);
  if (request.kind == RequestKind::collective && request.active) {
    checks_.misuse(call, "the request is one of a collective operation, which must be waited for");
  }
  const bool owns = request.active && !request.nothing && !request.told;
  if (owns && own().owned > 0) --own().owned;
  // Whether an active one is complete must make no difference: nobody has asked.
  if (request.active) {
    request.active = false;
    request.released = true;
  } else {
    remove(ref);
  }
  *handle = null_request;
  return 0;
}

int Requests::cancel(const char* call, std::uint64_t handle) {
  EngineScope scope;
  checks_.require_running(call);
  const RequestRef ref = ref_of(handle);
  if (!ref.any()) checks_.misuse(call, "the request does not exist");
  if (at(ref).kind != RequestKind::receive) {
    scheduler_.unsupported("MPI_Cancel of what is not a receive");
  }
  if (at(ref).active) completion_.cancel(ref, call);
  return 0;
}

void Requests::remove(RequestRef ref) {
  MAZURKA_CHECK(!at(ref).active, "a request is removed when nothing of it is under way");
  const std::uint32_t generation = at(ref).generation;
  at(ref) = {};
  at(ref).generation = generation;
}

}  // namespace mazurka::mpi
