// All executions of an abstract MPI program, by brute force: every interleaving, no reduction.
//
// It shares nothing with the checker. A state has, per rank, where it is and what it has seen; per
// channel (from a rank to a rank) the messages that no receive has taken; per rank the receives
// that no message has met, in the order in which they were posted. Steps are those of the ranks,
// and matches. By section 3.5 of the standard a message can meet a receive if
//
// - it is the first of its sender's messages on the way that fit the receive (messages do not
//   overtake each other), and
// - no receive that was posted before and is still open fits it, too.
//
// Nothing else: between senders there is no order, and a match may come as late as it likes. A
// test, or a nonblocking probe, may fail although it could succeed: only if it is repeated it will
// succeed at last. `eager` is the least that there must be: matches of receives that name their
// source come at once, and tests that can succeed do. To programs without tests that makes no
// difference.
//
// Standard sends are complete at once (infinite), when they are matched (zero), or as each of them
// chooses (each). A message that a probe has kept (mprobe) counts as matched when it is received:
// so says section 3.8.3. `loose`: a collective waits only for those whose data it needs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "mpi/reference/program.hpp"

namespace mazurka::mpi_reference {

enum class Buffering : std::uint8_t { infinite, zero, each };

struct MachineOptions {
  Buffering buffering = Buffering::infinite;
  bool loose = false;
  bool eager = false;
  std::size_t max_states = 200'000;
};

struct Explored {
  /// "saw 1.2/3/", or "deadlock 0/2/1": where each rank is. With each the number of its endings,
  /// which differ in what was matched and what sends have chosen.
  std::map<std::string, std::size_t> outcomes;
  std::size_t states = 0;
  bool complete = false;  // else there are too many states
};

[[nodiscard]] Explored explore(const Program& program, const MachineOptions& options);

}  // namespace mazurka::mpi_reference
