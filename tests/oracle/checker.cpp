#include "oracle/checker.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include "core/session.hpp"
#include "explorers/registry.hpp"
#include "oracle/model_program.hpp"

namespace mazurka::oracle {

namespace {

class Comparison {
 public:
  Comparison(const Model& model, const Truth& truth, Coverage coverage)
      : model_(model), truth_(truth), coverage_(coverage) {}

  void take_in(const Execution& execution, const ModelProgram& program) {
    if (!problem_.empty()) return;
    Interleaving replay(model_);
    for (std::size_t at = 0; at < execution.size(); ++at) {
      const Decision decision = execution.steps.decision(at);
      const std::size_t process = program.process_of(decision.process);
      if (!enabled(model_, replay.state(), process)) {
        problem_ = "a disabled process moved";
        return;
      }
      replay.take({process, decision.choice});
    }
    if (replay.state().bytes() != program.state().bytes()) problem_ = "the state is another";
    if (execution.ending == Ending::asleep) return;
    const std::string trace = replay.trace();
    const auto known = truth_.traces.find(trace);
    if (known == truth_.traces.end()) {
      problem_ = "trace " + trace + " does not exist";
    } else if (known->second.deadlock != (execution.ending == Ending::deadlock)) {
      problem_ = "trace " + trace + " ends in another way";
    } else {
      ++times_[covered(trace, known->second)];
    }
  }

  std::string conclude(const Session& session, const Promises& promises) {
    if (!problem_.empty()) return problem_;
    for (const auto& [trace, ending] : truth_.traces) {
      if (!times_.contains(covered(trace, ending))) return what() + " of " + trace + " is missing";
    }
    for (const auto& [thing, times] : times_) {
      if (promises.each_trace_once && times > 1) return "a " + what() + " was completed twice";
    }
    const Statistics& statistics = session.statistics();
    if (promises.never_asleep && statistics.asleep != 0) return "an execution ended asleep";
    if (promises.every_interleaving && statistics.executions != truth_.interleavings) {
      return std::to_string(statistics.executions) + " executions of " +
             std::to_string(truth_.interleavings) + " interleavings";
    }
    std::set<std::string> failures;
    for (const Finding& finding : session.findings()) {
      failures.insert(finding.kind == FindingKind::deadlock ? "deadlock" : finding.key);
    }
    if (failures != truth_.failures) return "the findings differ";
    return {};
  }

 private:
  [[nodiscard]] std::string covered(const std::string& trace, const Truth::Ending& ending) const {
    switch (coverage_) {
      case Coverage::traces: return trace;
      case Coverage::final_states: return ending.state;
      case Coverage::observed_traces: return ending.observed_trace;
      case Coverage::observed_states: return ending.observable;
    }
    return {};
  }
  [[nodiscard]] std::string what() const {
    switch (coverage_) {
      case Coverage::traces: return "trace";
      case Coverage::final_states: return "final state";
      case Coverage::observed_traces: return "observed trace";
      case Coverage::observed_states: return "observed final state";
    }
    return {};
  }

  const Model& model_;
  const Truth& truth_;
  Coverage coverage_;
  std::map<std::string, std::uint64_t> times_;
  std::string problem_;
};

}  // namespace

namespace {

bool awaits_a_value(const Model& model) {
  return std::any_of(model.processes.begin(), model.processes.end(), [](const auto& process) {
    return std::any_of(process.steps.begin(), process.steps.end(),
                       [](const ModelStep& step) { return step.op == Op::await; });
  });
}

}  // namespace

Promises promises_of(std::string_view technique, const Model& model) {
  if (technique == "optimal-observers") {
    // That a variable is awaited may only turn out when its writes have been taken for unobserved.
    const bool known_from_the_start = !awaits_a_value(model);
    return {.coverage = Coverage::observed_traces,
            .each_trace_once = known_from_the_start,
            .never_asleep = known_from_the_start};
  }
  if (technique == "source-context" || technique == "optimal-context") {
    return {.coverage = Coverage::final_states};
  }
  if (technique == "optimal-context-observers") return {.coverage = Coverage::observed_states};
  return {.each_trace_once = technique != "exhaustive",
          .never_asleep = technique == "optimal",
          .every_interleaving = technique == "exhaustive"};
}

std::string compare(const Model& model, const Truth& truth, Explorer& explorer,
                    const Promises& promises, std::uint64_t seed) {
  if (truth.inconsistent) return "one trace ends in two states: the oracle is wrong";
  ModelProgram program(model);
  Session session(program, {.max_executions = 100'000, .keep_going = true, .seed = seed});
  Comparison comparison(model, truth, promises.coverage);
  session.on_execution = [&](const Execution& execution) {
    comparison.take_in(execution, program);
  };
  const bool all = explorer.explore(session);
  if (session.divergence()) return "a schedule could not be performed";
  if (!all) return "the search gave up";
  return comparison.conclude(session, promises);
}

std::string compare(const Model& model, const Variant& variant, std::uint64_t seed) {
  const auto truth = enumerate_interleavings(model, most_interleavings);
  if (!truth) return {};
  return compare(model, *truth, *variant.make(), promises_of(variant.technique->name, model), seed);
}

Variant variant(std::string_view name) {
  TechniqueRequest request = parse_technique(name);
  if (!request.error.empty()) throw std::invalid_argument(request.error);
  return {std::string(name), request.technique, std::move(request.options)};
}

std::vector<Variant> all_variants() {
  std::vector<Variant> variants;
  for (const Technique& technique : techniques()) {
    for (const std::string& name : variants_of(technique)) variants.push_back(variant(name));
  }
  return variants;
}

}  // namespace mazurka::oracle
