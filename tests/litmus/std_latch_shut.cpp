// mazurka: verdict=verified traces=any options="--memory sc"
// broken: verdict=finding finding=livelock traces=any options="--memory sc"
// techniques="optimal reverse graphs source dpor sleep source-context source-context:chains"
//
// A thread looks again and again whether a latch is open. Broken: it is counted down less often
// than that takes, and whoever looks before that is in no other state for the program than who
// looks after it; but only the one who has looked after it waits for what nobody can change any
// more.
#include <latch>
#include <thread>

int main() {
#ifdef BROKEN
  std::latch both(3);
#else
  std::latch both(2);
#endif
  const std::jthread other([&] {
    while (!both.try_wait()) std::this_thread::yield();
  });
  both.count_down();
  both.count_down();
}
