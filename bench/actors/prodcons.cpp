// A producer and a consumer share a buffer that is large enough; an empty buffer is no reason to
// wait. The buffer's 2N messages come in C(2N, N) orders, which lead to 2^N final states.
// Context-sensitive paper, Fig. 3. Each await is an `ask` whose answer resumes the loop. With
// -DDIRECT the loops run inside the buffer's own messages, so that only these count as states
// (Table 1).
#include <deque>
#include <mazurka/actors.hpp>
#include <vector>

#ifndef N
#define N 3
#endif

struct Buffer {
  std::deque<int> items;

  void store(mazurka::Context& context, int item, int left) {
    items.push_back(item);
    if (left > 0) context.send<&Buffer::store>(context.self<Buffer>(), item + 1, left - 1);
  }
  int take(mazurka::Context& context, int left) {
    if (left > 0) context.send<&Buffer::take>(context.self<Buffer>(), left - 1);
    const int item = items.empty() ? 0 : items.front();
    if (!items.empty()) items.pop_front();
#ifdef DIRECT
    taken.push_back(item);
#endif
    return item;
  }
#ifdef DIRECT
  std::vector<int> taken;
#endif
};

struct Producer {
  mazurka::Ref<Buffer> buffer;

  void produce(mazurka::Context& context, int item) {
    if (item > N) return;
    context.await<&Producer::produce>(context.ask<&Buffer::store>(buffer, item, 0), item + 1);
  }
};

struct Consumer {
  mazurka::Ref<Buffer> buffer;
  std::vector<int> taken;

  void consume(mazurka::Context& context, int left) {
    if (left == 0) return;
    context.await<&Consumer::took>(context.ask<&Buffer::take>(buffer, 0), left - 1);
  }
  void took(mazurka::Context& context, int item, int left) {
    taken.push_back(item);
    consume(context, left);
  }
};

void set_up(mazurka::Setup& system) {
  const auto buffer = system.spawn<Buffer>();
#ifdef DIRECT
  system.send<&Buffer::store>(buffer, 1, N - 1);
  system.send<&Buffer::take>(buffer, N - 1);
#else
  system.send<&Producer::produce>(system.spawn<Producer>(buffer), 1);
  system.send<&Consumer::consume>(system.spawn<Consumer>(buffer), N);
#endif
}

int main() { return mazurka::run(set_up); }
