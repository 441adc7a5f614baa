// Loops that wait: an iteration that changed nothing need not be done.
//
// A process that comes to the same place in its code with the same registers, the same stack and
// the same locks, and that has changed nothing in between, has done one round of a waiting loop.
// Whatever it does after that round it could have done without it, and nobody else could tell the
// difference. So an execution that goes on after such a round has a twin that leaves the round
// out, and the twin is explored too: the process is taken out of this one for good. That makes a
// waiting loop a step that simply does not happen while there is nothing to go on with, and the
// search ends without a bound.
//
// Whether a process is taken out depends on nothing but what it has itself read, so equivalent
// executions agree on it: to the explorers it is a process that blocks.
//
// When nobody can move any more, a process that was taken out is looked at again. If everything
// that it read in its last round still has the value that it read, it would go round for ever: a
// livelock. Otherwise it would go on, as it does in another execution, and this one is only
// redundant. (Of an execution that ends with someone spinning, keep only one round that comes
// after all else: that one is explored, and there nothing has changed.)
//
// Locking and unlocking in a round changes nothing either, unless someone has tried to lock a mutex
// just then and found it held. Such a round can not be left out. But two processes that try and
// give way can keep doing that to each other for ever (std::lock does), so a process gets a few
// rounds that others have noticed and is then taken out nevertheless, and a note says so.
//
// A process that is taken out must not keep a lock that it gave up in between: it is taken out
// where it holds the fewest. Where that is a wait for a limited time, which gives up a mutex, it is
// not taken out, but waits without a limit: it can still be signalled.
//
// Comparing stacks costs time. A place is only compared once the exploration has seen that a
// process can come to it twice without having changed anything; then the exploration begins anew.
// From then on a process starts with a stack of zeros, and hooks keep out of it (call_site.hpp):
// what is not initialised must not depend on what ran there before.
//
// A variable that is not needed any more still counts: unoptimised code keeps it on the stack. Then
// the first round that leaves another value there is gone through, and found out later to have been
// in vain (spared_rounds.hpp). An execution in which someone was taken out who could go on in the
// end is not counted as one.
#include "programs/threads/runtime/call_site.hpp"
#include "programs/threads/runtime/runtime.hpp"

mazurka::threads::CallSite mazurka_call_site;
const void* mazurka_caller;
bool mazurka_far_hooks;

namespace mazurka::threads {

namespace {

constexpr std::size_t deepest_stack = std::size_t{64} << 10;  // deeper ones are not compared

// `time`: words that are points in time count relative to now; null: there are none.
std::uint64_t digest_of(const CallSite& site, std::uintptr_t top, const LogicalTime* time) {
  std::uint64_t digest = 0x9e3779b97f4a7c15U;
  const auto take = [&](std::uint64_t word) {
    if (time != nullptr) word = time->relative(word);
    digest = (digest ^ word) * 0xff51afd7ed558ccdU;
    digest ^= digest >> 32;
  };
  for (const std::uintptr_t word : site.saved) take(word);
  for (std::uintptr_t at = site.stack(); at + sizeof(std::uint64_t) <= top;
       at += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, reinterpret_cast<const void*>(at), sizeof word);
    take(word);
  }
  return digest | 1U;
}

// The functions that are under way, and where in each of them, as a number.
std::uint64_t callers_of(std::uintptr_t stack, std::uintptr_t top) {
  std::uint64_t digest = stack;
  for (std::uintptr_t at = stack; at + sizeof(std::uint64_t) <= top; at += sizeof(std::uint64_t)) {
    const std::uint64_t word = load_value(at, sizeof word);
    if (in_code_of_program(word)) digest = fingerprint_of(digest ^ at, word).low;
  }
  return digest;
}

}  // namespace

void Runtime::clear_stack(Process& process) {
  const std::size_t slot = index(process.id);
  constexpr std::size_t at_first = std::size_t{256} << 10;
  constexpr std::size_t below = 8192;  // frames of functions that called no hook
  if (process.deepest == 0) process.deepest = stack_top(slot) - at_first;
  const std::uintptr_t begin = std::max(process.deepest - below, slot_begin(slot) + guard_size);
  std::memset(reinterpret_cast<void*>(begin), 0, stack_top(slot) - begin);
  process.deepest = stack_top(slot);
}

// What functions that have returned left below the caller's frame shows through in the gaps of
// those that are called next. Only from a hook that has just noted its call site, and works far
// below.
void Runtime::clear_dead_frames() const {
  constexpr std::size_t in_use = 16;  // by the hook's first instructions
  constexpr std::size_t cleared = 2048;
  const CallSite site = mazurka_call_site;
  const std::uintptr_t end = site.stack_pointer - in_use;
  if (!in_own_stack(end - cleared) || !in_own_stack(end)) return;
  std::memset(reinterpret_cast<void*>(end - cleared), 0, cleared);
  mazurka_call_site = site;  // memset is a hook, too
}

