// mazurka: verdict=verified traces=4
//
// Each thread has its own object, built at first use and destroyed when the thread ends. Both
// update one atomic while alive and another in the destructor, in the same order: 2 * 2.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> alive{0};
std::atomic<int> destroyed{0};

struct Own {
  int uses = 0;
  ~Own() { destroyed++; }
};
thread_local Own own;
thread_local int number = 5;

static void body() {
  assert(own.uses++ == 0);
  assert(number++ == 5);
  alive++;
  assert(own.uses == 1 && number == 6);
}

int main() {
  std::thread one(body), two(body);
  one.join();
  two.join();
  assert(destroyed == 2);
  assert(number == 5);
}
