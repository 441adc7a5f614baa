// mazurka: verdict=verified traces=same
// broken: verdict=finding finding=assertion
//
// Treiber's stack on a pool of nodes: one thread pops, the other pops two and pushes the first
// again. The head carries a count, so that a node that comes back is noticed. Broken: it does not
// (the ABA problem), and a node that is in use becomes the head.
#include <atomic>
#include <cassert>
#include <thread>

struct Head {
  int node;  // index + 1, or 0
  int count;
};

std::atomic<int> next_of[4];
std::atomic<Head> head{Head{0, 0}};
std::atomic<int> owners[4];

Head changed(Head from, int node) {
#ifdef BROKEN
  return {node, from.count};
#else
  return {node, from.count + 1};
#endif
}

void push(int node) {
  Head now = head;
  do {
    next_of[node] = now.node;
  } while (!head.compare_exchange_strong(now, changed(now, node)));
}

int pop() {
  Head now = head;
  while (now.node != 0) {
    const int after = next_of[now.node];
    if (head.compare_exchange_strong(now, changed(now, after))) return now.node;
  }
  return 0;
}

void own(int node) {
  if (node != 0) assert(owners[node].fetch_add(1) == 0);
}

int main() {
  push(2);
  push(1);
  std::thread other([] {
    const int first = pop();
    const int second = pop();
    own(second);
    if (first != 0) push(first);
  });
  own(pop());
  own(pop());
  other.join();
}
