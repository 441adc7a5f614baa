// Accesses of threads in the words of certificates, kind by kind.
//
// The modes of the vocabulary say what a step may touch. What it does is told by the values before
// and after it, too: an unlock is a step of mode "unlock" that finds the mutex held and leaves it
// free. A step that does something else has no words.
#include "programs/threads/runtime/certificate_scribe.hpp"
#include "programs/threads/runtime/primitives/operations.hpp"
#include "programs/threads/runtime/runtime.hpp"

namespace mazurka::threads {

using Do = certificate::Action;
using certificate::Kind;

namespace {

/// Adds what a step does to one object.
void put(certificate::Step& words, std::uint32_t object, Do action, std::uint64_t operand = 0,
         certificate::PartOutcome outcome = {}) {
  words.operation.parts.push_back({object, action, 8, operand});
  words.outcome.parts.push_back(outcome);
}

bool is_held_alone(std::uint64_t value) { return (value & gate_writer) != 0; }

constexpr const char* strange_lock = "locks that do something else than to be held";

}  // namespace

void CertificateScribe::add(const Touch& touch, certificate::Step& words) {
  switch (touch.access.kind) {
    case kind::memory: return add_memory(touch, words);
    case kind::mutex: return add_mutex(touch, words);
    case kind::gate: return add_gate(touch, words);
    case kind::read_write_lock: return add_read_write_lock(touch, words);
    case kind::condition: return add_condition(touch, words);
    case kind::latch: return add_latch(touch, words);
    case kind::barrier: return add_barrier(touch, words);
    case kind::variable: return not_covered("graphs of atomic operations");
    case kind::phased_barrier: return not_covered("std::barrier");
    default: return not_covered("messages");
  }
}

// A step that waits, as it would be if it could be taken.
void CertificateScribe::add_pending(const Access& access, std::uint64_t value,
                                    certificate::Step& words) {
  Touch touch{access, false, 0, 0};
  const bool alone = access.mode == gate_mode::pass && access.operand == gate_wish::alone;
  if (access.kind == kind::mutex && access.mode == mutex_mode::lock) {
    touch.after = 1;
  } else if (access.kind == kind::gate && access.mode == gate_mode::pass) {
    if (!alone) touch.before = 1;
    touch.after = alone ? gate_writer | 1U : 0;
  } else if (access.kind == kind::read_write_lock &&
             (access.mode == gate_mode::pass || access.mode == gate_mode::share)) {
    touch.after = alone ? gate_writer | 1U : 1;
  } else if (access.kind == kind::latch && access.mode == latch_mode::pass) {
    touch.before = touch.after = value >> 32U << 32U;
  } else if (access.kind != kind::barrier ||
             (access.mode != barrier_mode::leave && access.mode != barrier_mode::leave_odd)) {
    return not_covered("programs that end while threads could go on");
  }
  add(touch, words);
}

void CertificateScribe::add_memory(const Touch& touch, certificate::Step& words) {
  const auto [access, only_reads, before, after] = touch;
  const std::uint32_t own = object(access, Kind::memory, initial(access));
  if ((only_reads || access.mode == memory_mode::read) && before != after) {
    return not_covered("objects that change otherwise than by steps");
  }
  if (only_reads && access.mode != memory_mode::compare_exchange) {
    return not_covered("steps that do less than they announce");
  }
  const std::uint8_t size = runtime_.objects()[access.object].size;
  switch (access.mode) {
    case memory_mode::read: return put(words, own, Do::read, 0, {true, before, 0});
    case memory_mode::write: return put(words, own, Do::write, after);
    case memory_mode::update: return put(words, own, Do::update, 0, {true, before, after});
    case memory_mode::compare_exchange:
      return put(words, own, Do::compare_exchange, 0,
                 {!only_reads, before, only_reads ? 0 : after});
    case memory_mode::add: {
      const std::uint64_t all = size >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8U * size) - 1;
      put(words, own, Do::add, (after - before) & all);
      words.operation.parts.back().width = size;
      return;
    }
    case memory_mode::flip_bits: return put(words, own, Do::flip_bits, before ^ after);
    case memory_mode::set_bits:
    case memory_mode::clear_bits: return not_covered("bits that are set or cleared in any order");
    default: return not_covered("indivisible sections");
  }
}

void CertificateScribe::add_mutex(const Touch& touch, certificate::Step& words) {
  const auto [access, only_reads, before, after] = touch;
  const std::uint32_t own = object(access, Kind::mutex, initial(access) == mutex_free ? 0 : 1);
  const bool takes = before == mutex_free && after != mutex_free;
  switch (access.mode) {
    case mutex_mode::lock:
      if (!takes) return not_covered("static variables and pthread_once that threads wait for");
      return put(words, own, Do::lock);
    case mutex_mode::try_lock:
      if (!takes && before != after) return not_covered(strange_lock);
      return put(words, own, Do::try_lock, 0, {takes, 0, 0});
    case mutex_mode::unlock:
      if (after != mutex_free) return not_covered(strange_lock);
      return put(words, own, before == mutex_free ? Do::reset : Do::unlock);
    default: return not_covered("atomic blocks");
  }
}

