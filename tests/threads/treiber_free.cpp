// mazurka: verdict=verified traces=same
// broken: verdict=finding
//
// Treiber's stack with nodes from the heap, which are freed when all threads have ended. Broken: a
// popped node is deleted at once, though another thread may be about to read it.
#include <atomic>
#include <thread>

struct Node {
  std::atomic<Node*> next{nullptr};
};

std::atomic<Node*> head{nullptr};

Node* pop() {
  Node* now = head;
  while (now != nullptr && !head.compare_exchange_strong(now, now->next)) {
  }
  return now;
}

void push(Node* node) {
  Node* now = head;
  do {
    node->next = now;
  } while (!head.compare_exchange_strong(now, node));
}

Node* kept[2];

void body(int i) {
  kept[i] = pop();
#ifdef BROKEN
  delete kept[i];
#endif
}

int main() {
  push(new Node);
  push(new Node);
  std::thread one(body, 0), two(body, 1);
  one.join();
  two.join();
#ifndef BROKEN
  delete kept[0];
  delete kept[1];
#endif
}
