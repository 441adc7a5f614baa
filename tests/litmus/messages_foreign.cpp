// mazurka: verdict=finding finding=misuse traces=1 options="--keep-going"
// mazurka: techniques="optimal source dpor sleep unfolding unfolding:1 unfolding:2"
// mazurka: message="of another actor"
//
// main makes a request and an actor waits for it.
#include <mazurka/messages.hpp>

mazurka::messages::Mailbox<int> box;

int main() {
  auto request = box.async_send(1);
  mazurka::messages::run([&] { request.wait(); });
}
