// The lift of elevator.cpp with a mailbox per floor.
#include <mazurka/messages.hpp>

#include <array>
#include <cassert>

using mazurka::messages::Mailbox;

static Mailbox<int> calls;
static std::array<Mailbox<int>, 3> arrivals;

static void lift() {
  for (int served = 0; served < 2; ++served) {
    const int floor = calls.receive();
    arrivals[static_cast<std::size_t>(floor)].send(floor);
  }
}

static void floor(int me) {
  const auto called = calls.async_send(me);
  const int arrived = arrivals[static_cast<std::size_t>(me)].receive();
  assert(arrived == me);
  (void)called;
}

int main() {
  mazurka::messages::run(
      lift, [] { floor(1); }, [] { floor(2); });
}
