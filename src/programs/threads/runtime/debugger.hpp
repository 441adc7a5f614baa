// Where a debugger stops (`mazurka replay --gdb`): these functions do nothing, but whoever fails or
// waits is on the stack when they are called.
#pragma once

/// Something goes wrong here; `message` says what.
extern "C" __attribute__((visibility("default"), noinline)) void mazurka_failure(
    const char* message);

/// The execution is over, and the process on the stack still waits. Called once for each of them,
/// and only when a schedule is performed for a debugger.
extern "C" __attribute__((visibility("default"), noinline)) void mazurka_waits();
