// Fibonacci numbers by a tree of actors: whoever is asked for a large one creates two more and adds
// their answers. An inner node's two answers come in either order: 2^I traces for I inner nodes.
// Paper (TransDPOR): leaves are v <= 2. With -DLEAVES_AT_1 (context-sensitive paper) they are v = 0
// and v = 1, and the first actor is there from the beginning.
#include <mazurka/actors.hpp>

#ifndef N
#define N 5
#endif

struct Fib {
  mazurka::Ref<Fib> client;
  int stored = -1;

  void boot(mazurka::Context& context, int v) {
    const auto first = context.spawn<Fib>(context.self<Fib>());
    context.send<&Fib::compute>(first, v);
  }
  void compute(mazurka::Context& context, int v) {
#ifdef LEAVES_AT_1
    if (v <= 1) {
      context.send<&Fib::result>(client, v);
      return;
    }
#else
    if (v <= 2) {
      context.send<&Fib::result>(client, 1);
      return;
    }
#endif
    const auto one = context.spawn<Fib>(context.self<Fib>());
    context.send<&Fib::compute>(one, v - 1);
    const auto other = context.spawn<Fib>(context.self<Fib>());
    context.send<&Fib::compute>(other, v - 2);
  }
  void result(mazurka::Context& context, int value) {
    if (stored < 0) {
      stored = value;
      return;
    }
    stored += value;
    if (client) context.send<&Fib::result>(client, stored);
  }
};

void set_up(mazurka::Setup& system) {
  const auto root = system.spawn<Fib>();
#ifdef LEAVES_AT_1
  system.send<&Fib::compute>(root, N);
#else
  system.send<&Fib::boot>(root, N);
#endif
}

int main() { return mazurka::run(set_up); }
