// Sends, receives and probes: their arguments, and the requests that stand for them.
#include <algorithm>
#include <array>

#include "programs/mpi/runtime/handles.hpp"
#include "programs/mpi/runtime/mpi.hpp"

namespace mazurka::mpi {

RequestRef Mpi::new_request() {
  List<Request>& all = own().requests;
  std::size_t number = 0;
  while (number < all.size() && all[number].kind != RequestKind::none) ++number;
  if (number == all.size()) all.push_back({});
  const std::uint32_t generation = all[number].generation + 1;
  all[number] = {};
  all[number].generation = generation;
  if (recording()) all[number].stack = capture();
  return {self().rank, static_cast<std::uint32_t>(number)};
}

std::uint64_t Mpi::handle_of_request(RequestRef ref) const {
  const std::uint64_t number = std::uint64_t{at(ref).generation} << generation_shift | ref.number;
  return handle_of(HandleKind::request, number);
}

void Mpi::describe(Request& request, const char* call, const Buffer& buffer, const Envelope& with) {
  request.call = call;
  request.buffer = buffer.memory;
  request.count = static_cast<std::uint64_t>(buffer.count);
  request.type = buffer.type;
  request.layout = layout(buffer.type);
  request.communicator = group(with.communicator).key;
  request.peer = with.peer;
  request.tag = with.tag;
  request.nothing = with.peer == no_process_rank;
}

// The operation that the request describes begins now.
void Mpi::begin(RequestRef ref) {
  Request& request = at(ref);
  request.complete = false;
  if (request.nothing) {
    request.active = true;
    completion.complete(ref, {});
    return;
  }
  if (request.kind == RequestKind::send) {
    transfers.send(ref);
  } else {
    accesses_.require_not_owned(threads::address_of(request.buffer),
                                static_cast<std::size_t>(request.layout.extent) * request.count,
                                true);
    transfers.post(ref);
  }
  at(ref).active = true;
  ++own().owned;
}

Result Mpi::finish_now(RequestRef ref, const char* call) {
  const std::array<RequestRef, 1> one{ref};
  // A send whose data is out of the way has nothing to wait for.
  const Request& request = at(ref);
  const bool waits =
      request.kind != RequestKind::send || !request.complete || !request.causes.empty();
  if (waits && !request.nothing) completion.wait_for(one, call);
  return completion.finish(ref);
}

int Mpi::begin_send(const char* call, SendMode mode, const Buffer& buffer, const Envelope& to,
                    bool persistent, std::uint64_t* handle) {
  EngineScope scope;
  Check check = checks.check(call, to.communicator);
  check.communicator().destination(to.peer).send_tag(to.tag).buffer(buffer.memory, buffer.count,
                                                                    buffer.type, false);
  if (check.failed() != 0) return check.failed();
  const RequestRef ref = new_request();
  at(ref).kind = RequestKind::send;
  at(ref).mode = mode;
  at(ref).persistent = persistent;
  describe(at(ref), call, buffer, to);
  if (mode == SendMode::buffered && !persistent) require_room(call, at(ref));
  *handle = handle_of_request(ref);
  if (!persistent) begin(ref);
  return 0;
}

int Mpi::send(const char* call, SendMode mode, const Buffer& buffer, const Envelope& to) {
  EngineScope scope;
  std::uint64_t handle = 0;
  const int code = begin_send(call, mode, buffer, to, false, &handle);
  if (code != 0) return code;
  (void)finish_now(ref_of(handle), call);
  return 0;
}

int Mpi::begin_receive(const char* call, const Buffer& buffer, const Envelope& from,
                       bool persistent, std::uint64_t* handle) {
  EngineScope scope;
  Check check = checks.check(call, from.communicator);
  check.communicator().source(from.peer).receive_tag(from.tag).buffer(buffer.memory, buffer.count,
                                                                      buffer.type, false);
  if (check.failed() != 0) return check.failed();
  const RequestRef ref = new_request();
  at(ref).kind = RequestKind::receive;
  at(ref).persistent = persistent;
  describe(at(ref), call, buffer, from);
  *handle = handle_of_request(ref);
  if (!persistent) begin(ref);
  return 0;
}

int Mpi::receive(const char* call, const Buffer& buffer, const Envelope& from, Result* result) {
  EngineScope scope;
  std::uint64_t handle = 0;
  const int code = begin_receive(call, buffer, from, false, &handle);
  if (code != 0) return code;
  *result = finish_now(ref_of(handle), call);
  return 0;
}

int Mpi::send_and_receive(const char* call, const Buffer& sent, const Envelope& to,
                          const Buffer& received, const Envelope& from, Result* result) {
  EngineScope scope;
  std::uint64_t receiving = 0;
  std::uint64_t sending = 0;
  int code = begin_receive(call, received, from, false, &receiving);
  if (code == 0) code = begin_send(call, SendMode::standard, sent, to, false, &sending);
  if (code != 0) return code;
  (void)finish_now(ref_of(sending), call);
  *result = finish_now(ref_of(receiving), call);
  return 0;
}

// What is sent is on its way when the receive begins, so the buffer is free for that.
int Mpi::send_and_replace(const char* call, const Buffer& buffer, const Envelope& to,
                          const Envelope& from, Result* result) {
  EngineScope scope;
  std::uint64_t receiving = 0;
  std::uint64_t sending = 0;
  int code = begin_send(call, SendMode::standard, buffer, to, false, &sending);
  if (code != 0) return code;
  at(ref_of(sending)).count = 0;
  code = begin_receive(call, buffer, from, false, &receiving);
  if (code != 0) return code;
  (void)finish_now(ref_of(sending), call);
  *result = finish_now(ref_of(receiving), call);
  return 0;
}

int Mpi::start(const char* call, std::uint64_t handle) {
  EngineScope scope;
  checks.require_running(call);
  const RequestRef ref = ref_of(handle);
  if (!ref.any() || !at(ref).persistent) {
    checks.misuse(call, "the request is not one of a persistent operation");
  }
  if (at(ref).active) checks.misuse(call, "the request is active already");
  if (at(ref).mode == SendMode::buffered && at(ref).kind == RequestKind::send) {
    require_room(call, at(ref));
  }
  begin(ref);
  return 0;
}

// --- probes --------------------------------------------------------------------------------------

int Mpi::probe(const char* call, const Envelope& from, Result* result) {
  EngineScope scope;
  Check check = checks.check(call, from.communicator);
  check.communicator().source(from.peer).receive_tag(from.tag);
  if (check.failed() != 0) return check.failed();
  *result = {};
  result->source = no_process_rank;
  if (from.peer == no_process_rank) return 0;
  const Pattern pattern{group(from.communicator).key, rank(from.communicator), from.peer, from.tag,
                        true};
  const MessageId message = transfers.probe(pattern, call);
  describe_message(message, *result);
  return 0;
}

int Mpi::look(const char* call, const Envelope& from, bool* found, Result* result) {
  EngineScope scope;
  Check check = checks.check(call, from.communicator);
  check.communicator().source(from.peer).receive_tag(from.tag);
  if (check.failed() != 0) return check.failed();
  *result = {};
  result->source = no_process_rank;
  *found = true;
  if (from.peer == no_process_rank) return 0;
  const Pattern pattern{group(from.communicator).key, rank(from.communicator), from.peer, from.tag,
                        true};
  const MessageId message = completion.look(pattern, call);
  *found = message != no_message;
  if (*found) describe_message(message, *result);
  return 0;
}

void Mpi::describe_message(MessageId message, Result& result) {
  const Message& sent = world_.matching[message];
  completion.learn(message);
  result.source = sent.channel.source;
  result.tag = sent.tag;
  result.bytes = world_.payloads[mpi::index(message)].bytes.size();
}

int Mpi::probe_and_keep(const char* call, const Envelope& from, std::uint64_t* message,
                        Result* result) {
  EngineScope scope;
  Check check = checks.check(call, from.communicator);
  check.communicator().source(from.peer).receive_tag(from.tag);
  if (check.failed() != 0) return check.failed();
  *result = {};
  result->source = no_process_rank;
  *message = no_proc_message;
  if (from.peer == no_process_rank) return 0;
  const Pattern pattern{group(from.communicator).key, rank(from.communicator), from.peer, from.tag,
                        false};
  const ReceiveId receive = transfers.match_probe(pattern, call);
  world_.matching.know_complete(receive);
  describe_message(world_.matching[receive].message, *result);
  own().messages.push_back(receive);
  *message = handle_of(HandleKind::message, own().messages.size() - 1);
  return 0;
}

int Mpi::receive_kept(const char* call, const Buffer& buffer, std::uint64_t* message,
                      Result* result) {
  EngineScope scope;
  checks.require_running(call);
  *result = {};
  result->source = no_process_rank;
  if (*message == no_proc_message) {
    *message = null_message;
    return 0;
  }
  const bool known = is_handle(*message, HandleKind::message) &&
                     number_in(*message) < own().messages.size() &&
                     own().messages[number_in(*message)] != no_receive;
  if (!known) checks.misuse(call, "there is no such message");
  Check check = checks.check(call, world_communicator);
  if (check.buffer(buffer.memory, buffer.count, buffer.type, false).failed() != 0) {
    return check.failed();
  }
  const RequestRef ref = new_request();
  at(ref).kind = RequestKind::receive;
  describe(at(ref), call, buffer, {any_source, any_tag, world_communicator});
  at(ref).receive = own().messages[number_in(*message)];
  at(ref).complete = true;
  own().messages[number_in(*message)] = no_receive;
  *message = null_message;
  *result = completion.finish(ref);
  return 0;
}

// --- buffers of the program's --------------------------------------------------------------------

// What buffered sends need of the attached buffer is given back when their messages are received.
void Mpi::require_room(const char* call, const Request& request) {
  constexpr std::uint64_t overhead = 512;  // MPI_BSEND_OVERHEAD
  std::uint64_t used = request.layout.size * request.count + overhead;
  for (std::size_t at_message = 0; at_message < world_.payloads.size(); ++at_message) {
    const Payload& payload = world_.payloads[at_message];
    const MessageId id{static_cast<std::uint32_t>(at_message)};
    if (payload.buffered_by != self().rank || world_.matching[id].taken_by != no_receive) continue;
    used += payload.bytes.size() + overhead;
  }
  if (used <= own().buffer_size) return;
  checks.misuse(call, own().buffer == nullptr
                          ? "no buffer is attached"
                          : "the attached buffer is too small (" + std::to_string(used) +
                                " bytes are needed, and it has " +
                                std::to_string(own().buffer_size) + ")");
}

int Mpi::attach(void* buffer, int size) {
  EngineScope scope;
  checks.require_running("MPI_Buffer_attach");
  if (own().buffer != nullptr) checks.misuse("MPI_Buffer_attach", "there is a buffer already");
  if (size < 0) checks.misuse("MPI_Buffer_attach", "the size is negative");
  own().buffer = buffer;
  own().buffer_size = static_cast<std::uint64_t>(size);
  return 0;
}

int Mpi::detach(void** buffer, int* size) {
  EngineScope scope;
  checks.require_running("MPI_Buffer_detach");
  if (own().buffer == nullptr) checks.misuse("MPI_Buffer_detach", "no buffer is attached");
  *buffer = own().buffer;
  *size = static_cast<int>(own().buffer_size);
  own().buffer = nullptr;
  own().buffer_size = 0;
  return 0;
}

}  // namespace mazurka::mpi
