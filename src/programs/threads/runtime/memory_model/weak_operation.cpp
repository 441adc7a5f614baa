#include "programs/threads/runtime/memory_model/weak_operation.hpp"

#include <algorithm>
#include <utility>

#include "core/check.hpp"
#include "programs/threads/runtime/primitives/operations.hpp"

namespace mazurka::threads {

MemoryOrder WeakOperation::in_model(MemoryModel model, MemoryOrder order) {
  switch (model) {
    case MemoryModel::ra: return MemoryOrder::acquire_release;
    case MemoryModel::tso:
      return order == MemoryOrder::sequentially_consistent ? order : MemoryOrder::acquire_release;
    default: return order;
  }
}

// Whether an operation that overtakes the write that came last could have come before it.
bool WeakOperation::overtakes_needlessly(const History& history, ObjectId object, bool writes,
                                         ProcessId process) {
  const History::Message& latest = history.latest();
  if (latest.process == no_process) return false;
  if (past_.precedes(latest.process, latest.step, process)) return false;
  return !writes || !past_.precedes_access(latest.process, latest.step, object, memory_mode::read);
}

// Whether the operation writes if it finds what is there.
bool WeakOperation::would_write(const AtomicOperation& operation, const History& history,
                                std::size_t position) {
  if (operation.expected == nullptr) return memory_mode::writes(operation.mode);
  return history.at(position).value == Words16::at(operation.expected, operation.size);
}

void WeakOperation::list_all_outcomes(const AtomicOperation& operation, const History& history,
                                      const Actor& actor) {
  outcomes_.clear();
  taken_.clear();
  judge_.begin(model_, graph_, histories_);
  const std::size_t oldest = history.oldest_for(actor.knowledge.now);
  for (std::size_t position = history.last() + 1; position-- > oldest;) {
    const bool writes = would_write(operation, history, position);
    if (writes && memory_mode::reads(operation.mode) && history.is_updated(position)) {
      taken_.push_back(history.at(position).event);
      continue;
    }
    if (writes && history.is_updated(position)) continue;
    if (position != history.last()) {
      prepare_event(operation, history, position, writes, actor);
      if (!judge_.allows(event_, position)) continue;
    }
    outcomes_.push_back({position, false});
  }
}

void WeakOperation::list_outcomes(const AtomicOperation& operation, const History& history,
                                  const Actor& actor) {
  outcomes_.clear();
  const std::size_t oldest = history.oldest_for(actor.knowledge.now);
  const std::size_t latest = history.position_of(history.latest_number());
  // Those that do and those that do not need another reason to come later.
  const bool as_read = !overtakes_needlessly(history, object_, false, actor.id);
  const bool as_write = as_read || !overtakes_needlessly(history, object_, true, actor.id);
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

std::size_t WeakOperation::list(const AtomicOperation& operation, ObjectId object,
                                const Actor& actor) {
  stage_ = Stage::listed;
  object_ = object;
  impossible_ = false;
  if (model_ == MemoryModel::rc11 && graph_.has_strong()) {
    graph_.come_from_elsewhere(actor.id, actor.tick(), actor.knowledge.now);
  }
  history_ = &histories_[object_];
  const History& history = *history_;
  if (graphs_) {
    list_all_outcomes(operation, history, actor);
  } else {
    list_outcomes(operation, history, actor);
  }
  MAZURKA_CHECK(!outcomes_.empty() || graphs_,
                "an operation can always read or go behind the last");
  return outcomes_.size();
}

void WeakOperation::choose(const AtomicOperation& operation, Run& run) {
  MAZURKA_CHECK(stage_ == Stage::listed && history_ != nullptr,
                "outcomes are listed and then chosen");
  stage_ = Stage::chosen;
  const History& history = *history_;
  const auto choices = static_cast<std::uint16_t>(outcomes_.size());
  const Outcome& outcome = outcomes_[graphs_ ? choose_source(history, run) : run.outcome(choices)];
  position_ = outcome.position;
  found_ = {};
  found_.fails = outcome.fails;
  if (position_ != history.last()) {
    found_.older = memory_mode::reads(operation.mode);
    found_.value = history.at(position_).value;
    found_.overtaken = memory_mode::writes(operation.mode);
  }
}

// Which outcome the schedule asks for, by its number or by its source.
std::uint16_t WeakOperation::choose_source(const History& history, Run& run) {
  const auto choices = static_cast<std::uint16_t>(outcomes_.size());
  const std::uint32_t wanted = run.wanted_source();
  if (wanted == by_outcome) return run.outcome(choices);
  for (std::uint16_t choice = 0; choice < choices; ++choice) {
    if (history.at(outcomes_[choice].position).event != wanted) continue;
    run.take_outcome(choice);
    return choice;
  }
  impossible_ = true;
  run.take_outcome(0);
  return 0;
}

void WeakOperation::prepare_event(const AtomicOperation& operation, const History& history,
                                  std::size_t position, bool writes, const Actor& actor) {
  const bool fails = operation.expected != nullptr && !writes;
  const MemoryOrder order = in_model(model_, fails ? operation.failure_order : operation.order);
  event_.process = actor.id;
  event_.tick = actor.tick();
  event_.strong = order == MemoryOrder::sequentially_consistent;
  event_.reads = memory_mode::reads(operation.mode);
  event_.writes = writes;
  event_.object = object_;
  event_.source = history.number_at(position);
  event_.barriers = actor.barriers;
  event_.known.assign(actor.knowledge.now);
  if (event_.reads && acquires(order)) event_.known.join(history.at(position).released);
  event_.step = 0;
  event_.follows.clear();
  if (!graphs_ || !judges_by_past(model_)) return;
  event_.step = past_.steps_of(actor.id) + 1;
  event_.follows.assign(past_.before_next_of(actor.id));
}

bool WeakOperation::commit(const AtomicOperation& operation, bool writes, const Actor& actor,
                           Run& run) {
  MAZURKA_CHECK(stage_ == Stage::chosen, "an outcome is chosen and then committed");
  stage_ = Stage::committed;
  History& history = *history_;
  const bool reads = memory_mode::reads(operation.mode);
  prepare_event(operation, history, position_, writes, actor);
  if (graphs_) {
    if (event_.step != 0) --event_.step;  // it was counted when the step was committed
  } else if (position_ != history.last()) {
    judge_.begin(model_, graph_, histories_);
    impossible_ = !judge_.allows(event_, position_);
  }
  message_ = writes ? history.insert_behind(position_) : History::none;
  event_.message = message_;
  source_ = event_.source;
  if (writes) {
    History::Message& message = history.message(message_);
    message.process = actor.id;
    message.step = past_.steps_of(actor.id);
    MAZURKA_CHECK(run.position() > 0, "what is written is written by an event");
    message.event = static_cast<std::uint32_t>(run.position() - 1);
    message.updates = reads;
  }
  add_to_graph(event_, &history);
  history.mark(actor.id, actor.tick(), writes ? message_ : source_);
  if (graphs_) tell_explorer(operation, history, writes, run);
  return !impossible_;
}

void WeakOperation::tell_explorer(const AtomicOperation& operation, const History& history,
                                  bool writes, Run& run) {
  GraphStep step;
  step.variable = std::uint64_t{index(object_)} << 32U | history.floor();
  step.reads = memory_mode::reads(operation.mode);
  step.writes = writes;
  step.source = history.message(source_).event;
  step.taken = taken_;
  run.note(std::move(step));
}

bool WeakOperation::perform(const AtomicResult& result, MemoryOrder order, const Actor& actor) {
  MAZURKA_CHECK(stage_ == Stage::committed, "a step is committed and then performed");
  stage_ = Stage::performed;
  MAZURKA_CHECK(!result.writes || message_ != History::none,
                "an operation writes only what was announced in its history");
  History& history = *history_;
  Knowledge& knowledge = actor.knowledge;
  order = in_model(model_, order);
  if (result.reads) {
    (acquires(order) ? knowledge.now : knowledge.fence_acquire)
        .join(history.message(source_).released);
  }
  if (!result.writes) return true;
  History::Message& message = history.message(message_);
  message.value = result.reads ? Words16{result.new_value, result.new_high}
                               : Words16{result.value, result.high};
  message.released.assign(releases(order) ? knowledge.now : knowledge.fence_release);
  // A read-modify-write continues the release sequence.
  const VectorClock& before = history.message(source_).released;
  if (result.reads) message.released.join(before);
  if (releases(order)) knowledge.now.tick(actor.id);
  return before.is_known_to(message.released, message.released);
}

void WeakOperation::tell(RawEvent& event, std::uint32_t number) {
  History& history = *history_;
  if (message_ != History::none) history.message(message_).told = number;
  event.flags |= flag_source;
  event.source = history.message(source_).told;
  if (!found_.older && !found_.overtaken) return;
  event.flags |= flag_overtakes;
  event.newest = history.at(history.last()).told;
}

void WeakOperation::fence(MemoryOrder order, const Actor& actor, bool alone) {
  order = in_model(model_, order);
  const bool strong = order == MemoryOrder::sequentially_consistent && !alone;
  if (model_ == MemoryModel::rc11 && strong) {
    add_strong_fence(actor);
  } else if (model_ == MemoryModel::rc11 && graph_.has_strong()) {
    graph_.go_elsewhere(actor.id, actor.tick(), actor.knowledge.now);
  } else if (model_ == MemoryModel::tso && strong) {
    graph_.pass_barrier(actor.id);
  }
  perform_fence(order, actor.id, actor.knowledge);
}

void WeakOperation::add_strong_fence(const Actor& actor) {
  GraphEvent event;
  event.process = actor.id;
  event.tick = actor.tick();
  event.fence = event.strong = true;
  event.known.assign(actor.knowledge.now);
  event.known.join(actor.knowledge.fence_acquire);
  add_to_graph(event, nullptr);
}

void WeakOperation::look(ObjectId object, const Actor& actor) {
  History& history = histories_[object];
  GraphEvent event;
  event.process = actor.id;
  event.tick = actor.tick();
  event.reads = true;
  event.object = object;
  event.barriers = actor.barriers;
  event.source = history.number_at(history.last());
  event.known.assign(actor.knowledge.now);
  history.mark(event.process, event.tick, event.source);
  add_to_graph(event, &history);
}

}  // namespace mazurka::threads
