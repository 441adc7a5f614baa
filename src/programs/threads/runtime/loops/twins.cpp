// Loops that try again: a round that a later look would have made needless.
//
// A process reads a variable, computes something, finds that the variable has changed meanwhile
// and begins again with what it has now seen: most lock-free code does. No two of its rounds are
// the same, so loops/spin_recognition.cpp does not help. But had the process waited with its first
// look until now, it would have seen at once what it has just seen, and be where it is now, in the
// same state, without the rounds in between; and as these have changed nothing, nobody could tell
// the difference. So this execution, too, has a twin that is explored anyway, and the process is
// taken out of this one. It does not wait for anything that can not happen: it is no livelock.
//
// Whether it would be in the same state is tried out. In a copy of the whole program (a fork) the
// process is put back to where it first looked, is told what it would see now, and goes on to its
// next operation. There its state is looked at, and the copy ends. Nothing that it does is seen
// here.
//
// Equivalent executions agree on all this, since the answer depends on nothing but the state that
// the process was in and what it has read: if on its way it changes anything, or reads other memory
// than it has read in the rounds in between, the answer is no. (What it has read there is still the
// same: it has changed nothing since, so nobody can have written that without a data race.) So
// answers are kept, and few copies are made.
#include "programs/threads/runtime/loops/twins.hpp"

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>

#include "core/check.hpp"
#include "programs/threads/runtime/machine/call_site.hpp"
#include "programs/threads/runtime/machine/native.hpp"

// Returns from a hook as if it had been called from there, with this result.
extern "C" __attribute__((visibility("hidden"), noreturn)) void mazurka_return_to(
    const mazurka::threads::CallSite* site, std::uint64_t result);

