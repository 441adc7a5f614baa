// A registry with two lists: a secretary registers itself and twice tells all workers to register;
// a worker does so once. 2^N N! traces. Context-sensitive paper: [sec!regYourSelf, sec!tellWorkers
// twice]. There, what two methods of an actor do to different fields is independent; here a const
// handler says that it only reads, and the registry's two fields are two actors.
#include <mazurka/actors.hpp>
#include <vector>

#ifndef N
#define N 4
#endif

struct Field {
  int registered = 0;
  void add() { ++registered; }
};

struct Worker {
  mazurka::Ref<Field> workers;
  bool registered = false;
  void register_yourself(mazurka::Context& context) {
    if (registered) return;
    registered = true;
    context.send<&Field::add>(workers);
  }
};

struct Secretary {
  mazurka::Ref<Field> secretaries;
  std::vector<mazurka::Ref<Worker>> workers;
  void register_yourself(mazurka::Context& context) const {
    context.send<&Field::add>(secretaries);
  }
  void tell_workers(mazurka::Context& context) const {
    for (const auto& worker : workers) context.send<&Worker::register_yourself>(worker);
  }
};

void set_up(mazurka::Setup& system) {
  const auto a = system.spawn<Field>();
  const auto b = system.spawn<Field>();
  std::vector<mazurka::Ref<Worker>> workers;
  for (int at = 0; at < N; ++at) workers.push_back(system.spawn<Worker>(b));
  const auto secretary = system.spawn<Secretary>(a, workers);
  system.send<&Secretary::register_yourself>(secretary);
  system.send<&Secretary::tell_workers>(secretary);
  system.send<&Secretary::tell_workers>(secretary);
}

int main() { return mazurka::run(set_up); }
