// Sends, receives, probes.
#include <algorithm>
#include <cstring>

#include "programs/mpi/runtime/hooks/mpi_hook.hpp"

using mazurka::mpi::Buffer;
using mazurka::mpi::check_statuses;
using mazurka::mpi::Envelope;
using mazurka::mpi::fill;
using mazurka::mpi::made;
using mazurka::mpi::Mpi;
using mazurka::mpi::number;
using mazurka::mpi::Result;
using mazurka::mpi::SendMode;

namespace {

/// Before anything is done: the communicator may be none, and then says so later.
int check_status(Mpi& mpi, const char* call, const MPI_Status* status, MPI_Comm comm) {
  return check_statuses(mpi, call, 1, status, comm);
}

Envelope with(int peer, int tag, MPI_Comm comm) { return {peer, tag, number(comm)}; }

int begin(Mpi& mpi, const char* call, SendMode mode, const Buffer& buffer, const Envelope& to,
          bool persistent, MPI_Request* request) {
  return mpi.messages.begin_send(call, mode, buffer, to, persistent,
                                 reinterpret_cast<std::uint64_t*>(request));
}

}  // namespace

// Each in its blocking, nonblocking and persistent form.
#define MAZURKA_SENDS(blocking, nonblocking, described, mode)                                      \
  MAZURKA_MPI_HOOK(int, blocking, const void* buffer, int count, MPI_Datatype type,                \
                   int destination, int tag, MPI_Comm comm) {                                      \
    MAZURKA_ENTER(blocking);                                                                       \
    return mpi.messages.send(call, mode, made(buffer, count, type), with(destination, tag, comm)); \
  }                                                                                                \
  MAZURKA_MPI_HOOK(int, nonblocking, const void* buffer, int count, MPI_Datatype type,             \
                   int destination, int tag, MPI_Comm comm, MPI_Request* request) {                \
    MAZURKA_ENTER(nonblocking);                                                                    \
    return begin(mpi, call, mode, made(buffer, count, type), with(destination, tag, comm), false,  \
                 request);                                                                         \
  }                                                                                                \
  MAZURKA_MPI_HOOK(int, described, const void* buffer, int count, MPI_Datatype type,               \
                   int destination, int tag, MPI_Comm comm, MPI_Request* request) {                \
    MAZURKA_ENTER(described);                                                                      \
    return begin(mpi, call, mode, made(buffer, count, type), with(destination, tag, comm), true,   \
                 request);                                                                         \
  }

MAZURKA_SENDS(Send, Isend, Send_init, SendMode::standard)
MAZURKA_SENDS(Ssend, Issend, Ssend_init, SendMode::synchronous)
MAZURKA_SENDS(Bsend, Ibsend, Bsend_init, SendMode::buffered)
MAZURKA_SENDS(Rsend, Irsend, Rsend_init, SendMode::ready)