#if defined(__aarch64__)
asm(R"(
    .text
    .p2align 4
    .globl mazurka_return_to
    .hidden mazurka_return_to
    .type mazurka_return_to, %function
mazurka_return_to:
    ldp x19, x20, [x0]
    ldp x21, x22, [x0, #16]
    ldp x23, x24, [x0, #32]
    ldp x25, x26, [x0, #48]
    ldp x27, x28, [x0, #64]
    ldp d8, d9, [x0, #80]
    ldp d10, d11, [x0, #96]
    ldp d12, d13, [x0, #112]
    ldp d14, d15, [x0, #128]
    ldp x29, x17, [x0, #144]
    ldr x30, [x0, #160]
    mov sp, x17
    mov x0, x1
    ret
    .size mazurka_return_to, .-mazurka_return_to
)");
#else
asm(R"(
    .text
    .p2align 4
    .globl mazurka_return_to
    .hidden mazurka_return_to
    .type mazurka_return_to, @function
mazurka_return_to:
    movq (%rdi), %rbx
    movq 8(%rdi), %rbp
    movq 16(%rdi), %r12
    movq 24(%rdi), %r13
    movq 32(%rdi), %r14
    movq 40(%rdi), %r15
    movq 48(%rdi), %rsp
    movq %rsi, %rax
    ret
    .size mazurka_return_to, .-mazurka_return_to
)");
#endif

namespace mazurka::threads {

namespace {

constexpr std::uintptr_t own_frames = 8192;                 // of this file's functions, at the most
constexpr std::size_t most_answers = std::size_t{1} << 17;  // that are kept

void put_back(void* to, const std::uint64_t*& from, std::size_t size) {
  __builtin_memcpy(to, from, size);
  from += (size + sizeof *from - 1) / sizeof *from;
}

CallSite site_of(const SpinWatch::Place& place) {
  CallSite site;
#if defined(__aarch64__)
  site.stack_pointer = place.stack;
  site.return_address = place.code;
#else
  site.stack_pointer = place.stack - sizeof(std::uintptr_t);
  *reinterpret_cast<std::uintptr_t*>(site.stack_pointer) = place.code;
#endif
  return site;
}

}  // namespace

// All that the process is at this place, and what it is about to do.
Fingerprint Twins::fingerprint_at(const SpinWatch::Place& place) const {
  Fingerprint all = fingerprint_of(place.code, place.stack);
  const auto add = [&](std::uint64_t value) { all = fingerprint_of(all.low ^ value, all.high); };
  add(place.operation);
  add(place.held);
  add(place.looks);
  const std::uint64_t* words = &self().watch.states[place.begin];
  for (std::uint32_t at = 0; at < place.size; ++at) add(words[at]);
  return all;
}

void Twins::note_look(const SpinWatch::Look& look) {
  SpinWatch& watch = self().watch;
  if (!watch.arrived || watch.places.empty()) return;
  SpinWatch::Place& place = watch.places.back();
  if (look.expected != 0 && !in_own_stack(look.expected)) return;
  place.look = look;
  // In a frame of the hook: that returns it, then.
  if (look.expected < place.stack) place.look.expected = 0;
}

// Either it looks again at the same place, or the next operation comes again.
bool Twins::may_try_again(std::size_t from, const SpinWatch::Place& here) const {
  const SpinWatch& watch = self().watch;
  const SpinWatch::Place& there = watch.places[from];
  MAZURKA_CHECK(from + 1 < watch.places.size(), "a place that is tried has one after it");
  const SpinWatch::Place& next = watch.places[from + 1];
  const SpinWatch::Place& last = watch.places.back();
  const bool comes_again = (there.code == last.code && there.stack == last.stack) ||
                           (next.code == here.code && next.stack == here.stack);
  if (there.code == 0 || !comes_again || there.look.address != last.look.address ||
      there.look.size != last.look.size || there.held != here.held || watch.locks > there.fewest ||
      there.looks != here.looks || there.noticed != here.noticed || there.jostled != here.jostled ||
      there.choices != here.choices) {
    return false;
  }
  // A compare-exchange that would have succeeded is another matter.
  return !there.look.compares || there.look.wanted != last.look.value;
}

// The process goes on anyway, and may not be granted a round by that.
bool Twins::is_of_no_interest() const {
  const bool may_be_granted = learned_.contention.is_anything_contested() && !self().watch.granted;
  return !may_be_granted && run().is_to_move(self().id);
}

std::size_t Twins::first_look(const SpinWatch::Place& here) const {
  const List<SpinWatch::Place>& places = self().watch.places;
  const std::size_t none = places.size();
  if (none < 2 || places.back().look.size == 0) return none;
  for (std::size_t at = 0; at + 1 < none; ++at) {
    if (may_try_again(at, here)) return is_of_no_interest() ? none : at;
  }
  return none;
}

// Who tries again does so from one of his latest looks, and soon. Who has come by many times, and
// no look made a round needless, counts something: he is asked more and more rarely.
std::optional<std::size_t> Twins::tries_again(const SpinWatch::Place& here) {
  constexpr std::size_t few = 4;
  constexpr std::size_t latest = 8;
  const List<SpinWatch::Place>& places = self().watch.places;
  looks_.clear();
  for (std::size_t at = places.size() - 1; at-- > 0;) {
    if (may_try_again(at, here)) looks_.push_back(at);
  }
  if (looks_.size() > few && !std::has_single_bit(looks_.size())) return std::nullopt;
  for (std::size_t one = 0; one < std::min(looks_.size(), latest); ++one) {
    const std::optional<Fingerprint> twin = try_out(places[looks_[one]], places.back().look.value);
    if (twin && *twin == fingerprint_at(here)) return looks_[one];
  }
  return std::nullopt;
}

std::optional<Fingerprint> Twins::try_out(const SpinWatch::Place& there, std::uint64_t value) {
  Fingerprint key =
      fingerprint_at(there) ^ fingerprint_of(there.look.address ^ there.look.wanted, value);
  const std::vector<SpinWatch::Read>& reads = self().watch.reads;
  for (std::size_t at = there.reads; at < reads.size(); ++at) {
    const std::uintptr_t address = reads[at].address;
    if (reads[at].size == 0 || address == there.look.address || in_own_stack(address)) continue;
    key = fingerprint_of(key.low ^ address, key.high ^ reads[at].value);
  }
  if (const auto known = answers_.find(key); known != answers_.end()) return known->second;
  std::optional<Fingerprint> found;
  if (there.stack > reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) + own_frames) {
    found = look_at_copy(there, value);
  }
  if (answers_.size() == most_answers) answers_.clear();
  answers_.emplace(key, found);
  return found;
}

std::optional<Fingerprint> Twins::look_at_copy(const SpinWatch::Place& there, std::uint64_t value) {
  if (answer_ == nullptr) {
    void* page = native().mmap(nullptr, sizeof(Answer), PROT_READ | PROT_WRITE,
                               MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) return std::nullopt;
    answer_ = static_cast<Answer*>(page);
  }
  const int program_errno = errno;
  answer_->arrived = false;
  const long copy = native().syscall(SYS_clone, 0L, 0L, 0L, 0L, 0L);
  if (copy == 0) go_on_as_twin(there, value);
  errno = 0;
  while (copy > 0 && errno != ECHILD &&
         native().syscall(SYS_wait4, copy, nullptr, static_cast<long>(__WALL), nullptr) != copy) {
  }
  errno = program_errno;
  if (!answer_->arrived) return std::nullopt;
  return answer_->state;
}

// In the copy.
void Twins::go_on_as_twin(const SpinWatch::Place& there, std::uint64_t value) {
  MAZURKA_CHECK(!scheduler_.is_twin() && there.known, "a copy is made where a state is known");
  scheduler_.become_twin();
  constexpr rlimit second_of_processor{1, 1};
  constexpr long every_other = 0xffff'ffff;
  native().syscall(SYS_prlimit64, 0L, static_cast<long>(RLIMIT_CPU), &second_of_processor, nullptr);
  native().syscall(SYS_close_range, 0L, every_other, 0L);
  SpinWatch& watch = self().watch;
  const SpinWatch::Place place = there;
  watch.reads.erase(watch.reads.begin(), watch.reads.begin() + place.reads);
  reads_ = watch.reads.size();
  look_ = place.look.address;
  CallSite site = site_of(place);
  const std::uint64_t* words = &watch.states[place.begin];
  std::array<std::uint64_t, 3> more{};
  put_back(site.saved, words, sizeof site.saved);
  put_back(more.data(), words, sizeof more);
  self().chance = more[0];
  self().blocks = static_cast<std::uint32_t>(more[1]);
  self().ignored = static_cast<std::uint32_t>(more[2]);
  for (const ThreadLocals::Block& block : thread_locals_.blocks()) {
    put_back(block.in(self().context.thread_pointer), words, block.size);
  }
  put_back(reinterpret_cast<void*>(place.stack), words, stack_top(index(self().id)) - place.stack);
  std::uint64_t result = value;
  if (place.look.expected != 0) {
    __builtin_memcpy(reinterpret_cast<void*>(place.look.expected), &value, place.look.size);
    result = 0;
  }
  watch.writes.clear();
  watch.local_writes = 0;
  watch.settled = 0;
  inside_engine = false;
  mazurka_return_to(&site, result);
}

// The copy has come to its next operation.
void Twins::arrive(const SpinWatch::Place& here) {
  const SpinWatch& watch = self().watch;
  const auto own = watch.reads.begin() + static_cast<std::ptrdiff_t>(reads_);
  const bool is_told_nothing_new = std::all_of(own, watch.reads.end(), [&](const auto& read) {
    const auto is_same = [&](const SpinWatch::Read& other) {
      return other.address == read.address && other.size == read.size &&
             other.value == read.value && other.what == read.what;
    };
    return read.size != 0 &&
           (in_own_stack(read.address) ||
            (read.address != look_ && std::any_of(watch.reads.begin(), own, is_same)));
  });
  const bool changes_nothing =
      !watch.places.empty() &&
      std::all_of(watch.writes.begin(), watch.writes.end(),
                  [](const SpinWatch::Write& write) { return write.local; });
  if (is_told_nothing_new && changes_nothing) {
    answer_->state = fingerprint_at(here);
    answer_->arrived = true;
  }
  end_twin();
}

void end_twin() {
  native().syscall(SYS_exit_group, 0L);
  __builtin_trap();
}

}  // namespace mazurka::threads
