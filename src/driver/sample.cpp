#include "driver/sample.hpp"

namespace mazurka {

namespace {

constexpr std::uint64_t sample_size = 20'000;

}  // namespace

Sample take_sample(Program& program, Explorer& explorer, Limits limits) {
  if (limits.max_executions == 0 || limits.max_executions > sample_size) {
    limits.max_executions = sample_size;
  }
  Sample sample;
  Session session(program, limits);
  session.on_execution = [&](const Execution& execution) {
    if (execution.ending == Ending::asleep || execution.ending == Ending::impossible) return;
    std::vector<Decision>& decisions = sample.schedules.emplace_back();
    for (std::size_t at = 0; at < execution.size(); ++at) {
      decisions.push_back(execution.steps.decision(at));
    }
  };
  explorer.explore(session);
  sample.names = session.names();
  return sample;
}

}  // namespace mazurka
