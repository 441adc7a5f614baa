// mazurka: verdict=verified traces=any
// broken: verdict=finding finding=misuse traces=any
//
// Under weak memory a latch that somebody looks at is the library's: an atomic number. That it is
// counted down too often is told even so. Broken: it is.
#include <latch>
#include <thread>

int main() {
  std::latch both(2);
  const std::jthread other([&] { both.count_down(); });
  (void)both.try_wait();
#ifdef BROKEN
  both.count_down(2);
#else
  both.count_down();
#endif
}
