// Loops that wait: a round that changed nothing need not be done.
//
// A process that comes to the same operation again with the same registers, the same stack, the
// same thread-local variables and the same locks, bit for bit, and that has changed nothing in
// between that anybody could see, has done one round of a waiting loop. Whatever it does after that
// round it could have done without it, and nobody else could tell the difference. So an execution
// that goes on after such a round has a twin that leaves the round out, and the twin is explored
// too: the process is taken out of this one for good. That makes a waiting loop a step that simply
// does not happen while there is nothing to go on with, and the search ends without a bound.
//
// Whether a process is taken out depends on nothing but what it has itself done and been told in
// this execution, so equivalent executions agree on it: to the explorers it is a process that
// blocks. Which accesses others may race with is learnt (contention.hpp).
//
// When nobody can move any more, a process that was taken out is looked at again. If everything
// that it read in its last round still has the value that it read, it would go round for ever: a
// livelock. Otherwise it would go on, as it does in another execution, and this one does not count.
// (Of an execution that ends with someone spinning, keep only one round that comes after all else:
// that one is explored, and there nothing has changed.) Nor is it a livelock if another outcome of
// a choice could end the loop.
//
// A variable that is not needed any more still counts as state: unoptimised code keeps it on the
// stack. Then a round that has read another value than the one before is gone through; with the
// same values the next one is the same.
//
// What the round must not have done:
//
//   - written to memory so that at one of its operations something was different from before: that
//     is when others might look. A store of the value that was there already changes nothing,
//     unless the technique leaves the order of writes open. What it writes to its own stack matters
//     when another process comes to read it; and what another process writes there, which it may do
//     before or after, counts as if it had always been there.
//   - held a lock when somebody tried to get it and found it held. But two processes that each hold
//     a lock, try to get the other's and give way can keep doing that to each other for ever
//     (std::lock does): of such rounds a process gets a few, and is then taken out nevertheless;
//     the verdict says that it rests on that.
//
// A process that is taken out must not keep a lock that it gave up in between: it is taken out
// where it holds the fewest. Where that is a wait for a limited time, which gives up a mutex, it is
// not taken out, but waits without a limit: it can still be signalled.
//
// So that equal states look equal, and always do, a process starts with a stack of zeros, and hooks
// keep out of it (call_site.hpp).
#include "programs/threads/runtime/loops/spin_recognition.hpp"

#include <array>
#include <cstring>
#include <limits>

#include "core/check.hpp"
#include "programs/threads/runtime/loops/twins.hpp"
#include "programs/threads/runtime/machine/call_site.hpp"

mazurka::threads::CallSite mazurka_call_site;
std::uintptr_t mazurka_far_frame;
const void* mazurka_caller;

