#include "programs/mpi/runtime/point_to_point.hpp"

#include <algorithm>
#include <array>

#include "core/check.hpp"
#include "programs/mpi/runtime/handles.hpp"

namespace mazurka::mpi {

void PointToPoint::describe(Request& request, const char* call, const Buffer& buffer,
                            const Envelope& with) {
  request.call = call;
  request.buffer = buffer.memory;
  request.count = static_cast<std::uint64_t>(buffer.count);
  request.type = buffer.type;
  request.layout = checks_.layout(buffer.type);
  const Communicator& all = communicators_.of(with.communicator);
  request.communicator = all.key;
  request.peer = all.place_of_peer(communicators_.place(with.communicator), with.peer);
  request.tag = with.tag;
  request.nothing = with.peer == no_process_rank;
}

// The operation that the request describes begins now.
void PointToPoint::begin(RequestRef ref) {
  Request& request = at(ref);
  request.complete = false;
  if (request.nothing) {
    request.active = true;
    completion_.complete(ref, {});
    return;
  }
  if (request.kind == RequestKind::send) {
    if (request.mode == SendMode::buffered) {
      const RequestRef in_buffer = hold_in_buffer(ref);
      at(ref).in_buffer = in_buffer;
    }
    transfers_.send(ref);
  } else {
    const std::uintptr_t begin = threads::address_of(request.buffer);
    for_each_piece(request.layout, request.count, [&](std::int64_t offset, std::size_t bytes) {
      accesses_.require_not_owned(begin + static_cast<std::uintptr_t>(offset), bytes, true);
    });
    transfers_.post(ref);
  }
  MAZURKA_CHECK(!at(ref).active, "an operation begins once");
  at(ref).active = true;
  ++own().owned;
}

int PointToPoint::begin_send(const char* call, SendMode mode, const Buffer& buffer,
                             const Envelope& to, bool persistent, std::uint64_t* handle) {
  EngineScope scope;
  Check check = checks_.check(call, to.communicator);
  check.communicator().destination(to.peer).send_tag(to.tag).buffer(buffer.memory, buffer.count,
                                                                    buffer.type, false);
  if (check.failed() != 0) return check.failed();
  const RequestRef ref = requests_.add();
  at(ref).kind = RequestKind::send;
  at(ref).mode = mode;
  at(ref).persistent = persistent;
  describe(at(ref), call, buffer, to);
  if (mode == SendMode::buffered && !persistent) {
    if (const int code = check_room(call, at(ref)); code != 0) {
      requests_.remove(ref);
      return code;
    }
  }
  *handle = requests_.handle_of_request(ref);
  if (!persistent) begin(ref);
  return 0;
}

int PointToPoint::send(const char* call, SendMode mode, const Buffer& buffer, const Envelope& to) {
  EngineScope scope;
  std::uint64_t handle = 0;
  const int code = begin_send(call, mode, buffer, to, false, &handle);
  if (code != 0) return code;
  (void)requests_.finish_now(requests_.ref_of(handle), call);
  return 0;
}

int PointToPoint::begin_receive(const char* call, const Buffer& buffer, const Envelope& from,
                                bool persistent, std::uint64_t* handle) {
  EngineScope scope;
  Check check = checks_.check(call, from.communicator);
  check.communicator().source(from.peer).receive_tag(from.tag).buffer(buffer.memory, buffer.count,
                                                                      buffer.type, false);
  if (from.peer != no_process_rank) check.apart(buffer.count, buffer.type);
  if (check.failed() != 0) return check.failed();
  const RequestRef ref = requests_.add();
  at(ref).kind = RequestKind::receive;
  at(ref).persistent = persistent;
  describe(at(ref), call, buffer, from);
  *handle = requests_.handle_of_request(ref);
  if (!persistent) begin(ref);
  return 0;
}

int PointToPoint::receive(const char* call, const Buffer& buffer, const Envelope& from,
                          Result* result) {
  EngineScope scope;
  std::uint64_t handle = 0;
  const int code = begin_receive(call, buffer, from, false, &handle);
  if (code != 0) return code;
  *result = requests_.finish_now(requests_.ref_of(handle), call);
  return checks_.conclude(*result);
}

int PointToPoint::send_and_receive(const char* call, const Buffer& sent, const Envelope& to,
                                   const Buffer& received, const Envelope& from, Result* result) {
  EngineScope scope;
  std::uint64_t receiving = 0;
  std::uint64_t sending = 0;
  int code = begin_receive(call, received, from, false, &receiving);
  if (code == 0) code = begin_send(call, SendMode::standard, sent, to, false, &sending);
  if (code != 0) return code;
  (void)requests_.finish_now(requests_.ref_of(sending), call);
  *result = requests_.finish_now(requests_.ref_of(receiving), call);
  return checks_.conclude(*result);
}

// What is sent is on its way when the receive begins, so the buffer is free for that.
int PointToPoint::send_and_replace(const char* call, const Buffer& buffer, const Envelope& to,
                                   const Envelope& from, Result* result) {
  EngineScope scope;
  std::uint64_t receiving = 0;
  std::uint64_t sending = 0;
  int code = begin_send(call, SendMode::standard, buffer, to, false, &sending);
  if (code != 0) return code;
  at(requests_.ref_of(sending)).count = 0;
  code = begin_receive(call, buffer, from, false, &receiving);
  if (code != 0) return code;
  (void)requests_.finish_now(requests_.ref_of(sending), call);
  *result = requests_.finish_now(requests_.ref_of(receiving), call);
  return checks_.conclude(*result);
}

int PointToPoint::start(const char* call, std::uint64_t handle) {
  EngineScope scope;
  checks_.require_running(call);
  const RequestRef ref = requests_.ref_of(handle);
  if (!ref.any() || !at(ref).persistent) {
    checks_.misuse(call, "the request is not one of a persistent operation");
  }
  if (at(ref).active) checks_.misuse(call, "the request is active already");
  if (at(ref).mode == SendMode::buffered && at(ref).kind == RequestKind::send) {
    if (const int code = check_room(call, at(ref)); code != 0) return code;
  }
  if (at(ref).kind == RequestKind::collective) {
    communicators_.start(ref);
  } else {
    begin(ref);
  }
  return 0;
}

// --- probes --------------------------------------------------------------------------------------

Pattern PointToPoint::pattern_of(const Envelope& from, bool probes) const {
  const Communicator& all = communicators_.of(from.communicator);
  const int place = communicators_.place(from.communicator);
  return {all.key, place, all.place_of_peer(place, from.peer), from.tag, probes};
}

// If all is well, the result is that of a probe of MPI_PROC_NULL.
int PointToPoint::check_probe(const char* call, const Envelope& from, Result* result) {
  Check check = checks_.check(call, from.communicator);
  check.communicator().source(from.peer).receive_tag(from.tag);
  if (check.failed() != 0) return check.failed();
  *result = {};
  result->source = no_process_rank;
  return 0;
}

int PointToPoint::probe(const char* call, const Envelope& from, Result* result) {
  EngineScope scope;
  if (const int code = check_probe(call, from, result); code != 0) return code;
  if (from.peer == no_process_rank) return 0;
  const Pattern pattern = pattern_of(from, true);
  const MessageId message = transfers_.probe(pattern, call);
  describe_message(message, *result);
  return 0;
}

int PointToPoint::look(const char* call, const Envelope& from, bool* found, Result* result) {
  EngineScope scope;
  if (const int code = check_probe(call, from, result); code != 0) return code;
  *found = true;
  if (from.peer == no_process_rank) return 0;
  const Pattern pattern = pattern_of(from, true);
  const MessageId message = completion_.look(pattern, call);
  *found = message != no_message;
  if (*found) describe_message(message, *result);
  return 0;
}

void PointToPoint::describe_message(MessageId message, Result& result) {
  const Message& sent = world_.matching[message];
  completion_.learn(message);
  result.source = communicator(sent.channel.communicator).rank_at(sent.channel.source);
  result.tag = sent.tag;
  result.bytes = world_.payloads[mpi::index(message)].bytes.size();
}

int PointToPoint::probe_and_keep(const char* call, const Envelope& from, std::uint64_t* message,
                                 Result* result) {
  EngineScope scope;
  if (const int code = check_probe(call, from, result); code != 0) return code;
  *message = no_proc_message;
  if (from.peer == no_process_rank) return 0;
  const Pattern pattern = pattern_of(from, false);
  keep(transfers_.match_probe(pattern, call), message, result);
  return 0;
}

int PointToPoint::look_and_keep(const char* call, const Envelope& from, bool* found,
                                std::uint64_t* message, Result* result) {
  EngineScope scope;
  if (const int code = check_probe(call, from, result); code != 0) return code;
  *found = true;
  if (from.peer == no_process_rank) {
    *message = no_proc_message;
    return 0;
  }
  const ReceiveId taken = completion_.look_and_take(pattern_of(from, false), call);
  *found = taken != no_receive;
  if (*found) keep(taken, message, result);
  return 0;
}

// What the rank has found is its own; the program gets a handle of it.
void PointToPoint::keep(ReceiveId receive, std::uint64_t* message, Result* result) {
  MAZURKA_CHECK(world_.matching[receive].message != no_message, "what is kept was found");
  world_.matching.know_complete(receive);
  describe_message(world_.matching[receive].message, *result);
  own().messages.push_back(receive);
  *message = handle_of(HandleKind::message, own().messages.size() - 1);
}

// A request for the message, which is complete; none if there is nothing to receive.
RequestRef PointToPoint::take_kept(const char* call, const Buffer& buffer, std::uint64_t* message,
                                   int& code) {
  checks_.require_running(call);
  const bool known = is_handle(*message, HandleKind::message) &&
                     number_in(*message) < own().messages.size() &&
                     own().messages[number_in(*message)] != no_receive;
  if (!known && *message != no_proc_message) checks_.misuse(call, "there is no such message");
  Check check = checks_.check(call, world_communicator);
  check.buffer(buffer.memory, buffer.count, buffer.type, false);
  if (known) check.apart(buffer.count, buffer.type);
  code = check.failed();
  if (code != 0) return {};
  if (known) transfers_.receive_kept(own().messages[number_in(*message)], call);
  const RequestRef ref = requests_.add();
  at(ref).kind = RequestKind::receive;
  describe(at(ref), call, buffer, {any_source, any_tag, world_communicator});
  at(ref).nothing = *message == no_proc_message;
  if (known) at(ref).receive = own().messages[number_in(*message)];
  at(ref).complete = true;
  if (known) own().messages[number_in(*message)] = no_receive;
  *message = null_message;
  return ref;
}

int PointToPoint::receive_kept(const char* call, const Buffer& buffer, std::uint64_t* message,
                               Result* result) {
  EngineScope scope;
  *result = {};
  int code = 0;
  const RequestRef ref = take_kept(call, buffer, message, code);
  if (code != 0) return code;
  *result = completion_.finish(ref);
  return checks_.conclude(*result);
}

int PointToPoint::begin_receive_kept(const char* call, const Buffer& buffer, std::uint64_t* message,
                                     std::uint64_t* handle) {
  EngineScope scope;
  int code = 0;
  const RequestRef ref = take_kept(call, buffer, message, code);
  if (code != 0) return code;
  at(ref).active = true;
  if (!at(ref).nothing) ++own().owned;
  *handle = requests_.handle_of_request(ref);
  return 0;
}

// --- buffers of the program's --------------------------------------------------------------------

// What buffered sends need of the attached buffer is given back when their messages are received.
int PointToPoint::check_room(const char* call, const Request& request) {
  constexpr std::uint64_t overhead = 512;  // MPI_BSEND_OVERHEAD
  std::uint64_t used = request.layout.size * request.count + overhead;
  for (std::size_t at_message = 0; at_message < world_.payloads.size(); ++at_message) {
    const Payload& payload = world_.payloads[at_message];
    const MessageId id{static_cast<std::uint32_t>(at_message)};
    if (payload.buffered_by != self().rank || world_.matching[id].taken_by != no_receive) continue;
    used += payload.bytes.size() + overhead;
  }
  return checks_.check(call, world_communicator)
      .that(used <= own().buffer_size, error::buffer,
            own().buffer == nullptr
                ? "no buffer is attached"
                : "the attached buffer is too small (" + std::to_string(used) +
                      " bytes are needed, and it has " + std::to_string(own().buffer_size) + ")")
      .failed();
}

// Stands for the message as long as it is in the buffer: until it is received, unless what is sent
// is out of the way at once.
RequestRef PointToPoint::hold_in_buffer(RequestRef ref) {
  if (request_.checks.buffering == host::Buffering::infinite) return {};
  const RequestRef held = requests_.add();
  at(held).kind = RequestKind::send;
  at(held).mode = SendMode::buffered;
  at(held).internal = true;
  at(held).call = at(ref).call;
  at(held).communicator = at(ref).communicator;
  at(held).peer = at(ref).peer;
  at(held).tag = at(ref).tag;
  return held;
}

// Where each send may be buffered by MPI or not, that is a choice.
bool PointToPoint::waits_for_receives() {
  if (request_.checks.buffering != host::Buffering::each) return true;
  constexpr std::uint16_t ways = 2;
  if (recording()) note_words("MPI_Buffer_detach");
  park({}, true);
  if (recording()) record_words("MPI_Buffer_detach");
  const std::uint16_t chosen = run().outcome(ways);
  state_.decision.choice = chosen;
  commit({}, ways);
  return chosen != 0;
}

// The buffer is the program's again when all that was in it is on its way.
void PointToPoint::empty_buffer(const char* call) {
  world_.asked[self().id] = {};
  List<RequestRef>& held = world_.asked[self().id].requests;
  for (std::uint32_t nth = 0; nth < own().requests.size(); ++nth) {
    const Request& one = own().requests[nth];
    const bool is_held =
        one.kind == RequestKind::send && one.internal && one.mode == SendMode::buffered;
    if (is_held) held.push_back({self().rank, nth});
  }
  if (!held.empty() && waits_for_receives()) {
    completion_.wait_for(world_.asked[self().id].requests, call);
  }
  for (const RequestRef ref : world_.asked[self().id].requests) (void)completion_.finish(ref);
  for (Payload& payload : world_.payloads) {
    if (payload.buffered_by == self().rank) payload.buffered_by = -1;
  }
}

int PointToPoint::attach(void* buffer, int size) {
  EngineScope scope;
  const int code = checks_.check("MPI_Buffer_attach", world_communicator)
                       .that(own().buffer == nullptr, error::buffer, "there is a buffer already")
                       .that(size >= 0, error::argument, "the size is negative")
                       .failed();
  if (code != 0) return code;
  own().buffer = buffer;
  own().buffer_size = static_cast<std::uint64_t>(size);
  return 0;
}

int PointToPoint::detach(void** buffer, int* size) {
  EngineScope scope;
  const int code = checks_.check("MPI_Buffer_detach", world_communicator)
                       .that(own().buffer != nullptr, error::buffer, "no buffer is attached")
                       .failed();
  if (code != 0) return code;
  empty_buffer("MPI_Buffer_detach");
  *buffer = own().buffer;
  *size = static_cast<int>(own().buffer_size);
  own().buffer = nullptr;
  own().buffer_size = 0;
  return 0;
}

}  // namespace mazurka::mpi