void Runtime::arrive(std::uintptr_t what, bool known, std::uint64_t operands) {
  if (goes_round(what, known, operands, 0)) spin_for_ever();
}

// `releases`: how many locks the operation is going to release.
bool Runtime::goes_round(std::uintptr_t what, bool known, std::uint64_t operands,
                         std::uint32_t releases) {
  if (section_ != Section::none) return false;
  SpinWatch& watch = current_->watch;
  const CallSite site = mazurka_call_site;
  const std::size_t slot = index(current_->id);
  const std::uintptr_t stack = site.stack();
  if (!in_zone(stack) || slot_of(stack) != slot || !in_stack_of(slot, stack)) return false;
  current_->deepest = std::min(current_->deepest, stack);
  if (!watch.writes.empty() && watch.wrote()) watch.progress();
  const std::uintptr_t code = site.code();
  known = known || spin_sites_[code];
  if (!known) {
    for (const SpinWatch::Place& one : watch.places) {
      if (one.code != code || one.stack != stack) continue;
      spin_sites_[code] = true;
      mazurka_far_hooks = true;
      must_restart_ = true;
      leave();
    }
  }
  if (watch.places.size() >= SpinWatch::max_places || watch.reads.size() >= SpinWatch::max_reads) {
    watch.progress();
  }
  SpinWatch::Place here{code,
                        stack,
                        0,
                        watch.held,
                        static_cast<std::uint32_t>(watch.reads.size()),
                        0,
                        watch.observations,
                        watch.locks,
                        what,
                        0,
                        0};
  const bool comparable = stack_top(slot) - stack <= deepest_stack;
  std::uint64_t digest = 0;
  if (comparable && (known || mazurka_far_hooks)) {
    digest = digest_of(site, stack_top(slot), current_->timely ? &current_->time : nullptr);
    digest = fingerprint_of(fingerprint_of(digest, what).low, operands).low | 1U;
  }
  if (comparable && mazurka_far_hooks && releases == 0) {
    const std::uint64_t place = fingerprint_of(code, stack).low;
    if (would_be_here_anyway(what, fingerprint_of(place, digest).low)) return true;
    here.history = current_->history.digest;
    here.callers = callers_of(stack, stack_top(slot));
  }
  if (known && comparable) {
    here.digest = digest;
    watch.active = true;
    for (SpinWatch::Place& one : watch.places) {
      if (one.digest != here.digest || one.code != code || one.stack != stack ||
          one.held != watch.held) {
        continue;
      }
      note_that_it_tries_again();
      // Others may have been meant to get a lock that was given up for a while: not while it is
      // held.
      if (watch.locks - releases > one.fewest) return false;
      if (one.observations == watch.observations || ++one.rounds > SpinWatch::max_rounds) {
        if (one.observations != watch.observations) learned_.gave_up_rounds = true;
        watch.reads.erase(watch.reads.begin(), watch.reads.begin() + one.reads);
        // What it has itself overwritten since on its stack it would read anew.
        std::erase_if(watch.reads, [&](const SpinWatch::Read& read) {
          return read.size != 0 && in_own_stack(read.address) &&
                 load_value(read.address, read.size) != read.value;
        });
        return true;
      }
      one.observations = watch.observations;
      one.reads = here.reads;
      return false;
    }
  }
  if (here.history != 0) leave_out_rounds(here);
  watch.places.push_back(here);
  return false;
}

void Runtime::note_that_it_tries_again() {
  if (tries_again_) return;
  tries_again_ = must_restart_ = true;
  leave();
}

// Since it was at one of the places the process has changed nothing: if it could have been about to
// do there what it is about to do here, it may turn out that it need not have come here first. The
// code need not be the same, for the compiler may have made two of one. But nobody expects that of
// programs without loops that try again: of them every trace counts. Unoptimised code comes to the
// same place from several others, so who called whom counts here.
void Runtime::leave_out_rounds(const SpinWatch::Place& here) {
  const SpinWatch& watch = current_->watch;
  if (counts_rounds_) return;
  for (const SpinWatch::Place& one : watch.places) {
    if (one.history == 0 || one.held != here.held || one.observations != here.observations) {
      continue;
    }
    // Without the round it would have kept a lock that someone may have got in the round.
    if (watch.locks > one.fewest) continue;
    const bool same = one.code == here.code && one.callers == here.callers;
    if (same) note_that_it_tries_again();
    const bool like = here.what != 0 && one.what == here.what;
    if (tries_again_ && (same || like)) current_->history.leave_out_since(one.history, same);
  }
}

