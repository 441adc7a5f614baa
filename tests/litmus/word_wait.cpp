// mazurka: verdict=verified traces=any
// broken: verdict=finding finding=deadlock traces=any
//
// std::atomic::wait, with orders of the library's that are weaker than the program's own: what was
// learned as long as none of them was met is of no use when one is. Broken: nobody wakes up who
// waits; the steps that led there are those of the technique that found it, also when they are
// performed again.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> flag{0};
int data;

int main() {
  std::jthread other([] {
    data = 1;
    flag = 1;
#ifndef BROKEN
    flag.notify_one();
#endif
  });
  flag.wait(0);
  assert(data == 1);
}
