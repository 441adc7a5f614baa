// mazurka::check: the engine in the caller's own process.
#include "programs/actors/check.hpp"

#include <algorithm>
#include <exception>
#include <string_view>

#include "driver/driver.hpp"
#include "explorers/table.hpp"
#include "host/deliveries.hpp"
#include "programs/actors/storyteller.hpp"

namespace mazurka {

namespace actors {

std::optional<Order> parse_order(const std::string& text) {
  if (text.empty() || text == "fifo") return Order::fifo;
  if (text == "eca") return Order::eca;
  if (text == "lca") return Order::lca;
  if (text == "urgent") return Order::urgent;
  return std::nullopt;
}

std::string refusal(const TechniqueRequest& technique, const ActorProgram& program,
                    bool sleep_sets) {
  if (technique.technique == nullptr || !technique.error.empty()) return technique.error;
  if (technique.technique->needs == Needs::graphs) {
    return "the technique `graphs` explores what threads do with atomic variables; use reverse";
  }
  if (technique.technique->needs == Needs::states && !program.has_states()) {
    return "the technique `" + std::string(technique.technique->name) +
           "` compares states, and invariants look at what happens on the way; use optimal";
  }
  const std::string_view name = technique.technique->name;
  if (!sleep_sets && !technique.technique->does_without_sleep) {
    return "sleep sets can be left out with dpor and trans only, not with `" + std::string(name) +
           "`";
  }
  return {};
}

Plan plan_of(const std::string& name, const TechniqueRequest& technique, const Limits& limits) {
  Plan plan;
  plan.technique = name;
  plan.make = [technique] { return technique.make(); };
  plan.limits = limits;
  return plan;
}

Performed perform(ActorProgram& program, const std::vector<Decision>& decisions,
                  const Finding* finding, std::uint64_t max_events, ProcessNames names) {
  Execution execution;
  Run run(program.vocabulary(), names, execution);
  run.start({.prefix = decisions}, {std::max<std::uint64_t>(max_events, 1), true, 0});
  std::vector<std::string> states;
  program.observe([&](const Mail& delivered) {
    const Configuration& now = program.configuration();
    const Actor& receiver = now.population()[delivered.receiver];
    states.push_back(receiver.dead ? "ended" : receiver.type->value.show(receiver.state, now));
  });
  program.run(run);
  program.observe({});
  run.finish_execution();
  Performed performed;
  performed.findings = std::move(run.findings());
  performed.divergence = run.divergence();
  performed.ending = execution.ending;
  if (finding == nullptr && !performed.findings.empty()) finding = &performed.findings.front();
  performed.story = tell(program.configuration(), finding, states);
  return performed;
}

namespace {

void explore(const System& system, const CheckOptions& options, CheckResult& result) {
  const TechniqueRequest technique = parse_technique(options.technique);
  ActorProgram program(system, options.order);
  result.error = refusal(technique, program, options.sleep_sets);
  if (!result.error.empty()) return;
  const Limits limits{.max_executions = options.max_executions,
                      .max_seconds = options.max_seconds,
                      .max_events = options.max_events,
                      .keep_going = options.keep_going,
                      .seed = options.seed,
                      .sleep_sets = options.sleep_sets};
  Subject subject(program);
  Watcher nobody;
  Driver driver(subject, nobody, plan_of(options.technique, technique, limits));
  const Explored explored = driver.explore();
  const Statistics& counts = explored.statistics;
  result.complete = explored.complete && counts.cut == 0;
  result.executions = counts.executions;
  result.asleep = counts.asleep;
  result.transitions = counts.transitions;
  result.events = counts.events;
  result.seconds = explored.seconds;
  result.error = explored.refusal;
  if (explored.divergence) {
    result.error = "a handler does not depend on its state and its message alone";
  }
  driver.tell(explored.findings, [&](const Finding& finding, const auto&) {
    const Performed again = perform(program, finding.schedule, &finding, options.max_events);
    result.problems.push_back(
        {std::string(name(finding.kind)), finding.message, host::lines_of(again.story)});
  });
}

}  // namespace
}  // namespace actors

CheckResult check(const System& system, const CheckOptions& options) {
  CheckResult result;
  try {
    actors::explore(system, options, result);
  } catch (const std::exception& problem) {
    result.error = problem.what();
  }
  return result;
}

}  // namespace mazurka
