// mazurka: verdict=verified traces=6 exhaustive=any
//
// Who arrives and does not wait may be the last, and call the completion function while it arrives.
// So it matters who is: three arrivals, in 3! orders.
#include <barrier>
#include <cassert>
#include <thread>

int main() {
  int phases = 0;
  std::barrier together(3, [&]() noexcept { ++phases; });
  std::jthread leaves([&] { (void)together.arrive(); });
  std::jthread stays([&] {
    together.arrive_and_wait();
    assert(phases == 1);
  });
  together.arrive_and_wait();
  assert(phases == 1);
}
