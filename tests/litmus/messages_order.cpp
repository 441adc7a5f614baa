// mazurka: verdict=finding finding=deadlock options="--keep-going"
// mazurka: techniques="optimal unfolding optimal-context optimal-context-observers"
//
// Whose message comes first decides whether the first actor finds a partner. Sends do not commute,
// so the techniques that compare states must try both orders too.
#include <mazurka/messages.hpp>

mazurka::messages::Mailbox<int> box;
mazurka::messages::Mailbox<int> answer;

int main() {
  mazurka::messages::run(
      [] {
        (void)box.receive();
        answer.send(1);
        (void)box.receive();
      },
      [] {
        box.send(1);
        (void)answer.receive();
      },
      [] { box.send(2); });
}
