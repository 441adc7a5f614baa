// A server gives up after the first of two requests; the other one is never received.
#include <mazurka/messages.hpp>

using mazurka::messages::Mailbox;

static Mailbox<int> requests;
static Mailbox<int> answers;

static void server() { answers.send(requests.receive() + 1); }

static void client(int number) {
  const auto sent = requests.async_send(number);
  (void)sent;
}

int main() {
  mazurka::messages::run(
      server, [] { client(1); }, [] { client(2); }, [] { (void)answers.receive(); });
}
