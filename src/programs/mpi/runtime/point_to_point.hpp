// Sends, receives and probes as the program calls them: their arguments, and the requests that
// stand for them.
//
// Every function takes handles as numbers and answers with an error class, 0 if all went well.
#pragma once

#include <cstdint>

#include "programs/mpi/runtime/checks.hpp"
#include "programs/mpi/runtime/communicators.hpp"
#include "programs/mpi/runtime/completion.hpp"
#include "programs/mpi/runtime/mpi_part.hpp"
#include "programs/mpi/runtime/requests.hpp"
#include "programs/mpi/runtime/transfers.hpp"

namespace mazurka::mpi {

/// Values of a datatype in the program's memory.
struct Buffer {
  const void* memory = nullptr;
  std::int64_t count = 0;
  std::uint64_t type = 0;
};

/// To or from whom.
struct Envelope {
  int peer = 0;
  int tag = 0;
  std::uint64_t communicator = 0;
};

class PointToPoint : public MpiPart {
 public:
  struct Parts {
    Checks& checks;
    Transfers& transfers;
    Completion& completion;
    Requests& requests;
    Communicators& communicators;
  };
  PointToPoint(const Context& context, const Parts& parts)
      : MpiPart(context),
        checks_(parts.checks),
        transfers_(parts.transfers),
        completion_(parts.completion),
        requests_(parts.requests),
        communicators_(parts.communicators) {}

  int send(const char* call, SendMode mode, const Buffer& buffer, const Envelope& to);
  int receive(const char* call, const Buffer& buffer, const Envelope& from, Result* result);
  /// Begins it; `persistent`: only describes it. The handle is the program's.
  int begin_send(const char* call, SendMode mode, const Buffer& buffer, const Envelope& to,
                 bool persistent, std::uint64_t* handle);
  int begin_receive(const char* call, const Buffer& buffer, const Envelope& from, bool persistent,
                    std::uint64_t* handle);
  int start(const char* call, std::uint64_t handle);
  int send_and_receive(const char* call, const Buffer& sent, const Envelope& to,
                       const Buffer& received, const Envelope& from, Result* result);
  int send_and_replace(const char* call, const Buffer& buffer, const Envelope& to,
                       const Envelope& from, Result* result);

  int probe(const char* call, const Envelope& from, Result* result);
  int look(const char* call, const Envelope& from, bool* found, Result* result);
  /// A message that is found is nobody else's any more; the handle is the program's.
  int probe_and_keep(const char* call, const Envelope& from, std::uint64_t* message,
                     Result* result);
  /// The same if there is one now.
  int look_and_keep(const char* call, const Envelope& from, bool* found, std::uint64_t* message,
                    Result* result);
  int receive_kept(const char* call, const Buffer& buffer, std::uint64_t* message, Result* result);
  int begin_receive_kept(const char* call, const Buffer& buffer, std::uint64_t* message,
                         std::uint64_t* handle);

  int attach(void* buffer, int size);
  int detach(void** buffer, int* size);

 private:
  void describe(Request& request, const char* call, const Buffer& buffer, const Envelope& with);
  void begin(RequestRef ref);
  RequestRef take_kept(const char* call, const Buffer& buffer, std::uint64_t* message, int& code);
  int check_probe(const char* call, const Envelope& from, Result* result);
  [[nodiscard]] Pattern pattern_of(const Envelope& from, bool probes) const;
  void keep(ReceiveId receive, std::uint64_t* message, Result* result);
  void describe_message(MessageId message, Result& result);
  [[nodiscard]] int check_room(const char* call, const Request& request);
  [[nodiscard]] RequestRef hold_in_buffer(RequestRef ref);
  void empty_buffer(const char* call);
  [[nodiscard]] bool waits_for_receives();

  Checks& checks_;
  Transfers& transfers_;
  Completion& completion_;
  Requests& requests_;
  Communicators& communicators_;
};

}  // namespace mazurka::mpi
