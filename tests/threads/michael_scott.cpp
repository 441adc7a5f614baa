// mazurka: verdict=verified traces=same
// broken: verdict=finding finding=assertion
//
// The queue of Michael and Scott: one thread puts in, one takes out, and both help a tail that
// lags behind. Nodes come from a pool. Broken: the node is linked in by a plain store.
#include <atomic>
#include <cassert>
#include <thread>

struct Node {
  int value = 0;
  std::atomic<Node*> next{nullptr};
};

Node pool[4];
std::atomic<Node*> head{&pool[0]}, tail{&pool[0]};

void put(Node* node, int value) {
  node->value = value;
  for (;;) {
    Node* last = tail;
    Node* after = last->next;
    if (after != nullptr) {
      tail.compare_exchange_strong(last, after);
      continue;
    }
#ifdef BROKEN
    last->next = node;
    tail = node;
    return;
#else
    if (last->next.compare_exchange_strong(after, node)) {
      tail.compare_exchange_strong(last, node);
      return;
    }
#endif
  }
}

bool take(int& value) {
  for (;;) {
    Node* first = head;
    Node* last = tail;
    Node* after = first->next;
    if (after == nullptr) return false;
    if (first == last) {
      tail.compare_exchange_strong(last, after);
      continue;
    }
    if (head.compare_exchange_strong(first, after)) {
      value = after->value;
      return true;
    }
  }
}

int main() {
  std::thread one([] { put(&pool[1], 1); });
  std::thread two([] { put(&pool[2], 2); });
  one.join();
  two.join();
  int a = 0, b = 0;
  assert(take(a) && take(b) && a + b == 3);
}
