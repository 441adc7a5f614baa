// What a program under test is able to do at all, whatever happens inside of its process.
//
// Between vfork and exec the child gives up, for good, every right to change anything outside: the
// kernel (Landlock) refuses it to open files for writing, to make, remove, rename or truncate them,
// to control devices, to connect, and to signal other processes; and there are calls that it may
// not make (forbidden_calls.hpp). It can read, and it can write what it has inherited. What the
// runtime does on top of that (runtime/machine/confinement.hpp) makes a program behave as if it
// were free; this is what holds if it breaks out of that.
//
// What an older kernel does not know is left out.
#pragma once

#include "host/descriptor.hpp"
#include "host/forbidden_calls.hpp"

namespace mazurka::host {

class Authority {
 public:
  /// All that takes memory or time is done here.
  explicit Authority(const OnlyProgram& program);

  /// In the child: only system calls.
  void give_up();

 private:
  int ruleset_;
  ForbiddenCalls forbidden_;
};

}  // namespace mazurka::host
