// orders: ANNOUNCE=seq_cst DONE=release RETIRE=seq_cst LOOK=acquire PUBLISH=release
// weakened: ANNOUNCE=acq_rel DONE=relaxed RETIRE=acq_rel LOOK=relaxed PUBLISH=relaxed
//
// Hazard pointers: a reader says which node it is about to use and looks again whether that is
// still there; who takes a node out frees it only if nobody has said so.
#include <atomic>
#include <cassert>
#include <thread>

namespace {

struct Node {
  int value;
};
std::atomic<Node*> shared;
std::atomic<Node*> hazard;

void read_current() {
  Node* node = shared.load(std::memory_order::relaxed);
  hazard.store(node, std::memory_order::relaxed);
  std::atomic_thread_fence(std::memory_order::ANNOUNCE);
  if (shared.load(std::memory_order::relaxed) != node) return;
  assert(node->value != 0);
  hazard.store(nullptr, std::memory_order::DONE);
}

void replace() {
  Node* old = shared.load(std::memory_order::relaxed);
  shared.store(new Node{2}, std::memory_order::PUBLISH);
  std::atomic_thread_fence(std::memory_order::RETIRE);
  if (hazard.load(std::memory_order::LOOK) != old) delete old;
}

}  // namespace

int main() {
  shared.store(new Node{1});
  std::thread reader(read_current);
  replace();
  reader.join();
}
