#include "programs/threads/runtime/memory_model/graph_judge.hpp"

#include "programs/threads/runtime/memory_model/three_processes.test.hpp"

namespace mazurka::threads {
namespace {

constexpr ObjectId x{0}, y{1}, z{2};

/// Store buffering: a writes x and reads y, b writes y and reads x; both read what was there first.
class StoreBuffering : public ThreeProcesses {
 protected:
  StoreBuffering() {
    for (const ObjectId object : {x, y, z}) {
      histories_[object].begin(4);
      histories_[object].write_plainly({0, 0}, {});
    }
  }
  void write(ProcessId process, ObjectId object, bool strong) {
    GraphEvent event = made(process, strong);
    event.writes = true;
    event.object = object;
    event.message = histories_[object].insert_behind(histories_[object].last());
    graph_.add(event, &histories_[object], true);
  }
  void read_first(ProcessId process, ObjectId object, bool strong) {
    graph_.add(first_read(process, object, strong), &histories_[object], true);
  }
  void fence(ProcessId process) {
    GraphEvent event = made(process, true);
    event.fence = true;
    graph_.add(event, nullptr, true);
  }
  /// A fence in TSO.
  void pass_barrier(ProcessId process) { graph_.pass_barrier(process); }
  /// The one unlocks what the other then locks.
  void hand_over(ProcessId from, ProcessId to) {
    graph_.go_elsewhere(from, clock(from)[index(from)], clock(from));
    order(from, to);
    graph_.come_from_elsewhere(to, clock(to)[index(to)], clock(to));
  }
  [[nodiscard]] bool may_read_first(ProcessId process, ObjectId object, bool strong,
                                    MemoryModel model) {
    judge_.begin(model, graph_, histories_);
    return judge_.allows(first_read(process, object, strong), 0);
  }

 private:
  [[nodiscard]] GraphEvent first_read(ProcessId process, ObjectId object, bool strong) {
    GraphEvent event = made(process, strong);
    event.reads = true;
    event.object = object;
    event.source = histories_[object].number_at(0);
    return event;
  }
  [[nodiscard]] GraphEvent made(ProcessId process, bool strong) const {
    GraphEvent event;
    event.process = process;
    event.tick = clock(process)[index(process)];
    event.known = clock(process);
    event.strong = strong;
    return event;
  }
  AccessGraph graph_;
  Table<ObjectId, History> histories_;
  GraphJudge judge_;
};

TEST_F(StoreBuffering, IsAllowedWithWeakOrders) {
  write(a, x, false);
  read_first(a, y, false);
  write(b, y, false);
  for (const MemoryModel model : {MemoryModel::rc11, MemoryModel::tso, MemoryModel::ra}) {
    EXPECT_TRUE(may_read_first(b, x, false, model)) << name_of(model);
  }
}

TEST_F(StoreBuffering, IsForbiddenIfAllIsStrong) {
  write(a, x, true);
  read_first(a, y, true);
  write(b, y, true);
  EXPECT_FALSE(may_read_first(b, x, true, MemoryModel::rc11));
  EXPECT_FALSE(may_read_first(b, x, true, MemoryModel::tso));
}

TEST_F(StoreBuffering, IsForbiddenWithFences) {
  write(a, x, false);
  fence(a);
  read_first(a, y, false);
  write(b, y, false);
  EXPECT_TRUE(may_read_first(b, x, false, MemoryModel::rc11));
  fence(b);
  EXPECT_FALSE(may_read_first(b, x, false, MemoryModel::rc11));
  EXPECT_TRUE(may_read_first(b, x, false, MemoryModel::ra));
}

TEST_F(StoreBuffering, IsForbiddenWithFencesInTso) {
  write(a, x, false);
  pass_barrier(a);
  read_first(a, y, false);
  write(b, y, false);
  EXPECT_TRUE(may_read_first(b, x, false, MemoryModel::tso));
  pass_barrier(b);
  EXPECT_FALSE(may_read_first(b, x, false, MemoryModel::tso));
}

TEST_F(StoreBuffering, IsForbiddenInTsoIfAStrongWriteIsBetween) {
  write(a, x, false);
  write(a, z, true);
  read_first(a, y, false);
  write(b, y, false);
  EXPECT_TRUE(may_read_first(b, x, false, MemoryModel::tso));
  EXPECT_TRUE(may_read_first(b, x, false, MemoryModel::rc11));
  pass_barrier(b);
  EXPECT_FALSE(may_read_first(b, x, false, MemoryModel::tso));
}

TEST_F(StoreBuffering, IsForbiddenThroughALockIfAllIsStrong) {
  write(a, x, true);
  hand_over(a, c);
  read_first(c, y, true);
  write(b, y, true);
  EXPECT_FALSE(may_read_first(b, x, true, MemoryModel::rc11));
  EXPECT_TRUE(may_read_first(b, x, false, MemoryModel::rc11));
}

TEST_F(StoreBuffering, IsAllowedThroughALockIfTheFirstWriteIsWeak) {
  write(a, x, false);
  hand_over(a, c);
  read_first(c, y, true);
  write(b, y, true);
  EXPECT_TRUE(may_read_first(b, x, true, MemoryModel::rc11));
}

}  // namespace
}  // namespace mazurka::threads
