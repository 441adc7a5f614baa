// mazurka: verdict=finding finding=deadlock traces=1 options="--keep-going" exhaustive=any
// mazurka: techniques="optimal source dpor sleep unfolding unfolding:1 unfolding:2"
// mazurka: message="waits for a message"
//
// Both receive before they send. One trace, in which both wait for ever.
#include <mazurka/messages.hpp>

mazurka::messages::Mailbox<int> a;
mazurka::messages::Mailbox<int> b;

int main() {
  mazurka::messages::run(
      [] {
        (void)a.receive();
        b.send(1);
      },
      [] {
        (void)b.receive();
        a.send(1);
      });
}