void Runtime::spin_for_ever() {
  current_->watch.stuck = true;
  ++spinning_;
  scratch_.clear();
  std::uintptr_t address = 0;
  for (const SpinWatch::Read& one : current_->watch.reads) {
    if (one.size == 0) continue;
    address = one.address;
  }
  note(Action::spin, address);
  park({scratch_, no_process, false}, false, false);
}

// The program says that an execution in which this process goes on is of no interest.
void Runtime::give_up() {
  EngineScope scope;
  take_back_block();
  learned_.assumed = current_->watch.assumed = current_->watch.stuck = true;
  ++spinning_;
  note(Action::spin, 0);
  park({}, false, false);
}

void Runtime::idle() {
  inside_engine = true;
  learned_.assumed = current_->watch.assumed = current_->watch.stuck = true;
  ++spinning_;
  run_->announce(current_->id, {}, false, false);
  go_on_without_current();
}

void Runtime::sleep(std::int64_t time) {
  current_->time.now += time;
  if (++current_->watch.naps < SpinWatch::most_naps || current_->watch.plain != 0) return;
  EngineScope scope;
  current_->watch.progress();
  spin_for_ever();
}

void Runtime::set_deadline(const timespec& time) {
  const std::int64_t wanted = time.tv_sec * second + time.tv_nsec;
  current_->time.deadline = wanted - (wanted >= epoch ? epoch : uptime);
  current_->timely = true;
}

bool Runtime::in_own_stack(std::uintptr_t address) const {
  const std::size_t slot = index(current_->id);
  return in_zone(address) && slot_of(address) == slot && in_stack_of(slot, address);
}

void Runtime::watch_read(std::uintptr_t address, std::size_t size) {
  if (!current_->watch.active) return;
  for (std::size_t at = 0; at < size; at += 8) {
    const std::size_t part = std::min<std::size_t>(size - at, 8);
    // A point in time that was fixed earlier: whether it has come is another question every round.
    if (current_->timely && !in_own_stack(address) &&
        current_->time.is_time(load_value(address + at, part))) {
      current_->watch.progress();
      return;
    }
    current_->watch.reads.push_back({address + at, load_value(address + at, part), ObjectId{},
                                     static_cast<std::uint8_t>(part)});
  }
}

void Runtime::watch_object(ObjectId object) {
  if (!current_->watch.active) return;
  current_->watch.reads.push_back({0, value_of(object), object, 0});
}

void Runtime::watch_write(std::uintptr_t address, std::size_t size) {
  SpinWatch& watch = current_->watch;
  if (watch.places.empty()) return;
  if (in_own_stack(address)) return;
  if (size > 8 || watch.writes.size() > SpinWatch::max_places) {
    watch.progress();
    return;
  }
  watch.writes.push_back({address, load_value(address, size), static_cast<std::uint8_t>(size)});
}

// A loop that reads plain variables and nothing else takes no step at all. After many reads it is
// looked at more closely for a while, and again after twice as many.
void Runtime::look_at_plain_loop(std::uintptr_t address) {
  SpinWatch& watch = current_->watch;
  if (watch.plain == watch.next_look) watch.progress();
  if (watch.plain >= watch.next_look + SpinWatch::look) {
    watch.next_look = watch.plain * 2;
    return;
  }
  arrive(address, true);
}

bool Runtime::spins_for_ever(const Process& process) {
  if (process.watch.assumed || process.watch.spared || process.watch.wrote()) return false;
  for (const SpinWatch::Read& one : process.watch.reads) {
    const std::uint64_t now =
        one.size == 0 ? value_of(one.object) : load_value(one.address, one.size);
    if (now != one.value) return false;
  }
  return true;
}

void Runtime::settle_spinning() {
  if (spinning_ == 0 || run_->anyone_enabled() || run_->over()) return;
  run_->excuse_waiting();
  if (someone_failed_) return;   // and ends the program, whoever waits
  bool someone_goes_on = false;  // and might help the others
  for (std::size_t at = 0; at < used_processes_; ++at) {
    const Process* one = processes_[at].get();
    if (one == nullptr || !one->used || !one->watch.stuck || spins_for_ever(*one)) continue;
    someone_goes_on = true;
    if (!one->watch.assumed) run_->waited_in_vain();
  }
  if (someone_goes_on) return;
  for (std::size_t at = 0; at < used_processes_; ++at) {
    const Process* one = processes_[at].get();
    if (one == nullptr || !one->used || !one->watch.stuck) continue;
    const std::string key =
        "livelock " + std::to_string(at) + " " + std::to_string(one->watch.reads.size()) + " " +
        std::to_string(one->watch.reads.empty() ? 0 : one->watch.reads.front().address);
    run_->report(one->id, FindingKind::livelock,
                 "waits in a loop for a change that nobody can make any more", key);
    if (run_->over()) return;
  }
}

}  // namespace mazurka::threads
