// mazurka: verdict=verified traces=6 exhaustive=any
// mazurka: techniques="optimal source dpor sleep unfolding unfolding:1 unfolding:2"
//
// Three actors increment a plain variable under an asynchronous mutex: the 3! orders of requests.
#include <mazurka/messages.hpp>

#include <cassert>

mazurka::messages::Mutex mutex;
int counter = 0;

static void increment() {
  mutex.lock();
  ++counter;
  mutex.unlock();
}

int main() {
  mazurka::messages::run(increment, increment, increment);
  assert(counter == 3);
}
