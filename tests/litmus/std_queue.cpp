// mazurka: verdict=verified traces=8 also=yes
//
// A queue for one element: the producer puts twice, the consumer takes twice, each waits while it
// cannot. A trace is an order of the acquisitions of the mutex, wake-ups included. Let Pw be an
// attempt of P that ends up waiting, and "rest" the last element: P C, or Cw P C:
//   P1 C1 rest, P1 Pw C1 rest, Cw P1 C1 rest, Cw P1 Pw C1 rest: 4 * 2.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

class Queue {
 public:
  void put(int value) {
    std::unique_lock<std::mutex> lock(mutex_);
    not_full_.wait(lock, [this] { return !slot_; });
    slot_ = value;
    not_empty_.notify_one();
  }
  int take() {
    std::unique_lock<std::mutex> lock(mutex_);
    not_empty_.wait(lock, [this] { return slot_.has_value(); });
    const int value = *slot_;
    slot_.reset();
    not_full_.notify_one();
    return value;
  }

 private:
  std::mutex mutex_;
  std::condition_variable not_full_, not_empty_;
  std::optional<int> slot_;
};

Queue queue;

int main() {
  std::thread producer([] {
    queue.put(1);
    queue.put(2);
  });
  std::thread consumer([] {
    assert(queue.take() == 1);
    assert(queue.take() == 2);
  });
  producer.join();
  consumer.join();
}
