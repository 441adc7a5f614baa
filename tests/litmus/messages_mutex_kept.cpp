// mazurka: verdict=finding finding=misuse traces=5 options="--keep-going"
// mazurka: techniques="optimal source dpor sleep unfolding unfolding:1 unfolding:2"
// mazurka: message="without having unlocked"
//
// An actor tests for the mutex and, if it owns it, forgets to unlock. If it asks first, its test
// succeeds, before or after the other's unlock: two traces. If it asks second, the test comes after
// that unlock, or fails, and then the two unlocks have two orders: three traces.
#include <mazurka/messages.hpp>

mazurka::messages::Mutex mutex;

int main() {
  mazurka::messages::run(
      [] {
        mutex.async_lock();
        if (!mutex.test()) mutex.unlock();
      },
      [] {
        mutex.async_lock();
        mutex.unlock();
      });
}
