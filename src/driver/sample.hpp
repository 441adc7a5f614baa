// Some of the executions that an exploration performs, to be timed without it.
#pragma once

#include <chrono>
#include <vector>

#include "core/explorer.hpp"
#include "core/program.hpp"
#include "core/session.hpp"

namespace mazurka {

struct Sample {
  std::vector<std::vector<Decision>> schedules;
  ProcessNames names;  // of the processes in them
};

/// Explores once more to collect them.
[[nodiscard]] Sample take_sample(Program& program, Explorer& explorer, Limits limits);

/// Performs them, and calls `after` after each. Returns the seconds that this took.
template <typename After>
double replay(Program& program, Sample& sample, const RunLimits& limits, After&& after) {
  Execution execution;
  Run run(program.vocabulary(), sample.names, execution);
  const auto begin = std::chrono::steady_clock::now();
  for (const std::vector<Decision>& decisions : sample.schedules) {
    run.start({.prefix = decisions}, limits);
    program.run(run);
    run.finish_execution();
    after();
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace mazurka
