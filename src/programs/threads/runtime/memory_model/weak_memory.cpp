#include "programs/threads/runtime/memory_model/weak_memory.hpp"

#include <utility>

#include "programs/threads/runtime/recorder.hpp"

namespace mazurka::threads {

namespace {

constexpr std::size_t most_choices = 0xffff;

}  // namespace

bool WeakMemory::is_to_be_found_out() const {
  return request_.checks.memory == MemoryModel::automatic && learned_.grounds.as_strong.empty();
}

void WeakMemory::meet_weak_order() {
  if (learned_.memory != MemoryModel::sc) return;
  if (!is_to_be_found_out()) {
    learned_.grounds.weak_orders = true;
    return;
  }
  learned_.memory = MemoryModel::rc11;
  learned_.updates_in_order = true;
  learned_.guards = {};  // what waits for a word is otherwise then (Futexes)
  scheduler_.restart();
  leave();
}

void WeakMemory::give_up_because_of(const AtomicOperation& operation, const char* reason) {
  RawObject object{operation.address, operation.size, {}, {}};
  object.stack = capture_stack(&object.ends);
  give_up(reason, object);
}

void WeakMemory::give_up(const char* reason, const RawObject& object) {
  if (request_.checks.memory != MemoryModel::automatic || graphs())
    scheduler_.unsupported(reason, object);
  learned_.grounds.as_strong = reason;
  learned_.grounds.as_strong_object = object;
  learned_.grounds.weak_orders = true;
  learned_.memory = MemoryModel::sc;
  scheduler_.restart();
  leave();
}

void WeakMemory::make_up_to_date(const AtomicOperation& operation, ObjectId object) {
  History& history = state_.histories[object];
  const Objects::Origin& cell = names_[object];
  if (operation.size > sizeof(Words16)) {
    give_up_because_of(operation, "an atomic variable of more than 16 bytes");
  }
  if (history.size() == 0) history.begin(operation.size);
  if (history.size() != operation.size || cell.address != operation.address) {
    give_up_because_of(operation, "an atomic variable that is accessed as a whole and in parts");
  }
  const Words16 now = Words16::at(reinterpret_cast<const void*>(operation.address), operation.size);
  if (!history.is_up_to_date(now)) {
    history.write_plainly(now, state_.atomics[object].released());
  }
}

ObjectId WeakMemory::first_cell(Names& names, std::uintptr_t address, std::size_t size) {
  ObjectId object{};
  bool first = true;
  names.cells().for_each(address, size, [&](ObjectId cell) {
    if (std::exchange(first, false)) object = cell;
  });
  return object;
}

std::uint16_t WeakMemory::choose(const AtomicOperation& operation) {
  if (learned_.has_blocks) give_up("an atomic block");
  const ObjectId object = first_cell(names_, operation.address, operation.size);
  make_up_to_date(operation, object);
  operation_.use(learned_.memory, graphs());
  const std::size_t choices = operation_.list(operation, object, actor());
  if (choices > most_choices) {
    give_up_because_of(operation, "an atomic variable with so many values that may be read");
  }
  operation_.choose(operation, run());
  return static_cast<std::uint16_t>(choices);
}

void WeakMemory::commit(const AtomicOperation& operation, bool writes) {
  if (operation_.commit(operation, writes, actor(), run())) return;
  run().cut(Ending::impossible);
  leave();
}

void WeakMemory::fence(MemoryOrder order) {
  operation_.use(learned_.memory, graphs());
  operation_.fence(order, actor(), alone());
}

void WeakMemory::pass_barrier() {
  if (on()) fence(MemoryOrder::sequentially_consistent);
}

void WeakMemory::pass_barrier_in_order(ObjectId lock) {
  fence(MemoryOrder::sequentially_consistent);
  state_.graph.put_in_order(self().id, lock);
}

void WeakMemory::look(std::uintptr_t address, std::size_t size) {
  if (!on() || alone()) return;
  if (graphs()) {
    if (!learned_.guards.insert(address | 7U)) return;
    scheduler_.restart();
    leave();
  }
  const ObjectId object = first_cell(names_, address, size);
  make_up_to_date({.address = address, .size = size}, object);
  operation_.use(learned_.memory, graphs());
  operation_.look(object, actor());
}

}  // namespace mazurka::threads
