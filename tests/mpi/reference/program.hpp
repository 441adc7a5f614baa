// Abstract MPI programs: a list of operations per rank.
//
// `value` is what a message carries; each operation that sends has a value of its own, so what was
// received says which message it was. `any` is the wildcard of sources and tags. Tags from
// first_other_tag on are those of another communicator, less first_other_tag; `any_other` is any of
// its tags. Requests are named by the index of the operation that made them. COMM is 0, or 1 for
// the other communicator, and may be left out.
//
//   send.MODE.DESTINATION.TAG.VALUE       MODE: std, sync or buf
//   isend.MODE.DESTINATION.TAG.VALUE
//   sendinit.MODE.DESTINATION.TAG         a persistent request, and likewise ...
//   recvinit.SOURCE.TAG
//   start.VALUE.REQUEST                   ... to begin it; VALUE is what a send sends this time
//   recv.SOURCE.TAG    irecv.SOURCE.TAG
//   sendrecv.DESTINATION.TAG.VALUE.SOURCE.TAG
//   wait.REQUEST...                       for all of them
//   waitany.REQUEST...    waitsome.REQUEST...
//   test.REQUEST    testall.REQUEST...    testany.REQUEST...    testsome.REQUEST...
//   cancel.REQUEST                        of a receive
//   free.REQUEST                          of a send or a receive
//   probe.SOURCE.TAG                      remembers the message's source and tag ...
//   take                                  ... for this receive
//   iprobe.SOURCE.TAG
//   mprobe.SOURCE.TAG    improbe.SOURCE.TAG    keep the message ...
//   mrecv    imrecv                       ... for these, which do nothing if there is none
//   barrier[.COMM]    bcast.ROOT[.COMM]    reduce    allreduce    gather    scatter    scan exscan
//   alltoall                              and the same with an i: nonblocking
//   skip.MODULUS.RESIDUE.N                jumps over N operations if the last value seen is such
//
// A program's text is what the interpreter in C reads: ranks between slashes, operations between
// commas, words between dots.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mazurka::mpi_reference {

enum class Kind : std::uint8_t {
  send,
  isend,
  sendinit,
  recvinit,
  start,
  recv,
  irecv,
  sendrecv,
  wait,
  waitany,
  waitsome,
  test,
  testall,
  testany,
  testsome,
  cancel,
  free,
  probe,
  take,
  iprobe,
  mprobe,
  improbe,
  mrecv,
  imrecv,
  collective,
  skip,
};

enum class Shape : std::uint8_t {
  barrier,
  bcast,
  reduce,
  allreduce,
  gather,
  scatter,
  scan,
  exscan,
  alltoall,
};

enum class Mode : std::uint8_t { standard, synchronous, buffered };

inline constexpr int any = -1;
inline constexpr int any_other = -2;
inline constexpr int first_other_tag = 1000;
inline constexpr std::size_t max_ranks = 4;
inline constexpr std::size_t max_operations = 24;

struct Operation {
  Kind kind{};
  Shape shape{};             // of a collective
  bool nonblocking = false;  // of a collective
  Mode mode{};               // of a send
  std::vector<int> words;    // numbers; of a send without its mode, of a collective (root, comm)
  friend bool operator==(const Operation&, const Operation&) = default;
};

using Operations = std::vector<Operation>;
using Program = std::vector<Operations>;

/// Unique among those of a program.
[[nodiscard]] constexpr int value_of(std::size_t rank, std::size_t index) {
  return 1 + static_cast<int>(rank * max_operations + index);
}

[[nodiscard]] std::string encode(const Program& program);
/// Nothing: `problem` says what is wrong with it.
[[nodiscard]] std::optional<Program> decode(std::string_view text, std::string& problem);

[[nodiscard]] bool is_rooted(Shape shape);
/// Whether it names requests, and has an answer that depends on when it asks.
[[nodiscard]] bool asks(const Operation& one);
[[nodiscard]] bool is_test(const Operation& one);
/// The requests that it names.
[[nodiscard]] std::vector<int> requests_of(const Operation& one);
/// The request that is active after it.
[[nodiscard]] std::optional<int> activates(const Operation& one, std::size_t index);

/// The requests of a rank that no wait (for all of its requests) has completed.
[[nodiscard]] std::vector<int> open_requests(const Operations& operations);

[[nodiscard]] bool has_tests(const Program& program);
/// Every request is waited for, and what each matching is shows at the end.
[[nodiscard]] bool is_all_seen(const Program& program);
[[nodiscard]] bool has(const Program& program, Kind kind);

}  // namespace mazurka::mpi_reference
