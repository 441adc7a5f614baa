// Workers with a queue each, protected by an asynchronous mutex; who runs out of work steals.
//
// The first worker has all the tasks. A worker asks for the mutex of its own queue and then of its
// neighbour's, and goes on with whatever it gets. Every task must be done exactly once.
#include <mazurka/messages.hpp>

#include <array>
#include <cassert>
#include <vector>

#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef TASKS
#define TASKS 2
#endif

using mazurka::messages::Mutex;

struct Queue {
  Mutex mutex;
  std::vector<int> tasks;
};

static std::array<Queue, WORKERS> queues;
static std::array<int, TASKS> done{};

static int take(Queue& queue) {
  queue.mutex.lock();
  int task = -1;
  if (!queue.tasks.empty()) {
    task = queue.tasks.back();
    queue.tasks.pop_back();
  }
  queue.mutex.unlock();
  return task;
}

static void worker(std::size_t me) {
  for (;;) {
    int task = take(queues[me]);
    if (task < 0) task = take(queues[(me + 1) % WORKERS]);
    if (task < 0) return;
    ++done[static_cast<std::size_t>(task)];
  }
}

int main() {
  for (int task = 0; task < TASKS; ++task) queues[0].tasks.push_back(task);
  {
    mazurka::messages::Actors actors;
    for (std::size_t me = 0; me < WORKERS; ++me) actors.start(worker, me);
  }
  for (const int times : done) assert(times == 1);
}
