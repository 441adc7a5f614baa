// What atomic operations read and write where memory is weaker than sequentially consistent.
//
// Memory holds what is last in the order of modification, so plain code sees what it must. An
// atomic operation may read something older, or write in front of something newer: these are
// outcomes of its step, of which an explorer tries each. The outcome 0 is always the newest.
//
// Every behaviour that the model allows is one of such an execution, since RC11 and TSO order what
// a process does and what it reads (po and rf have no circle): perform it in that order. Often it
// is also one of another execution in which less is overtaken: if nothing but the variable itself
// keeps the operation behind the write that came last, it could have been performed before that
// write. Such outcomes are left out (TracePast). Equivalent executions agree on all this, and of
// the executions of one behaviour the one in which the fewest are overtaken is always left.
//
// Where graphs are explored (GraphStep) it is the explorer that leaves out what is in another
// execution: all that the model allows are outcomes.
//
// Some outcomes turn out to close a circle that the model forbids (graph_judge.hpp). There is no
// execution that goes on like that. Nothing is lost by trying: the outcome 0 never does.
#pragma once

#include <cstdint>
#include <vector>

#include "programs/threads/runtime/memory_model/access_graph.hpp"
#include "programs/threads/runtime/memory_model/atomic_cell.hpp"
#include "programs/threads/runtime/memory_model/graph_judge.hpp"
#include "programs/threads/runtime/memory_model/history.hpp"
#include "programs/threads/runtime/part.hpp"

namespace mazurka::threads {

/// An atomic operation before it is performed.
struct AtomicOperation {
  std::uintptr_t address = 0;
  std::size_t size = 0;
  std::uint8_t mode = 0;
  MemoryOrder order{};
  MemoryOrder failure_order{};     // of a compare-exchange that fails
  const void* expected = nullptr;  // of a compare-exchange
  bool weak = false;               // ... that may fail without a reason
};

/// What an operation finds.
struct Found {
  bool older = false;  // it reads `value`, and not what is in memory
  Words16 value;
  bool overtaken = false;  // what it writes is not the newest: memory stays as it is
  bool fails = false;      // though it finds what it expects
};

class WeakMemory : public Part {
 public:
  explicit WeakMemory(Scheduler& scheduler) : Part(scheduler) {}

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
  [[nodiscard]] MemoryOrder in_model(MemoryOrder order) const;

  /// It is the current process's turn: how many outcomes the operation has, and what it finds in
  /// the one that was chosen. Whoever is alone need not ask.
  [[nodiscard]] std::uint16_t choose(const AtomicOperation& operation);
  [[nodiscard]] const Found& found() const { return found_; }
  /// The step was committed. Leaves the execution if the outcome is impossible.
  void commit(const AtomicOperation& operation, bool writes);
  /// What the operation has turned out to do.
  void perform(const AtomicResult& result, MemoryOrder order);
  /// For the report, before it is performed: which event of the story it is.
  void tell(RawEvent& event, std::uint32_t number);
  void fence(MemoryOrder order);
  /// The system passes a full barrier for the process, as it does in calls about futexes ...
  void pass_barrier();
  /// ... and has looked at what is in memory there.
  void look(std::uintptr_t address, std::size_t size);

 private:
  [[nodiscard]] static ObjectId first_cell(Names& names, std::uintptr_t address, std::size_t size);
  [[nodiscard]] History& history_of(const AtomicOperation& operation, ObjectId object);
  [[nodiscard]] bool overtakes_needlessly(const History& history, ObjectId object, bool writes);
  void list_outcomes(const AtomicOperation& operation, const History& history, ObjectId object);
  void list_all_outcomes(const AtomicOperation& operation, const History& history);
  void prepare_event(const AtomicOperation& operation, const History& history, std::size_t position,
                     bool writes);
  void begin_to_judge() { judge_.begin(learned_.memory, state_.graph, state_.histories); }
  void add_to_graph(GraphEvent event, History* history);
  [[nodiscard]] static bool would_write(const AtomicOperation& operation, const History& history,
                                        std::size_t position);
  [[nodiscard]] std::uint16_t choose_source(const History& history);
  void tell_explorer(const AtomicOperation& operation, const History& history, bool writes);
  [[nodiscard]] std::uint32_t tick() const { return self().knowledge.now[index(self().id)]; }
  [[noreturn]] void give_up(const char* reason, const RawObject& object = {});
  [[noreturn]] void give_up_because_of(const AtomicOperation& operation, const char* reason);

  // The operation under way.
  Found found_;
  ObjectId object_{};
  std::size_t position_ = 0;               // in the order of modification, of what it found
  std::uint32_t source_ = History::none;   // the message there
  std::uint32_t message_ = History::none;  // that it writes
  struct Outcome {
    std::size_t position = 0;
    bool fails = false;  // without a reason
  };
  std::vector<Outcome> outcomes_;
  std::vector<std::uint32_t> taken_;  // GraphStep::taken
  bool impossible_ = false;           // the outcome that was asked for is none
  GraphJudge judge_;
  GraphEvent event_;  // that the operation would be, or is
};

}  // namespace mazurka::threads
