// The first actor waits for two messages of which the second is sent too late. A deadlock.
#include "table1.hpp"

using mazurka::messages::run;
using table1::Script;

int main() {
  run([] { Script().receive(0).receive(0).wait(1).wait(2).send(1).wait(); },
      [] { Script().send(0).send(2).wait(1).wait(2).receive(1).wait().send(0).wait(); },
      [] { Script().receive(2).wait(); });
}
