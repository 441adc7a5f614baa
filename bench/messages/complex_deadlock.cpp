// A third actor is served first; then two wait for each other. One trace, a deadlock.
#include "table1.hpp"

using mazurka::messages::run;
using table1::Script;

int main() {
  run([] { Script().send(2).wait().receive(0).wait().send(1).wait(); },
      [] { Script().receive(1).wait().send(0).wait(); }, [] { Script().receive(2).wait(); });
}
