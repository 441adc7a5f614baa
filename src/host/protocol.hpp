// What the checker's front process and the checked program say to each other.
//
// The program under test is its own process: the runtime that is linked into it holds the engine
// and explores. The front process starts it with a Request, watches the shared Progress, and reads
// one Reply. Addresses are the program's; the front process resolves them (symbols.hpp).
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/archive.hpp"
#include "core/check.hpp"
#include "core/explorer.hpp"
#include "core/finding.hpp"
#include "core/ids.hpp"
#include "core/session.hpp"
#include "host/memory_orders.hpp"
#include "host/raw_story.hpp"
#include "report/model/story.hpp"

namespace mazurka::host {

inline constexpr std::uint32_t protocol_version = 8;

/// Environment of the program under test: numbers of inherited file descriptors.
inline constexpr const char* request_variable = "MAZURKA_REQUEST";    // readable: a Request
inline constexpr const char* reply_variable = "MAZURKA_REPLY";        // writable: a Reply
inline constexpr const char* progress_variable = "MAZURKA_PROGRESS";  // shared memory: Progress
inline constexpr const char* races_variable =
    "MAZURKA_RACES";  // a socket: RaceQuestion, RaceAnswer
inline constexpr const char* files_variable = "MAZURKA_FILES";  // a socket: sent_files.hpp

enum class Task : std::uint8_t {
  explore,  // search; the program's own output is discarded
  replay,   // perform one schedule; the program's own output is shown; the reply tells the story
  debug,    // perform one schedule for a debugger: no signal handlers, no page protection
};

/// Whether an execution may begin where another one was, instead of at the beginning.
enum class CheckpointMode : std::uint8_t {
  off,
  on,      // where that takes less time
  always,  // wherever it can
  check,   // nowhere: what would be put back is compared with what the events lead to
};

/// What atomic operations may read (docs/memory.md).
enum class MemoryModel : std::uint8_t {
  automatic,  // rc11 if the program uses weaker orders than seq_cst, or fences; else sc
  sc,         // the latest value, whatever their orders are
  tso,        // as on x86: a write may be seen late by others
  rc11,       // as C and C++ say, without what is made out of nothing
  ra,         // every operation releases and acquires
};

inline constexpr MemoryModel memory_models[] = {
    MemoryModel::automatic, MemoryModel::sc, MemoryModel::tso, MemoryModel::rc11, MemoryModel::ra};
[[nodiscard]] constexpr const char* name_of(MemoryModel model) {
  switch (model) {
    case MemoryModel::automatic: return "auto";
    case MemoryModel::sc: return "sc";
    case MemoryModel::tso: return "tso";
    case MemoryModel::rc11: return "rc11";
    case MemoryModel::ra: return "ra";
  }
  return "";
}

/// Whether an MPI standard send waits for its receive: never, always, one exploration for either
/// of these, or as each send chooses.
enum class Buffering : std::uint8_t { infinite, zero, both, each };
inline constexpr Buffering bufferings[] = {Buffering::infinite, Buffering::zero, Buffering::both,
                                           Buffering::each};
[[nodiscard]] constexpr const char* name_of(Buffering buffering) {
  switch (buffering) {
    case Buffering::infinite: return "infinite";
    case Buffering::zero: return "zero";
    case Buffering::both: return "both";
    case Buffering::each: return "each";
  }
  return "";
}

/// For whom an MPI collective waits: for all, for those whose data it needs, or one exploration
/// for either; automatic: the second one only where it could show more.
enum class CollectiveWaits : std::uint8_t { automatic, sync, loose, both };
inline constexpr CollectiveWaits all_collective_waits[] = {
    CollectiveWaits::automatic, CollectiveWaits::sync, CollectiveWaits::loose,
    CollectiveWaits::both};
[[nodiscard]] constexpr const char* name_of(CollectiveWaits waits) {
  switch (waits) {
    case CollectiveWaits::automatic: return "auto";
    case CollectiveWaits::sync: return "sync";
    case CollectiveWaits::loose: return "loose";
    case CollectiveWaits::both: return "both";
  }
  return "";
}

/// A race that matches is accepted (host/suppressions.hpp).
struct Suppression {
  std::string pattern;    // as ThreadSanitizer's: parts of names, with * ^ $
  bool top_only = false;  // matches the innermost frames only
  std::string origin;     // where it was said: "races.txt:3 (race:counter)"
};

/// What of a program with threads is looked at, besides its schedules.
/// What a search has found out that decides which steps its executions have: a schedule means
/// nothing without it.
struct Refinement {
  // Where accepted races are known to be: eight bytes each, and accesses to them are decisions.
  std::vector<std::uint64_t> exposed;
  std::vector<std::uint64_t> escaped;  // local variables that other threads use: eight bytes each
  std::vector<std::uint64_t> guards;   // Learned::guards: they are in no execution graph
  std::vector<std::uint64_t> ordered;  // std::barrier: where it matters who comes first
  bool latches_by_library = false;     // std::latch: one is looked at, under weak memory
  friend bool operator==(const Refinement&, const Refinement&) = default;
};

struct Checks {
  std::uint32_t spurious = 0;  // how often a process may wake up without a signal
  std::uint32_t weak_cas = 0;  // how often its weak compare-exchanges may fail without a reason
  bool leaks = false;          // blocks that are not freed at the end are findings
  bool heap = true;            // heap blocks: use after free, out of bounds
  bool uninitialised = false;  // reads of what was never written
  MemoryModel memory = MemoryModel::automatic;
  bool graphs = false;                    // atomic operations are events of a graph (GraphStep)
  bool races = true;                      // data races
  bool exit_code = false;                 // an end with another exit code than 0 is a finding
  bool liveness = false;                  // an end while others wait for ever is a finding
  bool volatile_atomic = false;           // accesses to volatile variables count as atomic
  std::uint32_t ranks = 0;                // of an MPI program; 0: it is none
  Buffering buffering = Buffering::both;  // of standard sends; the runtime is never told `both`
  CollectiveWaits collectives = CollectiveWaits::automatic;
  bool message_races = false;  // a receive that could take messages of several ranks is a finding
  std::string rules;           // programs of CAF: settings, with commas between them
  std::vector<Suppression> suppressions;  // data races that are no findings
  Refinement refinement;
};

/// Something in memory that a message is about, and where the program was at it.
struct RawObject {
  std::uint64_t address = 0;  // 0: there is none
  std::uint64_t size = 0;
  std::vector<std::uint64_t> stack;
  std::vector<std::uint64_t> ends;  // of its frames (RawEvent)
  friend bool operator==(const RawObject&, const RawObject&) = default;
};
template <typename Archive>
void members(Archive& archive, Same<RawObject> auto& v) {
  archive(v.address, v.size, v.stack, v.ends);
}

/// What a verdict rests on besides the executions: what of the program could not be, or was not,
/// explored in full. The front process says it in words (host/grounds.hpp).
struct Grounds {
  bool weak_orders = false;  // atomic operations weaker than seq_cst, while others were there
  bool sampled = false;      // values that may be anything: a few were tried
  bool chance = false;       // random numbers: a fixed row
  bool clocks = false;       // the time: a fixed row as well
  bool interacted = false;   // two processes have touched the same object
  std::string as_strong;     // why weaker orders were run as seq_cst though nobody had asked for it
  RawObject as_strong_object;  // because of which, if it is one
  std::string unordered;   // outside of memory, used by two processes with nothing to order them
  std::string unexplored;  // what the program does, of whose behaviours some may be missing
  bool message_races = false;  // a receive could take messages of several ranks
  bool time_matters = false;   // a receive from anywhere or a test: it depends on who comes first
  bool went_ahead = false;     // a rank whose collective need not have waited for all
  // Code that accesses memory without being seen, and that a thread came to while there were
  // others.
  std::uint64_t unseen_at = 0;
  bool order_matters = false;  // states were not compared: equal ones do not mean equal data races
  RawObject order_object;      // because of which accesses, if it is memory
  friend bool operator==(const Grounds&, const Grounds&) = default;
};
template <typename Archive>
void members(Archive& archive, Same<Grounds> auto& v) {
  archive(v.weak_orders, v.sampled, v.chance, v.clocks, v.interacted, v.as_strong,
          v.as_strong_object, v.unordered, v.unexplored, v.message_races, v.time_matters,
          v.went_ahead, v.order_matters, v.order_object, v.unseen_at);
}

struct Request {
  std::uint32_t version = protocol_version;
  Task task = Task::explore;
  std::string technique = "optimal";
  bool racy = false;
  Limits limits;
  double stall_seconds = 2;        // how long a process may compute without a visible operation
  std::vector<Decision> schedule;  // for replay and debug
  std::string order;               // actors: fifo, eca or lca; empty: the front-end's own
  Checks checks;
  bool bound_is_default = false;      // the user did not say how long an execution may be ...
  bool technique_is_default = false;  // ... nor how to explore (driver/hunt.hpp)
  std::string task_log;               // where to write what each task took (driver/task_log.hpp)
  std::string certificate;            // where to write what is explored; empty: nowhere
  bool measure_replay = false;        // afterwards, time the same executions without analysis

