#include "programs/mpi/runtime/one_sided.hpp"

#include <algorithm>
#include <utility>

#include "programs/mpi/operations.hpp"
#include "programs/mpi/runtime/handles.hpp"
#include "programs/threads/runtime/loops/spin_recognition.hpp"

namespace mazurka::mpi {

// --- what may be wrong ---------------------------------------------------------------------------

void OneSided::require_same(const char* call, const Buffer& one, const Remote& remote) {
  const Signature here =
      signature_of(checks_.layout(one.type), static_cast<std::uint64_t>(one.count));
  const Signature there =
      signature_of(checks_.layout(remote.type), static_cast<std::uint64_t>(remote.count));
  if (compare(here, there) == Fit::fits && compare(there, here) == Fit::fits) return;
  checks_.misuse(call, "the types do not match: " + text(here) + " here, and " + text(there) +
                           " in " + rank_words(remote.target));
}

int OneSided::check(const char* call, const Buffer& origin, const Remote& remote,
                    bool origin_counts, bool with_request) {
  Check check = checks_.check(call, remote.window);
  check.window().destination(remote.target);
  if (origin_counts) check.buffer(origin.memory, origin.count, origin.type, false);
  check.that(remote.count >= 0, error::count,
             "the count is negative (" + std::to_string(remote.count) + ")");
  check.type(remote.type, true);
  if (check.failed() != 0 || remote.target == no_process_rank) return check.failed();
  int code = epochs_.check_access(call, remote.window, remote.target);
  if (code == 0 && with_request) code = epochs_.check_lock(call, remote.window, remote.target);
  if (code != 0) return code;
  const Datatype& type = checks_.layout(remote.type);
  const Window& window = windows_.of(remote.window);
  check.that(window.made == flavor::dynamic || remote.displacement >= 0, error::displacement,
             "the displacement is negative (" + std::to_string(remote.displacement) + ")");
  const auto count = static_cast<std::uint64_t>(remote.count);
  const bool inside =
      type.size * count == 0 ||
      !windows_.pieces(window, remote.target, remote.displacement, type, count).empty();
  check.that(
      inside, error::range,
      "not all of that is in the window of " + rank_words(remote.target) +
          (window.made == flavor::dynamic
               ? ""
               : ", which has " +
                     std::to_string(window.parts[static_cast<std::size_t>(remote.target)].size) +
                     " bytes"));
  if (check.failed() == 0 && origin_counts) require_same(call, origin, remote);
  return check.failed();
}

int OneSided::check_apart(const char* call, std::uint64_t window, std::int64_t count,
                          std::uint64_t type) {
  return checks_.check(call, window).apart(count, type).failed();
}

int OneSided::check_op(const char* call, const Buffer& result, const Remote& remote,
                       std::uint64_t op) {
  Check check = checks_.check(call, remote.window);
  check.that(is_predefined_op(op), error::op,
             op == null_op ? "the operation is MPI_OP_NULL"
             : op == 0     ? "the operation was not initialised"
                           : "the operation is not a predefined one");
  const Datatype* element = element_of(checks_.layout(remote.type));
  check.that(element != nullptr || remote.count == 0, error::type,
             "the values are not all of one predefined type");
  if (check.failed() != 0 || element == nullptr) return check.failed();
  check.that(op != op_nothing || result.memory != nullptr, error::op,
             "MPI_NO_OP is for operations that bring a result");
  check.that(can_accumulate(op, *element), error::op,
             std::string(op_name(op)) + " is not defined for " + element->name);
  return check.failed();
}

// --- what all of them do -------------------------------------------------------------------------

// To MPI_PROC_NULL.
void OneSided::nothing_to_do(const char* call, std::uint64_t* request) {
  if (request == nullptr) return;
  const RequestRef ref = requests_.add();
  at(ref).kind = RequestKind::window;
  at(ref).call = call;
  at(ref).nothing = true;
  at(ref).active = true;
  completion_.complete(ref, {});
  *request = requests_.handle_of_request(ref);
}

// Where elements begin, as far as pieces tell. Pairs of equal types are one piece, or two.
void OneSided::describe_elements(WindowAccess& access, const Datatype& type) {
  const Datatype* const element = element_of(type);
  if (element == nullptr) return;
  const Block& first = element->blocks.front();
  const bool alike = element->blocks.back().type == first.type;
  access.type = element->element;
  access.grain = static_cast<std::uint32_t>(alike ? size_of(first.type)
                                                  : static_cast<std::size_t>(element->extent));
}

// The memory of the target is touched from now on; nobody else may be at it.
std::uint64_t OneSided::note(const char* call, const Remote& remote, Touch touch,
                             std::uint64_t op) {
  const Datatype& type = checks_.layout(remote.type);
  WindowAccess fresh;
  fresh.process = self().id;
  fresh.rank = self().rank;
  fresh.touch = touch;
  fresh.window = windows_.held(remote.window).window;
  fresh.target = remote.target;
  fresh.op = op;
  if (touch == Touch::update) describe_elements(fresh, type);
  fresh.pieces = windows_.pieces(world_.windows[fresh.window], remote.target, remote.displacement,
                                 type, static_cast<std::uint64_t>(remote.count));
  fresh.call = call;
  fresh.stack = stack_if_recording();
  if (recording()) {
    record_words(std::string(call) + (touch == Touch::read ? " from " : " to ") +
                 rank_words(remote.target));
  }
  for (const Piece& piece : fresh.pieces) {
    accesses_.check_remote(piece.begin, piece.end - piece.begin, touch != Touch::read,
                           threads_caller());
  }
  const WindowAccess* other = world_.window_log.conflict(fresh, self().knowledge.now);
  if (other == nullptr) {
    epochs_.use_lock(fresh.window, remote.target);
    return world_.window_log.add(std::move(fresh));
  }
  const std::string what = other->id == 0
                               ? std::string(other->touch == Touch::read ? "a load" : "a store")
                               : std::string(other->call);
  const std::string message = std::string(call) + " to " + rank_words(remote.target) + " and " +
                              what + " of rank " + std::to_string(other->rank) +
                              " touch the same memory of a window, and nothing orders them";
  fresh = {};
  fail(FindingKind::data_race, message, std::string(call) + " against " + what);
}

// Until it is complete, the operation has the rank's buffer.
RequestRef OneSided::own_buffer(const char* call, const Buffer& buffer, const Remote& remote,
                                bool fills, std::uint64_t access, std::uint64_t* handle) {
  const RequestRef ref = requests_.add();
  Request& request = at(ref);
  request.kind = RequestKind::window;
  request.internal = handle == nullptr;
  request.call = call;
  request.communicator = windows_.of(remote.window).key;
  request.peer = remote.target;
  request.buffer = buffer.memory;
  request.count = static_cast<std::uint64_t>(buffer.count);
  request.layout = checks_.layout(buffer.type);
  request.fills = fills;
  request.access = access;
  request.active = true;
  request.complete = true;
  ++own().owned;
  if (handle != nullptr) *handle = requests_.handle_of_request(ref);
  return ref;
}

// --- transfers -----------------------------------------------------------------------------------

int OneSided::put(const char* call, const Buffer& origin, const Remote& remote,
                  std::uint64_t* request) {
  if (const int code = check(call, origin, remote, true, request != nullptr); code != 0)
    return code;
  if (remote.target == no_process_rank) {
    nothing_to_do(call, request);
    return 0;
  }
  const int code = check_apart(call, remote.window, remote.count, remote.type);
  if (code != 0) return code;
  const Datatype& from = checks_.layout(origin.type);
  const Datatype& to = checks_.layout(remote.type);
  const auto count = static_cast<std::uint64_t>(origin.count);
  tell_access(origin.memory, from, count, false);
  const std::uint64_t access = note(call, remote, Touch::write, 0);
  self().watch.progress();
  const std::uintptr_t memory =
      Windows::address(windows_.of(remote.window), remote.target, remote.displacement);
  unpack(pack(origin.memory, from, count), reinterpret_cast<void*>(memory), to,
         static_cast<std::uint64_t>(remote.count));
  (void)own_buffer(call, origin, remote, false, access, request);
  return 0;
}

int OneSided::get(const char* call, const Buffer& origin, const Remote& remote,
                  std::uint64_t* request) {
  if (const int code = check(call, origin, remote, true, request != nullptr); code != 0)
    return code;
  if (remote.target == no_process_rank) {
    nothing_to_do(call, request);
    return 0;
  }
  const int code = check_apart(call, remote.window, origin.count, origin.type);
  if (code != 0) return code;
  const Datatype& to = checks_.layout(origin.type);
  const Datatype& from = checks_.layout(remote.type);
  const auto count = static_cast<std::uint64_t>(origin.count);
  tell_access(origin.memory, to, count, true);
  const std::uint64_t access = note(call, remote, Touch::read, 0);
  const std::uintptr_t memory =
      Windows::address(windows_.of(remote.window), remote.target, remote.displacement);
  unpack(pack(reinterpret_cast<void*>(memory), from, static_cast<std::uint64_t>(remote.count)),
         const_cast<void*>(origin.memory), to, count);
  (void)own_buffer(call, origin, remote, true, access, request);
  for_each_piece(from, static_cast<std::uint64_t>(remote.count),
                 [&](std::int64_t offset, std::size_t bytes) {
                   watch_read(memory + static_cast<std::uintptr_t>(offset), bytes);
                 });
  return 0;
}

// For loops that wait until another value is there.
void OneSided::watch_read(std::uintptr_t address, std::size_t size) {
  constexpr std::size_t word = 8;
  for (std::size_t at_byte = 0; at_byte < size; at_byte += word) {
    spins_.watch_read(address + at_byte, std::min(word, size - at_byte));
  }
}

// A loop of these may wait for another value.
void OneSided::arrive(const char* call, const Remote& remote, std::uint64_t op) {
  const std::uint64_t operands =
      fingerprint_of(static_cast<std::uint64_t>(remote.displacement) + 1, op).low;
  spins_.arrive(reinterpret_cast<std::uintptr_t>(call), operands);
}

// --- updates -------------------------------------------------------------------------------------

void OneSided::describe(Update& update, const char* call, const Buffer& result,
                        const Remote& remote, std::uint64_t op) {
  const Datatype& type = checks_.layout(remote.type);
  update.window = windows_.held(remote.window).window;
  update.target = remote.target;
  update.process = self().id;
  update.rank = self().rank;
  update.op = op;
  update.count = static_cast<std::uint64_t>(remote.count);
  update.layout = type;
  update.element = element_of(type);
  const Window& window = world_.windows[update.window];
  update.pieces = windows_.pieces(window, remote.target, remote.displacement, type, update.count);
  update.memory = Windows::address(window, remote.target, remote.displacement);
  update.cells = updates_.cells_of(update.window, remote.target, update.pieces);
  update.call = call;
  if (result.memory != nullptr) {
    update.result = const_cast<void*>(result.memory);
    update.result_layout = checks_.layout(result.type);
    update.result_count = static_cast<std::uint64_t>(result.count);
  }
  const bool alike = update.element != nullptr && op != 0 && adds_up(op, *update.element);
  update.mode = op == op_nothing                    ? cell_mode::read
                : alike && update.result == nullptr ? cell_mode::add
                                                    : cell_mode::change;
}

int OneSided::accumulate(const char* call, const Buffer& origin, const Buffer& result,
                         const Remote& remote, std::uint64_t op, std::uint64_t* request) {
  const bool takes = op != op_nothing;  // otherwise the origin does not count
  if (const int code = check(call, origin, remote, takes, request != nullptr); code != 0)
    return code;
  if (result.memory != nullptr) {
    Check check = checks_.check(call, remote.window);
    check.buffer(result.memory, result.count, result.type, false);
    if (check.failed() != 0) return check.failed();
  }
  if (remote.target == no_process_rank) {
    nothing_to_do(call, request);
    return 0;
  }
  if (const int code = check_op(call, result, remote, op); code != 0) return code;
  if (remote.count == 0) {
    nothing_to_do(call, request);
    return 0;
  }
  if (takes) {
    const int code = check_apart(call, remote.window, remote.count, remote.type);
    if (code != 0) return code;
  }
  const bool brings = result.memory != nullptr;
  if (brings) require_same(call, result, remote);
  if (takes) {
    tell_access(origin.memory, checks_.layout(origin.type),
                static_cast<std::uint64_t>(origin.count), false);
  }
  if (brings) {
    tell_access(result.memory, checks_.layout(result.type),
                static_cast<std::uint64_t>(result.count), true);
  }
  if (op == op_nothing) arrive(call, remote, op);
  const std::uint64_t access = note(call, remote, Touch::update, op);
  const auto number = static_cast<std::uint32_t>(world_.updates.size());
  world_.updates.push_back({});
  describe(world_.updates.back(), call, result, remote, op);
  if (takes) {
    world_.updates.back().operand =
        pack(origin.memory, checks_.layout(origin.type), static_cast<std::uint64_t>(origin.count));
    (void)own_buffer(call, origin, remote, false, access, brings ? nullptr : request);
  }
  if (brings) own_result(call, result, remote, access, number, request);
  updates_.issue(number);
  return 0;
}

// The buffer for what the update brings; it is there when the update has happened.
void OneSided::own_result(const char* call, const Buffer& result, const Remote& remote,
                          std::uint64_t access, std::uint32_t number, std::uint64_t* request) {
  const RequestRef ref = own_buffer(call, result, remote, true, access, request);
  at(ref).update = number;
  if (request == nullptr) return;
  at(ref).complete = false;
  world_.updates[number].request = ref;
}

int OneSided::compare_and_swap(const char* call, const Buffer& origin, const Buffer& compared,
                               const Buffer& result, const Remote& remote) {
  if (const int code = check(call, origin, remote, true, false); code != 0) return code;
  Check check = checks_.check(call, remote.window);
  check.buffer(compared.memory, 1, origin.type, false)
      .buffer(result.memory, 1, origin.type, false)
      .that(can_compare(checks_.layout(origin.type)), error::type,
            checks_.layout(origin.type).name + " is not an integer type, nor a logical one");
  if (check.failed() != 0) return check.failed();
  if (remote.target == no_process_rank) return 0;
  const Datatype& type = checks_.layout(origin.type);
  tell_access(origin.memory, type, 1, false);
  tell_access(compared.memory, type, 1, false);
  tell_access(result.memory, type, 1, true);
  arrive(call, remote, 0);
  const std::uint64_t access = note(call, remote, Touch::update, 0);
  const auto number = static_cast<std::uint32_t>(world_.updates.size());
  world_.updates.push_back({});
  describe(world_.updates.back(), call, result, remote, 0);
  world_.updates.back().operand = pack(origin.memory, type, 1);
  world_.updates.back().compared = pack(compared.memory, type, 1);
  (void)own_buffer(call, origin, remote, false, access, nullptr);
  (void)own_buffer(call, compared, remote, false, access, nullptr);
  own_result(call, result, remote, access, number, nullptr);
  updates_.issue(number);
  return 0;
}

}  // namespace mazurka::mpi
