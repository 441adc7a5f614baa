// Executions of message passing whose length can be chosen: two pairs of actors, each of which has
// a mailbox of its own and about half of the events that the first argument says; in the end both
// receivers send to a third. 2 traces: which of the two messages it receives first.
#include <mazurka/messages.hpp>

#include <array>
#include <cstdlib>

using mazurka::messages::Actors;
using mazurka::messages::Mailbox;

static std::array<Mailbox<int>, 2> own;
static Mailbox<int> common;
static int letters;

static void write_all(int pair) {
  for (int letter = 0; letter < letters; ++letter) own[pair].send(letter);
}

static void read_all(int pair) {
  for (int letter = 0; letter < letters; ++letter) (void)own[pair].receive();
  common.send(pair);
}

int main(int count, char** arguments) {
  if (count != 2) return 2;
  letters = std::atoi(arguments[1]) / 8;  // a request and a wait, on both sides, in two pairs
  Actors actors;
  for (int pair = 0; pair < 2; ++pair) {
    actors.start(write_all, pair);
    actors.start(read_all, pair);
  }
  return common.receive() == common.receive();
}
