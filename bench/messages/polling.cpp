// A scanner polls N mailboxes from the last to the first and stops at the first message it finds;
// each worker has looked, before it sends, whether its neighbour has sent already.
//
// Which test succeeds decides what is tested next, so a reversed race may lead into a part that is
// explored already: where partial alternatives (k) are not enough. (N+1) * 2^N traces.
#include <mazurka/messages.hpp>

#include <array>
#include <vector>

#ifndef N
#define N 4
#endif

using mazurka::messages::Mailbox;
using mazurka::messages::Receiving;

static std::array<Mailbox<int>, N + 1> report;     // to the scanner
static std::array<Mailbox<int>, N + 2> neighbour;  // to the next worker

static void scanner() {
  std::vector<Receiving<int>> expected;
  for (std::size_t from = 1; from <= N; ++from) expected.push_back(report[from].async_receive());
  for (std::size_t from = N; from > 0; --from) {
    if (expected[from - 1].test()) break;
  }
  for (Receiving<int>& one : expected) (void)one.wait();
}

static void worker(std::size_t me) {
  auto before = neighbour[me].async_receive();
  const int seen = before.test() ? 1 : 0;
  report[me].async_send(seen);
  neighbour[me + 1].async_send(1);
  (void)before.wait();
}

int main() {
  mazurka::messages::Actors actors;
  actors.start(scanner);
  for (std::size_t me = 1; me <= N; ++me) actors.start(worker, me);
  neighbour[1].async_send(1);
  (void)neighbour[N + 1].receive();
}
