// orders: PUSH=release POP=acquire
// weakened: PUSH=relaxed POP=relaxed
//
// Treiber's stack. Nothing is freed before the end, so no address comes back.
#include <atomic>
#include <cassert>
#include <thread>

namespace {

struct Node {
  int value = 0;
  Node* next = nullptr;
};
std::atomic<Node*> top;

void push(Node* node, int value) {
  node->value = value;
  node->next = top.load(std::memory_order::relaxed);
  while (!top.compare_exchange_strong(node->next, node, std::memory_order::PUSH,
                                      std::memory_order::relaxed)) {
  }
}

int pop() {
  Node* node = top.load(std::memory_order::POP);
  while (node != nullptr && !top.compare_exchange_strong(node, node->next, std::memory_order::POP,
                                                         std::memory_order::POP)) {
  }
  return node == nullptr ? 0 : node->value;
}

Node nodes[2];

}  // namespace

int main() {
  std::thread pusher([] { push(&nodes[0], 1); });
  std::thread popper([] { assert(pop() < 3); });
  push(&nodes[1], 2);
  pusher.join();
  popper.join();
}
