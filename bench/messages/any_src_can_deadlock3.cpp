// Whose message comes first decides whether the first actor finds a partner. Two traces.
#include "table1.hpp"

using mazurka::messages::run;
using table1::Script;

int main() {
  run([] { Script().receive(0).wait().send(1).wait().receive(0).wait(); },
      [] { Script().send(0).wait().receive(1).wait(); }, [] { Script().send(0).wait(); });
}
