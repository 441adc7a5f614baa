// Three models forbid more than what a process knows to be overwritten.
//
// SC: no circle of the order within a process, what is read, and the orders of modification. It is
// judged where graphs are explored; where interleavings are, nobody reads anything but the latest.
//
// TSO: no circle of what is kept in order within a process (all but a write and a later read of
// another variable, unless a fence, a read-modify-write or a sequentially consistent write is
// between), what is read from another process, and the orders of modification.
//
// RC11: no circle among the sequentially consistent operations and fences, as Lahav, Vafeiadis,
// Kang, Hur and Dreyer define it (PLDI 2017): psc, the union of
//
//     ([SC] + [F];hb?) ; (po + po/;hb;po/ + hb-loc + mo + fr) ; ([SC] + hb?;[F])
//     [F] ; (hb + hb;eco;hb) ; [F]
//
// where F are sequentially consistent fences, po/ leads from one variable to another, hb-loc stays
// at one, fr leads from a read to the writes behind what it has read, and eco is what mo, fr and
// reads-from lead to together.
#include "programs/threads/runtime/memory_model/access_graph.hpp"

namespace mazurka::threads {

bool GraphJudge::allows(MemoryModel model, const AccessGraph& graph,
                        const Table<ObjectId, History>& histories) {
  if (model == MemoryModel::tso || model == MemoryModel::sc) {
    lay_out(graph, histories);
    return !reaches_itself(model);
  }
  if (model != MemoryModel::rc11 || graph.strong < 2) return true;
  lay_out(graph, histories);
  edges_.assign(strong_.size(), std::vector<char>(strong_.size(), 0));
  for (std::size_t at = 0; at < strong_.size(); ++at) add_strong_edges(at);
  return !strong_ones_are_in_a_circle();
}

void GraphJudge::lay_out(const AccessGraph& graph, const Table<ObjectId, History>& histories) {
  events_ = &graph.events;
  const std::size_t count = events_->size();
  places_.assign(count, {});
  strong_.clear();
  for (std::size_t at = 0; at < count; ++at) {
    const GraphEvent& event = (*events_)[at];
    if (event.strong) strong_.push_back(at);
    if (event.fence) continue;
    const History& history = *histories.find(event.object);
    if (event.reads) places_[at].reads = history.position_of(event.source);
    if (event.writes) places_[at].writes = history.position_of(event.message);
  }
  const auto look = [&](std::size_t at, std::size_t step) {
    for (std::size_t other = at + step; other < count; other += step) {
      if ((*events_)[other].process == (*events_)[at].process && !same_place(at, other)) {
        return other;
      }
    }
    return count;
  };
  for (std::size_t at = 0; at < count; ++at) {
    places_[at].next_elsewhere = look(at, 1);
    places_[at].previous_elsewhere = look(at, ~std::size_t{0});
  }
}

bool GraphJudge::happens_before(std::size_t one, std::size_t other) const {
  const GraphEvent& earlier = (*events_)[one];
  const GraphEvent& later = (*events_)[other];
  if (earlier.process == later.process) return one < other;
  return later.known[index(earlier.process)] >= earlier.tick;
}

bool GraphJudge::same_place(std::size_t one, std::size_t other) const {
  const GraphEvent& earlier = (*events_)[one];
  const GraphEvent& later = (*events_)[other];
  return !earlier.fence && !later.fence && earlier.object == later.object;
}

// In the order of modification.
bool GraphJudge::is_written_before(std::size_t one, std::size_t other) const {
  return same_place(one, other) && (*events_)[one].writes && (*events_)[other].writes &&
         places_[one].writes < places_[other].writes;
}

// A read, and a write behind what it has read.
bool GraphJudge::is_read_before(std::size_t one, std::size_t other) const {
  return one != other && same_place(one, other) && (*events_)[one].reads &&
         (*events_)[other].writes && places_[one].reads < places_[other].writes;
}

// eco
bool GraphJudge::communicates(std::size_t one, std::size_t other) const {
  if (one == other || !same_place(one, other)) return false;
  const GraphEvent& earlier = (*events_)[one];
  const GraphEvent& later = (*events_)[other];
  if (is_written_before(one, other) || is_read_before(one, other)) return true;
  if (!later.reads) return false;
  return (earlier.writes && places_[one].writes <= places_[other].reads) ||
         (earlier.reads && places_[one].reads < places_[other].reads);
}

// In TSO, of one process.
bool GraphJudge::is_kept_in_order(std::size_t one, std::size_t other) const {
  const GraphEvent& earlier = (*events_)[one];
  const GraphEvent& later = (*events_)[other];
  const bool overtakes = earlier.writes && !earlier.reads && !earlier.strong && !later.writes;
  if (!overtakes || earlier.barriers != later.barriers) return true;
  for (std::size_t at = one + 1; at < other; ++at) {
    const GraphEvent& between = (*events_)[at];
    if (between.process != earlier.process) continue;
    if ((between.fence && between.strong) || (between.reads && between.writes)) return true;
  }
  return false;
}

// In SC and TSO: whether one directly comes before the other. Where graphs are explored, steps that
// touch no atomic variable (a lock) keep others in order, too.
bool GraphJudge::comes_before(std::size_t one, std::size_t other, MemoryModel model) const {
  const GraphEvent& earlier = (*events_)[one];
  const GraphEvent& later = (*events_)[other];
  if (earlier.fence || later.fence) return false;
  if (is_written_before(one, other) || is_read_before(one, other)) return true;
  if (earlier.process == later.process) {
    return one < other && (model == MemoryModel::sc || is_kept_in_order(one, other));
  }
  if (earlier.step != 0 && later.follows[index(earlier.process)] >= earlier.step) return true;
  if (happens_before(one, other)) return true;  // by a lock, or by what was written last before it
  return same_place(one, other) && earlier.writes && later.reads &&
         places_[one].writes == places_[other].reads;
}

// Whether a circle leads through the latest event.
bool GraphJudge::reaches_itself(MemoryModel model) const {
  const std::size_t count = events_->size();
  std::vector<char> reached(count, 0);
  std::vector<std::size_t> open{count - 1};
  while (!open.empty()) {
    const std::size_t from = open.back();
    open.pop_back();
    for (std::size_t to = 0; to < count; ++to) {
      if (to == from || reached[to] != 0 || !comes_before(from, to, model)) continue;
      if (to == count - 1) return true;
      reached[to] = 1;
      open.push_back(to);
    }
  }
  return false;
}

// The middle of psc: what must not contradict the order of sequentially consistent operations.
bool GraphJudge::strong_before(std::size_t one, std::size_t other) const {
  if (one == other) return false;
  const GraphEvent& earlier = (*events_)[one];
  const GraphEvent& later = (*events_)[other];
  if (earlier.process == later.process && one < other) return true;
  if (is_written_before(one, other) || is_read_before(one, other)) return true;
  if (same_place(one, other) && happens_before(one, other)) return true;
  const std::size_t leaves = places_[one].next_elsewhere;
  const std::size_t comes = places_[other].previous_elsewhere;
  return leaves != events_->size() && comes != events_->size() && leaves != comes &&
         happens_before(leaves, comes);
}

void GraphJudge::add_strong_edges(std::size_t from) {
  const std::size_t count = events_->size();
  const std::size_t source = strong_[from];
  const bool fence = (*events_)[source].fence;
  // What the middle of an edge may begin with, and lead to.
  std::vector<char> led_to(count, 0);
  std::vector<char> communicated(count, 0);
  for (std::size_t one = 0; one < count; ++one) {
    const bool after = fence && one != source && happens_before(source, one);
    if (one != source && !after) continue;
    for (std::size_t other = 0; other < count; ++other) {
      if (strong_before(one, other)) led_to[other] = 1;
      if (after && communicates(one, other)) communicated[other] = 1;
    }
  }
  for (std::size_t to = 0; to < strong_.size(); ++to) {
    const std::size_t target = strong_[to];
    bool leads = led_to[target] != 0;
    if ((*events_)[target].fence) {
      if (fence && source != target && happens_before(source, target)) leads = true;
      for (std::size_t one = 0; one < count && !leads; ++one) {
        leads = (led_to[one] != 0 || communicated[one] != 0) && one != target &&
                happens_before(one, target);
      }
    }
    if (leads) edges_[from][to] = 1;
  }
}

bool GraphJudge::strong_ones_are_in_a_circle() const {
  const std::size_t count = strong_.size();
  std::vector<char> state(count, 0);  // 1: under way, 2: done
  std::vector<std::pair<std::size_t, std::size_t>> way;
  for (std::size_t first = 0; first < count; ++first) {
    if (state[first] != 0) continue;
    state[first] = 1;
    way.assign(1, {first, 0});
    while (!way.empty()) {
      auto& [at, next] = way.back();
      if (next == count) {
        state[at] = 2;
        way.pop_back();
        continue;
      }
      const std::size_t to = next++;
      if (edges_[at][to] == 0) continue;
      if (state[to] == 1) return true;
      if (state[to] == 0) {
        state[to] = 1;
        way.emplace_back(to, 0);
      }
    }
  }
  return false;
}

}  // namespace mazurka::threads
