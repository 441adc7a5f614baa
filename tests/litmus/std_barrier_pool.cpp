// mazurka: verdict=verified traces=4 exhaustive=any
// broken: verdict=finding finding=misuse traces=any
//
// Four threads use a barrier for two, two at a time: more than it expects at once, so they come in
// some order: 2 in each of the two phases. Broken: all at a time. Then somebody may arrive when the
// phase is complete and the next has not begun, which the standard does not allow; the library's
// barrier never comes to an end there.
#include <barrier>
#include <thread>

int main() {
  std::barrier pairs(2);
  const auto body = [&] { pairs.arrive_and_wait(); };
#ifdef BROKEN
  std::jthread a(body), b(body), c(body), d(body);
#else
  for (int pair = 0; pair < 2; ++pair) {
    std::jthread one(body), other(body);
  }
#endif
}
