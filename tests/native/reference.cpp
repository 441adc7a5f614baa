#include "native/reference.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <unordered_map>

#include "native/machine.hpp"

namespace mazurka::native {
namespace {

struct Edge {
  std::uint32_t to;
  std::uint32_t thread;
};

struct Node {
  const State* state = nullptr;
  std::vector<Edge> edges;
  bool ends = false;  // the program can end here
};

struct Hash {
  std::size_t operator()(const State& state) const {
    return std::hash<std::string_view>{}(
        {reinterpret_cast<const char*>(state.data()), state.size() * sizeof state[0]});
  }
};

class Search final {
 public:
  explicit Search(const Program& program) : machine_(program) {}

  Expected run(std::size_t max_states) {
    add(machine_.initial());
    for (std::uint32_t at = 0; at < nodes_.size(); ++at) {
      if (nodes_.size() > max_states) return expected_;
      expand(at);
    }
    expected_.states = nodes_.size();
    expected_.complete = true;
    look_for_loops();
    return expected_;
  }

 private:
  std::uint32_t add(State state) {
    const auto [place, fresh] =
        known_.try_emplace(std::move(state), static_cast<std::uint32_t>(nodes_.size()));
    if (fresh) nodes_.push_back({&place->first, {}, false});
    return place->second;
  }

  void expand(std::uint32_t at) {
    const State& state = *nodes_[at].state;
    if (machine_.races(state, false)) expected_.race = true;
    if (machine_.races(state, true)) expected_.memory = true;
    std::vector<Edge> edges;
    bool ends = false;
    std::vector<int> stuck;
    for (std::size_t thread = 0; thread < machine_.threads(); ++thread) {
      if (!machine_.alive(state, thread)) continue;
      stuck.push_back(static_cast<int>(thread));
      std::vector<Successor> successors;
      machine_.successors(state, thread, successors);
      for (Successor& next : successors) {
        if (next.ending == Ending::none) {
          edges.push_back({add(std::move(next.state)), static_cast<std::uint32_t>(thread)});
          continue;
        }
        ends = true;
        if (next.ending == Ending::memory) expected_.memory = true;
        if (next.ending == Ending::misuse) expected_.misuse = true;
        if (next.ending != Ending::failure) continue;
        (next.text.front() == 'F' ? expected_.finals : expected_.failures).insert(next.text);
      }
    }
    if (edges.empty() && !ends) {
      ends = true;
      if (!stuck.empty()) expected_.deadlocks.insert(stuck);
    }
    nodes_[at].edges = std::move(edges);
    nodes_[at].ends = ends;
  }

  void look_for_loops() {
    std::vector<std::vector<std::uint32_t>> back(nodes_.size());
    std::vector<bool> ending(nodes_.size());
    std::vector<std::uint32_t> todo;
    for (std::uint32_t at = 0; at < nodes_.size(); ++at) {
      for (const Edge& edge : nodes_[at].edges) back[edge.to].push_back(at);
      if (nodes_[at].ends) {
        ending[at] = true;
        todo.push_back(at);
      }
    }
    while (!todo.empty()) {
      const std::uint32_t at = todo.back();
      todo.pop_back();
      for (const std::uint32_t before : back[at]) {
        if (ending[before]) continue;
        ending[before] = true;
        todo.push_back(before);
      }
    }
    std::vector<bool> done = ending;
    for (std::uint32_t at = 0; at < nodes_.size(); ++at) {
      if (!done[at]) judge_endless(at, done);
    }
  }

  // From an endless state: what can be reached, and whether one can come back from there.
  std::vector<std::uint32_t> reachable(std::uint32_t from, std::uint32_t thread) const {
    std::vector<std::uint32_t> order;
    std::vector<bool> seen(nodes_.size());
    std::vector<std::uint32_t> todo{from};
    while (!todo.empty()) {
      const std::uint32_t at = todo.back();
      todo.pop_back();
      for (const Edge& edge : nodes_[at].edges) {
        if (thread != everybody && edge.thread != thread) continue;
        if (seen[edge.to]) continue;
        seen[edge.to] = true;
        order.push_back(edge.to);
        todo.push_back(edge.to);
      }
    }
    return order;
  }

  void judge_endless(std::uint32_t from, std::vector<bool>& done) {
    // Go down until what can be reached does not shrink any more: a bottom component.
    std::vector<std::uint32_t> component = reachable(from, everybody);
    done[from] = true;
    for (bool shrunk = true; shrunk;) {
      shrunk = false;
      for (const std::uint32_t at : component) {
        std::vector<std::uint32_t> smaller = reachable(at, everybody);
        if (smaller.size() >= component.size()) continue;
        component = std::move(smaller);
        shrunk = true;
        break;
      }
    }
    bool quiet = false;
    for (const std::uint32_t at : component) {
      done[at] = true;
      if (!quiet && everyone_returns(at)) quiet = true;
    }
    (quiet ? expected_.livelock : expected_.busy) = true;
  }

  bool everyone_returns(std::uint32_t at) const {
    std::set<std::uint32_t> movers;
    for (const Edge& edge : nodes_[at].edges) movers.insert(edge.thread);
    return std::all_of(movers.begin(), movers.end(), [&](std::uint32_t thread) {
      const std::vector<std::uint32_t> there = reachable(at, thread);
      return std::find(there.begin(), there.end(), at) != there.end();
    });
  }

  static constexpr std::uint32_t everybody = 0xffffffffU;

  Machine machine_;
  Expected expected_;
  std::vector<Node> nodes_;
  std::unordered_map<State, std::uint32_t, Hash> known_;
};

}  // namespace

Expected explore(const Program& program, std::size_t max_states) {
  return Search(program).run(max_states);
}

}  // namespace mazurka::native
