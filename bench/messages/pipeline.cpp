// A pipeline of STAGES actors through which ITEMS items flow, in order. One trace.
#include <mazurka/messages.hpp>

#include <array>
#include <cassert>
#include <string>

#ifndef STAGES
#define STAGES 3
#endif
#ifndef ITEMS
#define ITEMS 3
#endif

static std::array<mazurka::messages::Mailbox<std::string>, STAGES + 1> belt;

static void stage(std::size_t number) {
  for (int item = 0; item < ITEMS; ++item) {
    belt[number + 1].send(belt[number].receive() + static_cast<char>('a' + number));
  }
}

int main() {
  mazurka::messages::Actors actors;
  for (std::size_t number = 0; number < STAGES; ++number) actors.start(stage, number);
  actors.start([] {
    for (int item = 0; item < ITEMS; ++item) belt[0].send(std::to_string(item));
  });
  for (int item = 0; item < ITEMS; ++item) {
    const std::string arrived = belt[STAGES].receive();
    assert(arrived == std::to_string(item) + std::string("abcdefgh").substr(0, STAGES));
  }
}
