// Two-phase commit with a bug: the coordinator decides when half of the votes are in.
//
// Each participant votes; the coordinator is to commit only if all votes are yes. With BUG it stops
// counting after the first N/2 + 1 votes, so whether the one that says no is heard depends on the
// order in which the votes arrive.
#include <mazurka/messages.hpp>

#include <array>
#include <cassert>

#ifndef N
#define N 3
#endif
#ifndef BUG
#define BUG 1
#endif

using mazurka::messages::Mailbox;

struct Vote {
  int from;
  bool yes;
};

static Mailbox<Vote> votes;
static std::array<Mailbox<bool>, N> decisions;

static void coordinator() {
  bool commit = true;
  const int wanted = BUG ? N / 2 + 1 : N;
  for (int heard = 0; heard < wanted; ++heard) commit = votes.receive().yes && commit;
  for (Mailbox<bool>& decision : decisions) decision.send(commit);
  for (int heard = wanted; heard < N; ++heard) (void)votes.receive();
}

static void participant(int me) {
  const bool yes = me != 0;  // the first one can not commit
  const auto vote = votes.async_send({me, yes});
  const bool commit = decisions[static_cast<std::size_t>(me)].receive();
  assert(!commit || yes);
  (void)vote;
}

int main() {
  mazurka::messages::Actors actors;
  actors.start(coordinator);
  for (int me = 0; me < N; ++me) actors.start(participant, me);
}
