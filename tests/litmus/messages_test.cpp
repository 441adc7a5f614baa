// mazurka: verdict=verified traces=2 exhaustive=any
// mazurka: techniques="optimal source dpor sleep unfolding unfolding:1 unfolding:2"
//
// A failed test of a receive that nobody has sent to, and one that succeeds.
#include <mazurka/messages.hpp>

#include <cassert>

mazurka::messages::Mailbox<int> box;

int main() {
  mazurka::messages::run([] { box.send(5); },
                         [] {
                           auto message = box.async_receive();
                           if (message.test()) {
                             assert(message.get() == 5);
                           } else {
                             assert(message.wait() == 5);
                           }
                         });
}
