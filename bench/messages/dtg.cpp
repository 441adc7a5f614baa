// Five actors, two of which send to one mailbox. Two traces, one of them a deadlock.
#include "table1.hpp"

using mazurka::messages::run;
using table1::Script;

int main() {
  run([] { Script().receive(1).wait().send(5).wait().receive(1).wait(); },
      [] { Script().send(1).wait().send(4).wait(); },
      [] { Script().receive(3).wait().send(1).wait(); },
      [] { Script().receive(4).wait().receive(5).wait(); }, [] { Script().send(3).wait(); });
}