  // Saved explorations (driver/exploration_file.hpp).
  std::string save_file;                   // where to save; empty: nowhere
  std::string save_about;                  // what the front process wants to find in the file
  double save_seconds = 5;                 // between two saves
  bool must_save = false;                  // the user has asked for it
  std::string resume_file;                 // go on with this one; empty: begin
  std::uint32_t part = 0, parts = 0;       // of that one, only this part of so many; 0: all of it
  bool shared = false;                     // other processes explore other parts
  bool compares_uses = false;              // ... and Reply::uses of all parts will be compared
  std::vector<CrashingSchedule> crashing;  // of which the program has died before

  bool shorten = true;  // look for the smallest schedules that fail in the same way
  std::string check;    // which call of mazurka::check to explore; empty: main
  CheckpointMode checkpoints = CheckpointMode::on;
  bool probes = true;  // estimate how large the search is, and what makes it so
  bool tree = false;   // keep the tree of the search, for the reply
  OrderRequest orders;

  // Replay: places of code that is not seen and may order what others do (RawFinding::hidden),
  // relative to where the program is.
  std::vector<std::uint64_t> hidden;
  // Search: accesses to memory that are not seen (Grounds::unseen_at), relative to it as well.
  std::vector<std::uint64_t> unseen;

  std::vector<std::uint64_t> filter;  // of system calls (host/system_calls.hpp); empty: none
  std::uint64_t filter_key = 0;
};

/// The exit code of a process in which the runtime finds no room for the program's memory: there is
/// no way to reply then.
inline constexpr int exit_out_of_reach = 121;
/// ... and of one in which the program has overwritten the runtime's own variables.
inline constexpr int exit_overwritten = 122;

/// Counters that the program under test updates while it explores. Lives in shared memory.
struct Progress {
  std::atomic<std::uint64_t> executions{0};
  std::atomic<std::uint64_t> asleep{0};
  std::atomic<std::uint64_t> events{0};
  std::atomic<std::uint64_t> depth{0};      // events of the latest execution
  std::atomic<double> explored{0};          // estimate, 0..1; 0: not known
  std::atomic<double> at_least{0};          // executions of the whole search; 0: not known
  std::atomic<std::uint32_t> interrupt{0};  // set by the front process: stop and reply
  std::atomic<std::uint32_t> position{0};   // events of the execution under way
  std::atomic<std::uint32_t> saves{0};      // how often the exploration was saved
  std::atomic<std::uint32_t> telling{0};    // the search is over, the findings are being told
  std::atomic<std::uint32_t> walking{0};    // random walks are performed beside the search
  std::atomic<std::uint32_t> confined{0};   // what the program asks of the kernel is answered
  std::atomic<std::uint32_t> schedule_size{0};
  // The latest executions: how many events each had, and how many of them the one before had, too.
  struct Latest {
    std::atomic<std::uint32_t> shared{0};
    std::atomic<std::uint32_t> events{0};
    std::atomic<Ending> ending{Ending::complete};
  };
  static constexpr std::uint32_t most_latest = 256;
  std::atomic<std::uint64_t> begun{0};  // executions; the n-th is at n % most_latest
  Latest latest[most_latest];
  // The decisions of the execution under way, so that a death of the process can be replayed.
  static constexpr std::uint32_t max_schedule = 1U << 20;
  Decision schedule[max_schedule];
  // A check that failed in the program under test (core/check.hpp): 0 none, 1 its text is being
  // written, 2 its text is complete.
  std::atomic<std::uint32_t> failed_check{0};
  char failed_check_text[failed_check_text_size];
};

/// Asked while the search goes on: is this race accepted? The first two events of the story are its
/// accesses; a third one has the frames of the process on whose stack they meet. Or: does the only
/// event, an access to all of the only block, reach beyond a variable? The answer says how far.
struct RaceQuestion {
  std::uint32_t version = protocol_version;
  RawStory story;
  std::vector<RawModule> modules;
};
/// Whether a program with these checks asks anything.
[[nodiscard]] inline bool asks(const Checks& checks) {
  return !checks.suppressions.empty() || checks.ranks > 0;
}
struct RaceAnswer {
  std::uint32_t version = protocol_version;
  bool accepted = false;
  std::uint32_t suppression = 0;  // index into Checks::suppressions
  std::string race;               // in words that are the same for the same race in the source
};

/// An accepted race, and how often it was met.
struct AcceptedRace {
  std::uint32_t suppression = 0;
  std::string race;
  std::uint64_t executions = 0;
  friend bool operator==(const AcceptedRace&, const AcceptedRace&) = default;
};
template <typename Archive>
void members(Archive& archive, Same<AcceptedRace> auto& v) {
  archive(v.suppression, v.race, v.executions);
}

/// What re-running shortened schedules came to.
struct RawShortened {
  bool done = false;
  std::uint64_t switches = 0;            // from one process to another
  bool fewest = false;                   // no schedule with fewer of them fails in this way
  bool always_fails = false;             // every execution fails
  std::optional<std::size_t> no_return;  // the decision after which every continuation fails
};

struct RawFinding {
  Finding finding;
  RawStory story;
  std::vector<Story> told;  // at most one: the story, from a front-end that tells it itself
  RawShortened shortened{};
  // A data race: code that is not seen and that one of the two threads has come to in between; 0:
  // none; nothing: that was not looked at.
  std::optional<std::uint64_t> hidden{};
};

struct RawDivergence {
  std::uint32_t event = 0;
  std::string expected;  // one operation each, in words
  std::string seen;
  std::vector<std::uint64_t> stack{};  // of what is seen; may be empty
};

/// One place of the program, among those that make a search large (runtime/profile.hpp).
struct RawHotSpot {
  std::vector<std::uint64_t> stack;
  Action action{};
  double events = 0;            // per execution
  double branching = 0;         // powers of ten by which it multiplies the number of executions
  std::uint64_t processes = 0;  // that come there in one execution, at most
  std::uint64_t rounds = 0;     // how often one of them comes there, at most
  std::uint64_t tries = 0;      // how often in a row it tries there in vain, at most
};

struct RawProfile {
  std::uint64_t executions = 0;  // that were looked at; 0: there is no profile
  double events = 0;             // per execution
  double total = 0;              // estimate of the executions of the whole search; 0: none
  double error = 0;              // of that, relative
  double at_least = 0;           // there are nearly certainly more than so many; 0: not known
  std::vector<RawHotSpot> spots;
};

struct Reply {
  std::uint32_t version = protocol_version;
  std::string error;   // not empty: the request could not be carried out; one clear message
  bool draft = false;  // what is known before the findings are told, in case that it ends there
  std::int32_t refused_call = -1;         // the number of the system call that the error is about
  std::vector<std::uint64_t> refused_at;  // the stack of the call that it is about
  RawObject refused_object;               // ... or the object
  bool complete = false;
  bool must_begin_anew = false;  // Explored::must_begin_anew
  Stop stopped = Stop::none;
  Statistics statistics;
  Rest rest;
  double seconds = 0;
  std::uint64_t peak_memory = 0;
  std::vector<RawFinding> findings;
  std::vector<RawModule> modules;
  std::vector<RawDivergence> divergence;  // at most one
  Grounds grounds;
  MemoryModel memory = MemoryModel::sc;  // that was explored
  std::vector<std::string> notes;
  RawStory replayed;                      // task replay: the whole execution
  std::vector<std::uint64_t> stalled_at;  // stack of a process that computed without end
  ProcessId stalled_process = no_process;
  RawStory left_waiting;  // one of the executions that end while others wait for ever
  std::string limit;      // what of ours an execution was cut for, other than the number of events
  double replay_seconds = 0;            // measure_replay: this long for ...
  std::uint64_t replay_executions = 0;  // ... so many executions, performed without analysis
  std::vector<AcceptedRace> accepted;   // by the request's suppressions ...
  Refinement refinement;
  RawProfile profile;               // of a search that was cut
  RawTree tree;                     // if it is wanted
  std::vector<AtomicSite> sites;    // if they are (OrderRequest)
  std::vector<std::uint64_t> uses;  // of memory, of a part of a search (Contention)
};

}  // namespace mazurka::host