MAZURKA_MPI_HOOK(int, Recv, void* buffer, int count, MPI_Datatype type, int source, int tag,
                 MPI_Comm comm, MPI_Status* status) {
  MAZURKA_ENTER(Recv);
  if (const int wrong = check_status(mpi, call, status, comm); wrong != 0) return wrong;
  Result result;
  const int code =
      mpi.messages.receive(call, made(buffer, count, type), with(source, tag, comm), &result);
  if (code == MPI_SUCCESS) fill(status, result);
  return code;
}
MAZURKA_MPI_HOOK(int, Irecv, void* buffer, int count, MPI_Datatype type, int source, int tag,
                 MPI_Comm comm, MPI_Request* request) {
  MAZURKA_ENTER(Irecv);
  return mpi.messages.begin_receive(call, made(buffer, count, type), with(source, tag, comm), false,
                                    reinterpret_cast<std::uint64_t*>(request));
}
MAZURKA_MPI_HOOK(int, Recv_init, void* buffer, int count, MPI_Datatype type, int source, int tag,
                 MPI_Comm comm, MPI_Request* request) {
  MAZURKA_ENTER(Recv_init);
  return mpi.messages.begin_receive(call, made(buffer, count, type), with(source, tag, comm), true,
                                    reinterpret_cast<std::uint64_t*>(request));
}
MAZURKA_MPI_HOOK(int, Sendrecv, const void* send, int send_count, MPI_Datatype send_type,
                 int destination, int send_tag, void* receive, int receive_count,
                 MPI_Datatype receive_type, int source, int receive_tag, MPI_Comm comm,
                 MPI_Status* status) {
  MAZURKA_ENTER(Sendrecv);
  if (const int wrong = check_status(mpi, call, status, comm); wrong != 0) return wrong;
  Result result;
  const int code = mpi.messages.send_and_receive(
      call, made(send, send_count, send_type), with(destination, send_tag, comm),
      made(receive, receive_count, receive_type), with(source, receive_tag, comm), &result);
  if (code == MPI_SUCCESS) fill(status, result);
  return code;
}
MAZURKA_MPI_HOOK(int, Sendrecv_replace, void* buffer, int count, MPI_Datatype type, int destination,
                 int send_tag, int source, int receive_tag, MPI_Comm comm, MPI_Status* status) {
  MAZURKA_ENTER(Sendrecv_replace);
  if (const int wrong = check_status(mpi, call, status, comm); wrong != 0) return wrong;
  Result result;
  const int code = mpi.messages.send_and_replace(call, made(buffer, count, type),
                                                 with(destination, send_tag, comm),
                                                 with(source, receive_tag, comm), &result);
  if (code == MPI_SUCCESS) fill(status, result);
  return code;
}
MAZURKA_MPI_HOOK(int, Start, MPI_Request* request) {
  MAZURKA_ENTER(Start);
  return mpi.messages.start(call, number(*request));
}
MAZURKA_MPI_HOOK(int, Startall, int count, MPI_Request requests[]) {
  MAZURKA_ENTER(Startall);
  if (count < 0) mpi.checks.misuse(call, "the count is negative");
  for (int at = 0; at < count; ++at) {
    if (const int code = mpi.messages.start(call, number(requests[at])); code != MPI_SUCCESS)
      return code;
  }
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Buffer_attach, void* buffer, int size) {
  MAZURKA_ENTER(Buffer_attach);
  (void)call;
  return mpi.messages.attach(buffer, size);
}
MAZURKA_MPI_HOOK(int, Buffer_detach, void* buffer_address, int* size) {
  MAZURKA_ENTER(Buffer_detach);
  (void)call;
  return mpi.messages.detach(static_cast<void**>(buffer_address), size);
}

// --- probes --------------------------------------------------------------------------------------

MAZURKA_MPI_HOOK(int, Probe, int source, int tag, MPI_Comm comm, MPI_Status* status) {
  MAZURKA_ENTER(Probe);
  if (const int wrong = check_status(mpi, call, status, comm); wrong != 0) return wrong;
  Result result;
  const int code = mpi.messages.probe(call, with(source, tag, comm), &result);
  if (code == MPI_SUCCESS) fill(status, result);
  return code;
}
MAZURKA_MPI_SITE_HOOK(int, Iprobe, int source, int tag, MPI_Comm comm, int* flag,
                      MPI_Status* status) {
  MAZURKA_ENTER_SITE(Iprobe);
  if (const int wrong = check_status(mpi, call, status, comm); wrong != 0) return wrong;
  Result result;
  bool found = false;
  const int code = mpi.messages.look(call, with(source, tag, comm), &found, &result);
  if (code != MPI_SUCCESS) return code;
  *flag = found ? 1 : 0;
  if (found) fill(status, result);
  return code;
}

