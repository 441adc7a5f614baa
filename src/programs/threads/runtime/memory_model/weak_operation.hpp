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

#include "core/run.hpp"
#include "programs/threads/runtime/memory_model/access_graph.hpp"
#include "programs/threads/runtime/memory_model/atomic_cell.hpp"
#include "programs/threads/runtime/memory_model/graph_judge.hpp"
#include "programs/threads/runtime/memory_model/history.hpp"
#include "programs/threads/runtime/memory_model/trace_past.hpp"

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

/// Who performs it.
struct Actor {
  ProcessId id{};
  Knowledge& knowledge;
  std::uint32_t barriers = 0;  // Process::barriers

  [[nodiscard]] std::uint32_t tick() const { return knowledge.now[index(id)]; }
};

/// Whether graphs are judged by what comes before a step in the trace, or only by happens-before.
[[nodiscard]] constexpr bool judges_by_past(MemoryModel model) {
  return model == MemoryModel::sc || model == MemoryModel::tso;
}

/// The operation under way, one after the other.
/// Requires: list(), choose(), commit() and perform() come in this order, for one operation each.
class WeakOperation {
 public:
  using Histories = Table<ObjectId, History>;

  WeakOperation(TracePast& past, Histories& histories, AccessGraph& graph)
      : past_(past), histories_(histories), graph_(graph) {}

  /// From now on.
  void use(MemoryModel model, bool graphs) {
    model_ = model;
    graphs_ = graphs;
  }
  /// The order as the model has it.
  [[nodiscard]] static MemoryOrder in_model(MemoryModel model, MemoryOrder order);

  /// It is the process's turn: how many outcomes the operation has. The variable's history is up to
  /// date.
  [[nodiscard]] std::size_t list(const AtomicOperation& operation, ObjectId object,
                                 const Actor& actor);
  /// One of them is chosen.
  void choose(const AtomicOperation& operation, Run& run);
  [[nodiscard]] const Found& found() const { return found_; }
  /// The step was committed. False: the outcome is impossible.
  [[nodiscard]] bool commit(const AtomicOperation& operation, bool writes, const Actor& actor,
                            Run& run);
  /// What the operation has turned out to do. Returns whether those who acquire from what it wrote
  /// get to know all that they would have from what was there.
  bool perform(const AtomicResult& result, MemoryOrder order, const Actor& actor);
  /// For the report, before it is performed: which event of the story it is.
  void tell(RawEvent& event, std::uint32_t number);
  /// `alone`: nobody else is there.
  void fence(MemoryOrder order, const Actor& actor, bool alone);
  /// The system has looked at what is in memory there.
  void look(ObjectId object, const Actor& actor);

 private:
  [[nodiscard]] bool overtakes_needlessly(const History& history, ObjectId object, bool writes,
                                          ProcessId process);
  void list_outcomes(const AtomicOperation& operation, const History& history, const Actor& actor);
  void list_all_outcomes(const AtomicOperation& operation, const History& history,
                         const Actor& actor);
  void prepare_event(const AtomicOperation& operation, const History& history, std::size_t position,
                     bool writes, const Actor& actor);
  [[nodiscard]] static bool would_write(const AtomicOperation& operation, const History& history,
                                        std::size_t position);
  [[nodiscard]] std::uint16_t choose_source(const History& history, Run& run);
  void tell_explorer(const AtomicOperation& operation, const History& history, bool writes,
                     Run& run);
  void add_strong_fence(const Actor& actor);
  void add_to_graph(const GraphEvent& event, History* history) {
    graph_.add(event, history, model_ == MemoryModel::rc11);
  }

  /// How far the operation under way is.
  enum class Stage : std::uint8_t { performed, listed, chosen, committed };

  TracePast& past_;
  Histories& histories_;
  AccessGraph& graph_;
  Stage stage_ = Stage::performed;
  MemoryModel model_{};
  bool graphs_ = false;
  Found found_;
  ObjectId object_{};
  History* history_ = nullptr;             // of that
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
