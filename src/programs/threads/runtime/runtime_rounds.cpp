// What the local history of a process is told, so that rounds that did not matter can be left out
// (spared_rounds.hpp): what it reads, the operations that it takes part in and their outcomes, and
// the values that it writes, once they are there. Only while places in the code are compared.
#include "programs/threads/runtime/call_site.hpp"
#include "programs/threads/runtime/runtime.hpp"

namespace mazurka::threads {

void Runtime::tell(std::uint64_t value) {
  if (tracking_) states_.tell(current_->id, value);
  remember(value);
}

void Runtime::remember(std::uint64_t value) {
  if (mazurka_far_hooks) current_->history.tell(value);
}

namespace {

std::uint64_t contents_of(std::uintptr_t address, std::size_t size) {
  std::uint64_t digest = fingerprint_of(address, size).low;
  for (std::size_t at = 0; at < size; at += 8) {
    digest =
        fingerprint_of(digest, load_value(address + at, std::min<std::size_t>(size - at, 8))).low;
  }
  return digest;
}

}  // namespace

// What is on its own stack the process's state shows; unless others put it there. That they do so
// is learned on the way: then it has to begin anew.
bool Runtime::on_unvisited_stack(std::uintptr_t address) {
  if (!in_zone(address)) return false;
  const std::size_t slot = slot_of(address);
  if (!in_stack_of(slot, address)) return false;
  constexpr std::uintptr_t together = 63;  // so many neighbours count as visited, too
  if (slot == index(current_->id)) return visited_stacks_.look(address | together) == nullptr;
  bool& visited = visited_stacks_[address | together];
  if (visited) return false;
  visited = must_restart_ = true;
  leave();
}

// Writes are told before they happen.
void Runtime::remember_access(std::uintptr_t address, std::size_t size, bool read, bool write) {
  LocalHistory& history = current_->history;
  if (on_unvisited_stack(address)) return;
  if (read) history.tell(contents_of(address, size));
  if (!write) return;
  if (history.written.size() >= LocalHistory::max_written) settle_history();
  history.written.push_back({address, size});
}

// Before anybody else moves.
void Runtime::settle_history() {
  LocalHistory& history = current_->history;
  for (const LocalHistory::Written& one : history.written) {
    history.tell(contents_of(one.address, one.size));
  }
  history.written.clear();
}

void Runtime::remember_step() {
  std::uint64_t step = decision_.choice;
  for (const Access& access : run_->footprint(current_->id)) {
    step = fingerprint_of(step, index(access.object)).low;
    step = fingerprint_of(step, access.kind * 256U + access.mode).low + access.operand;
  }
  current_->history.tell(step);
}

// `what`: it is about to do. `state`: of its stack and its registers, and where it is.
bool Runtime::would_be_here_anyway(std::uint64_t what, std::uint64_t state) {
  Process& self = *current_;
  if (counts_rounds_) return false;
  settle_history();
  for (const std::uint64_t more :
       {self.watch.held, self.chance, std::uint64_t{self.samples}, std::uint64_t{self.spurious},
        std::uint64_t{self.sections}, std::uint64_t{self.blocks}}) {
    state = fingerprint_of(state, more).low;
  }
  if (self.timely) return false;
  const bool known = spared_rounds_.arrive(self.history, what, state);
  if (spared_rounds_.rounds_count()) {
    counts_rounds_ = must_restart_ = true;
    leave();
  }
  if (!known) return false;
  self.watch.spared = true;
  return true;
}

bool Runtime::ends_as_it_would_anyway(const void* result) {
  constexpr std::uint64_t at_the_end = 1;
  return would_be_here_anyway(
      at_the_end, fingerprint_of(at_the_end, reinterpret_cast<std::uintptr_t>(result)).low);
}

}  // namespace mazurka::threads
