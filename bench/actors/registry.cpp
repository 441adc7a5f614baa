// A master registers itself and starts workers, which register themselves; the registry remembers
// the order. Three messages reach the registry in any order: 6 traces.
// Paper (TransDPOR, Fig. 1): 24 executions with dpor, 10 with trans, without sleep sets.
#include <mazurka/actors.hpp>
#include <vector>

#ifndef N
#define N 2
#endif

struct Registry {
  std::vector<int> known;
  void add(int id) { known.push_back(id); }
};

struct Worker {
  mazurka::Ref<Registry> registry;
  int id = 0;
  void start(mazurka::Context& context) { context.send<&Registry::add>(registry, id); }
};

void set_up(mazurka::Setup& system) {
  const auto registry = system.spawn<Registry>();
  system.send<&Registry::add>(registry, 0);
  for (int id = 1; id <= N; ++id) {
    system.send<&Worker::start>(system.spawn<Worker>(registry, id));
  }
}

int main() { return mazurka::run(set_up); }
