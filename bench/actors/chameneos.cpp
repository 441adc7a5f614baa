// Creatures meet in pairs at a broker and take a new colour after each meeting; N meetings take
// place among three creatures. 216 traces for N = 2. Paper: [boot -> broker]; boot creates three
// creatures and starts each at once.
#include <mazurka/actors.hpp>

#ifndef N
#define N 2
#endif

struct Creature;

struct Broker {
  int meetings = 0;  // still to take place
  mazurka::Ref<Creature> waiting;
  int waiting_colour = 0;

  void boot(mazurka::Context& context, int number);
  void hook(mazurka::Context& context, mazurka::Ref<Creature> who, int colour);
};

struct Creature {
  mazurka::Ref<Broker> broker;
  int colour = 0;
  bool stopped = false;

  void start(mazurka::Context& context) {
    context.send<&Broker::hook>(broker, context.self<Creature>(), colour);
  }
  void meet(mazurka::Context& context, int other) {
    if (colour != other) colour = 3 - colour - other;
    context.send<&Broker::hook>(broker, context.self<Creature>(), colour);
  }
  void stop() { stopped = true; }
};

void Broker::boot(mazurka::Context& context, int number) {
  meetings = number;
  for (int colour = 0; colour < 3; ++colour) {
    const auto creature = context.spawn<Creature>(context.self<Broker>(), colour);
    context.send<&Creature::start>(creature);
  }
}

void Broker::hook(mazurka::Context& context, mazurka::Ref<Creature> who, int colour) {
  if (meetings == 0) {
    context.send<&Creature::stop>(who);
    return;
  }
  if (!waiting) {
    waiting = who;
    waiting_colour = colour;
    return;
  }
  context.send<&Creature::meet>(waiting, colour);
  context.send<&Creature::meet>(who, waiting_colour);
  waiting = {};
  --meetings;
}

void set_up(mazurka::Setup& system) { system.send<&Broker::boot>(system.spawn<Broker>(), N); }

int main() { return mazurka::run(set_up); }
