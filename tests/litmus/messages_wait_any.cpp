// mazurka: verdict=finding finding=assertion options="--keep-going" message="second == 2"
// mazurka: techniques="optimal source dpor sleep unfolding unfolding:1 unfolding:2"
//
// Whichever comes first is answered first: both answers are found, and the wrong picks are no
// deadlocks.
#include <mazurka/messages.hpp>

#include <cassert>

mazurka::messages::Mailbox<int> one;
mazurka::messages::Mailbox<int> two;

int main() {
  mazurka::messages::run([] { one.send(1); }, [] { two.send(2); },
                         [] {
                           auto first = one.async_receive();
                           auto other = two.async_receive();
                           int second = 0;
                           if (wait_any(first, other) == 0) {
                             second = other.wait();
                           } else {
                             second = first.wait();
                           }
                           assert(second == 2);
                         });
}
