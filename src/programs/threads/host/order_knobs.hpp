// The memory orders that somebody who edits the program could change.
//
// The runtime knows an operation by return addresses. Several may be one place of the source (a
// function that was inlined twice, a template); a compare-exchange has two orders. What the library
// does inside of itself, such as counting references, names no order that the program could change.
#pragma once

#include <string>
#include <vector>

#include "host/memory_orders.hpp"
#include "programs/threads/host/symbols.hpp"
#include "report/model/repair.hpp"

namespace mazurka::threads {
using namespace host;

/// One order of one operation in the source.
struct OrderKnob {
  std::string file;
  int line = 0;
  std::string source;  // that line
  int column = 0;
  AtomicKind kind{};
  bool failure = false;  // the order of a compare-exchange that fails
  MemoryOrder said{};    // what the program says; the weakest, if that differs
  std::vector<std::vector<std::uint64_t>> stacks;

  /// The strongest order that it can have without being sequentially consistent.
  [[nodiscard]] MemoryOrder synchronising() const;
  /// What is between what it says and that.
  [[nodiscard]] std::vector<MemoryOrder> between() const;
};

[[nodiscard]] std::vector<OrderKnob> knobs_of(const Symbols& symbols,
                                              const std::vector<AtomicSite>& sites);

/// The change that makes the order at least as strong.
void add_changes(const OrderKnob& knob, MemoryOrder order, std::vector<OrderChange>& changes);

/// In words, by which it is found among all of them.
[[nodiscard]] Repair::Change in_words(const OrderKnob& knob, MemoryOrder order,
                                      const std::vector<OrderKnob>& all);

}  // namespace mazurka::threads
