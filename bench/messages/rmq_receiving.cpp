// RMQ-receiving: N-1 actors send to one mailbox, whose owner receives. (N-1)! traces.
#include "table1.hpp"

using mazurka::messages::Actors;
using table1::Script;

#ifndef N
#define N 4
#endif

static void receiver() {
  Script script;
  for (int message = 1; message < N; ++message) script.receive(1).wait();
}

int main() {
  Actors actors;
  actors.start(receiver);
  for (int sender = 1; sender < N; ++sender) actors.start([] { Script().send(1).wait(); });
}
