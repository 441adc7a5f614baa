// mazurka: verdict=verified traces=any
// broken: verdict=finding finding=data_race traces=any
//
// Each thread counts in a variable of its own, which others find in a list and read. Broken: it
// counts without the lock that the readers hold.
#include <algorithm>
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

static std::mutex guard;
static std::vector<long*> counters;
static thread_local long hits;

static void hit() {
#ifndef BROKEN
  const std::lock_guard lock(guard);
#endif
  ++hits;
}

static void work() {
  {
    const std::lock_guard lock(guard);
    counters.push_back(&hits);
  }
  hit();
  const std::lock_guard lock(guard);
  counters.erase(std::find(counters.begin(), counters.end(), &hits));
}

static long sum() {
  const std::lock_guard lock(guard);
  long all = 0;
  for (const long* counter : counters) all += *counter;
  return all;
}

int main() {
  std::thread worker(work);
  assert(sum() <= 1);
  worker.join();
  assert(sum() == 0);
  assert(hits == 0);
}
