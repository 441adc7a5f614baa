// mazurka: verdict=verified traces=16
// broken: verdict=finding finding=deadlock
//
// std::recursive_mutex, std::timed_mutex, std::recursive_timed_mutex, std::shared_mutex,
// std::shared_timed_mutex and std::call_once. Broken: the mutex is not a recursive one.
#include <cassert>
#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <thread>

using namespace std::chrono_literals;

#ifdef BROKEN
std::mutex recursive;
#else
std::recursive_mutex recursive;
#endif
std::timed_mutex timed;
std::recursive_timed_mutex both;
std::shared_mutex shared;
std::shared_timed_mutex shared_timed;
std::once_flag once;
int counter, initialised, guarded;

void body() {
  std::call_once(once, [] { ++initialised; });
  assert(initialised == 1);
  std::lock_guard a(recursive);
  std::lock_guard b(recursive);
  ++counter;
}

int main() {
  std::thread other([] {
    body();
    std::unique_lock limited(timed, 10ms);
    if (limited.owns_lock()) ++guarded;
  });
  body();
  {
    std::unique_lock limited(timed, std::chrono::steady_clock::now() + 10ms);
    if (limited.owns_lock()) ++guarded;
  }
  other.join();
  assert(counter == 2 && (guarded == 1 || guarded == 2));
  std::unique_lock often(both, 1ms);
  assert(both.try_lock_for(1ms));
  both.unlock();
  std::shared_lock a(shared);
  std::shared_lock b(shared_timed, 1ms);
  assert(shared.try_lock_shared() && !shared.try_lock());
  assert(b.owns_lock() && !shared_timed.try_lock_for(1ms));
  shared.unlock_shared();
}
