// mazurka: verdict=verified traces=2 exhaustive=any
// mazurka: techniques="optimal source dpor sleep unfolding unfolding:1 unfolding:2"
//
// What is sent is copied, and the receiver may use it: no data race. Two orders of the two sends.
#include <mazurka/messages.hpp>

#include <cassert>
#include <string>

mazurka::messages::Mailbox<std::string> box;

static void sender(char letter) {
  std::string text(100, letter);
  const auto sent = box.async_send(text);
  text.assign(100, '?');
  (void)sent;
}

int main() {
  mazurka::messages::run([] { sender('a'); }, [] { sender('b'); },
                         [] {
                           const std::string first = box.receive();
                           const std::string second = box.receive();
                           assert(first == std::string(100, 'a') || first == std::string(100, 'b'));
                           assert(first != second);
                         });
}
