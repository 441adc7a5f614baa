// mazurka: verdict=finding finding=orphan traces=2 options="--keep-going" message="never received"
// mazurka: techniques="optimal source dpor sleep unfolding unfolding:1 unfolding:2"
//
// Two messages, of which only one is asked for.
#include <mazurka/messages.hpp>

mazurka::messages::Mailbox<int> box;

int main() {
  mazurka::messages::run([] { box.async_send(1); }, [] { box.async_send(2); },
                         [] { (void)box.receive(); });
}
