// The instructions of the reference's machine, and where things are in its state. Private to it.
#pragma once

#include "native/machine.hpp"

namespace mazurka::native {

enum class Machine::Code : std::uint8_t {
  // local
  mix,
  own,
  go,  // to target
  go_unless_odd,
  count,          // n, up to 2
  go_if_counted,  // n == d: to target
  count_on,       // n + 1
  tell_count,
  own_more,  // as own, but nothing is told
  leave,
  block_end,
  // simple: one access, never waits
  load,
  store,
  store_own,
  bump,
  drop,
  set_bits,
  clear_bits,
  flip_bits,
  exchange,
  fetch_add,
  fetch_sub,
  fetch_or,
  fetch_and,
  fetch_xor,
  cas,
  plain_load,
  plain_read,  // into n
  plain_store,
  plain_write,  // n + c
  section,
  keep,  // variable into n
  // with several outcomes, or that may wait
  go_if_equal,
  go_unless_equal,
  try_add,  // n -> n + c, else n = value and to target
  fail,
  check,
  exit,
  finish,  // main returns
  choose,
  lock,
  unlock,
  read_lock,
  read_unlock,
  write_lock,
  write_unlock,
  spin_lock,
  spin_unlock,
  wait,
  wait_end,
  signal,
  sem_wait,
  sem_post,
  sem_get,
  barrier,
  barrier_end,
  once,
  once_end,
  futex_wait,
  futex_end,
  futex_wake,
  atomic_wait,
  atomic_end,
  atomic_notify,
  latch_down,
  latch_wait,
  latch_try,
  latch_spin,
  phase_come,  // c times; w: where the phase is noted; target: it is not complete
  phase_end,
  phase_wait,  // w: where the phase was noted
  heap_new,
  heap_get,   // n = slot; 0: to target
  heap_take,  // the same, and empties the slot
  heap_read,
  heap_write,
  heap_free,
  share,     // block d
  mine_get,  // block d
  mine_set,  // block d
  mine_end,  // block d
  begin_mutex,
  begin_condition,
  begin_rw_lock,
  begin_spin_lock,
  begin_semaphore,
  block,
  spawn,
  join,
  join_detached,
  report,
};

struct Machine::Instruction {
  Code code;
  int v = 0;
  int w = 0;
  int c = 0;
  int d = 0;
  How how = How::lock;
  std::size_t target = 0;
};

// What a thread is about to access.
struct Machine::Touch {
  enum Kind : std::uint8_t { block, variable, mutex, condition, rw_lock, spin_lock, semaphore };
  Kind kind;
  std::uint32_t number;
  bool writes;  // to what is plain; or initialises an object
};

// Where things are in a state.
namespace place {
inline constexpr std::size_t variable = 0;
inline constexpr std::size_t plain = 3;
inline constexpr std::size_t section = 5;
inline constexpr std::size_t owner = 7;
inline constexpr std::size_t depth = 9;
inline constexpr std::size_t writer = 11;
inline constexpr std::size_t readers = 12;
inline constexpr std::size_t spin = 13;
inline constexpr std::size_t semaphore = 14;
inline constexpr std::size_t barrier = 16;
inline constexpr std::size_t latch = 17;
inline constexpr std::size_t once = 18;
inline constexpr std::size_t slot = 19;
inline constexpr std::size_t freed = 21;
inline constexpr std::size_t phase = 22;     // how many there have been
inline constexpr std::size_t missing = 23;   // in this one
inline constexpr std::size_t expected = 24;  // in the next one
inline constexpr std::size_t threads = 25;   // and behind them the values of the blocks
// of each thread
inline constexpr std::size_t status = 0;
inline constexpr std::size_t pc = 1;
inline constexpr std::size_t a = 2;
inline constexpr std::size_t n = 3;
inline constexpr std::size_t own = 4;
inline constexpr std::size_t wait = 5;
inline constexpr std::size_t spurious = 6;
inline constexpr std::size_t token = 7;
inline constexpr std::size_t per_thread = 8;
}  // namespace place

// Where a thread notes the phase that it has come in: nowhere, as long as it does nothing else, or
// for later.
enum : int { nowhere = 0, in_passing = 1, for_later = 2 };
enum : std::uint32_t { not_started = 0, running = 1, ended = 2 };
// A thread's `wait`: it is not waiting, it waits, and how its waiting has ended.
enum : std::uint32_t { awake = 0, queued = 1, roused = 2, chosen = 3, timed_out = 4 };

struct Machine::Thread {
  std::uint32_t& status;
  std::uint32_t& pc;
  std::uint32_t& a;
  std::uint32_t& n;
  std::uint32_t& own;
  std::uint32_t& wait;
  std::uint32_t& spurious;
  std::uint32_t& token;

  Thread(State& state, std::size_t thread)
      : Thread(&state[place::threads + thread * place::per_thread]) {}
  explicit Thread(std::uint32_t* base)
      : status(base[place::status]),
        pc(base[place::pc]),
        a(base[place::a]),
        n(base[place::n]),
        own(base[place::own]),
        wait(base[place::wait]),
        spurious(base[place::spurious]),
        token(base[place::token]) {}

  void tell(std::uint32_t what) { a = a * 5 + what; }
};

}  // namespace mazurka::native
