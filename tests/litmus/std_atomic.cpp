// mazurka: verdict=verified traces=2 also=yes
//
// One thread counts and raises a flag, the other looks at the count only if it sees the flag.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> count{0};
std::atomic<bool> done{false};

int main() {
  std::thread one([] {
    ++count;
    done = true;
  });
  std::thread two([] {
    if (done) assert(count == 1);
  });
  one.join();
  two.join();
}