namespace mazurka::threads {

namespace {

// What belongs to the state of a process besides registers and memory.
using OtherState = std::array<std::uint64_t, 3>;

bool is_still_so(const SpinWatch::Read& read, std::uint64_t now) {
  using What = SpinWatch::Read::What;
  switch (read.what) {
    case What::value:
    case What::older_value: return now == read.value;
    case What::passed: return gate_allows(static_cast<std::uint16_t>(read.value), now);
    case What::set_bits: return (now & read.value) == read.value;
    case What::cleared_bits: return (now & read.value) == 0;
    case What::unfinished: return now == 0;
  }
  return false;
}

// Larger ones are not compared. (Registers and what else there is come on top.)
constexpr std::size_t deepest_state =
    SpinWatch::max_state * sizeof(std::uint64_t) - (std::size_t{8} << 10);

}  // namespace

void SpinRecognition::arrive(std::uintptr_t what, std::uint64_t operands) {
  if (goes_round(what, operands, 0)) spin_for_ever();
}

// Where the current process is, but for its state.
SpinWatch::Place SpinRecognition::place_at(const CallSite& site, std::uintptr_t what,
                                           std::uint64_t operands) const {
  const SpinWatch& watch = self().watch;
  const std::size_t frames = stack_top(index(self().id)) - site.stack();
  std::size_t size = sizeof site.saved + sizeof(OtherState) + frames;
  for (const ThreadLocals::Block& block : thread_locals_.blocks()) size += in_words(block.size);
  SpinWatch::Place here;
  here.code = site.code();
  here.stack = site.stack();
  here.operation = operands == 0 ? what : fingerprint_of(what, operands).low;
  here.held = watch.held;
  here.fewest = watch.locks;
  here.begin = watch.states.kept();
  here.size = static_cast<std::uint32_t>(size / sizeof(std::uint64_t));
  here.frames = static_cast<std::uint32_t>(here.begin + (size - frames) / sizeof(std::uint64_t));
  here.reads = static_cast<std::uint32_t>(watch.reads.size());
  here.writes = static_cast<std::uint32_t>(watch.writes.size());
  here.uses = static_cast<std::uint32_t>(watch.uses.size());
  here.choices = watch.choices;
  here.noticed = watch.noticed;
  here.jostled = watch.jostled;
  here.looks = self().time.looks;
  here.time = self().time.now;
  return here;
}

// All that decides what the current process does next and that is not in memory others may write.
void SpinRecognition::take_down_state(SpinWatch::Place& here, const CallSite& site) {
  Process& own = self();
  MAZURKA_CHECK(!here.known && here.begin == own.watch.states.kept(),
                "a state is taken down once, behind those that are kept");
  here.known = true;
  own.watch.states.make_room();
  std::uint64_t* to = &own.watch.states[here.begin];
  const auto take = [&](const void* from, std::size_t size) {
    std::memcpy(to, from, size);
    to += in_words(size) / sizeof *to;
  };
  // Not how many more values will be tried for it, or wake-ups without a signal: without the round
  // there are rather more of them.
  const OtherState more{own.chance, own.blocks, own.ignored};
  take(site.saved, sizeof site.saved);
  take(more.data(), sizeof more);
  for (const ThreadLocals::Block& block : thread_locals_.blocks()) {
    to[block.size / sizeof *to] = 0;  // its last word may be filled in part only
    take(block.in(own.context.thread_pointer), block.size);
  }
  take(reinterpret_cast<const void*>(site.stack()), stack_top(index(own.id)) - site.stack());
}

// `releases`: how many locks the operation is going to release.
bool SpinRecognition::goes_round(std::uintptr_t what, std::uint64_t operands,
                                 std::uint32_t releases) {
  if (in_section()) return false;
  SpinWatch& watch = self().watch;
  const bool came_from_place = std::exchange(watch.arrived, false);
  const CallSite site = mazurka_call_site;
  const std::size_t slot = index(self().id);
  const std::uintptr_t stack = site.stack();
  if (!in_zone(stack) || slot_of(stack) != slot || !in_stack_of(slot, stack)) return false;
  stacks_.note_use(slot, stack);
  watch.settle_writes();
  if (stack_top(slot) - stack + thread_locals_.size() > deepest_state) return false;
  if (watch.is_full()) watch.progress();
  SpinWatch::Place here = place_at(site, what, operands);
  if (scheduler_.is_twin()) {
    take_down_state(here, site);
    twins_.arrive(here);
  }
  if (takes_down_states_at(here.code)) take_down_state(here, site);
  for (std::size_t at = watch.places.size(); at-- > 0;) {
    SpinWatch::Place& one = watch.places[at];
    if (!one.is_like(here)) continue;
    if (!one.known || !here.known) perform_again_with_states(at);
    const std::int64_t later = one.looks == here.looks ? 0 : here.time - one.time;
    if (!same_state(&watch.states[one.begin], &watch.states[here.begin], one.size, later)) continue;
    if (later != 0 && later < ages) {
      self().time.ages_pass = true;
      break;
    }
    return leaves_out_round(one, here, releases);
  }
  if (came_from_place && releases == 0 && tries_again(here, site)) {
    watch.retried = true;
    return true;
  }
  watch.add(here);
  return false;
}

bool SpinRecognition::tries_again(SpinWatch::Place& here, const CallSite& site) {
  const SpinWatch& watch = self().watch;
  const std::size_t first = twins_.first_look(here);
  if (first == watch.places.size()) return false;
  const auto round = watch.places.begin() + static_cast<std::ptrdiff_t>(first);
  const auto is_known = [](const SpinWatch::Place& one) { return one.known; };
  if (!std::all_of(round, watch.places.end(), is_known)) perform_again_with_states(first);
  if (!here.known) take_down_state(here, site);
  const std::optional<std::size_t> from = twins_.tries_again(here);
  if (!from) return false;
  const std::size_t begin = watch.places[*from].uses;
  const std::size_t end = watch.places.back().uses;
  if (is_granted(begin, end) || run().is_to_move(self().id)) return false;
  leave_out(begin, end);
  return true;
}

// Whether a round with these accesses is gone through although nobody would notice: others may race
// with one of them. Such a race needs one round. (In the shortest execution that has it each round
// that could be left out contains the access: the first one is granted, and none without it is
// looked at after that.)
bool SpinRecognition::is_granted(std::size_t begin, std::size_t end) {
  SpinWatch& watch = self().watch;
  const auto is_contested = [&](const Contention::Use& use) {
    return learned_.contention.is_contested(use);
  };
  const auto first = watch.uses.begin() + static_cast<std::ptrdiff_t>(begin);
  const auto last = watch.uses.begin() + static_cast<std::ptrdiff_t>(end);
  if (std::any_of(first, last, [](const Contention::Use& use) { return use.granted; })) return true;
  if (watch.granted || std::none_of(first, last, is_contested)) return false;
  watch.granted = true;
  std::for_each(first, last, [](Contention::Use& use) { use.granted = true; });
  return true;
}

// Of the accesses in parts of a search that other processes explore only those are known that came
// before these parts. What is new is compared when the parts have been explored, or else (and of
// the first round of all, of which the others know nothing) the search begins anew.
void SpinRecognition::leave_out(std::size_t begin, std::size_t end) {
  const List<Contention::Use>& uses = self().watch.uses;
  MAZURKA_CHECK(begin <= end && end <= uses.size(), "a round is a part of what was done");
  Contention& contention = learned_.contention;
  const bool is_compared = request_.compares_uses && contention.has_left_out();
  bool is_void = false;
  for (std::size_t at = begin; at < end; ++at) {
    const Contention::Use& use = uses[at];
    if (contention.is_contested(use)) continue;
    if (request_.shared && !is_compared && !contention.knows_left_out(use)) is_void = true;
    if (contention.leave_out(use)) is_void = true;
  }
  if (!is_void) return;
  scheduler_.restart();
  leave();
}

// Not where performing it again would not do: under the eyes of a guide, or for a report.
bool SpinRecognition::takes_down_states_at(std::uintptr_t code) const {
  return sites_.contains(self().id, code) || run().must_not_begin_anew() || recorder() != nullptr ||
         request_.task != Task::explore;
}

// The process may have gone round since it was at this place, and what it was then is not known.
void SpinRecognition::perform_again_with_states(std::size_t place) {
  const List<SpinWatch::Place>& places = self().watch.places;
  for (std::size_t at = place; at < places.size(); ++at) {
    sites_.insert(self().id, places[at].code);
  }
  sites_.note_cost(run().position(), scheduler_.progress_mark());
  must_perform_again_ = true;
  leave();
}

// The process is at the same place again, and in the same state.
bool SpinRecognition::leaves_out_round(SpinWatch::Place& there, const SpinWatch::Place& here,
                                       std::uint32_t releases) {
  SpinWatch& watch = self().watch;
  MAZURKA_CHECK(there.reads <= here.reads && there.uses <= here.uses, "a round has an end");
  // Others may have been meant to get a lock that was given up for a while: not while it is held.
  if (watch.locks - releases > there.fewest) return false;
  const bool granted = is_granted(there.uses, here.uses);
  const bool was_jostled = !granted && there.jostled != here.jostled;
  // Who repeats an execution need not know how its technique regards stores that change nothing.
  const bool repeats = releases == 0 && run().is_to_move(self().id);
  const bool gets_another = was_jostled && ++there.rounds <= SpinWatch::max_rounds;
  if (granted || there.noticed != here.noticed || gets_another || repeats) {  // from here on, then
    there.noticed = here.noticed;
    there.jostled = here.jostled;
    there.reads = here.reads;
    there.writes = here.writes;
    there.uses = here.uses;
    there.choices = here.choices;
    return false;
  }
  leave_out(there.uses, here.uses);
  if (was_jostled) learned_.gave_up_rounds = true;
  watch.chose = there.choices != here.choices;
  keep_reads_of_round(there);
  return true;
}

// What the process had itself put where it read it, it would do again.
void SpinRecognition::keep_reads_of_round(const SpinWatch::Place& there) {
  SpinWatch& watch = self().watch;
  List<SpinWatch::Read> kept;
  for (std::size_t at = there.reads; at < watch.reads.size(); ++at) {
    const SpinWatch::Read& read = watch.reads[at];
    if (read.size == 0 || (!watch.own(there, at) && !was_changed_by_itself(read))) {
      kept.push_back(read);
    }
  }
  watch.reads.swap(kept);
}

// On its own stack, by instructions that are not told: in frames that are gone by now, or in a
// function of the runtime that leaves a result there.
bool SpinRecognition::was_changed_by_itself(const SpinWatch::Read& read) const {
  if (read.what == SpinWatch::Read::What::older_value) return false;
  if (!in_own_stack(read.address) || is_still_so(read, load_value(read.address, read.size))) {
    return false;
  }
  const std::vector<std::uintptr_t>& others = self().watch.overwritten;
  return std::find(others.begin(), others.end(), read.address & ~std::uintptr_t{7}) == others.end();
}

void SpinRecognition::spin_for_ever() {
  self().watch.stuck = true;
  ++state_.spinning;
  std::uintptr_t address = 0;
  for (const SpinWatch::Read& one : self().watch.reads) {
    if (one.size == 0) continue;
    address = one.address;
  }
  note(Action::spin, address);
  park({}, false, false);
}

// The program says that an execution in which this process goes on is of no interest.
void SpinRecognition::give_up() {
  EngineScope scope;
  self().watch.assumed = self().watch.stuck = true;
  run().assumption_fails();
  ++state_.spinning;
  note(Action::spin, 0);
  park({}, false, false);
}

void SpinRecognition::idle(bool assumes) {
  inside_engine = true;
  if (assumes) run().assumption_fails();
  self().watch.assumed = self().watch.stuck = true;
  ++state_.spinning;
  run().announce(self().id, {}, false, false);
  scheduler_.go_on_without_current();
}

void SpinRecognition::notice_holder(ProcessId holder) {
  SpinWatch& watch = process(holder).watch;
  ++(self().watch.locks == 0 ? watch.noticed : watch.jostled);
}

// The writes have happened.
void SpinRecognition::settle_visits() {
  for (const std::uintptr_t word : state_.visited) {
    process(static_cast<ProcessId>(slot_of(word))).watch.overwrite(word, load_value(word, 8));
  }
  state_.visited.clear();
}

// A loop that reads plain variables and nothing else takes no step at all. After many reads it is
// looked at more closely for a while, and again after twice as many.
void SpinRecognition::look_at_plain_loop(std::uintptr_t address) {
  SpinWatch& watch = self().watch;
  if (watch.plain == watch.next_look) watch.progress();
  if (watch.plain >= watch.next_look + SpinWatch::look) {
    watch.next_look = watch.plain * 2;
    return;
  }
  arrive(address);
}

std::uint64_t SpinRecognition::value_now(const SpinWatch::Read& read) const {
  if (read.what == SpinWatch::Read::What::unfinished) {
    return scheduler_.process(static_cast<ProcessId>(read.value)).finished ? 1 : 0;
  }
  return read.size == 0 ? scheduler_.value_of(read.object) : load_value(read.address, read.size);
}

bool SpinRecognition::spins_for_ever(const Process& process) const {
  if (process.watch.assumed || process.watch.chose || process.watch.retried) return false;
  for (const SpinWatch::Read& one : process.watch.reads) {
    if (!is_still_so(one, value_now(one))) return false;
  }
  return true;
}

void SpinRecognition::settle_spinning() {
  const bool ends = run().only_exits_left();  // then nobody spins for ever
  if ((run().anyone_enabled() && !ends) || run().over()) return;
  run().excuse_waiting();
  if (state_.someone_failed) return;  // and ends the program, whoever waits
  bool someone_goes_on = false;       // and might help the others
  for (std::size_t at = 0; at < state_.processes.end(); ++at) {
    const Process* one = state_.processes.find(static_cast<ProcessId>(at));
    if (one == nullptr || !one->watch.stuck || spins_for_ever(*one)) continue;
    someone_goes_on = true;
    if (!one->watch.assumed) run().waited_in_vain();
  }
  if (someone_goes_on || ends) return;
  for (std::size_t at = 0; at < state_.processes.end(); ++at) {
    const Process* one = state_.processes.find(static_cast<ProcessId>(at));
    if (one == nullptr || !one->watch.stuck) continue;
    const std::string key =
        "livelock " + std::to_string(at) + " " + std::to_string(one->watch.reads.size()) + " " +
        std::to_string(one->watch.reads.empty() ? 0 : one->watch.reads.front().address);
    run().report(one->id, FindingKind::livelock,
                 "waits in a loop for a change that nobody can make any more", key);
    if (run().over()) return;
  }
}

}  // namespace mazurka::threads
