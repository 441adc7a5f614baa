// What nobody in the process of a program under test may ask of the kernel: neither the program,
// nor the runtime in it, which shares its memory with it and can keep no secret from it.
//
// It is what would reach others or outlast the process and is no matter of opening, making or
// removing files (authority.hpp): modes, owners and times of files, links, locks, signals to other
// processes, their limits and memory, sockets, mounts, other programs, memory and queues that are
// shared by name. A filter in the kernel (seccomp) turns such a call into SIGSYS: the runtime's
// handler tells what it was, if there is one by then; otherwise the process dies.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mazurka::host {

/// The only program that may be started: with these arguments of execve.
struct OnlyProgram {
  const char* path;
  char* const* arguments;
  char* const* environment;
};

/// The filter, as the kernel takes it.
struct ForbiddenCalls {
  std::vector<std::uint64_t> instructions;
  std::vector<std::size_t> own_numbers;  // where the process's number belongs; it is not known yet

  explicit ForbiddenCalls(const OnlyProgram& program);
  /// Changes nothing but what is there already.
  void fill_in(pid_t own);
};

}  // namespace mazurka::host
