// What a program sets and asks about itself with prctl: remembered for it, and without effect.
#include <linux/prctl.h>
#include <sys/syscall.h>

#include <cstring>

#include "programs/threads/runtime/runtime.hpp"
#include "programs/threads/runtime/surroundings/answers.hpp"
#include "programs/threads/runtime/surroundings/surroundings.hpp"

namespace mazurka::threads::answers {

namespace {

struct Option {
  int set;
  int get;
  long initially;
  bool by_pointer = false;  // where the value is to be put
};

constexpr int nothing = -1;
constexpr long usual_slack = 50'000;  // nanoseconds

constexpr Option options[] = {
    {PR_SET_DUMPABLE, PR_GET_DUMPABLE, 1},
    {PR_SET_KEEPCAPS, PR_GET_KEEPCAPS, 0},
    {PR_SET_PDEATHSIG, PR_GET_PDEATHSIG, 0, true},
    {PR_SET_TIMERSLACK, PR_GET_TIMERSLACK, usual_slack},
    {PR_SET_NO_NEW_PRIVS, PR_GET_NO_NEW_PRIVS, 0},
    {PR_SET_THP_DISABLE, PR_GET_THP_DISABLE, 0},
    {PR_SET_CHILD_SUBREAPER, PR_GET_CHILD_SUBREAPER, 0, true},
    {nothing, PR_GET_TIMING, PR_TIMING_STATISTICAL},
    {nothing, PR_GET_TSC, PR_TSC_ENABLE, true},
    {nothing, PR_GET_SECCOMP, 0},
    {nothing, PR_GET_SECUREBITS, 0},
    {nothing, PR_MCE_KILL_GET, PR_MCE_KILL_DEFAULT},
};

Answer name_of_thread(const SystemCall& call) {
  auto* const words = reinterpret_cast<char*>(call.arguments[1]);
  ThreadName& name = runtime->current().name;
  if (call.arguments[0] == PR_GET_NAME) {
    runtime->use_outside("names of threads", Use::looks);
    std::memcpy(words, name.data(), name.size());
  } else {
    runtime->use_outside("names of threads", Use::changes);
    std::strncpy(name.data(), words, name.size() - 1);
  }
  return result(0);
}

Answer change(const Option& option, long value) {
  runtime->use_outside("options of the process (prctl)", Use::changes);
  const bool usual = option.set == PR_SET_TIMERSLACK && value <= 0;
  surroundings.option(option.set) = usual ? option.initially : value;
  return result(0);
}

Answer tell(const Option& option, long where) {
  runtime->use_outside("options of the process (prctl)", Use::looks);
  const long value = surroundings.option(option.set).value_or(option.initially);
  if (!option.by_pointer) return result(value);
  *reinterpret_cast<int*>(where) = static_cast<int>(value);
  return result(0);
}

}  // namespace

Answer process_option(const SystemCall& call) {
  const long wanted = call.arguments[0];
  switch (wanted) {
    case PR_GET_NAME:
    case PR_SET_NAME: return name_of_thread(call);
    // Names of mappings, and who may look at the process: nobody can tell.
    case PR_SET_VMA:
    case PR_SET_PTRACER:
    case PR_TASK_PERF_EVENTS_DISABLE:
    case PR_TASK_PERF_EVENTS_ENABLE: return result(0);
    // Facts
    case PR_CAPBSET_READ:
    case PR_GET_SPECULATION_CTRL: return passed_on(call);
    default: break;
  }
  for (const Option& option : options) {
    if (option.set == wanted && wanted != nothing) return change(option, call.arguments[1]);
    if (option.get == wanted) return tell(option, call.arguments[1]);
  }
  return refused();
}

}  // namespace mazurka::threads::answers
