// mazurka::caf::check: the engine in the caller's own process.
#include <exception>
#include <string>

#include "driver/driver.hpp"
#include "explorers/table.hpp"
#include "host/deliveries.hpp"
#include "mazurka/caf.hpp"
#include "programs/actors/failures.hpp"
#include "programs/caf/check.hpp"
#include "programs/caf/v017/coordinator.hpp"
#include "programs/caf/v017/self_test.hpp"
#include "programs/caf/v017/world.hpp"

namespace mazurka::caf {

namespace {

std::string words_of(const CheckOptions& options) {
  std::string words = options.channels + "," + options.timeouts;
  for (const std::string& what : options.allow) words += ",allow-" + what;
  if (options.left) words += ",forbid-left";
  return words;
}

void explore(System& system, const Rules& rules, const CheckOptions& options, CheckResult& result) {
  const TechniqueRequest technique = parse_technique(options.technique);
  result.error = refusal(technique, true);
  if (!result.error.empty()) return;
  CafProgram program(system, rules);
  if (technique.technique->needs == Needs::messages) program.expect_deliveries_only();
  const Limits limits{.max_executions = options.max_executions,
                      .max_seconds = options.max_seconds,
                      .max_events = options.max_events,
                      .keep_going = options.keep_going,
                      .seed = options.seed};
  CafSubject subject(program);
  Watcher nobody_looks_on;
  Driver driver(subject, nobody_looks_on, plan_of(options.technique, technique, limits));
  const Explored explored = driver.explore();
  result.complete = explored.complete && explored.statistics.cut == 0;
  result.executions = explored.statistics.executions;
  result.asleep = explored.statistics.asleep;
  result.events = explored.statistics.events;
  result.seconds = explored.seconds;
  result.error = explored.refusal;
  if (explored.divergence) {
    result.error = "a handler does not depend on its state and its message alone";
  }
  if (program.has_too_many_messages()) {
    result.complete = false;
    result.error = "the test sends more than 65,534 messages: does it come to an end?";
  }
  if (!program.refusal().empty()) {
    result.error = "the program does what can not be explored: " + program.refusal();
    return;
  }
  driver.tell(explored.findings, [&](const Finding& finding, const auto&) {
    const Performed again = perform(program, finding.schedule, &finding, options.max_events);
    result.problems.push_back({std::string(mazurka::name(finding.kind)),
                               in_words(finding, again).message, host::lines_of(again.story)});
  });
}

}  // namespace

void Test::run_until_idle() { v017::active_world()->await_idle(); }

void Test::expect(bool condition, const std::string& text) {
  if (!condition) throw actors::Expectation{text};
}

void Test::name(const ::caf::actor& actor, const std::string& name) {
  v017::active_world()->put_name(*::caf::actor_cast<::caf::abstract_actor*>(actor), name);
}

std::string CheckResult::text() const {
  if (!error.empty()) return error;
  std::string all = verified() ? "verified" : "";
  if (!complete && problems.empty()) all = "not everything was explored";
  for (const Problem& problem : problems) {
    all += problem.kind + ": " + problem.message + "\n" + problem.chart;
  }
  return all + " (" + std::to_string(executions) + " executions)";
}

CheckResult check(const std::function<void(Test&)>& test, const CheckOptions& options) {
  CheckResult result;
  try {
    std::string words = words_of(options);
    const auto rules = parse_rules(words);
    if (!rules) {
      result.error = "there is no setting `" + words + "`";
      return result;
    }
    ::caf::actor_system_config config;
    v017::use_coordinator(config);
    ::caf::actor_system system(config);
    result.error = v017::self_test(system);
    if (!result.error.empty()) return result;
    v017::World world(system, [&test](::caf::actor_system& sys) {
      Test now(sys);
      test(now);
    });
    explore(world, *rules, options, result);
  } catch (const std::exception& problem) {
    result.error = problem.what();
  }
  return result;
}

}  // namespace mazurka::caf
