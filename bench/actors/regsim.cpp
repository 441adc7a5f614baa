// A registration server: everyone reports to the first worker, in any order. 720 traces.
// Paper: the master creates w0 .. w5, sends result to w0, then boot to w1 .. w5, each of which
// sends result to w0. With -DLEVELS=2 there are two levels (1296 = 6^4 traces): the master's own
// first worker and three more groups each have a server with three reports in any order.
#include <mazurka/actors.hpp>
#include <vector>

#ifndef LEVELS
#define LEVELS 1
#endif

struct Worker {
  std::vector<int> results;

  void boot(mazurka::Context& context, mazurka::Ref<Worker> server, int id) {
    context.send<&Worker::result>(server, id);
  }
  void result(int id) { results.push_back(id); }
};

struct Master {
#if LEVELS == 1
  void boot(mazurka::Context& context) {
    std::vector<mazurka::Ref<Worker>> workers;
    for (int id = 0; id < 6; ++id) workers.push_back(context.spawn<Worker>());
    context.send<&Worker::result>(workers[0], 0);
    for (int id = 1; id < 6; ++id) {
      context.send<&Worker::boot>(workers[static_cast<std::size_t>(id)], workers[0], id);
    }
  }
#else
  void boot(mazurka::Context& context) {
    for (int group = 0; group < 4; ++group) {
      const auto master = context.spawn<Master>();
      context.send<&Master::boot_group>(master, group);
    }
  }
  void boot_group(mazurka::Context& context, int group) {
    std::vector<mazurka::Ref<Worker>> workers;
    for (int id = 0; id < 3; ++id) workers.push_back(context.spawn<Worker>());
    context.send<&Worker::result>(workers[0], 10 * group);
    for (int id = 1; id < 3; ++id) {
      context.send<&Worker::boot>(workers[static_cast<std::size_t>(id)], workers[0],
                                  10 * group + id);
    }
  }
#endif
};

void set_up(mazurka::Setup& system) { system.send<&Master::boot>(system.spawn<Master>()); }

int main() { return mazurka::run(set_up); }
