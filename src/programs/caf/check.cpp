#include "programs/caf/check.hpp"

#include <algorithm>
#include <utility>

#include "programs/caf/storyteller.hpp"

namespace mazurka::caf {

std::string refusal(const TechniqueRequest& technique, bool sleep_sets) {
  if (technique.technique == nullptr || !technique.error.empty()) return technique.error;
  const std::string name(technique.technique->name);
  if (technique.technique->needs == Needs::graphs) {
    return "the technique `graphs` explores what threads do with atomic variables; use optimal";
  }
  if (technique.technique->needs == Needs::states) {
    return "the technique `" + name +
           "` compares states, and those of CAF's actors are hidden in their handlers; use optimal";
  }
  if (!sleep_sets && !technique.technique->does_without_sleep) {
    return "sleep sets can be left out with dpor and trans only, not with `" + name + "`";
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

Performed perform(CafProgram& program, const std::vector<Decision>& decisions,
                  const Finding* finding, std::uint64_t max_events, ProcessNames names) {
  Execution execution;
  Run run(program.vocabulary(), names, execution);
  run.start({.prefix = decisions}, {std::max<std::uint64_t>(max_events, 1), true, 0});
  program.tell(true);
  program.run(run);
  program.tell(false);
  run.finish_execution();
  Performed performed;
  performed.findings = std::move(run.findings());
  performed.divergence = run.divergence();
  performed.ending = execution.ending;
  if (finding == nullptr && !performed.findings.empty()) finding = &performed.findings.front();
  performed.story = tell(program.told(), finding);
  return performed;
}

Finding in_words(const Finding& finding, const Performed& again) {
  Finding told = finding;
  for (const Finding& one : again.findings) {
    if (one.kind != finding.kind) continue;
    told.message = one.message;
    break;
  }
  return told;
}

}  // namespace mazurka::caf
