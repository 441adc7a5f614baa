#include "programs/threads/runtime/memory_model/order_search.hpp"

#include "core/check.hpp"

namespace mazurka::threads {

namespace {

// By a lock, or by what was written last before it.
bool comes_after(const GraphEvent& later, const GraphEvent& earlier) {
  const std::size_t process = index(earlier.process);
  return later.known[process] >= earlier.tick ||
         (earlier.step != 0 && later.follows[process] >= earlier.step);
}

}  // namespace

void OrderSearch::begin(const AccessGraph& graph, const Histories& histories, bool delayed) {
  graph_ = &graph;
  histories_ = &histories;
  delayed_ = delayed;
  reached_.resize(graph.processes());
  for (std::size_t process = 0; process < reached_.size(); ++process) {
    const std::uint32_t end = graph.count(process);
    reached_[process] = {end, end, end};
  }
}

void OrderSearch::add(std::uint32_t event) {
  reach((*graph_)[event]);
  while (!open_.empty()) {
    const std::uint32_t next = open_.back();
    open_.pop_back();
    go_on_from((*graph_)[next]);
  }
}

void OrderSearch::reach(const GraphEvent& event) {
  const std::size_t process = index(event.process);
  MAZURKA_CHECK(process < reached_.size(), "the processes of the graph are those at the beginning");
  if (event.nth >= reached_[process].all) return;
  if (!may_be_late(event)) {
    lower(process, event.nth, event.nth);
  } else if (event.nth < reached_[process].writes) {
    lower(process, event.nth, graph_->first_where(process, [&](const GraphEvent& later) {
      return later.barriers > event.barriers;
    }));
  }
}

void OrderSearch::lower(std::size_t process, std::uint32_t writes, std::uint32_t all) {
  Reached& reached = reached_[process];
  const auto& events = graph_->of(process).events;
  // The first of them is taken up first: it reaches most.
  for (; reached.all > all; --reached.all) {
    const GraphEvent& event = graph_->at(process, reached.all - 1);
    if (!event.writes) open_.push_back(events[reached.all - 1]);
  }
  for (; reached.writes > writes; --reached.writes) {
    const GraphEvent& event = graph_->at(process, reached.writes - 1);
    if (event.writes) open_.push_back(events[reached.writes - 1]);
  }
}

void OrderSearch::go_on_from(const GraphEvent& event) {
  reach_others(event);
  if (!event.writes) {
    reach_next_write(event, event.source);
    return;
  }
  reach_next_write(event, event.message);
  const History& history = *histories_->find(event.object);
  for (std::uint32_t reader = history.message(event.message).last_reader;
       reader != AccessGraph::none; reader = (*graph_)[reader].previous_reader) {
    const GraphEvent& one = (*graph_)[reader];
    if (!delayed_ || one.process != event.process) reach(one);
  }
}

// What an event reaches in other processes, one that comes after it in its process does not reach
// earlier.
void OrderSearch::reach_others(const GraphEvent& event) {
  const std::size_t process = index(event.process);
  if (event.nth >= reached_[process].synchronised) return;
  reached_[process].synchronised = event.nth;
  for (std::size_t other = 0; other < reached_.size(); ++other) {
    if (other == process) continue;
    const std::uint32_t first = graph_->first_where(
        other, [&](const GraphEvent& later) { return comes_after(later, event); });
    if (first < graph_->count(other)) lower(other, first, first);
  }
}

// Of who has read or written the message: who writes the next one.
void OrderSearch::reach_next_write(const GraphEvent& event, std::uint32_t message) {
  MAZURKA_CHECK(message != History::none, "an access has read or written a value");
  const History& history = *histories_->find(event.object);
  for (std::size_t at = history.position_of(message) + 1; at <= history.last(); ++at) {
    const std::uint32_t writer = history.at(at).writer;
    if (writer == AccessGraph::none) continue;
    reach((*graph_)[writer]);
    return;
  }
}

bool OrderSearch::leads_to(const GraphEvent& event) const {
  for (std::size_t process = 0; process < reached_.size(); ++process) {
    const Reached& reached = reached_[process];
    const std::uint32_t end = graph_->count(process);
    const std::uint32_t first = std::min(reached.writes, reached.all);
    if (first >= end) continue;
    if (process != index(event.process)) {
      if (comes_after(event, graph_->at(process, first))) return true;
      continue;
    }
    if (event.writes || reached.all < end) return true;
    const std::uint32_t barriers = event.barriers + graph_->of(process).barriers;
    if (graph_->at(process, first).barriers < barriers) return true;
  }
  return false;
}

}  // namespace mazurka::threads
