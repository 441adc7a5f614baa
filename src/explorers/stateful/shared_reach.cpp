// Every reachable state by several threads, breadth first: one level after the other.
//
// The states of a shard are in the order in which they were found, so a level is a range of each
// shard. It is cut into batches, which threads take. The successors of a batch are made first, then
// sorted by shard, and looked up shard by shard, under one lock each, while the memory that the
// look-ups need is being fetched. So paths to what is found are shortest ones, and a limit on the
// depth means the same, as with one thread.
#include <algorithm>
#include <atomic>
#include <barrier>
#include <exception>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "explorers/stateful/crew.hpp"
#include "explorers/stateful/reach.hpp"
#include "explorers/stateful/shared_search.hpp"
#include "explorers/stateful/state_table.hpp"
#include "explorers/stateful/taken_edges.hpp"

namespace mazurka::stateful {

namespace {

struct alignas(64) Shard {
  explicit Shard(std::size_t words) : states(words, StateTable::Size::small) {}
  std::mutex mutex;
  StateTable states;
  std::vector<NodeId> parents;
  std::size_t level = 0;  // where the states of this level begin
};

/// States of one shard and one level.
struct Batch {
  std::size_t shard = 0;
  std::size_t from = 0;
  std::size_t to = 0;
};

/// What all threads have.
class Levels {
 public:
  Levels(const System& system, const Settings& settings)
      : system_(system), settings_(settings), sharding_(settings.threads) {
    for (std::size_t at = 0; at < sharding_.shards(); ++at) {
      shards_.push_back(std::make_unique<Shard>(system.words()));
    }
  }

  [[nodiscard]] const Sharding& sharding() const { return sharding_; }
  [[nodiscard]] Shard& shard(std::size_t at) { return *shards_[at]; }
  [[nodiscard]] bool at_limit() const {
    return settings_.max_depth != 0 && depth_ >= settings_.max_depth;
  }

  /// None when the level is finished.
  [[nodiscard]] const Batch* take() {
    const std::size_t at = next_.fetch_add(1, std::memory_order_relaxed);
    return at < batches_.size() ? &batches_[at] : nullptr;
  }

  /// Where nobody is at work: what was found becomes the next level. False if that is nothing.
  bool advance() {
    batches_.clear();
    next_ = 0;
    for (std::size_t at = 0; at < shards_.size(); ++at) {
      Shard& shard = *shards_[at];
      for (std::size_t from = shard.level; from < shard.states.size(); from += batch) {
        batches_.push_back({at, from, std::min(from + batch, shard.states.size())});
      }
      shard.level = shard.states.size();
    }
    if (has_begun_) ++depth_;
    has_begun_ = true;
    return !batches_.empty();
  }

  [[nodiscard]] std::vector<ActionId> path_to(NodeId node) {
    std::vector<const Word*> states;
    while (node != no_node) {
      Shard& shard = *shards_[sharding_.shard(node)];
      const std::lock_guard guard(shard.mutex);
      states.push_back(shard.states[static_cast<StateId>(sharding_.at(node))]);
      node = shard.parents[sharding_.at(node)];
    }
    return actions_between(system_, states);
  }

  [[nodiscard]] Graph graph(const std::vector<std::vector<TakenEdge>>& edges) const {
    std::vector<std::size_t> sizes;
    NodeId initial = no_node;
    for (std::size_t at = 0; at < shards_.size(); ++at) {
      sizes.push_back(shards_[at]->states.size());
      const std::vector<NodeId>& parents = shards_[at]->parents;
      if (!parents.empty() && parents[0] == no_node) initial = sharding_.number(at, 0);
    }
    const auto make = [&](std::size_t shard, std::size_t at) {
      const Word* const state = shards_[shard]->states[static_cast<StateId>(at)];
      return Graph::Node{{state, state + system_.words()}, {}, {}};
    };
    return put_together(sharding_, initial, sizes, make, edges);
  }

