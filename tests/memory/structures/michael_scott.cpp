// orders: LINK=release FIND=acquire
// weakened: LINK=relaxed FIND=relaxed
//
// The queue of Michael and Scott, with a node that was taken already in front. Nothing is freed.
#include <atomic>
#include <cassert>
#include <thread>

namespace {

struct Node {
  int value = 0;
  std::atomic<Node*> next{nullptr};
};
Node first;
std::atomic<Node*> head{&first};
std::atomic<Node*> tail{&first};

void enqueue(Node* node, int value) {
  node->value = value;
  for (;;) {
    Node* last = tail.load(std::memory_order::acquire);
    Node* next = last->next.load(std::memory_order::acquire);
    if (next != nullptr) {
      tail.compare_exchange_strong(last, next, std::memory_order::acq_rel);
    } else if (last->next.compare_exchange_strong(next, node, std::memory_order::LINK,
                                                  std::memory_order::relaxed)) {
      tail.compare_exchange_strong(last, node, std::memory_order::release,
                                   std::memory_order::relaxed);
      return;
    }
  }
}

int dequeue() {
  for (;;) {
    Node* before = head.load(std::memory_order::acquire);
    Node* next = before->next.load(std::memory_order::FIND);
    if (next == nullptr) return 0;
    const int value = next->value;
    if (head.compare_exchange_strong(before, next, std::memory_order::release,
                                     std::memory_order::relaxed)) {
      return value;
    }
  }
}

Node nodes[2];

}  // namespace

int main() {
  std::thread producer([] { enqueue(&nodes[0], 1); });
  std::thread consumer([] { assert(dequeue() < 3); });
  enqueue(&nodes[1], 2);
  producer.join();
  consumer.join();
}
