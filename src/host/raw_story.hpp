// An execution as the checked program writes it down: what every step did, to which address, and
// from where it was called. The front process makes a story of it (report/model/story.hpp).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/ids.hpp"
#include "report/model/exploration_tree.hpp"

namespace mazurka::host {

/// What a raw event did. The names in the comments are what a reader sees.
enum class Action : std::uint8_t {
  read,           // read x = v
  write,          // write x = v
  update,         // x: v -> w         (read-modify-write)
  update_failed,  // x is v, not e     (compare-exchange that failed)
  fence,
  create,        // start T1
  join,          // join T1
  try_join,      // value: 1 if it has ended, which is awaited then; 0: not yet
  exit_process,  // end the thread
  lock,
  try_lock,  // value: 1 acquired, 0 busy
  unlock,
  wait,    // wait on c, releasing m
  wake,    // woken, m held again
  signal,  // value: id of the process woken + 1, or 0
  broadcast,
  choose,        // value: the outcome
  static_begin,  // begin to initialise a static variable
  static_end,
  exit_program,
  failure,  // the place where the process failed
  section,  // an indivisible section
  allocate,
  release,
  spin,        // goes round in a loop that waits
  timed_wait,  // waits on c for a limited time
  read_lock,
  spin_lock,
  acquire,  // take from a semaphore
  post,     // give to a semaphore
  look,     // look at the value of a semaphore
  barrier_arrive,
  barrier_leave,
  barrier_choose,    // peer: who is to call the completion function
  barrier_call,      // ... and calls it
  barrier_complete,  // it has returned
  latch_down,        // value, new_value: how often it is still to be counted down
  latch_pass,
  latch_look,  // value: 1 if it is open
  futex_wait,  // value: 1 if it waits, 0 if the word is not as expected
  compute,     // without end, and without a step
  set_up,      // a primitive is initialised ...
  destroy,     // ... or destroyed
  leak,        // the block that is lost
  futex_wake,  // wake, of a futex; value: 1 if nobody woke it
  // Message passing. The waits are for a request of the current process; peer: its partner.
  message_send,
  message_receive,
  message_test,  // value: which of the requests is fulfilled + 1, or 0
  wait_sent,
  wait_received,
  mutex_request,
  mutex_release,
  wait_mutex,
  semaphore_acquire,
  semaphore_post,
  wait_semaphore,
  barrier_request,
  wait_barrier,
  condition_enqueue,
  condition_signal,
  condition_broadcast,
  wait_condition,
  mpi,  // a call of MPI, in the runtime's own words
};

[[nodiscard]] constexpr bool is_message(Action action) {
  return action >= Action::message_send && action < Action::mpi;
}

/// The raw event is an ordinary memory access, not a scheduling decision.
inline constexpr std::uint8_t flag_plain = 1;
/// One of the two accesses of a data race.
inline constexpr std::uint8_t flag_racing = 2;
/// The execution ended just before it: there is no value to tell.
inline constexpr std::uint8_t flag_not_done = 4;
/// An ordinary memory access, although it is a decision.
inline constexpr std::uint8_t flag_ordinary = 8;
/// An atomic access whose memory order acquires, or releases.
inline constexpr std::uint8_t flag_acquires = 16;
inline constexpr std::uint8_t flag_releases = 32;
/// It read something older than the newest value, or wrote something that is not the newest.
inline constexpr std::uint8_t flag_overtakes = 64;
/// `source` says which event of the story wrote what was read; none: it was there before.
inline constexpr std::uint8_t flag_source = 128;

struct RawEvent {
  ProcessId process{};
  Action action{};
  std::uint8_t flags = 0;
  std::uint8_t size = 0;             // bytes accessed
  std::uint32_t position = 0;        // decisions taken before it
  std::uint64_t address = 0;         // the object
  std::uint64_t second_address = 0;  // wait, wake: the mutex
  std::uint64_t value = 0;           // read, written, or before an update
  std::uint64_t new_value = 0;       // after an update; expected by update_failed
  std::uint64_t high = 0;            // the upper halves of both, of 16 bytes; ...
  std::uint64_t new_high = 0;        // ... futex_wait: what the word is and is expected to be
  ProcessId peer = no_process;       // created, joined
  std::uint32_t source = no_event;   // flag_source
  std::uint32_t newest = no_event;   // flag_overtakes: which event of the story wrote the newest
  std::uint8_t order = 0;            // of memory, as compilers number them, plus 1; 0: none
  std::vector<std::uint64_t> stack;  // return addresses, innermost first
  std::vector<std::uint64_t> ends;   // of their frames: each lies below its end; 0: not known
  std::string words{};               // mpi: what it did
};

struct RawProcess {
  ProcessId id{};
  ProcessId parent = no_process;
  std::uint32_t nth = 0;
  std::uint64_t routine = 0;  // address of the function it runs, 0 for main
  std::int32_t rank = -1;     // of MPI, that it belongs to; -1: there are none
};

/// What an unfinished process is parked at when the execution ends.
struct RawWaiting {
  ProcessId process{};
  Action action{};
  std::uint64_t address = 0;
  ProcessId peer = no_process;    // joined
  ProcessId holder = no_process;  // of the mutex
  bool enabled = false;
  std::vector<std::uint64_t> stack;
  std::string words{};  // mpi: what it waits for
};

struct RawBlock {  // a heap block that an event refers to
  std::uint64_t address = 0;
  std::uint64_t size = 0;
  ProcessId owner{};
  std::uint32_t nth = 0;  // n-th allocation of its owner
  std::vector<std::uint64_t> stack;
};

struct RawStack {  // where a process's stack lies, to say "local of T1"
  ProcessId process{};
  std::uint64_t low = 0, high = 0;
};

struct RawModule {
  std::uint64_t base = 0;  // load bias
  std::string path;
};

/// Events that are not written down, since there are too many.
struct RawGap {
  std::uint64_t before = 0;  // index of an event
  std::uint64_t events = 0;
};

struct RawStory {
  std::vector<RawProcess> processes;
  std::vector<RawEvent> events;
  std::vector<RawWaiting> waiting;
  std::vector<RawBlock> blocks;
  std::vector<RawStack> stacks;
  std::vector<RawGap> gaps{};
  /// Where fences for signal handlers were passed without which, as fences for threads, there would
  /// be no finding.
  std::vector<std::vector<std::uint64_t>> signal_fences{};
};

/// The tree of a search, with what its steps did.
struct RawTree {
  /// The events are in the place of words. A front-end that tells its steps itself leaves them out.
  ExplorationTree tree;
  std::vector<RawEvent> steps;   // by node; an event without a stack: not known
  std::vector<RawEvent> parted;  // as the tree's: where some executions left the ones before
  /// What variables that several processes use hold in the end of each execution. An event with
  /// flag_not_done has no value: a write if the execution did not come to the variable, a read if
  /// what is in it is not known.
  struct Final {
    std::uint32_t node = 0;
    std::vector<std::uint32_t> values;  // indices into RawTree::values
  };
  std::vector<RawEvent> values;
  std::vector<Final> finals;
  std::uint64_t left_out = 0;  // further variables that hold the same in all of them
  std::vector<RawProcess> processes;
  std::vector<RawBlock> blocks;
  std::vector<RawStack> stacks;
};

}  // namespace mazurka::host
