// Whether a memory model allows what an atomic operation may choose.
//
// What a process knows to be overwritten it never chooses (history.hpp). Some models forbid more:
// circles that lead through several variables. The operation is the latest event of its graph, so
// all that it comes before are the values behind the one that it reads, or goes behind, and what
// these come before: is anything among it that must come before the operation itself? One that
// reads the last value of a variable, or writes behind it, closes no circle.
//
// The choices of an operation are asked for from the last value backwards, and what was found for
// one is kept for the next: together they take as long as what comes after the first of them is
// large, not as long as the graph is.
#pragma once

#include <cstdint>

#include "host/protocol.hpp"
#include "programs/threads/runtime/memory_model/order_search.hpp"
#include "programs/threads/runtime/memory_model/strong_search.hpp"

namespace mazurka::threads {
using namespace host;

class GraphJudge {
 public:
  using Histories = Table<ObjectId, History>;

  /// The next questions are about one operation, which is not in the graph yet.
  void begin(MemoryModel model, const AccessGraph& graph, const Histories& histories);
  /// Whether the operation may be this event, which reads, or goes behind, what is at that
  /// position.
  /// Requires: the position is not behind those that were asked for since begin().
  [[nodiscard]] bool allows(const GraphEvent& event, std::size_t position);

 private:
  [[nodiscard]] bool is_in_order(const GraphEvent& event, std::size_t position);
  [[nodiscard]] bool strong_ones_are_in_order(const GraphEvent& event, std::size_t position);

  const AccessGraph* graph_ = nullptr;
  const Histories* histories_ = nullptr;
  MemoryModel model_{};
  bool begun_ = false;            // there was a question
  std::size_t asked_ = 0;         // the latest position that was asked for
  std::size_t next_ = 0;          // the first position from which the search goes on
  OrderSearch order_;             // sc, tso
  StrongSearch after_operation_;  // rc11: what comes after the operation, ...
  StrongSearch after_fences_;     // ... and after the fences that happen before it
};

}  // namespace mazurka::threads
