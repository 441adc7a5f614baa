// mazurka: verdict=finding finding="data_race misuse" traces=any options="--keep-going"
//
// Who has arrived last goes on and destroys the barrier, while the other one may still be waiting
// there, or on its way out: the end of a barrier may not come at the same time as any use of it.
#include <barrier>
#include <optional>
#include <thread>

int main() {
  std::optional<std::barrier<>> together(std::in_place, 2);
  std::jthread other([&] { together->arrive_and_wait(); });
  together->arrive_and_wait();
  together.reset();
}
