// mazurka: verdict=verified traces=2
// broken: verdict=finding finding=livelock
//
// std::jthread and std::stop_token: a thread goes on until it is asked to stop, which its
// destructor does. Broken: it is joined without having been asked.
#include <stop_token>
#include <thread>

int main() {
  std::jthread worker([](std::stop_token stop) {
    while (!stop.stop_requested()) {
    }
  });
#ifdef BROKEN
  worker.join();
#endif
}
