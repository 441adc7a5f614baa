// Small abstract programs as data: what the techniques are tested on.
//
// A program is a handful of processes of a few steps each, over shared variables, mutexes,
// semaphores and conditions. This file knows what a program means, one step at a time, on a state
// that can be copied; nothing here knows of the checker. model_program.hpp runs a program under the
// checker, brute_force.hpp enumerates its interleavings without it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace mazurka::oracle {

enum class Op : std::uint8_t {
  read,             // r = x
  read_branch,      // r = x; if r == c skip the next step
  write,            // x = c
  write_sum,        // x = r + c
  add,              // x += c
  sum,              // the same, independent of other sums
  set_bits,         // x |= c, independent of others of its kind
  check,            // assert x != c: the process stops if it fails
  swap,             // swap x, y
  copy,             // y = x
  conditional,      // if x == c then y = d
  exchange,         // if x == c then x = d; r = whether it did
  exchange_branch,  // the same, but r = x; if it did not, skip the next step
  lock,             // waits until mutex x is free
  unlock,           // mutex x becomes free if the process holds it
  try_lock,         // r = 1 and the mutex is held if it was free, else r = 0
  try_branch,       // the same; if it was not free skip the next step
  choose,           // r = one of 0 .. c-1
  choose_write,     // x = one of 0 .. c-1
  spawn,            // process x comes into being
  join,             // waits until process x has ended
  exit,             // ends the whole program, when nobody can do anything else
  await,            // waits until x == c
  sem_wait,         // waits until semaphore x is above zero, and takes one
  sem_try,          // r = 1 and takes one if semaphore x is above zero, else r = 0
  sem_post,
  enqueue,       // queues up at condition x, freeing mutex y if the process holds it
  wake,          // waits for a signal of condition x, then until mutex y is free, and takes it
  wake_free,     // the same without a mutex
  signal,        // signals one of those queued at condition x, whichever, if any
  broadcast,     // signals them all
  share,         // waits until nobody has read-write lock x alone
  take_alone,    // waits until nobody has it
  try_share,     // r = 1 and shares it if nobody has it alone, else r = 0
  try_alone,     // r = 1 and has it if nobody has, else r = 0
  share_branch,  // as try_share; if it does not, skip the next step
  give_back,     // has read-write lock x no more, if the process had it; once less if it shares it
};

struct ModelStep {
  Op op{};
  std::uint8_t x = 0;
  std::uint8_t y = 0;
  std::uint8_t c = 0;
  std::uint8_t d = 0;
};

inline constexpr std::size_t most_processes = 16;
inline constexpr std::size_t most_objects = 8;  // of each kind

struct ModelProcess {
  bool present = true;  // from the beginning; otherwise once it is spawned
  std::vector<ModelStep> steps;
};

/// Process 0 is always present.
struct Model {
  std::vector<ModelProcess> processes;
  std::array<std::uint8_t, most_objects> semaphores{};  // initial counts
};

enum class Status : std::uint8_t { absent, running, ended, failed };

/// All members are bytes, so that states compare and hash as strings of bytes.
struct State {
  std::array<std::uint8_t, most_objects> variables{};
  std::array<std::uint8_t, most_objects> owners{};  // of mutexes: process + 1, or 0
  std::array<std::uint8_t, most_objects> semaphores{};
  std::array<std::uint8_t, most_objects> alone{};  // who has a read-write lock: process + 1, or 0
  std::array<std::array<std::uint8_t, most_processes>, 2> shares{};  // of the first two of these
  std::array<std::uint8_t, most_processes> positions{};
  std::array<std::uint8_t, most_processes> registers{};
  std::array<std::uint8_t, most_processes> queued{};  // at condition + 1, or 0
  std::array<Status, most_processes> statuses{};
  std::uint8_t exited = 0;

  [[nodiscard]] std::string bytes() const;
};

/// How often read-write locks are shared.
[[nodiscard]] unsigned shared(const State& state, std::size_t lock);

/// What a process that gives back a read-write lock does to it.
enum class GivesBack : std::uint8_t { nothing, shared, alone };
[[nodiscard]] GivesBack gives_back(const State& state, std::size_t process, std::size_t lock);

/// What a step did besides changing the state.
struct Effect {
  std::uint32_t released = 0;  // a bit per process it spawned or signalled
  bool failed = false;
  bool only_looked = false;  // an attempt that changed nothing
};

[[nodiscard]] State initial_state(const Model& model);
[[nodiscard]] const ModelStep& next_step(const Model& model, const State& state,
                                         std::size_t process);
[[nodiscard]] bool enabled(const Model& model, const State& state, std::size_t process);
/// The same, but an exit need not come last.
[[nodiscard]] bool able(const Model& model, const State& state, std::size_t process);
/// Whether the step is an attempt that would change nothing.
[[nodiscard]] bool only_looks(const Model& model, const State& state, std::size_t process);
[[nodiscard]] std::uint16_t outcomes(const Model& model, const State& state, std::size_t process);
Effect perform(const Model& model, State& state, std::size_t process, std::uint16_t choice);

/// Whom the step would release.
[[nodiscard]] std::uint32_t released_by(const Model& model, const State& state, std::size_t process,
                                        std::uint16_t choice);

/// Nobody can move, somebody is left, and nobody failed.
[[nodiscard]] bool deadlocked(const Model& model, const State& state);

[[nodiscard]] std::string to_string(const ModelStep& step);
/// One process per line.
[[nodiscard]] std::string to_string(const Model& model);

}  // namespace mazurka::oracle