  [[nodiscard]] std::size_t bytes() const {
    std::size_t sum = 0;
    for (const auto& shard : shards_) {
      sum += sizeof(Shard) + shard->states.bytes() + shard->parents.capacity() * sizeof(NodeId);
    }
    return sum;
  }

 private:
  static constexpr std::size_t batch = 64;

  const System& system_;
  const Settings& settings_;
  const Sharding sharding_;
  std::vector<std::unique_ptr<Shard>> shards_;
  std::vector<Batch> batches_;
  std::atomic<std::size_t> next_{0};
  std::uint64_t depth_ = 0;
  bool has_begun_ = false;
};

class LevelExplorer {
 public:
  LevelExplorer(const System& system, const Settings& settings, Levels& levels, Crew& crew,
                unsigned thread)
      : system_(system),
        settings_(settings),
        levels_(levels),
        crew_(crew),
        thread_(thread),
        counts_(crew.counts(thread)),
        locals_(system.processes()),
        ends_(levels.sharding().shards()) {}

  void begin() {
    packed_.resize(system_.words());
    system_.initial(packed_.data());
    successors_ = {{system_.hash(packed_.data()), no_node, 0, 0}};
    look_up();
    counts_.edges = 0;
  }

  void explore_level() {
    while (crew_.may_begin(thread_) && !crew_.over(thread_, reach_work(counts_.edges))) {
      const Batch* const batch = levels_.take();
      if (batch == nullptr) return;
      generate(*batch);
      look_up();
    }
  }

  [[nodiscard]] std::vector<TakenEdge>& edges() { return edges_; }

 private:
  struct Successor {
    Word hash;
    NodeId parent;
    std::uint32_t position;
    ActionId action;
  };

  void generate(const Batch& batch) {
    fetch(batch);
    successors_.clear();
    packed_.clear();
    for (std::size_t at = batch.from; at < batch.to; ++at) {
      const Word* const state = states_[at - batch.from];
      const NodeId node = levels_.sharding().number(batch.shard, at);
      system_.unpack(state, locals_.data());
      system_.enabled(locals_.data(), enabled_);
      if (enabled_.empty()) end_in(node);
      if (levels_.at_limit()) {
        if (!enabled_.empty()) ++counts_.cut;
        continue;
      }
      const Word hash = system_.hash(state);
      packed_.resize((successors_.size() + enabled_.size()) * system_.words());
      Word* place = packed_.data() + successors_.size() * system_.words();
      std::uint32_t position = 0;
      for (const ActionId action : enabled_) {
        const Word next = system_.step(state, hash, locals_.data(), action, place);
        successors_.push_back({next, node, position++, action});
        place += system_.words();
      }
    }
  }

  /// States stay where they are; where that is may only be asked under the lock.
  void fetch(const Batch& batch) {
    Shard& shard = levels_.shard(batch.shard);
    states_.clear();
    const std::lock_guard guard(shard.mutex);
    for (std::size_t at = batch.from; at < batch.to; ++at) {
      states_.push_back(shard.states[static_cast<StateId>(at)]);
    }
  }

  void look_up() {
    sort_by_shard();
    const std::size_t shards = ends_.size();
    const std::size_t first = thread_ * shards / settings_.threads;  // not all at the same one
    for (std::size_t step = 0; step < shards; ++step) {
      const std::size_t shard = (first + step) % shards;
      const std::size_t from = shard == 0 ? 0 : ends_[shard - 1];
      if (from < ends_[shard]) look_up(shard, {sorted_.data() + from, ends_[shard] - from});
    }
    counts_.edges += successors_.size();
    for (const NodeId node : fresh_) look_at(node);
    fresh_.clear();
  }

