// mazurka: verdict=verified traces=same
// broken: verdict=finding finding=livelock
//
// The queue lock of Mellor-Crummey and Scott: everybody waits on a flag of its own, which the one
// before it sets. Broken: who leaves does not wait for a successor that is just lining up.
//
// Two orders of lining up; in each, the second does so before the first has left, or after: 4, if
// nobody looks in vain.
#include <atomic>
#include <cassert>
#include <thread>

struct Node {
  std::atomic<Node*> next{nullptr};
  std::atomic<bool> waiting{false};
};

std::atomic<Node*> tail{nullptr};
int counter;

void enter(Node& self) {
  self.waiting = true;
  Node* before = tail.exchange(&self);
  if (before == nullptr) return;
  before->next = &self;
  while (self.waiting) {
  }
}

void leave(Node& self) {
  Node* after = self.next;
  if (after == nullptr) {
    Node* expected = &self;
    if (tail.compare_exchange_strong(expected, nullptr)) return;
#ifdef BROKEN
    return;
#endif
    while ((after = self.next) == nullptr) {
    }
  }
  after->waiting = false;
}

Node nodes[2];

void body(int i) {
  enter(nodes[i]);
  ++counter;
  leave(nodes[i]);
}

int main() {
  std::thread one(body, 0), two(body, 1);
  one.join();
  two.join();
  assert(counter == 2);
}
