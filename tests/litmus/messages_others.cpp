// mazurka: verdict=verified traces=any also=yes
// mazurka: techniques="optimal source dpor sleep unfolding unfolding:1 unfolding:2"
//
// A semaphore, a barrier and a condition variable, for what they guarantee.
#include <mazurka/messages.hpp>

#include <cassert>

using namespace mazurka::messages;

Semaphore places(1);
Barrier meeting(2);
Mutex mutex;
Condition changed;
int inside = 0;
bool ready = false;

static void visitor() {
  places.acquire();
  assert(++inside == 1);
  --inside;
  places.release();
  meeting.arrive_and_wait();
}

int main() {
  run(
      visitor, visitor,
      [] {
        mutex.lock();
        while (!ready) changed.wait(mutex);
        mutex.unlock();
      },
      [] {
        mutex.lock();
        ready = true;
        changed.notify_one();
        mutex.unlock();
      });
}
