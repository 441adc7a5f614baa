// orders: ENTER=seq_cst LEAVE=release PUBLISH=release READ=acquire WAIT=seq_cst QUIET=acquire
// weakened: ENTER=acq_rel LEAVE=relaxed PUBLISH=relaxed READ=relaxed WAIT=acq_rel QUIET=relaxed
//
// Read, copy, update: a writer publishes a new version, waits until no reader can have the old one,
// and frees it.
#include <atomic>
#include <cassert>
#include <thread>

namespace {

struct Version {
  int value;
};
std::atomic<Version*> current;
std::atomic<int> reading;

void read_current() {
  reading.store(1, std::memory_order::relaxed);
  std::atomic_thread_fence(std::memory_order::ENTER);
  assert(current.load(std::memory_order::READ)->value != 0);
  reading.store(0, std::memory_order::LEAVE);
}

void update() {
  Version* old = current.load(std::memory_order::relaxed);
  current.store(new Version{2}, std::memory_order::PUBLISH);
  std::atomic_thread_fence(std::memory_order::WAIT);
  while (reading.load(std::memory_order::QUIET) != 0) {
  }
  delete old;
}

}  // namespace

int main() {
  current.store(new Version{1});
  std::thread reader(read_current);
  update();
  reader.join();
  delete current.load();
}
