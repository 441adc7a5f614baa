// Leader election in a unidirectional ring (Dolev, Klawe, Rodeh). 492 traces for four nodes.
// Paper: a ring with maxi = id = 0 .. N-1; [FIRST(i) -> p(i+1)].
#include <mazurka/actors.hpp>

#ifndef N
#define N 4
#endif

struct Node {
  mazurka::Ref<Node> next;
  int maxi = 0;
  int neighbour = -1;
  bool active = true;
  bool leader = false;

  void first(mazurka::Context& context, int number) {
    if (!active) {
      context.send<&Node::first>(next, number);
    } else if (number != maxi) {
      neighbour = number;
      context.send<&Node::second>(next, number);
    } else {
      leader = true;
    }
  }
  void second(mazurka::Context& context, int number) {
    if (!active) {
      context.send<&Node::second>(next, number);
    } else if (neighbour > number && neighbour > maxi) {
      maxi = neighbour;
      context.send<&Node::first>(next, maxi);
    } else {
      active = false;
    }
  }
};

void set_up(mazurka::Setup& system) {
  mazurka::Ref<Node> nodes[N];
  for (int id = 0; id < N; ++id) nodes[id] = system.spawn<Node>(mazurka::Ref<Node>(), id);
  for (int id = 0; id < N; ++id) system.state(nodes[id]).next = nodes[(id + 1) % N];
  for (int id = 0; id < N; ++id) system.send<&Node::first>(nodes[(id + 1) % N], id);
}

int main() { return mazurka::run(set_up); }
