// Sorting by a pipeline: each stage keeps the smallest value that it sees and hands the others on.
// 288 traces for four values.
// Paper (TransDPOR): [feed(list) -> left]; feed creates the first stage once, sends it the head and
// itself the tail; feed of the empty list is a message, too. List 98 163 979 92. With -DREADY
// (context-sensitive paper) the first stage is there from the beginning.
#include <mazurka/actors.hpp>
#include <vector>

#ifndef N
#define N 4
#endif

struct Stage {
  mazurka::Ref<Stage> out;
  int kept = -1;

  void push(mazurka::Context& context, int value) {
    if (kept < 0) {
      kept = value;
      return;
    }
    if (!out) out = context.spawn<Stage>();
    const int larger = value > kept ? value : kept;
    kept = value > kept ? kept : value;
    context.send<&Stage::push>(out, larger);
  }
};

struct Left {
  mazurka::Ref<Stage> first;

  void feed(mazurka::Context& context, const std::vector<int>& list) {
    if (list.empty()) return;
    if (!first) first = context.spawn<Stage>();
    context.send<&Stage::push>(first, list.front());
    context.send<&Left::feed>(context.self<Left>(), std::vector<int>(list.begin() + 1, list.end()));
  }
};

void set_up(mazurka::Setup& system) {
  std::vector<int> list{98, 163, 979, 92, 500, 7};
  list.resize(N);
  const auto left = system.spawn<Left>();
#ifdef READY
  system.state(left).first = system.spawn<Stage>();
#endif
  system.send<&Left::feed>(left, list);
}

int main() { return mazurka::run(set_up); }
