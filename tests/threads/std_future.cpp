// mazurka: verdict=verified traces=324 graphs=no
// broken: verdict=finding finding=uncaught_exception graphs=no
//
// std::promise, std::future, std::packaged_task, std::async. Broken: the promise is not kept.
// Who waits may overlook that the value is there already, and then waits for nothing: 225 in a
// sequentially consistent memory.
#include <cassert>
#include <future>
#include <thread>

int main() {
  std::promise<int> promise;
  std::future<int> future = promise.get_future();
  std::thread keeper([kept = std::move(promise)]() mutable {
#ifndef BROKEN
    kept.set_value(7);
#endif
  });
  assert(future.get() == 7);
  keeper.join();
  std::packaged_task<int()> task([] { return 5; });
  std::future<int> done = task.get_future();
  std::thread worker(std::move(task));
  assert(done.get() == 5);
  worker.join();
  assert(std::async(std::launch::async, [] { return 3; }).get() == 3);
  assert(std::async(std::launch::deferred, [] { return 2; }).get() == 2);
}
