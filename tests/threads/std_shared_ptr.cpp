// mazurka: verdict=verified traces=same
// broken: verdict=finding finding=data_race
//
// std::atomic<std::shared_ptr>: one thread publishes a new object while another takes a share of
// the old or the new one. Broken: the shared pointer itself is not atomic.
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

#ifdef BROKEN
std::shared_ptr<int> pointer = std::make_shared<int>(1);
void set(std::shared_ptr<int> next) { pointer = std::move(next); }
std::shared_ptr<int> get() { return pointer; }
#else
std::atomic<std::shared_ptr<int>> pointer{std::make_shared<int>(1)};
void set(std::shared_ptr<int> next) { pointer.store(std::move(next)); }
std::shared_ptr<int> get() { return pointer.load(); }
#endif

int main() {
  std::thread writer([] { set(std::make_shared<int>(2)); });
  const std::shared_ptr<int> seen = get();
  assert(*seen == 1 || *seen == 2);
  writer.join();
  assert(*get() == 2);
}