  void sort_by_shard() {
    const Sharding& sharding = levels_.sharding();
    ends_.assign(ends_.size(), 0);
    for (const Successor& one : successors_) ++ends_[sharding.shard_of(one.hash)];
    std::size_t begin = 0;
    for (std::size_t& end : ends_) begin = std::exchange(end, begin) + begin;
    sorted_.resize(successors_.size());
    for (std::uint32_t at = 0; at < successors_.size(); ++at) {
      sorted_[ends_[sharding.shard_of(successors_[at].hash)]++] = at;
    }
  }

  /// Those of one shard, by their places.
  void look_up(std::size_t number, std::span<const std::uint32_t> places) {
    Shard& shard = levels_.shard(number);
    const std::lock_guard guard(shard.mutex);
    StateTable& states = shard.states;
    states.reserve(places.size(), [&](const Word* state) { return system_.hash(state); });
    for (const std::uint32_t at : places) states.prefetch(successors_[at].hash);
    for (const std::uint32_t at : places) states.prefetch_state(successors_[at].hash);
    for (const std::uint32_t place : places) {
      const Successor& one = successors_[place];
      const auto [at, is_new] = states.insert(packed_.data() + place * system_.words(), one.hash);
      const NodeId node = levels_.sharding().number(number, at);
      if (is_new) {
        shard.parents.push_back(one.parent);
        ++counts_.nodes;
        ++counts_.states;
        if (settings_.predicate != nullptr && holds(states[at])) fresh_.push_back(node);
      }
      if (settings_.record && one.parent != no_node) {
        edges_.push_back({one.parent, one.position, one.action, node});
      }
    }
  }

  void end_in(NodeId node) {
    ++counts_.terminal;
    if (!system_.is_deadlock(locals_.data())) return;
    ++counts_.deadlocks;
    if (!crew_.has_deadlock()) crew_.found_deadlock(levels_.path_to(node));
  }

  [[nodiscard]] bool holds(const Word* state) const {
    return (*settings_.predicate)(
        [&](std::uint32_t process) { return system_.local(state, process); });
  }
  void look_at(NodeId node) {
    if (!crew_.has_reached()) crew_.found_predicate(levels_.path_to(node));
  }

  const System& system_;
  const Settings& settings_;
  Levels& levels_;
  Crew& crew_;
  const unsigned thread_;
  Counts& counts_;
  std::vector<LocalState> locals_;
  std::vector<ActionId> enabled_;
  std::vector<const Word*> states_;  // of the batch
  std::vector<Successor> successors_;
  std::vector<std::uint32_t> sorted_;  // places in there and in packed_, by shard
  std::vector<std::size_t> ends_;      // of the shards' parts in there
  std::vector<Word> packed_;
  std::vector<NodeId> fresh_;  // that the predicate holds in
  std::vector<TakenEdge> edges_;
};

}  // namespace

Result reach_together(const System& system, const Settings& settings) {
  Levels levels(system, settings);
  Crew crew(settings, settings.threads);
  std::vector<std::vector<TakenEdge>> edges(settings.threads);
  bool goes_on = true;
  std::barrier finished(static_cast<std::ptrdiff_t>(settings.threads), [&]() noexcept {
    try {
      goes_on = !crew.over() && levels.advance();
    } catch (...) {
      crew.fail(std::current_exception());
      goes_on = false;
    }
  });
  Result result = crew.run([&](unsigned thread) {
    LevelExplorer worker(system, settings, levels, crew, thread);
    if (thread == 0) worker.begin();
    while (true) {
      finished.arrive_and_wait();
      if (!goes_on) break;
      try {
        worker.explore_level();
      } catch (...) {  // the others wait for this one, too
        crew.fail(std::current_exception());
      }
    }
    crew.counts(thread).work = reach_work(crew.counts(thread).edges);
    edges[thread] = std::move(worker.edges());
  });
  result.counts.bytes = levels.bytes();
  if (settings.record) result.graph = levels.graph(edges);
  return result;
}

}  // namespace mazurka::stateful
