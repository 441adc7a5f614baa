// What the instructions do that may wait, or wake somebody.
#include <bit>

#include "native/machine_code.hpp"

namespace mazurka::native {

// Mutexes. A lock that fails says why: 2 held, 3 held by the caller (errorcheck).
void Machine::lock(State state, std::size_t thread, const Instruction& one,
                   std::vector<Successor>& out) const {
  Thread self(state, thread);
  const auto v = static_cast<std::size_t>(one.v);
  const auto me = static_cast<std::uint32_t>(thread + 1);
  std::uint32_t& owner = state[place::owner + v];
  std::uint32_t& depth = state[place::depth + v];
  if (one.code == Code::unlock) {
    if (--depth == 0) owner = 0;
    return push(std::move(state), thread, out);
  }
  const MutexKind kind = program_.mutexes[v];
  const bool silent = one.w != 0;
  if (owner == 0 || (owner == me && kind == MutexKind::recursive)) {
    owner = me;
    ++depth;
    if (one.how != How::lock && !silent) self.tell(1);
    return push(std::move(state), thread, out);
  }
  const bool mine = owner == me && kind == MutexKind::errorcheck && one.how != How::try_lock;
  if (one.how == How::lock && !mine) return;
  if (!silent) self.tell(mine ? 3 : 2);
  self.pc = static_cast<std::uint32_t>(one.target);
  push(std::move(state), thread, out);
}

// Read-write locks, spin locks, semaphores: they are passed, or not.
void Machine::gate(State state, std::size_t thread, const Instruction& one,
                   std::vector<Successor>& out) const {
  Thread self(state, thread);
  const auto me = static_cast<std::uint32_t>(thread + 1);
  std::uint32_t& writer = state[place::writer];
  std::uint32_t& readers = state[place::readers];
  std::uint32_t& spin = state[place::spin];
  std::uint32_t& semaphore = state[place::semaphore + static_cast<std::size_t>(one.v)];
  bool open = true;
  switch (one.code) {
    case Code::read_unlock: --readers; return push(std::move(state), thread, out);
    case Code::write_unlock: writer = 0; return push(std::move(state), thread, out);
    case Code::spin_unlock: spin = 0; return push(std::move(state), thread, out);
    case Code::sem_post: ++semaphore; return push(std::move(state), thread, out);
    case Code::read_lock:
      open = writer == 0;
      if (open) ++readers;
      break;
    case Code::write_lock:
      open = writer == 0 && readers == 0;
      if (open) writer = me;
      break;
    case Code::spin_lock:
      open = spin == 0;
      if (open) spin = me;
      break;
    default:  // sem_wait
      open = semaphore > 0;
      if (open) --semaphore;
      break;
  }
  if (!open && one.how == How::lock) return;
  if (one.how != How::lock) self.tell(open ? 1 : 2);
  if (!open && one.code != Code::sem_wait) self.pc = static_cast<std::uint32_t>(one.target);
  push(std::move(state), thread, out);
}

// Conditions, futexes, std::atomic::wait: the one who waits.
void Machine::waiting(State state, std::size_t thread, const Instruction& one,
                      std::vector<Successor>& out) const {
  Thread self(state, thread);
  const auto v = static_cast<std::size_t>(one.v);
  const auto target = static_cast<std::uint32_t>(one.target);
  const bool equal = one.code != Code::wait && one.code != Code::wait_end &&
                     state[place::variable + v] == static_cast<std::uint32_t>(one.c);
  switch (one.code) {
    case Code::wait:
      if (--state[place::depth + v] == 0) state[place::owner + v] = 0;
      self.wait = queued;
      break;
    case Code::wait_end:
      --self.pc;
      if (self.wait == queued) {
        if (one.w != 0) {
          State late = state;
          Thread(late, thread).wait = timed_out;
          push(std::move(late), thread, out);
        }
        if (self.spurious < static_cast<std::uint32_t>(program_.spurious)) {
          ++self.spurious;
          self.wait = roused;
          push(std::move(state), thread, out);
        }
        return;
      }
      if (state[place::owner + v] != 0) return;
      state[place::owner + v] = static_cast<std::uint32_t>(thread + 1);
      state[place::depth + v] = 1;
      ++self.pc;
      if (self.wait == timed_out) {
        if (one.c == 0) self.tell(1);
        self.pc = target;
      }
      self.wait = awake;
      break;
    case Code::futex_wait:
      if (equal) {
        self.wait = queued;
      } else {
        self.tell(1);
        self.pc = target;
      }
      break;
    case Code::futex_end:
      --self.pc;
      if (one.d == 0) return;
      self.wait = timed_out;
      break;
    default:  // atomic_wait
      if (equal) {
        self.wait = queued;
      } else {
        self.pc = target;
      }
      break;
  }
  push(std::move(state), thread, out);
}

void Machine::release(State& state, std::size_t thread, std::uint32_t how) const {
  Thread(state, thread).wait = how;
  advance(state, thread);
}

// The one who wakes: any of those who wait there, or all.
void Machine::rouse(State state, std::size_t thread, const Instruction& one,
                    std::vector<Successor>& out) const {
  const Code end = one.code == Code::signal       ? Code::wait_end
                   : one.code == Code::futex_wake ? Code::futex_end
                                                  : Code::atomic_end;
  const bool tells = one.code == Code::futex_wake;
  std::vector<std::size_t> waiters;
  for (std::size_t other = 0; other < code_.size(); ++other) {
    if (!alive(state, other) || Thread(state, other).wait != queued) continue;
    if (at(state, other).code == end && at(state, other).v == one.v) waiters.push_back(other);
  }
  if (waiters.empty() || one.c == 2) {
    for (const std::size_t other : waiters) release(state, other, roused);
    if (tells) Thread(state, thread).tell(static_cast<std::uint32_t>(waiters.size()));
    return push(std::move(state), thread, out);
  }
  for (const std::size_t other : waiters) {
    State next = state;
    release(next, other, roused);
    if (tells) Thread(next, thread).tell(1);
    push(std::move(next), thread, out);
  }
}

// A barrier: the last one to come lets all go on, and any of them is the serial thread.
void Machine::meet(State state, std::size_t thread, std::vector<Successor>& out) const {
  std::uint32_t& present = state[place::barrier];
  present |= 1U << thread;
  Thread(state, thread).wait = queued;
  if (std::popcount(present) < program_.barrier) return push(std::move(state), thread, out);
  const std::uint32_t all = present;
  present = 0;
  for (std::size_t serial = 0; serial < code_.size(); ++serial) {
    if ((all >> serial & 1U) == 0) continue;
    State next = state;
    for (std::size_t other = 0; other < code_.size(); ++other) {
      if ((all >> other & 1U) != 0) release(next, other, other == serial ? chosen : roused);
    }
    out.push_back({std::move(next), Ending::none, {}});
  }
}

void Machine::latch(State state, std::size_t thread, const Instruction& one,
                    std::vector<Successor>& out) const {
  Thread self(state, thread);
  std::uint32_t& left = state[place::latch];
  const auto times = static_cast<std::uint32_t>(one.c);
  switch (one.code) {
    case Code::latch_down:
      if (left < times) return out.push_back({std::move(state), Ending::misuse, {}});
      left -= times;
      break;
    case Code::latch_try: self.tell(left == 0 ? 1 : 2); break;
    case Code::latch_spin:
      if (left != 0) self.pc = static_cast<std::uint32_t>(one.target);
      break;
    default:  // latch_wait
      if (left != 0) return;
      break;
  }
  push(std::move(state), thread, out);
}

// From the last arrival to the end of the completion function nobody is expected.
void Machine::phase(State state, std::size_t thread, const Instruction& one,
                    std::vector<Successor>& out) const {
  Thread self(state, thread);
  std::uint32_t& missing = state[place::missing];
  std::uint32_t& count = state[place::phase];
  std::uint32_t& noted = one.w == in_passing ? self.n : self.token;
  const auto times = static_cast<std::uint32_t>(one.c);
  switch (one.code) {
    case Code::phase_come:
      if (missing < times) return out.push_back({std::move(state), Ending::misuse, {}});
      missing -= times;
      state[place::expected] -= static_cast<std::uint32_t>(one.d);
      if (one.w != nowhere) noted = count;
      if (missing != 0) self.pc = static_cast<std::uint32_t>(one.target);
      break;
    case Code::phase_end:
      ++count;
      missing = state[place::expected];
      break;
    default:  // phase_wait
      if (count == noted) return;
      noted = 0;
      break;
  }
  push(std::move(state), thread, out);
}

}  // namespace mazurka::native
