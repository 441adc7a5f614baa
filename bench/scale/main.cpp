// mazurka-scale: what bench/scale.py can not do fast enough itself.
//
//   mazurka-scale server ADDRESS REST CLIENTS SECONDS        costs of a server, as CSV
//   mazurka-scale simulate FILE START POLL TASK ROUND_TRIP SLOWER WORKERS...     courses, as CSV
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "server.hpp"
#include "simulation.hpp"

namespace {

using namespace mazurka::scale;

int tell_server(const std::vector<std::string>& words) {
  const ServerCosts costs =
      measure_server(words.at(1), std::stoul(words.at(2)),
                     static_cast<unsigned>(std::stoul(words.at(3))), std::stod(words.at(4)));
  std::printf("task,poll,round_trip,tasks_per_second\n%.9f,%.9f,%.9f,%.1f\n", costs.task,
              costs.poll, costs.round_trip, costs.tasks_per_second);
  return 0;
}

int tell_simulations(const std::vector<std::string>& words) {
  const Tree tree(words.at(1));
  const Costs costs{std::stod(words.at(2)), std::stod(words.at(3)), std::stod(words.at(4)),
                    std::stod(words.at(5))};
  const double slower = std::stod(words.at(6));
  std::printf("workers,seconds,speed_up,server,tasks,most_waiting,executions\n");
  for (std::size_t at = 7; at < words.size(); ++at) {
    const auto workers = static_cast<unsigned>(std::stoul(words[at]));
    const Course course = simulate(tree, costs, workers, slower);
    std::printf("%u,%.6f,%.3f,%.4f,%lu,%lu,%lu\n", workers, course.seconds, course.speed_up,
                course.server, course.tasks, course.most_waiting, course.executions);
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  try {
    if (!words.empty() && words[0] == "server") return tell_server(words);
    if (!words.empty() && words[0] == "simulate") return tell_simulations(words);
    std::fprintf(stderr, "mazurka-scale: server or simulate\n");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "mazurka-scale: %s\n", error.what());
  }
  return 2;
}
