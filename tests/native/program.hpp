// A random concurrent program as data.
//
// Idea. One tree is the source of everything: it is printed as C or C++ (printer.hpp), compiled and
// explored by the checker, and interpreted by a search of its own (machine.hpp, reference.hpp). A
// thread is a function that is started at most once, so that a thread and its function have one
// number; number 0 is main.
//
// What a thread learns goes into its accumulator `a` (a = 5a + what it was told); main reports the
// accumulators and the variables in the end. So two behaviours that anybody can tell apart have
// different reports.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace mazurka::native {

enum class Op : std::uint8_t {
  // local
  mix,      // a = 5a + c
  compute,  // a loop of c rounds that only computes
  own,      // a thread_local variable is increased by c and told
  cells,    // an array of atomics on the stack, each set to c in a loop; number d is told
  // atomic variables; v is the variable
  load,
  store,      // c
  store_own,  // a % 4
  // fetch_add and its like, of c, whose results are not used
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
  cas,         // c -> d
  cas_weak,    // c -> d
  cas_loop,    // adds c by trying until it succeeds
  load_loop,   // d times the same
  store_loop,  // d times the same
  // loops that wait until variable v is c
  spin,
  spin_yield,
  spin_sleep,
  spin_backoff,
  spin_two,      // and variable w is d
  spin_counter,  // and count the rounds, up to 2
  spin_bounded,  // but look at most d times, and tell how often
  spin_set,      // and set bits d of variable w in each round
  spin_store,    // and store d to variable w in each round
  spin_poll,     // looking under mutex w
  spin_try,      // trylock of mutex v until it succeeds; body; unlock
  // control
  if_equal,  // variable v is c: body, else other
  if_odd,    // a is odd: body, else other
  fail,      // an assertion fails, with number c
  check,     // an assertion: variable v is not c
  leave,     // pthread_exit
  exit,      // the whole program
  choose,    // 0 .. c-1
  // plain variables
  plain_load,
  plain_store,
  plain_add,
  // locks; how: see How
  locked,
  locked_kept,  // locks mutex v and never unlocks it
  read_locked,
  write_locked,
  spin_locked,
  // condition v with mutex v; waits for variable w to be c; d: see compile_wait
  wait,
  wait_timed,
  signal,
  broadcast,
  // semaphore v
  sem_wait,
  sem_try,
  sem_timed,
  sem_post,
  sem_get,
  barrier,  // c: tells who is the serial thread
  once,
  // variable v as a futex
  futex_wait,  // while it is c; d: with a time limit
  futex_wake,  // c: how many (1, or 2 for all)
  // std::atomic::wait and notify
  atomic_wait,    // while it is c
  atomic_notify,  // c: how many (1, or 2 for all)
  // std::latch
  latch_down,  // c times at once
  latch_wait,
  latch_arrive,
  latch_try,   // tells whether it is open
  latch_spin,  // until it is open
  // std::barrier; where it has a completion function, who comes tells how often it has called that
  phase_meet,   // arrives and waits
  phase_apart,  // arrives for c; body; waits
  phase_come,   // arrives for c, and never waits
  phase_drop,   // arrives, and is not expected any more
  // heap slot v
  heap_new,   // a block with value c, its address stored in the slot
  heap_use,   // reads the block whose address is in the slot
  heap_set,   // writes c to it
  heap_free,  // d: takes the address out of the slot first; else only reads it
  // a block of one's own that ends with the thread; w: see Mine
  share,     // its address is stored in heap slot v
  mine_set,  // c
  mine_get,
  // objects begin, for the first time or anew, as if they had never been used; v is the object
  begin_mutex,
  begin_condition,
  begin_rw_lock,
  begin_spin_lock,
  begin_semaphore,  // c: its value
  // indivisible pieces
  section,  // mazurka_atomic; d: which of the bodies
  block,    // __VERIFIER_atomic_begin and _end around the body
  // threads; v is the function
  spawn,
  join,
  detach,
  join_detached,
  report,  // main: tells the final state
  // what is before runs before the function main, what is behind after it; d: see Outside
  main_begins,
  main_ends,
};

enum class How : std::uint8_t { lock, try_lock, timed };
enum class Wait : std::uint8_t { always, once, loop };  // without predicate, `if`, `while`

struct Statement {
  Op op = Op::mix;
  int v = 0;
  int w = 0;
  int c = 0;
  int d = 0;
  How how = How::lock;
  Wait wait = Wait::always;
  std::vector<Statement> body;
  std::vector<Statement> other;
};

using Block = std::vector<Statement>;

enum Mine : int { on_stack = 0, thread_local_variable = 1 };
enum Outside : int { by_attribute = 0, by_object = 1, at_exit = 2 };

enum class MutexKind : std::uint8_t { normal, recursive, errorcheck };

inline constexpr std::size_t variables = 3;

struct Program {
  std::string profile;
  bool racy = false;  // to be checked with --racy
  bool cpp = false;   // has constructs that only C++ has
  bool fenced =
      false;  // variables are volatile, ordered by fences; to be checked with --volatile atomic
  int spurious = 0;  // for --spurious
  std::array<int, variables> width{4, 4, 4};
  std::array<int, variables> initial{};
  std::array<MutexKind, 2> mutexes{};
  std::array<int, 2> semaphores{};
  int barrier = 2;
  int latch = 1;
  int phase = 2;     // so many are expected at the std::barrier
  Block completion;  // what is called when a phase is complete; empty: nothing
  Block once;
  std::vector<Block> functions;  // 0: main
};

/// Whether some statement of the program satisfies the predicate.
template <typename Predicate>
bool any_of(const Block& block, Predicate&& wanted) {
  for (const Statement& one : block) {
    if (wanted(one) || any_of(one.body, wanted) || any_of(one.other, wanted)) return true;
  }
  return false;
}

template <typename Predicate>
bool any_of(const Program& program, Predicate&& wanted) {
  if (any_of(program.once, wanted) || any_of(program.completion, wanted)) return true;
  for (const Block& function : program.functions) {
    if (any_of(function, wanted)) return true;
  }
  return false;
}

inline bool uses(const Program& program, Op op) {
  return any_of(program, [op](const Statement& one) { return one.op == op; });
}

/// Whether something runs before the function main, or after it.
bool goes_outside_main(const Program& program);

/// Whether threads may fail to get a lock or a token, and go on.
bool makes_attempts(const Program& program);

/// Whether threads have blocks of their own.
bool has_own_blocks(const Program& program);

/// The threads that have ended for certain when main reports, main itself among them.
std::vector<bool> surely_joined(const Program& program);

/// Whether the program has a std::barrier.
bool has_phases(const Program& program);

/// Whether all threads have: then main may look at everything.
bool quiescent(const Program& program);

/// How many statements the program has.
std::size_t size(const Program& program);

/// A text from which two programs can be told apart.
std::string outline(const Program& program);

}  // namespace mazurka::native
