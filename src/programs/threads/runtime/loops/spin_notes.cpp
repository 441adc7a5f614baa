// What a process that may go round in circles reads and writes, noted while it does (the idea is in
// spin_recognition.cpp).
#include <algorithm>

#include "programs/threads/runtime/loops/spin_recognition.hpp"
#include "programs/threads/runtime/memory_model/atomic_cell.hpp"

namespace mazurka::threads {

void SpinRecognition::watch_read(std::uintptr_t address, std::size_t size) {
  SpinWatch& watch = self().watch;
  if (!watch.lists_reads(size)) return;
  for (std::size_t at = 0; at < size; at += 8) {
    const std::size_t part = std::min<std::size_t>(size - at, 8);
    watch.reads.push_back({address + at, load_value(address + at, part), ObjectId{},
                           static_cast<std::uint8_t>(part)});
  }
}

void SpinRecognition::watch_seen(std::uintptr_t address, std::size_t size,
                                 const AtomicResult& result, bool older) {
  if (size > 16) return watch_read(address, size);
  SpinWatch& watch = self().watch;
  if (!watch.lists_reads(size)) return;
  using What = SpinWatch::Read::What;
  const What what = older ? What::older_value : What::value;
  const auto first = static_cast<std::uint8_t>(std::min<std::size_t>(size, 8));
  watch.reads.push_back({address, result.value, ObjectId{}, first, what});
  if (size > 8) {
    const auto rest = static_cast<std::uint8_t>(size - 8);
    watch.reads.push_back({address + 8, result.high, ObjectId{}, rest, what});
  }
}

void SpinRecognition::watch_object(ObjectId object) {
  if (!self().watch.lists_reads()) return;
  self().watch.reads.push_back({0, scheduler_.value_of(object), object, 0});
}

void SpinRecognition::watch_end(ProcessId other) {
  if (!self().watch.lists_reads()) return;
  self().watch.reads.push_back({0, index(other), ObjectId{}, 0, SpinWatch::Read::What::unfinished});
}

void SpinRecognition::watch_passing(ObjectId object, std::uint16_t wish) {
  if (!self().watch.lists_reads()) return;
  self().watch.reads.push_back({0, wish, object, 0, SpinWatch::Read::What::passed});
}

void SpinRecognition::watch_bits(std::uintptr_t address, std::size_t size, std::uint64_t bits,
                                 bool set) {
  if (!self().watch.lists_reads()) return;
  using What = SpinWatch::Read::What;
  self().watch.reads.push_back({address, bits, ObjectId{}, static_cast<std::uint8_t>(size),
                                set ? What::set_bits : What::cleared_bits});
}

void SpinRecognition::watch_write(std::uintptr_t address, std::size_t size) {
  SpinWatch& watch = self().watch;
  if (watch.places.empty()) return;
  const bool local = in_own_stack(address);
  const std::size_t words = (size + 7) / 8;
  if (words + (local ? watch.local_writes : watch.writes.size() - watch.local_writes) >
      SpinWatch::max_writes) {
    // Of its own stack only what it read matters: without them, it counts as what others may write.
    if (!local) watch.progress();
    return;
  }
  for (std::size_t at = 0; at < size; at += 8) {
    const std::size_t part = std::min<std::size_t>(size - at, 8);
    watch.will_write(address + at, load_value(address + at, part), part, local);
  }
}

// The current process is about to access memory: is it the stack of another one? What that one has
// changed there is then seen; and what is written there it has not changed itself.
void SpinRecognition::visit_stack(std::uintptr_t address, std::size_t size, bool write) {
  const std::size_t slot = slot_of(address);
  if (slot == index(self().id) || !in_stack_of(slot, address)) return;
  Process* owner = state_.processes.find(static_cast<ProcessId>(slot));
  if (owner == nullptr || owner->watch.places.empty()) return;
  SpinWatch& watch = owner->watch;
  for (std::uintptr_t word = address & ~std::uintptr_t{7}; word < address + size; word += 8) {
    if (std::find(state_.visited.begin(), state_.visited.end(), word) != state_.visited.end())
      continue;
    watch.show(word, load_value(word, 8));
    if (write) state_.visited.push_back(word);
  }
}

}  // namespace mazurka::threads
