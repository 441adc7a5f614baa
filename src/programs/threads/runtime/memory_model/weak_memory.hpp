// Memory that is weaker than sequentially consistent, or explored as graphs, as the program meets
// it: which variables there are, what is not known, and the steps of weak_operation.hpp.
#pragma once

#include <cstdint>

#include "programs/threads/runtime/memory_model/weak_operation.hpp"
#include "programs/threads/runtime/part.hpp"

namespace mazurka::threads {

class WeakMemory : public Part {
 public:
  explicit WeakMemory(Scheduler& scheduler)
      : Part(scheduler), operation_(state_.past, state_.histories, state_.graph) {}

  /// Whether an order weaker than `seq_cst` would count, now or once the search has begun anew.
  [[nodiscard]] bool may_be_on() const {
    return learned_.memory != MemoryModel::sc || is_to_be_found_out();
  }
  [[nodiscard]] bool on() const { return learned_.memory != MemoryModel::sc || graphs(); }
  [[nodiscard]] bool graphs() const { return request_.checks.graphs; }
  /// The program uses an order weaker than sequential consistency, or a fence: if it was not said
  /// which memory it has, the exploration begins anew with one where that matters.
  void meet_weak_order();
  /// The program does what is not known under weak memory: sequentially consistent, then.
  void give_up_if_on(const char* reason) {
    if (on()) give_up(reason);
  }
  /// The order as the model has it.
  [[nodiscard]] MemoryOrder in_model(MemoryOrder order) const {
    return WeakOperation::in_model(learned_.memory, order);
  }

  /// It is the current process's turn: how many outcomes the operation has, and what it finds in
  /// the one that was chosen. Whoever is alone need not ask.
  [[nodiscard]] std::uint16_t choose(const AtomicOperation& operation);
  [[nodiscard]] const Found& found() const { return operation_.found(); }
  /// The step was committed. Leaves the execution if the outcome is impossible.
  void commit(const AtomicOperation& operation, bool writes);
  /// What the operation has turned out to do (WeakOperation::perform).
  bool perform(const AtomicResult& result, MemoryOrder order) {
    return operation_.perform(result, order, actor());
  }
  /// For the report, before it is performed: which event of the story it is.
  void tell(RawEvent& event, std::uint32_t number) { operation_.tell(event, number); }
  void fence(MemoryOrder order);
  /// Every process of the program passes a fence, each while the current one is at it.
  void fence_everybody();
  /// The current process accesses a variable in another way than by an atomic operation, and does
  /// not race by that. Returns whether others get to know as much from the variable as before.
  bool stand_in(ObjectId object, bool write);
  /// The system passes a full barrier for the process, as it does in calls about futexes ...
  void pass_barrier();
  /// ... one after the other as they hold a lock of its own, ...
  void pass_barrier_in_order(ObjectId lock);
  /// ... and has looked at what is in memory there.
  void look(std::uintptr_t address, std::size_t size);

 private:
  [[nodiscard]] bool is_to_be_found_out() const;
  [[nodiscard]] static ObjectId first_cell(Names& names, std::uintptr_t address, std::size_t size);
  void make_up_to_date(const AtomicOperation& operation, ObjectId object);
  [[nodiscard]] Actor actor() const { return {self().id, self().knowledge, self().barriers}; }
  [[noreturn]] void give_up(const char* reason, const RawObject& object = {});
  [[noreturn]] void give_up_because_of(const AtomicOperation& operation, const char* reason);

  WeakOperation operation_;
};

}  // namespace mazurka::threads
