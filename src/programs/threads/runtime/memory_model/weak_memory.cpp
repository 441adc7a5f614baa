#include "programs/threads/runtime/memory_model/weak_memory.hpp"

#include <utility>

#include "core/check.hpp"
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
  MAZURKA_CHECK(!first, "an access touches a cell");
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
  MAZURKA_CHECK(choices > 0, "an operation has an outcome");
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

// The system interrupts each processor: what a process has done by then comes before what the
// caller does afterwards, and what the caller has done comes before what the process does next.
// When exactly that was is open: a process may not have made its plain accesses yet that come after
// its latest step.
void WeakMemory::fence_everybody() {
  Process& own = self();
  fence(MemoryOrder::sequentially_consistent);
  for (std::size_t at = 0; at < state_.processes.end(); ++at) {
    Process* one = state_.processes.find(static_cast<ProcessId>(at));
    if (one == nullptr || one == &own) continue;
    if (one->finished) {
      own.knowledge.now.join(one->knowledge.now);
      continue;
    }
    VectorClock known;
    known.assign(one->knowledge.now);
    known.limit(one->id, one->knowledge.fenced_up_to);
    one->knowledge.now.join(own.knowledge.now);
    operation_.fence(MemoryOrder::sequentially_consistent, {one->id, one->knowledge, one->barriers},
                     false);
    one->knowledge.fence_release.limit(one->id, one->knowledge.fenced_up_to);
    own.knowledge.now.join(known);
  }
  fence(MemoryOrder::sequentially_consistent);
}

// Its value is explored as if the access was seq_cst: it is the newest, and whoever reads it sees
// what the writer has seen. But for data races it orders no more than a relaxed operation.
bool WeakMemory::stand_in(ObjectId object, bool write) {
  Process& own = self();
  Knowledge& knowledge = own.knowledge;
  const MemoryOrder order = in_model(MemoryOrder::relaxed);
  AtomicCell& cell = state_.atomics[object];
  if (!on() || graphs()) {
    AtomicResult result;
    result.reads = !write;
    result.writes = write;
    return cell.perform(result, order, own.id, knowledge);
  }
  History& history = state_.histories[object];
  const bool ended = history.has_ended();
  const VectorClock& there = ended ? cell.released() : history.at(history.last()).released;
  if (!write) {
    (acquires(order) ? knowledge.now : knowledge.fence_acquire).join(there);
    knowledge.now.see(there);
    if (!ended) {
      history.mark(own.id, knowledge.now[index(own.id)], history.number_at(history.last()));
    }
    return true;
  }
  VectorClock published;
  published.assign(releases(order) ? knowledge.now : knowledge.fence_release);
  published.see(knowledge.now);
  const bool keeps = there.is_known_to(published, published);
  cell.publish(published);
  history.end();
  knowledge.now.tick(own.id);
  return keeps;
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
