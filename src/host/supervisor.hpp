// Explores to the end, whatever happens to the process that does it.
//
// The program under test explores itself, so whatever kills the program kills the search. When that
// happens the search goes on in a new process, from where it was saved last. If the new one dies at
// the same step of the same execution, then that step is what kills the program: it becomes a
// finding, and the step is not taken again. If it does not, somebody outside killed the process,
// and nothing is lost but a few seconds.
#pragma once

#include <string>
#include <vector>

#include "host/launcher.hpp"

namespace mazurka::host {

struct Supervised {
  LaunchResult last;
  std::vector<std::string> notes;  // what happened on the way
};

/// Throws InputError as launch() does.
[[nodiscard]] Supervised supervise(Launch launch);

/// What the message of its finding says of a process that died.
[[nodiscard]] std::string cause_of_death(const LaunchResult& result);
inline constexpr const char* needs_too_much_memory =
    "the program needs more memory than --max-memory allows";

/// The kernel ended it for a system call, and nobody in it could tell for which one.
[[nodiscard]] bool was_forbidden(const LaunchResult& result);

/// "SIGSEGV"
[[nodiscard]] std::string signal_name(int signal);

}  // namespace mazurka::host
