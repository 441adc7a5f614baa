#include "programs/threads/runtime/memory_model/weak_memory.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "programs/threads/runtime/recorder.hpp"

namespace mazurka::threads {

namespace {

Words16 words_at(const void* from, std::size_t size) {
  Words16 words;
  std::memcpy(&words, from, size);
  return words;
}

}  // namespace

void WeakMemory::meet_weak_order() {
  if (learned_.memory != MemoryModel::sc) return;
  const bool is_open =
      request_.checks.memory == MemoryModel::automatic && learned_.grounds.as_strong.empty();
  if (!is_open) {
    learned_.grounds.weak_orders = true;
    return;
  }
  learned_.memory = MemoryModel::rc11;
  learned_.updates_in_order = true;
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

MemoryOrder WeakMemory::in_model(MemoryOrder order) const {
  switch (learned_.memory) {
    case MemoryModel::ra: return MemoryOrder::acquire_release;
    case MemoryModel::tso:
      return order == MemoryOrder::sequentially_consistent ? order : MemoryOrder::acquire_release;
    default: return order;
  }
}

History& WeakMemory::history_of(const AtomicOperation& operation, ObjectId object) {
  History& history = state_.histories[object];
  const Objects::Origin& cell = names_[object];
  if (operation.size > sizeof(Words16)) {
    give_up_because_of(operation, "an atomic variable of more than 16 bytes");
  }
  if (history.size() == 0) history.begin(operation.size);
  if (history.size() != operation.size || cell.address != operation.address) {
    give_up_because_of(operation, "an atomic variable that is accessed as a whole and in parts");
  }
  const Words16 now = words_at(reinterpret_cast<const void*>(operation.address), operation.size);
  if (!history.is_up_to_date(now)) {
    history.write_plainly(now, state_.atomics[object].released());
  }
  return history;
}

// Whether an operation that overtakes the write that came last could have come before it.
bool WeakMemory::overtakes_needlessly(const History& history, ObjectId object, bool writes) {
  const History::Message& latest = history.latest();
  if (latest.process == no_process) return false;
  if (state_.past.precedes(latest.process, latest.step, self().id)) return false;
  return !writes ||
         !state_.past.precedes_access(latest.process, latest.step, object, memory_mode::read);
}

// Whether the operation writes if it finds what is there.
bool WeakMemory::would_write(const AtomicOperation& operation, const History& history,
                             std::size_t position) {
  if (operation.expected == nullptr) return memory_mode::writes(operation.mode);
  return history.at(position).value == words_at(operation.expected, operation.size);
}

void WeakMemory::list_all_outcomes(const AtomicOperation& operation, const History& history) {
  outcomes_.clear();
  taken_.clear();
  begin_to_judge();
  const std::size_t oldest = history.oldest_for(self().knowledge.now);
  for (std::size_t position = history.last() + 1; position-- > oldest;) {
    const bool writes = would_write(operation, history, position);
    if (writes && memory_mode::reads(operation.mode) && history.is_updated(position)) {
      taken_.push_back(history.at(position).event);
      continue;
    }
    if (writes && history.is_updated(position)) continue;
    if (position != history.last()) {
      prepare_event(operation, history, position, writes);
      if (!judge_.allows(event_, position)) continue;
    }
    outcomes_.push_back({position, false});
  }
}

void WeakMemory::list_outcomes(const AtomicOperation& operation, const History& history,
                               ObjectId object) {
  outcomes_.clear();
  const std::size_t oldest = history.oldest_for(self().knowledge.now);
  const std::size_t latest = history.position_of(history.latest_number());
  // Those that do and those that do not need another reason to come later.
  const bool as_read = !overtakes_needlessly(history, object, false);
  const bool as_write = as_read || !overtakes_needlessly(history, object, true);
  for (std::size_t position = history.last() + 1; position-- > oldest;) {
    const bool writes = would_write(operation, history, position);
    const bool is_last = position == history.last();
    const bool may_read = is_last || position >= latest || as_read;
    const bool may_write =
        (is_last || position >= latest || as_write) && !history.is_updated(position);
    if (writes ? may_write : may_read) outcomes_.push_back({position, false});
    if (writes && operation.weak && may_read) outcomes_.push_back({position, true});
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
  object_ = first_cell(names_, operation.address, operation.size);
  History& history = history_of(operation, object_);
  impossible_ = false;
  if (graphs()) {
    list_all_outcomes(operation, history);
  } else {
    list_outcomes(operation, history, object_);
  }
  constexpr std::size_t most = 0xffff;
  const auto choices = static_cast<std::uint16_t>(std::min(outcomes_.size(), most));
  const Outcome& outcome = outcomes_[graphs() ? choose_source(history) : run().outcome(choices)];
  position_ = outcome.position;
  found_ = {};
  found_.fails = outcome.fails;
  if (position_ != history.last()) {
    found_.older = memory_mode::reads(operation.mode);
    found_.value = history.at(position_).value;
    found_.overtaken = memory_mode::writes(operation.mode);
  }
  return choices;
}

// Which outcome the schedule asks for, by its number or by its source.
std::uint16_t WeakMemory::choose_source(const History& history) {
  const auto choices = static_cast<std::uint16_t>(outcomes_.size());
  const std::uint32_t wanted = run().wanted_source();
  if (wanted == by_outcome) return run().outcome(choices);
  for (std::uint16_t choice = 0; choice < choices; ++choice) {
    if (history.at(outcomes_[choice].position).event != wanted) continue;
    run().take_outcome(choice);
    return choice;
  }
  impossible_ = true;
  run().take_outcome(0);
  return 0;
}

void WeakMemory::prepare_event(const AtomicOperation& operation, const History& history,
                               std::size_t position, bool writes) {
  const bool fails = operation.expected != nullptr && !writes;
  const MemoryOrder order = in_model(fails ? operation.failure_order : operation.order);
  event_.process = self().id;
  event_.tick = tick();
  event_.strong = order == MemoryOrder::sequentially_consistent;
  event_.reads = memory_mode::reads(operation.mode);
  event_.writes = writes;
  event_.object = object_;
  event_.source = history.number_at(position);
  event_.barriers = self().barriers;
  event_.known.assign(self().knowledge.now);
  if (event_.reads && acquires(order)) event_.known.join(history.at(position).released);
  if (!graphs()) return;
  event_.step = state_.past.steps_of(self().id) + 1;
  event_.follows.assign(state_.past.before_next_of(self().id));
}

void WeakMemory::add_to_graph(GraphEvent event, History* history) {
  state_.graph.add(std::move(event), history, learned_.memory == MemoryModel::rc11);
}

void WeakMemory::commit(const AtomicOperation& operation, bool writes) {
  History& history = state_.histories[object_];
  const bool reads = memory_mode::reads(operation.mode);
  prepare_event(operation, history, position_, writes);
  if (graphs()) {
    --event_.step;  // it was counted when the step was committed
  } else if (position_ != history.last()) {
    begin_to_judge();
    impossible_ = !judge_.allows(event_, position_);
  }
  message_ = writes ? history.insert_behind(position_) : History::none;
  event_.message = message_;
  source_ = event_.source;
  if (writes) {
    History::Message& message = history.message(message_);
    message.process = self().id;
    message.step = state_.past.steps_of(self().id);
    message.event = static_cast<std::uint32_t>(run().position() - 1);
    message.updates = reads;
  }
  add_to_graph(event_, &history);
  history.mark(self().id, tick(), writes ? message_ : source_);
  if (graphs()) tell_explorer(operation, history, writes);
  if (!impossible_) return;
  run().cut(Ending::impossible);
  leave();
}

void WeakMemory::tell_explorer(const AtomicOperation& operation, const History& history,
                               bool writes) {
  GraphStep step;
  step.variable = std::uint64_t{index(object_)} << 32U | history.floor();
  step.reads = memory_mode::reads(operation.mode);
  step.writes = writes;
  step.source = history.message(source_).event;
  step.taken = taken_;
  run().note(std::move(step));
}

void WeakMemory::perform(const AtomicResult& result, MemoryOrder order) {
  History& history = state_.histories[object_];
  Knowledge& knowledge = self().knowledge;
  order = in_model(order);
  if (result.reads) {
    (acquires(order) ? knowledge.now : knowledge.fence_acquire)
        .join(history.message(source_).released);
  }
  if (!result.writes) return;
  History::Message& message = history.message(message_);
  message.value = result.reads ? Words16{result.new_value, result.new_high}
                               : Words16{result.value, result.high};
  message.released.assign(releases(order) ? knowledge.now : knowledge.fence_release);
  // A read-modify-write continues the release sequence.
  if (result.reads) message.released.join(history.message(source_).released);
  if (releases(order)) knowledge.now.tick(self().id);
}

void WeakMemory::tell(RawEvent& event, std::uint32_t number) {
  History& history = state_.histories[object_];
  if (message_ != History::none) history.message(message_).told = number;
  event.flags |= flag_source;
  event.source = history.message(source_).told;
  if (!found_.older && !found_.overtaken) return;
  event.flags |= flag_overtakes;
  event.newest = history.at(history.last()).told;
}

void WeakMemory::fence(MemoryOrder order) {
  order = in_model(order);
  if (order == MemoryOrder::sequentially_consistent && !alone()) {
    GraphEvent event;
    event.process = self().id;
    event.tick = tick();
    event.fence = event.strong = true;
    event.known.assign(self().knowledge.now);
    event.known.join(self().knowledge.fence_acquire);
    if (graphs()) {
      event.step = state_.past.steps_of(self().id) + 1;
      event.follows.assign(state_.past.before_next_of(self().id));
    }
    add_to_graph(std::move(event), nullptr);
  }
  perform_fence(order, self().id, self().knowledge);
}

void WeakMemory::pass_barrier() {
  if (on()) fence(MemoryOrder::sequentially_consistent);
}

void WeakMemory::look(std::uintptr_t address, std::size_t size) {
  if (!on() || alone()) return;
  if (graphs()) {
    if (learned_.memory != MemoryModel::sc) {
      scheduler_.unsupported(
          "a futex (as std::atomic::wait has one), with technique graphs and weak memory,");
    }
    if (!learned_.guards.insert(address | 7U)) return;
    scheduler_.restart();
    leave();
  }
  const ObjectId object = first_cell(names_, address, size);
  History& history = history_of({.address = address, .size = size}, object);
  GraphEvent event;
  event.process = self().id;
  event.tick = tick();
  event.reads = true;
  event.object = object;
  event.source = history.number_at(history.last());
  event.known.assign(self().knowledge.now);
  history.mark(event.process, event.tick, event.source);
  add_to_graph(std::move(event), &history);
}

}  // namespace mazurka::threads
