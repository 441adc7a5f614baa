// mazurka: verdict=verified traces=2 also=yes
//
// condvar_signal.c in C++: the producer comes first, or the consumer waits for it.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable condition;
bool ready;
int data;

int main() {
  std::thread consumer([] {
    std::unique_lock<std::mutex> lock(mutex);
    condition.wait(lock, [] { return ready; });
    assert(data == 42);
  });
  std::thread producer([] {
    std::lock_guard<std::mutex> lock(mutex);
    data = 42;
    ready = true;
    condition.notify_one();
  });
  consumer.join();
  producer.join();
}
