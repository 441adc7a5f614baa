// A defect of the engine, for tests: a thread that does not exist is said to have created another.
// The linker puts this between the runtime and the engine (--wrap). The first executions go well,
// so that there is something that the search could wrongly call verified.
#include "core/run.hpp"

namespace mazurka {

namespace {
constexpr int right_ones = 8;
}  // namespace

void finish(Run& run, ProcessId process) asm(REAL_FINISH);
void finish_wrongly(Run& run, ProcessId process) asm(WRAPPED_FINISH);

void finish_wrongly(Run& run, ProcessId process) {
  static int finished = 0;
  finish(run, process);
  if (++finished > right_ones) run.create(ProcessId{60000});
}

}  // namespace mazurka
