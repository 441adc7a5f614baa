// Two floors call a lift; the lift serves one call at a time and answers.
//
// The bug: both floors listen at one mailbox for the answer, so one of them may take what was meant
// for the other.
#include <mazurka/messages.hpp>

#include <cassert>

using mazurka::messages::Mailbox;

static Mailbox<int> calls;
static Mailbox<int> arrivals;

static void lift() {
  for (int served = 0; served < 2; ++served) {
    const int floor = calls.receive();
    arrivals.send(floor);
  }
}

static void floor(int me) {
  const auto called = calls.async_send(me);
  const int arrived = arrivals.receive();
  assert(arrived == me);
  (void)called;
}

int main() {
  mazurka::messages::run(
      lift, [] { floor(1); }, [] { floor(2); });
}
