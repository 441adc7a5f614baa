// An approximation of pi: the master hands out intervals, adds up what comes back and stops the
// workers. The sums arrive in any order: N! traces.
// Paper: workers are created before the master. (There the master also ends after the last sum; no
// message reaches it after that, so nothing depends on it.)
#include <mazurka/actors.hpp>
#include <vector>

#ifndef N
#define N 5
#endif

struct Master;

struct Worker {
  bool stopped = false;
  void compute(mazurka::Context& context, mazurka::Ref<Master> master, int index);
  void stop() { stopped = true; }
};

struct Master {
  std::vector<mazurka::Ref<Worker>> workers;
  int answers = 0;
  long long sum = 0;  // millionths: addition must not depend on the order

  void boot(mazurka::Context& context) {
    for (int index = 0; index < N; ++index) {
      context.send<&Worker::compute>(workers[static_cast<std::size_t>(index)],
                                     context.self<Master>(), index);
    }
  }
  void add(mazurka::Context& context, long long part) {
    sum += part;
    if (++answers < N) return;
    for (const auto& worker : workers) context.send<&Worker::stop>(worker);
  }
};

void Worker::compute(mazurka::Context& context, mazurka::Ref<Master> master, int index) {
  const double x = (index + 0.5) / N;
  context.send<&Master::add>(master, static_cast<long long>(4e6 / (1 + x * x) / N));
}

void set_up(mazurka::Setup& system) {
  std::vector<mazurka::Ref<Worker>> workers;
  for (int index = 0; index < N; ++index) workers.push_back(system.spawn<Worker>());
  const auto master = system.spawn<Master>(workers);
  system.send<&Master::boot>(master);
}

int main() { return mazurka::run(set_up); }
