// What the instructions do: those that never wait, and the one entry for all of them.
#include "native/machine.hpp"

#include <algorithm>

#include "native/machine_code.hpp"

namespace mazurka::native {
namespace {

std::uint32_t mask_of(int width) {
  if (width >= 4) return 0xffffffffU;
  return (1U << (width * 8)) - 1U;
}

}  // namespace

State Machine::initial() const {
  State state(place_of(1) + blocks_.size());
  std::copy(blocks_.begin(), blocks_.end(),
            state.begin() + static_cast<std::ptrdiff_t>(place_of(1)));
  for (std::size_t at = 0; at < variables; ++at) {
    state[place::variable + at] = static_cast<std::uint32_t>(program_.initial[at]);
  }
  for (std::size_t at = 0; at < 2; ++at) {
    state[place::semaphore + at] = static_cast<std::uint32_t>(program_.semaphores[at]);
  }
  state[place::latch] = static_cast<std::uint32_t>(program_.latch);
  state[place::missing] = state[place::expected] = static_cast<std::uint32_t>(program_.phase);
  Thread(state, 0).status = running;
  advance(state, 0);
  return state;
}

bool Machine::alive(const State& state, std::size_t thread) const {
  return state[place::threads + thread * place::per_thread + place::status] == running;
}

const Machine::Instruction& Machine::at(const State& state, std::size_t thread) const {
  return code_[thread][state[place::threads + thread * place::per_thread + place::pc]];
}

// Performs a local instruction; false if this one is not local.
bool Machine::local(State& state, std::size_t thread, const Instruction& one) const {
  Thread self(state, thread);
  const std::uint32_t next = self.pc + 1;
  const auto target = static_cast<std::uint32_t>(one.target);
  switch (one.code) {
    case Code::mix: self.tell(static_cast<std::uint32_t>(one.c)); break;
    case Code::own:
      self.own += static_cast<std::uint32_t>(one.c);
      self.tell(self.own);
      break;
    case Code::own_more: self.own += static_cast<std::uint32_t>(one.c); break;
    case Code::go: self.pc = target; return true;
    case Code::go_unless_odd: self.pc = self.a % 2 == 1 ? next : target; return true;
    case Code::count:
      if (self.n < 2) ++self.n;
      break;
    case Code::go_if_counted:
      self.pc = self.n == static_cast<std::uint32_t>(one.d) ? target : next;
      return true;
    case Code::count_on: ++self.n; break;
    case Code::tell_count:
      self.tell(self.n);
      self.n = 0;
      break;
    case Code::leave: self.status = ended; return true;
    case Code::barrier_end:
      if (self.wait == queued) return false;
      if (one.c != 0) self.tell(self.wait == chosen ? 1 : 0);
      self.wait = awake;
      break;
    case Code::futex_end:
      if (self.wait == queued) return false;
      self.tell(self.wait == timed_out ? 2 : 3);
      self.wait = awake;
      break;
    case Code::atomic_end:
      if (self.wait == queued) return false;
      self.wait = awake;
      self.pc = target;
      return true;
    default: return false;
  }
  self.pc = next;
  return true;
}

void Machine::advance(State& state, std::size_t thread) const {
  while (alive(state, thread) && local(state, thread, at(state, thread))) {
  }
}

// Performs an access that has one outcome; false if this instruction is none. The pc is the
// caller's.
bool Machine::simple(State& state, std::size_t thread, const Instruction& one) const {
  Thread self(state, thread);
  const auto v = static_cast<std::size_t>(one.v);
  const auto c = static_cast<std::uint32_t>(one.c);
  const auto write = [&](std::uint32_t value) {
    state[place::variable + v] = value & mask_of(program_.width[v]);
  };
  const auto old = [&] { return state[place::variable + v]; };
  const auto fetch = [&](std::uint32_t value) {
    const std::uint32_t before = old();
    write(value);
    self.tell(before);
    return true;
  };
  switch (one.code) {
    case Code::load: self.tell(old()); return true;
    case Code::keep: self.n = old(); return true;
    case Code::store: write(c); return true;
    case Code::store_own: write(self.a % 4); return true;
    case Code::bump: write(old() + c); return true;
    case Code::drop: write(old() - c); return true;
    case Code::set_bits: write(old() | c); return true;
    case Code::clear_bits: write(old() & c); return true;
    case Code::flip_bits: write(old() ^ c); return true;
    case Code::exchange: return fetch(c);
    case Code::fetch_add: return fetch(old() + c);
    case Code::fetch_sub: return fetch(old() - c);
    case Code::fetch_or: return fetch(old() | c);
    case Code::fetch_and: return fetch(old() & c);
    case Code::fetch_xor: return fetch(old() ^ c);
    case Code::cas: {
      const std::uint32_t before = old();
      if (before == c) write(static_cast<std::uint32_t>(one.d));
      self.tell(before == c ? 1 : 0);
      self.tell(before);
      return true;
    }
    case Code::plain_load: self.tell(state[place::plain + v]); return true;
    case Code::plain_read: self.n = state[place::plain + v]; return true;
    case Code::plain_store: state[place::plain + v] = c; return true;
    case Code::plain_write:
      state[place::plain + v] = self.n + c;
      self.n = 0;
      return true;
    case Code::section: {
      std::uint32_t& mine = state[place::section + v];
      const std::uint32_t other = state[place::section + 1 - v];
      if (one.d == 0) {
        mine = other + c;
      } else if (one.d == 1) {
        if (mine < 3) mine += c;
        self.tell(other);
      } else {
        self.tell(mine * 4 + other);
      }
      return true;
    }
    default: return false;
  }
}

void Machine::push(State state, std::size_t thread, std::vector<Successor>& out) const {
  advance(state, thread);
  out.push_back({std::move(state), Ending::none, {}});
}

std::string Machine::report(const State& state) const {
  std::string text = "F";
  const std::vector<bool> joined = surely_joined(program_);
  for (std::size_t at = 0; at < code_.size(); ++at) {
    if (!joined[at]) continue;
    text += ' ' + std::to_string(state[place::threads + at * place::per_thread + place::a]);
  }
  if (!quiescent(program_)) return text;
  text += " /";
  const auto add = [&](std::size_t from, std::size_t count) {
    for (std::size_t at = from; at < from + count; ++at) text += ' ' + std::to_string(state[at]);
  };
  add(place::variable, variables);
  const bool plain = uses(program_, Op::plain_load) || uses(program_, Op::plain_store) ||
                     uses(program_, Op::plain_add);
  if (plain) add(place::plain, 2);
  if (uses(program_, Op::section)) add(place::section, 2);
  return text;
}

void Machine::successors(const State& state, std::size_t thread,
                         std::vector<Successor>& out) const {
  if (!alive(state, thread)) return;
  const Instruction& one = at(state, thread);
  State next = state;
  Thread self(next, thread);
  const auto v = static_cast<std::size_t>(one.v);
  const auto c = static_cast<std::uint32_t>(one.c);
  const auto target = static_cast<std::uint32_t>(one.target);
  ++self.pc;
  if (simple(next, thread, one)) return push(std::move(next), thread, out);
  switch (one.code) {
    case Code::go_if_equal:
    case Code::go_unless_equal:
      if ((next[place::variable + v] == c) == (one.code == Code::go_if_equal)) self.pc = target;
      break;
    case Code::try_add:
      if (next[place::variable + v] == self.n) {
        next[place::variable + v] = (self.n + c) & mask_of(program_.width[v]);
      } else {
        self.n = next[place::variable + v];
        self.pc = target;
      }
      break;
    case Code::check:
      if (next[place::variable + v] != c) break;
      [[fallthrough]];
    case Code::fail:
      out.push_back({std::move(next), Ending::failure,
                     "A " + std::to_string(thread) + ' ' + std::to_string(one.c)});
      return;
    case Code::report: out.push_back({std::move(next), Ending::failure, report(state)}); return;
    case Code::exit:
    case Code::finish: out.push_back({std::move(next), Ending::over, {}}); return;
    case Code::choose:
      for (std::uint32_t value = 0; value < c; ++value) {
        State chosen_state = next;
        Thread(chosen_state, thread).tell(value);
        push(std::move(chosen_state), thread, out);
      }
      return;
    case Code::sem_get: self.tell(next[place::semaphore + v]); break;
    case Code::once:
      if (next[place::once] == 1) return;
      if (next[place::once] == 2) self.pc = target;
      if (next[place::once] == 0) next[place::once] = 1;
      break;
    case Code::once_end: next[place::once] = 2; break;
    case Code::block:
      for (; at(next, thread).code != Code::block_end; ++self.pc) {
        if (!simple(next, thread, at(next, thread))) local(next, thread, at(next, thread));
      }
      ++self.pc;
      break;
    case Code::spawn:
      Thread(next, v).status = running;
      advance(next, v);
      break;
    case Code::join:
      if (Thread(next, v).status != ended) return;
      break;
    case Code::lock:
    case Code::unlock: return lock(std::move(next), thread, one, out);
    case Code::wait:
    case Code::wait_end:
    case Code::futex_wait:
    case Code::futex_end:
    case Code::atomic_wait: return waiting(std::move(next), thread, one, out);
    case Code::signal:
    case Code::futex_wake:
    case Code::atomic_notify: return rouse(std::move(next), thread, one, out);
    case Code::barrier: return meet(std::move(next), thread, out);
    case Code::latch_down:
    case Code::latch_wait:
    case Code::latch_try:
    case Code::latch_spin: return latch(std::move(next), thread, one, out);
    case Code::phase_come:
    case Code::phase_end:
    case Code::phase_wait: return phase(std::move(next), thread, one, out);
    case Code::heap_new:
    case Code::heap_get:
    case Code::heap_take:
    case Code::heap_read:
    case Code::heap_write:
    case Code::heap_free:
    case Code::share:
    case Code::mine_get:
    case Code::mine_set:
    case Code::mine_end: return heap(std::move(next), thread, one, out);
    case Code::begin_mutex:
    case Code::begin_condition:
    case Code::begin_rw_lock:
    case Code::begin_spin_lock:
    case Code::begin_semaphore: return begin(std::move(next), thread, one, out);
    case Code::join_detached: out.push_back({std::move(next), Ending::misuse, {}}); return;
    case Code::barrier_end:
    case Code::atomic_end: return;  // waits
    default: return gate(std::move(next), thread, one, out);
  }
  push(std::move(next), thread, out);
}

std::size_t Machine::place_of(std::uint32_t block) const {
  return place::threads + code_.size() * place::per_thread + block - 1;
}

}  // namespace mazurka::native
