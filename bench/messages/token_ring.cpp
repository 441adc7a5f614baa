// N actors in a ring pass a token around ROUNDS times; whoever has it may touch the shared counter.
// One trace: the token orders everything.
#include <mazurka/messages.hpp>

#include <array>
#include <cassert>

#ifndef N
#define N 4
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif

static std::array<mazurka::messages::Mailbox<int>, N> ring;
static int counter = 0;

static void member(std::size_t me) {
  for (int round = 0; round < ROUNDS; ++round) {
    const int token = ring[me].receive();
    assert(token == counter);
    ++counter;
    if (me + 1 < N || round + 1 < ROUNDS) ring[(me + 1) % N].send(token + 1);
  }
}

int main() {
  {
    mazurka::messages::Actors actors;
    for (std::size_t me = 0; me < N; ++me) actors.start(member, me);
    ring[0].send(0);
  }
  assert(counter == N * ROUNDS);
}
