#include "programs/threads/runtime/memory_model/graph_judge.hpp"

#include <limits>
#include <utility>

#include "core/check.hpp"

namespace mazurka::threads {

void GraphJudge::begin(MemoryModel model, const AccessGraph& graph, const Histories& histories) {
  model_ = model;
  graph_ = &graph;
  histories_ = &histories;
  begun_ = false;
  asked_ = std::numeric_limits<std::size_t>::max();
}

bool GraphJudge::allows(const GraphEvent& event, std::size_t position) {
  MAZURKA_CHECK(graph_ != nullptr && histories_ != nullptr, "begin() comes before the questions");
  MAZURKA_CHECK(position <= asked_, "choices are asked for from the last value backwards");
  asked_ = position;
  switch (model_) {
    case MemoryModel::sc:
    case MemoryModel::tso: return is_in_order(event, position);
    case MemoryModel::rc11:
      return !graph_->has_strong() || strong_ones_are_in_order(event, position);
    default: return true;
  }
}

bool GraphJudge::is_in_order(const GraphEvent& event, std::size_t position) {
  const History& history = *histories_->find(event.object);
  if (!std::exchange(begun_, true)) {
    order_.begin(*graph_, *histories_, model_ == MemoryModel::tso);
    next_ = history.last() + 1;
  }
  while (next_ > position + 1) {
    const std::uint32_t writer = history.at(--next_).writer;
    if (writer != AccessGraph::none) order_.add(writer);
  }
  return !order_.leads_to(event);
}

bool GraphJudge::strong_ones_are_in_order(const GraphEvent& event, std::size_t position) {
  if (!std::exchange(begun_, true)) {
    after_operation_.begin(*graph_, *histories_);
    after_fences_.begin(*graph_, *histories_);
  }
  if (event.strong) {
    after_operation_.add_writes(event.object, position + 1);
    if (after_operation_.leads_to(event)) return false;
  }
  if (!graph_->has_strong_fences()) return true;
  // All that comes after a strong operation is among this.
  after_fences_.add_writes(event.object, position + 1);
  after_fences_.add_reads(event.object, position + 1);
  return !after_fences_.leads_to_fence_before(event);
}

}  // namespace mazurka::threads
