// mazurka: verdict=verified traces=2 also=yes exhaustive=any
//
// std::thread with arguments by value and by reference, std::mutex with lock_guard: two sections.
#include <cassert>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

std::mutex mutex;

static void append(std::string& text, std::string part) {
  std::lock_guard<std::mutex> lock(mutex);
  text += part;
}

int main() {
  std::string text;
  std::thread one(append, std::ref(text), "a rather long first part ");
  std::thread two(append, std::ref(text), "and an equally long second one ");
  assert(one.joinable() && one.get_id() != two.get_id());
  one.join();
  two.join();
  assert(text.size() == 25 + 31);
}
