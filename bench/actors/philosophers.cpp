// Dining philosophers: forks are actors that accept `take` only while they lie on the table. All
// take the left fork first, so one of the 2^N - 1 traces is the deadlock; -DPOLITE seats one
// philosopher who does not, and then there is none. Paper (TransDPOR, Table 2): diningphil, 31
// paths: five philosophers.
#include <mazurka/actors.hpp>

#ifndef N
#define N 5
#endif

struct Philosopher;

struct Fork {
  mazurka::Ref<Philosopher> holder;

  void take(mazurka::Context& context, mazurka::Ref<Philosopher> who);
  void put_down() { holder = {}; }
  bool accepts(mazurka::on<&Fork::take>, const mazurka::Ref<Philosopher>&) const { return !holder; }
};

struct Philosopher {
  mazurka::Ref<Fork> first;
  mazurka::Ref<Fork> second;
  int forks = 0;
  bool fed = false;

  void hungry(mazurka::Context& context) {
    context.send<&Fork::take>(first, context.self<Philosopher>());
  }
  void got(mazurka::Context& context) {
    if (++forks == 1) {
      context.send<&Fork::take>(second, context.self<Philosopher>());
      return;
    }
    fed = true;
    forks = 0;
    context.send<&Fork::put_down>(first);
    context.send<&Fork::put_down>(second);
  }
};

void Fork::take(mazurka::Context& context, mazurka::Ref<Philosopher> who) {
  holder = who;
  context.send<&Philosopher::got>(who);
}

void set_up(mazurka::Setup& system) {
  mazurka::Ref<Fork> forks[N];
  for (auto& fork : forks) fork = system.spawn<Fork>();
  for (int at = 0; at < N; ++at) {
    auto left = forks[at];
    auto right = forks[(at + 1) % N];
#ifdef POLITE
    if (at == 0) std::swap(left, right);
#endif
    system.send<&Philosopher::hungry>(system.spawn<Philosopher>(left, right));
  }
}

int main() { return mazurka::run(set_up); }