MAZURKA_MPI_HOOK(int, Mprobe, int source, int tag, MPI_Comm comm, MPI_Message* message,
                 MPI_Status* status) {
  MAZURKA_ENTER(Mprobe);
  if (const int wrong = check_status(mpi, call, status, comm); wrong != 0) return wrong;
  Result result;
  const int code = mpi.messages.probe_and_keep(call, with(source, tag, comm),
                                               reinterpret_cast<std::uint64_t*>(message), &result);
  if (code == MPI_SUCCESS) fill(status, result);
  return code;
}
MAZURKA_MPI_HOOK(int, Mrecv, void* buffer, int count, MPI_Datatype type, MPI_Message* message,
                 MPI_Status* status) {
  MAZURKA_ENTER(Mrecv);
  if (const int wrong = check_status(mpi, call, status, MPI_COMM_WORLD); wrong != 0) return wrong;
  Result result;
  const int code = mpi.messages.receive_kept(call, made(buffer, count, type),
                                             reinterpret_cast<std::uint64_t*>(message), &result);
  if (code == MPI_SUCCESS) fill(status, result);
  return code;
}
MAZURKA_MPI_SITE_HOOK(int, Improbe, int source, int tag, MPI_Comm comm, int* flag,
                      MPI_Message* message, MPI_Status* status) {
  MAZURKA_ENTER_SITE(Improbe);
  if (const int wrong = check_status(mpi, call, status, comm); wrong != 0) return wrong;
  Result result;
  bool found = false;
  const int code = mpi.messages.look_and_keep(call, with(source, tag, comm), &found,
                                              reinterpret_cast<std::uint64_t*>(message), &result);
  if (code != MPI_SUCCESS) return code;
  *flag = found ? 1 : 0;
  if (found) fill(status, result);
  return code;
}
MAZURKA_MPI_HOOK(int, Imrecv, void* buffer, int count, MPI_Datatype type, MPI_Message* message,
                 MPI_Request* request) {
  MAZURKA_ENTER(Imrecv);
  return mpi.messages.begin_receive_kept(call, made(buffer, count, type),
                                         reinterpret_cast<std::uint64_t*>(message),
                                         reinterpret_cast<std::uint64_t*>(request));
}

// --- what a status says --------------------------------------------------------------------------

namespace {

/// What a status says that was filled in.
int check_filled(Mpi& mpi, const char* call, const MPI_Status* status) {
  return mpi.checks.check(call, number(MPI_COMM_WORLD))
      .that(status != nullptr && status != MPI_STATUS_IGNORE, MPI_ERR_ARG,
            status == nullptr ? "the status is a null pointer" : "the status is MPI_STATUS_IGNORE")
      .failed();
}

std::uint64_t bytes_of(const MPI_Status* status) {
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, &status->MPI_internal[0], sizeof bytes);
  return bytes;
}

}  // namespace

MAZURKA_MPI_HOOK(int, Get_count, const MPI_Status* status, MPI_Datatype type, int* count) {
  MAZURKA_ENTER(Get_count);
  if (const int code = check_filled(mpi, call, status); code != 0) return code;
  mazurka::mpi::Check check = mpi.checks.check(call, number(MPI_COMM_WORLD));
  if (check.type(number(type), true).failed() != 0) return check.failed();
  const std::uint64_t size = mpi.checks.layout(number(type)).size;
  const std::uint64_t bytes = bytes_of(status);
  *count = size == 0 ? 0 : bytes % size != 0 ? MPI_UNDEFINED : static_cast<int>(bytes / size);
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Test_cancelled, const MPI_Status* status, int* flag) {
  MAZURKA_ENTER(Test_cancelled);
  if (const int code = check_filled(mpi, call, status); code != 0) return code;
  *flag = status->MPI_internal[2];
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Get_elements_x, const MPI_Status* status, MPI_Datatype type,
                 MPI_Count* count) {
  MAZURKA_ENTER(Get_elements_x);
  if (const int code = check_filled(mpi, call, status); code != 0) return code;
  mazurka::mpi::Check check = mpi.checks.check(call, number(MPI_COMM_WORLD));
  if (check.type(number(type), true).failed() != 0) return check.failed();
  std::uint64_t left = bytes_of(status);
  MPI_Count found = 0;
  const mazurka::mpi::Datatype& layout = mpi.checks.layout(number(type));
  for (bool more = layout.size > 0; more && left > 0;) {
    for (const mazurka::mpi::Block& block : layout.blocks) {
      const std::uint64_t size = mazurka::mpi::size_of(block.type);
      const std::uint64_t whole = std::min(block.count, left / size);
      found += static_cast<MPI_Count>(whole);
      left -= whole * size;
      more = whole == block.count;
      if (!more) break;
    }
  }
  *count = left == 0 ? found : MPI_UNDEFINED;
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Get_elements, const MPI_Status* status, MPI_Datatype type, int* count) {
  MPI_Count found = 0;
  const int code = PMPI_Get_elements_x(status, type, &found);
  if (code == MPI_SUCCESS) *count = static_cast<int>(found);
  return code;
}
