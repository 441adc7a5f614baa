// Executions of actors whose length can be chosen: two of them send a message to themselves again
// and again, about as often as the first argument says between them, and in the end one to a third.
// 2 traces: which of the two it handles first.
#include <mazurka/actors.hpp>

#include <cstdlib>

static int letters;

struct Listener {
  int first = -1;
  void hear(int from) {
    if (first < 0) first = from;
  }
};

struct Writer {
  mazurka::Ref<Listener> listener;
  int number = 0;

  void write(mazurka::Context& context, int left) {
    if (left == 0) {
      context.send<&Listener::hear>(listener, number);
    } else {
      context.send<&Writer::write>(context.self<Writer>(), left - 1);
    }
  }
};

static void set_up(mazurka::Setup& system) {
  const auto listener = system.spawn<Listener>();
  for (int number = 0; number < 2; ++number) {
    system.send<&Writer::write>(system.spawn<Writer>(listener, number), letters);
  }
}

int main(int count, char** arguments) {
  if (count != 2) return 2;
  letters = std::atoi(arguments[1]) / 2;
  return mazurka::run(set_up);
}
