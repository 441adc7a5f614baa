// mazurka: verdict=verified traces=78 graphs=no
// broken: verdict=finding finding=deadlock graphs=no
//
// A thread pool whose tasks deliver futures. Broken: it is stopped without waking its worker.
// 66 in a sequentially consistent memory: who waits for a future may overlook that it is there.
#include <cassert>
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <thread>

class Pool {
 public:
  Pool() : worker_([this] { work(); }) {}
  ~Pool() {
    {
      std::lock_guard lock(mutex_);
      stopped_ = true;
    }
#ifndef BROKEN
    changed_.notify_all();
#endif
    worker_.join();
  }
  std::future<int> submit(int value) {
    auto task = std::make_shared<std::packaged_task<int()>>([value] { return value * 2; });
    std::future<int> result = task->get_future();
    {
      std::lock_guard lock(mutex_);
      tasks_.emplace_back([task] { (*task)(); });
    }
    changed_.notify_one();
    return result;
  }

 private:
  void work() {
    for (;;) {
      std::function<void()> task;
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return stopped_ || !tasks_.empty(); });
        if (tasks_.empty()) return;
        task = std::move(tasks_.front());
        tasks_.pop_front();
      }
      task();
    }
  }
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> tasks_;
  bool stopped_ = false;
  std::thread worker_;
};

int main() {
  Pool pool;
  std::future<int> one = pool.submit(1);
  assert(one.get() == 2);
}
