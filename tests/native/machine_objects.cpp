// Blocks and objects: what accesses them, what begins and ends them, and which accesses are in
// conflict.
#include <algorithm>

#include "native/machine_code.hpp"

namespace mazurka::native {

void Machine::heap(State state, std::size_t thread, const Instruction& one,
                   std::vector<Successor>& out) const {
  Thread self(state, thread);
  std::uint32_t& slot = state[place::slot + static_cast<std::size_t>(one.v)];
  const auto c = static_cast<std::uint32_t>(one.c);
  const auto mine = static_cast<std::uint32_t>(one.d);
  const auto bit = [](std::uint32_t block) { return 1U << block; };
  switch (one.code) {
    case Code::heap_new: slot = c; break;
    case Code::heap_get:
    case Code::heap_take:
      self.n = slot;
      if (one.code == Code::heap_take) slot = 0;
      if (self.n == 0) self.pc = static_cast<std::uint32_t>(one.target);
      break;
    case Code::share: slot = mine; break;
    case Code::mine_get: self.tell(state[place_of(mine)]); break;
    case Code::mine_set: state[place_of(mine)] = c; break;
    case Code::mine_end: state[place::freed] |= bit(mine); break;
    default:
      if ((state[place::freed] & bit(self.n)) != 0) {
        out.push_back({std::move(state), Ending::memory, {}});
        return;
      }
      if (one.code == Code::heap_read) {
        self.tell(state[place_of(self.n)]);
      } else if (one.code == Code::heap_write) {
        state[place_of(self.n)] = c;
      } else {
        state[place::freed] |= bit(self.n);
      }
      self.n = 0;
      break;
  }
  push(std::move(state), thread, out);
}

template <typename Predicate>
bool Machine::anybody_at(const State& state, const Predicate& wanted) const {
  for (std::size_t other = 0; other < code_.size(); ++other) {
    if (alive(state, other) && wanted(other, at(state, other))) return true;
  }
  return false;
}

// Whether an object that is to begin is held, or waited for.
bool Machine::in_use(const State& state, std::size_t thread, const Instruction& one) const {
  const auto v = static_cast<std::size_t>(one.v);
  switch (one.code) {
    case Code::begin_mutex: return state[place::owner + v] != 0;
    case Code::begin_rw_lock: return state[place::writer] != 0 || state[place::readers] != 0;
    case Code::begin_spin_lock: return state[place::spin] != 0;
    case Code::begin_condition:
      return anybody_at(state, [&](std::size_t other, const Instruction& there) {
        return there.code == Code::wait_end && there.v == one.v &&
               state[place::threads + other * place::per_thread + place::wait] == queued;
      });
    case Code::begin_semaphore:
      return state[place::semaphore + v] == 0 &&
             anybody_at(state, [&](std::size_t other, const Instruction& there) {
               return other != thread && there.code == Code::sem_wait && there.v == one.v &&
                      there.how == How::lock;
             });
    default: return false;
  }
}

void Machine::begin(State state, std::size_t thread, const Instruction& one,
                    std::vector<Successor>& out) const {
  if (in_use(state, thread, one)) return out.push_back({std::move(state), Ending::misuse, {}});
  if (one.code == Code::begin_semaphore) {
    state[place::semaphore + static_cast<std::size_t>(one.v)] = static_cast<std::uint32_t>(one.c);
  }
  push(std::move(state), thread, out);
}

void Machine::touched(const State& state, std::size_t thread, bool blocks,
                      std::vector<Touch>& out) const {
  const Instruction& one = at(state, thread);
  const std::uint32_t block = state[place::threads + thread * place::per_thread + place::n];
  const auto v = static_cast<std::uint32_t>(one.v);
  const auto mine = static_cast<std::uint32_t>(one.d);
  if (blocks) {
    switch (one.code) {
      case Code::heap_read: out.push_back({Touch::block, block, false}); break;
      case Code::heap_write:
      case Code::heap_free: out.push_back({Touch::block, block, true}); break;
      case Code::mine_get: out.push_back({Touch::block, mine, false}); break;
      case Code::mine_set:
      case Code::mine_end: out.push_back({Touch::block, mine, true}); break;
      default: break;
    }
    return;
  }
  const auto begins = [&](Touch::Kind kind) { out.push_back({kind, v, true}); };
  const auto uses = [&](Touch::Kind kind) { out.push_back({kind, v, false}); };
  switch (one.code) {
    case Code::plain_load:
    case Code::plain_read: uses(Touch::variable); break;
    case Code::plain_store:
    case Code::plain_write: begins(Touch::variable); break;
    case Code::begin_mutex: begins(Touch::mutex); break;
    case Code::begin_condition: begins(Touch::condition); break;
    case Code::begin_rw_lock: begins(Touch::rw_lock); break;
    case Code::begin_spin_lock: begins(Touch::spin_lock); break;
    case Code::begin_semaphore: begins(Touch::semaphore); break;
    case Code::wait:
      uses(Touch::condition);
      uses(Touch::mutex);
      break;
    case Code::lock:
    case Code::unlock: uses(Touch::mutex); break;
    case Code::wait_end:
      if (state[place::threads + thread * place::per_thread + place::wait] != queued) {
        uses(Touch::mutex);
      }
      break;
    case Code::signal: uses(Touch::condition); break;
    case Code::read_lock:
    case Code::read_unlock:
    case Code::write_lock:
    case Code::write_unlock: uses(Touch::rw_lock); break;
    case Code::spin_lock:
    case Code::spin_unlock: uses(Touch::spin_lock); break;
    case Code::sem_wait:
    case Code::sem_post:
    case Code::sem_get: uses(Touch::semaphore); break;
    default: break;
  }
}

bool Machine::races(const State& state, bool blocks) const {
  std::vector<Touch> before;
  for (std::size_t thread = 0; thread < code_.size(); ++thread) {
    if (!alive(state, thread)) continue;
    std::vector<Touch> now;
    touched(state, thread, blocks, now);
    for (const Touch& one : now) {
      const bool conflict = std::any_of(before.begin(), before.end(), [&](const Touch& other) {
        return one.kind == other.kind && one.number == other.number && (one.writes || other.writes);
      });
      if (conflict) return true;
    }
    before.insert(before.end(), now.begin(), now.end());
  }
  return false;
}

}  // namespace mazurka::native
