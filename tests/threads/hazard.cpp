// mazurka: verdict=verified traces=same techniques="optimal source"
// broken: verdict=finding techniques="optimal"
//
// A stack whose nodes are protected by hazard pointers. Broken: the pointer is announced, but it is
// not checked afterwards that the node is still there.
#include <atomic>
#include <cassert>
#include <thread>

struct Node {
  int key;
  std::atomic<Node*> next;
};

static std::atomic<Node*> head;
static std::atomic<Node*> hazard[2];

static int pop(int me) {
  for (;;) {
    Node* top = head.load();
    if (top == nullptr) return 0;
    hazard[me].store(top);
#ifndef BROKEN
    if (head.load() != top) continue;
#endif
    Node* next = top->next.load();
    if (!head.compare_exchange_strong(top, next)) continue;
    hazard[me].store(nullptr);
    while (hazard[1 - me].load() == top) std::this_thread::yield();
    const int key = top->key;
    delete top;
    return key;
  }
}

int main() {
  for (int key = 1; key <= 2; ++key) head = new Node{key, {head.load()}};
  int other = 0;
  std::thread thread([&] { other = pop(0); });
  const int mine = pop(1);
  thread.join();
  assert(mine + other == 3);
}
