// Both receive before they send: each waits for the other. One trace, a deadlock.
#include "table1.hpp"

using mazurka::messages::run;
using table1::Script;

int main() {
  run([] { Script().receive(0).wait().send(1).wait(); },
      [] { Script().receive(1).wait().send(0).wait(); });
}
