// mazurka: verdict=verified traces=2 techniques="optimal source"
// broken: verdict=finding finding=uncaught_exception techniques="optimal"
//
// Exceptions in threads: through a future, out of call_once, with thread-local objects that are
// destroyed. Broken: one leaves its thread.
#include <atomic>
#include <cassert>
#include <future>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

static std::atomic<int> destroyed;
struct Local {
  int used = 0;
  ~Local() { destroyed++; }
};
static thread_local Local local;
static std::once_flag once;
static int made;

static void attempt(bool fails) {
  local.used++;
  try {
    std::call_once(once, [&] {
      if (fails) throw std::runtime_error("not yet");
      made++;
    });
  } catch (const std::runtime_error&) {
#ifdef BROKEN
    throw;
#endif
  }
}

int main() {
  auto result = std::async(std::launch::async, []() -> int { throw std::logic_error("why"); });
  std::string text;
  try {
    result.get();
  } catch (const std::logic_error& error) {
    text = error.what();
  }
  assert(text == "why");
  std::thread thread(attempt, true);
  attempt(false);
  thread.join();
  assert(made == 1 && destroyed == 1);
}
