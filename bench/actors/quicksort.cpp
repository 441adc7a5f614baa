// Quicksort by a tree of actors: each inner node's two halves come back in either order, 2^I
// traces. Paper (TransDPOR): [boot]; the sorter that boot creates keeps the result (nobody is
// told); the list is 81 28 47 38 97 98. With -DNO_BOOT (context-sensitive paper) the first sorter
// is there from the beginning and stores its result; -DN=9, 12, 15 choose the list.
#include <mazurka/actors.hpp>
#include <optional>
#include <vector>

#ifndef N
#define N 6
#endif

using List = std::vector<int>;

struct Sorter {
  mazurka::Ref<Sorter> caller;
  std::optional<List> half;

  void boot(mazurka::Context& context, const List& list) {
    context.send<&Sorter::sort>(context.spawn<Sorter>(), mazurka::Ref<Sorter>(), list);
  }
  void sort(mazurka::Context& context, mazurka::Ref<Sorter> whom, const List& list) {
    caller = whom;
    if (trivial(list)) {
      if (caller) context.send<&Sorter::done>(caller, list);
      return;
    }
    List left;
    List right;
    split(list, left, right);
    const auto one = context.spawn<Sorter>();
    const auto other = context.spawn<Sorter>();
    context.send<&Sorter::sort>(one, context.self<Sorter>(), left);
    context.send<&Sorter::sort>(other, context.self<Sorter>(), right);
  }
  void done(mazurka::Context& context, const List& list) {
    if (!half) {
      half = list;
      return;
    }
    List full = half->front() < list.front() ? *half : list;
    const List& rest = half->front() < list.front() ? list : *half;
    full.insert(full.end(), rest.begin(), rest.end());
#ifdef NO_BOOT
    half = full;
#endif
    if (caller) context.send<&Sorter::done>(caller, full);
  }

  static bool trivial(const List& list) {
    for (const int value : list) {
      if (value != list.front()) return false;
    }
    return true;
  }
  // What equals the pivot goes to the shorter side.
  static void split(const List& list, List& left, List& right) {
    List equal;
    for (const int value : list) {
      (value < list.front() ? left : value > list.front() ? right : equal).push_back(value);
    }
    List& shorter = right.size() <= left.size() ? right : left;
    shorter.insert(shorter.end(), equal.begin(), equal.end());
  }
};

// TransDPOR's list, and more of the kind. A list of d different values makes d - 1 inner nodes; the
// context-sensitive paper's lists are not published, and its counts, which are too small but not by
// much (docs/actors.md), fit 8, 10 and 13 different values among 9, 12 and 15.
List numbers() {
  List list{81, 28, 47, 38, 97, 98, 15, 60, 47, 72, 33, 28, 5, 54, 90};
  list.resize(N);
  return list;
}

void set_up(mazurka::Setup& system) {
  const auto root = system.spawn<Sorter>();
#ifdef NO_BOOT
  system.send<&Sorter::sort>(root, mazurka::Ref<Sorter>(), numbers());
#else
  system.send<&Sorter::boot>(root, numbers());
#endif
}

int main() { return mazurka::run(set_up); }