// A spin lock is a mutex; everything else that is a gate is a semaphore.
void CertificateScribe::add_gate(const Touch& touch, certificate::Step& words) {
  const auto [access, only_reads, before, after] = touch;
  if (access.mode == gate_mode::own) return not_covered("semaphores that are made by steps");
  const bool takes = before == 0 && is_held_alone(after);
  const bool attempts = access.mode == gate_mode::attempt;
  const bool spins =
      access.mode == gate_mode::change ? is_held_alone(before) : access.operand == gate_wish::alone;
  if (!spins) return add_semaphore(touch, words);
  const std::uint32_t own = object(access, Kind::mutex, initial(access) == 0 ? 0 : 1);
  if (access.mode == gate_mode::change) {
    if (after != 0) return not_covered(strange_lock);
    return put(words, own, Do::unlock);
  }
  if (!takes && !(attempts && before == after)) return not_covered(strange_lock);
  put(words, own, attempts ? Do::try_lock : Do::lock, 0, {takes, 0, 0});
}

void CertificateScribe::add_semaphore(const Touch& touch, certificate::Step& words) {
  const auto [access, only_reads, before, after] = touch;
  const std::uint32_t own = object(access, Kind::semaphore, initial(access));
  const bool takes = before > 0 && after == before - 1;
  const bool leaves = before == after;
  if (access.mode == gate_mode::pass && takes) return put(words, own, Do::take);
  if (access.mode == gate_mode::attempt && (takes || (leaves && before == 0))) {
    return put(words, own, Do::try_take, 0, {takes, 0, 0});
  }
  if (access.mode == gate_mode::change && after == before + 1) {
    return put(words, own, Do::post);
  }
  if (access.mode == gate_mode::change && leaves) {
    return put(words, own, Do::look, 0, {true, before, 0});
  }
  not_covered("semaphores whose number changes otherwise than by one");
}

void CertificateScribe::add_read_write_lock(const Touch& touch, certificate::Step& words) {
  const auto [access, only_reads, before, after] = touch;
  if (initial(access) != 0) return not_covered("read-write locks that are held from the beginning");
  const std::uint32_t own = object(access, Kind::read_write_lock, 0);
  const bool takes = before == 0 && is_held_alone(after);
  const bool shares = !is_held_alone(before) && after == before + 1;
  const bool wants_alone = access.operand == gate_wish::alone;
  if (access.mode == gate_mode::pass && takes) return put(words, own, Do::lock_alone);
  if (access.mode == gate_mode::share && shares) return put(words, own, Do::share);
  if (access.mode == gate_mode::stop_sharing && before == after + 1) {
    return put(words, own, Do::stop_sharing);
  }
  if (access.mode == gate_mode::change && is_held_alone(before) && after == 0) {
    return put(words, own, Do::unlock_alone);
  }
  if (access.mode == gate_mode::attempt && (before == after || (wants_alone ? takes : shares))) {
    return put(words, own, wants_alone ? Do::try_alone : Do::try_share, 0, {before != after, 0, 0});
  }
  not_covered(strange_lock);
}

void CertificateScribe::add_condition(const Touch& touch, certificate::Step& words) {
  constexpr std::uint16_t everybody = 0xffff;
  const Access& access = touch.access;
  const std::uint32_t own = object(access, Kind::condition, 0);
  if (access.mode == condition_mode::wait) {
    waits_at_[words.process] = own;
    return put(words, own, Do::wait);
  }
  if (access.mode != condition_mode::signal) {
    return not_covered("waiting for a limited time, and condition variables made by steps");
  }
  if (access.operand == 1) return put(words, own, Do::wake_any);
  if (access.operand == everybody) return put(words, own, Do::wake_all);
  not_covered("signals that wake some of those who wait");
}

// A number that is counted down, and may be awaited: memory.
void CertificateScribe::add_latch(const Touch& touch, certificate::Step& words) {
  const auto [access, only_reads, before, after] = touch;
  const std::uint32_t own = object(access, Kind::memory, initial(access));
  switch (access.mode) {
    case latch_mode::count_down:
      if (after >> 32U != before >> 32U) return not_covered("latches that are made by steps");
      return put(words, own, Do::add, after - before);
    case latch_mode::pass:
      if (before != after || (before & 0xffffffffU) != 0) {
        return not_covered("latches that are made by steps");
      }
      return put(words, own, Do::await, before);
    case latch_mode::look: return put(words, own, Do::read, 0, {true, before, 0});
    default: return not_covered("latches that are made by steps");
  }
}

// Each round is an object: an arrival for the next one and a departure from this one commute.
void CertificateScribe::add_barrier(const Touch& touch, certificate::Step& words) {
  const auto [access, only_reads, before, after] = touch;
  const Barrier* const barrier = runtime_.state().barriers.find(access.object);
  if (barrier == nullptr || barrier->count() == 0 || initial(access) != 0) {
    return not_covered("barriers that are made by steps");
  }
  if (access.mode == barrier_mode::arrive || access.mode == barrier_mode::arrive_odd) {
    const auto round = static_cast<std::uint32_t>(before);
    const bool last = (before >> 32U) + 1 == barrier->count();
    if (after != (last ? std::uint64_t{round} + 1 : before + (std::uint64_t{1} << 32U))) {
      return not_covered("barriers that are made by steps");
    }
    return put(words, object(access, Kind::barrier, 0, round), Do::arrive);
  }
  if (access.mode != barrier_mode::leave && access.mode != barrier_mode::leave_odd) {
    return not_covered("barriers at which more threads arrive than leave at once");
  }
  const std::uint32_t round = access.operand - 1U;
  put(words, object(access, Kind::barrier, 0, round), Do::leave, barrier->count());
}

}  // namespace mazurka::threads
