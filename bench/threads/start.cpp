// The same in C++, with headers of the standard library that such a program has.
//
// Executions: 2, the orders of the two sections.
#include <cassert>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace {

std::mutex mutex;
std::vector<std::string> names;

void add(const char* name) {
  const std::lock_guard<std::mutex> lock(mutex);
  names.emplace_back(name);
}

}  // namespace

int main() {
  std::thread other(add, "other");
  add("main");
  other.join();
  assert(names.size() == 2);
}
