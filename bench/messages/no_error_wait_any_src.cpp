// The receive is asked for before the send that lets the other answer: no deadlock.
#include "table1.hpp"

using mazurka::messages::run;
using table1::Script;

int main() {
  run([] { Script().receive(0).send(1).wait(2).wait(1); },
      [] { Script().receive(1).wait().send(0).wait(); });
}
