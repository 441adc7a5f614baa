#include "programs/threads/runtime/memory_model/access_graph.hpp"

#include "programs/threads/runtime/memory_model/three_processes.test.hpp"

namespace mazurka::threads {
namespace {

constexpr ObjectId x{0}, y{1};

/// Store buffering: a writes x and reads y, b writes y and reads x; both read what was there first.
class StoreBuffering : public ThreeProcesses {
 protected:
  StoreBuffering() {
    for (const ObjectId object : {x, y}) {
      histories_[object].begin(4);
      histories_[object].write_plainly({0, 0}, {});
    }
  }
  void write(ProcessId process, ObjectId object, bool strong) {
    GraphEvent event = made(process, strong);
    event.writes = true;
    event.object = object;
    event.message = histories_[object].insert_behind(histories_[object].last());
    graph_.add(event);
  }
  void read_first(ProcessId process, ObjectId object, bool strong) {
    GraphEvent event = made(process, strong);
    event.reads = true;
    event.object = object;
    event.source = histories_[object].number_at(0);
    graph_.add(event);
  }
  void fence(ProcessId process) {
    GraphEvent event = made(process, true);
    event.fence = true;
    graph_.add(event);
  }
  [[nodiscard]] bool allows(MemoryModel model) { return judge_.allows(model, graph_, histories_); }

  AccessGraph graph_;

 private:
  [[nodiscard]] GraphEvent made(ProcessId process, bool strong) const {
    GraphEvent event;
    event.process = process;
    event.tick = clock(process)[index(process)];
    event.known = clock(process);
    event.strong = strong;
    return event;
  }
  Table<ObjectId, History> histories_;
  GraphJudge judge_;
};

TEST_F(StoreBuffering, IsAllowedWithWeakOrders) {
  write(a, x, false);
  read_first(a, y, false);
  write(b, y, false);
  read_first(b, x, false);
  for (const MemoryModel model : {MemoryModel::rc11, MemoryModel::tso, MemoryModel::ra}) {
    EXPECT_TRUE(allows(model)) << name_of(model);
  }
}

TEST_F(StoreBuffering, IsForbiddenIfAllIsStrong) {
  write(a, x, true);
  read_first(a, y, true);
  write(b, y, true);
  read_first(b, x, true);
  EXPECT_FALSE(allows(MemoryModel::rc11));
  EXPECT_FALSE(allows(MemoryModel::tso));
}

TEST_F(StoreBuffering, IsForbiddenWithFences) {
  write(a, x, false);
  fence(a);
  read_first(a, y, false);
  write(b, y, false);
  fence(b);
  read_first(b, x, false);
  EXPECT_FALSE(allows(MemoryModel::rc11));
  EXPECT_FALSE(allows(MemoryModel::tso));
  EXPECT_TRUE(allows(MemoryModel::ra));
}

TEST_F(StoreBuffering, IsAllowedWithAFenceInOneThreadOnly) {
  write(a, x, false);
  fence(a);
  read_first(a, y, false);
  write(b, y, false);
  read_first(b, x, false);
  EXPECT_TRUE(allows(MemoryModel::rc11));
  EXPECT_TRUE(allows(MemoryModel::tso));
}

}  // namespace
}  // namespace mazurka::threads
