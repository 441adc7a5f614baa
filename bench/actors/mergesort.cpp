// Mergesort by a tree of actors: like quicksort, but the list is halved. 2^I traces for I inner
// nodes. Context-sensitive paper: the list is split at n/2; the second half to come back is merged
// into the first one, which is stored.
#include <algorithm>
#include <iterator>
#include <mazurka/actors.hpp>
#include <optional>
#include <vector>

#ifndef N
#define N 9
#endif

using List = std::vector<int>;

struct Sorter {
  mazurka::Ref<Sorter> caller;
  std::optional<List> half;

  void sort(mazurka::Context& context, mazurka::Ref<Sorter> whom, const List& list) {
    caller = whom;
    if (list.size() <= 1) {
      if (caller) context.send<&Sorter::done>(caller, list);
      return;
    }
    const auto middle = list.begin() + static_cast<std::ptrdiff_t>(list.size() / 2);
    const auto one = context.spawn<Sorter>();
    const auto other = context.spawn<Sorter>();
    context.send<&Sorter::sort>(one, context.self<Sorter>(), List(list.begin(), middle));
    context.send<&Sorter::sort>(other, context.self<Sorter>(), List(middle, list.end()));
  }
  void done(mazurka::Context& context, const List& list) {
    if (!half) {
      half = list;
      return;
    }
    List merged;
    std::merge(half->begin(), half->end(), list.begin(), list.end(), std::back_inserter(merged));
    half = merged;
    if (caller) context.send<&Sorter::done>(caller, merged);
  }
};

void set_up(mazurka::Setup& system) {
  List list;
  for (int at = 0; at < N; ++at) list.push_back((at * 7 + 3) % N);
  system.send<&Sorter::sort>(system.spawn<Sorter>(), mazurka::Ref<Sorter>(), list);
}

int main() { return mazurka::run(set_up); }
