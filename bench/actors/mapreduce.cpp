// Map and reduce: a master hands out chunks, mappers send each word to the reducer in charge of it,
// and reducers report to the master when every mapper has told them that it is done. The 2023
// paper's Table 3 (MapRed) is a program of 440 lines that is not published; this one has its
// structure, so its counts are its own.
#include <mazurka/actors.hpp>
#include <vector>

#ifndef MAPPERS
#define MAPPERS 2
#endif
#ifndef REDUCERS
#define REDUCERS 2
#endif

struct Master {
  int reports = 0;
  int total = 0;
  void report(mazurka::Context& context, int count) {
    total += count;
    ++reports;
    context.expect(reports <= REDUCERS, "every reducer reports once");
  }
};

struct Reducer {
  mazurka::Ref<Master> master;
  int count = 0;
  int expected = 0;
  int finished = 0;

  void mapped(mazurka::Context& context, int sent) {
    // The mapper says how many words it has sent here: they may still be on their way.
    finished += 1;
    expected += sent;
    settle(context);
  }
  void add(mazurka::Context& context, int words) {
    count += words;
    settle(context);
  }
  void settle(mazurka::Context& context) {
    if (finished == MAPPERS && count == expected) context.send<&Master::report>(master, count);
  }
};

struct Mapper {
  std::vector<mazurka::Ref<Reducer>> reducers;
  void map(mazurka::Context& context, const std::vector<int>& chunk) {
    std::vector<int> sent(reducers.size(), 0);
    for (const int word : chunk) ++sent[static_cast<std::size_t>(word) % reducers.size()];
    for (std::size_t at = 0; at < reducers.size(); ++at) {
      if (sent[at] > 0) context.send<&Reducer::add>(reducers[at], sent[at]);
      context.send<&Reducer::mapped>(reducers[at], sent[at]);
    }
  }
};

void set_up(mazurka::Setup& system) {
  const auto master = system.spawn<Master>();
  std::vector<mazurka::Ref<Reducer>> reducers;
  for (int at = 0; at < REDUCERS; ++at) reducers.push_back(system.spawn<Reducer>(master));
  for (int at = 0; at < MAPPERS; ++at) {
    const auto mapper = system.spawn<Mapper>(reducers);
    system.send<&Mapper::map>(mapper, std::vector<int>{at, at + 1, at + 2});
  }
  system.finally("all words are counted",
                 [=](const mazurka::View& view) { return view[master].total == 3 * MAPPERS; });
}

int main() { return mazurka::run(set_up); }
