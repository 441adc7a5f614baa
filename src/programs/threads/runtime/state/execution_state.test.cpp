// What changes in an execution can be copied, compared and put back, whatever it is.
#include "programs/threads/runtime/state/execution_state.hpp"

#include <gtest/gtest.h>

#include <array>
#include <functional>

namespace mazurka::threads {
namespace {

constexpr ProcessId a{0}, b{1};
constexpr ObjectId object{3};

// How many members a structure has: with how many it can be written down.
struct Anything {
  template <typename T>
  operator T() const;  // NOLINT(google-explicit-constructor)
};
template <typename T, typename... Members>
constexpr std::size_t count_members() {
  if constexpr (requires { T{Members{}..., Anything{}}; }) {
    return count_members<T, Members..., Anything>();
  } else {
    return sizeof...(Members);
  }
}

using Change = std::function<void(ExecutionState&)>;

// One for each member, in their order.
TracePast past_of_one_step() {
  Execution execution;
  Step step;
  step.decision = {a, 0};
  execution.steps.push_back(step);
  execution.events.emplace_back();
  TracePast past;
  past.add(Vocabulary{}, execution, 0, 0);
  return past;
}

const Change changes[] = {
    [](auto& state) { state.processes[a].time.look(); },
    [](auto& state) {
      state.decision = {b, 1};
    },
    [](auto& state) { ++state.live; },
    [](auto& state) { ++state.unjoined; },
    [](auto& state) { ++state.spinning; },
    [](auto& state) { ++state.picking; },
    [](auto& state) { state.had_company = true; },
    [](auto& state) { state.someone_failed = true; },
    [](auto& state) { state.before_check = true; },
    [](auto& state) { state.older = 1; },
    [](auto& state) { state.quiet = true; },
    [](auto& state) { state.operands = 1; },
    [](auto& state) { state.visited.push_back(8); },
    [](auto& state) { state.mutexes[object].wait(a); },
    [](auto& state) { state.conditions[object]; },
    [](auto& state) { state.gates[object].set_up(1); },
    [](auto& state) { state.barriers[object].destroy(); },
    [](auto& state) { state.latches[object].set_up(1); },
    [](auto& state) { state.phased_barriers[object].set_up(1); },
    [](auto& state) { state.atomics[object]; },
    [](auto& state) { state.past = past_of_one_step(); },
    [](auto& state) { state.histories[object].begin(4); },
    [](auto& state) {
      GraphEvent fence;
      fence.fence = true;
      state.graph.add(fence, nullptr, false);
    },
    [](auto& state) {
      state.exchange.send(object, {0, a, 1});
    },
    [](auto& state) { state.message_objects.push_back(object); },
    [](auto& state) { state.event_knowledge[0].tick(a); },
    [](auto& state) { state.gathered[object].tick(a); },
    [](auto& state) { state.mpi.ranks.push_back({}); },
    [](auto& state) { state.credited_less = true; },
    [](auto& state) { state.races.access(a, {}, zone_base, 4, AccessKind::write); },
    [](auto& state) {
      state.ledger.add({a, 1, 64, 4, AccessKind::write, false, 0}, {});
    },
    [](auto& state) {
      state.allocations[64] = {1, 2};
    },
    [](auto& state) { state.met.push_back(0); },
    [](auto& state) { state.annotated.push_back({}); },
    [](auto& state) { state.tolerated.push_back({}); },
    [](auto& state) {
      state.outside.use({a, VectorClock{}}, "a file", Use::changes, 64);
    },
    [](auto& state) { state.went_outside = true; },
    [](auto& state) { state.section = Section::performance; },
    [](auto& state) { state.section_frame = 8; },
    [](auto& state) { state.touched.push_back({}); },
    [](auto& state) { state.undo.push_back({}); },
    [](auto& state) { state.block_shown = true; },
    [](auto& state) { state.exit_handlers.push_back({}); },
    [](auto& state) { state.keys.push_back({}); },
    [](auto& state) { state.tracking = true; },
    [](auto& state) { state.tracker.tell(a, 1); },
    [](auto& state) { state.committed.push_back({}); },
    [](auto& state) { state.effects_due = true; },
    [](auto& state) { state.firm_order.take(a, object); },
};
static_assert(std::size(changes) == count_members<ExecutionState>(),
              "a change of each member: what can not be changed here is not known to be restored");

TEST(ExecutionState, EveryMemberIsComparedCopiedAndRestored) {
  const ExecutionState initial;
  for (const Change& change : changes) {
    const auto which = &change - std::begin(changes);
    ExecutionState state;
    EXPECT_EQ(state, initial);
    change(state);
    EXPECT_NE(state, initial) << which;
    const ExecutionState copy = state;
    EXPECT_EQ(copy, state) << which;
    state = initial;
    EXPECT_EQ(state, initial) << which;
    EXPECT_NE(state, copy) << which;
    state = copy;
    EXPECT_EQ(state, copy) << which;
  }
}

TEST(ExecutionState, CheckpointOutlivesWhatComesAfterIt) {
  ExecutionState state;
  for (const Change& change : changes) change(state);
  const ExecutionState checkpoint = state;
  state.processes[b].id = b;
  state.mutexes[object].wait(b);
  state.races.access(b, {}, zone_base, 4, AccessKind::atomic_read);
  state.races.access(b, {}, zone_base + slot_size, 1, AccessKind::write);
  EXPECT_NE(state, checkpoint);
  state = checkpoint;
  EXPECT_EQ(state, checkpoint);
  EXPECT_EQ(state.processes.find(b), nullptr);
}

// What a restored detector knows of is what it goes by.
TEST(ExecutionState, RestoredShadowMemoryFindsTheSameRaces) {
  VectorClock one, other;
  one.tick(a);
  other.tick(b);
  ExecutionState state;
  EXPECT_TRUE(state.races.access(a, one, zone_base, 2, AccessKind::write));
  const ExecutionState checkpoint = state;
  state = ExecutionState{};
  EXPECT_TRUE(state.races.access(b, other, zone_base, 2, AccessKind::write));
  state = checkpoint;
  EXPECT_TRUE(state.races.access(b, other, zone_base + 2, 2, AccessKind::write));
  EXPECT_FALSE(state.races.access(b, other, zone_base, 4, AccessKind::read));
}

TEST(Learned, EveryMemberIsComparedAndReset) {
  const std::function<void(Learned&)> all[] = {
      [](auto& learned) { learned.escaped.insert(8); },
      [](auto& learned) { learned.crowded.push_back(object); },
      [](auto& learned) { learned.ordered.insert(8); },
      [](auto& learned) { learned.has_blocks = true; },
      [](auto& learned) { learned.widest.emplace_back(); },
      [](auto& learned) { learned.surprises.emplace_back(); },
      [](auto& learned) { learned.exposed.insert(8); },
      [](auto& learned) { learned.updates_in_order = true; },
      [](auto& learned) { learned.memory = MemoryModel::rc11; },
      [](auto& learned) { learned.guards.insert(8); },
      [](auto& learned) { learned.order_matters = true; },
      [](auto& learned) { learned.latches_by_library = true; },
      [](auto& learned) { learned.fences_everybody = true; },
      [](auto& learned) { (void)learned.contention.begin_late(1, 2); },
      [](auto& learned) { learned.accepted.emplace_back(); },
      [](auto& learned) { learned.grounds.sampled = true; },
      [](auto& learned) { learned.gave_up_rounds = true; },
      [](auto& learned) { learned.had_too_many_threads = true; },
      [](auto& learned) { learned.short_of_memory = true; },
      [](auto& learned) { learned.ended_with_locks = true; },
      [](auto& learned) { learned.loops_for_ever = true; },
      [](auto& learned) { learned.stalled_process = a; },
      [](auto& learned) { learned.stalled_at.push_back(1); },
      [](auto& learned) { learned.left_waiting.emplace_back(); },
  };
  static_assert(std::size(all) == count_members<Learned>());
  for (const auto& change : all) {
    Learned learned;
    change(learned);
    EXPECT_NE(learned, Learned{});

    std::vector<std::byte> bytes;
    ArchiveWriter writer(bytes);
    writer(learned);
    Learned read;
    ArchiveReader archive(bytes);
    archive(read);
    EXPECT_EQ(read, learned);  // and archived

    learned = {};
    EXPECT_EQ(learned, Learned{});
  }
}

}  // namespace
}  // namespace mazurka::threads
