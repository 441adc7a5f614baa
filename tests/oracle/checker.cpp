#include "oracle/checker.hpp"

#include <algorithm>
#include <initializer_list>
#include <stdexcept>

#include "explorers/registry.hpp"
#include "oracle/model_program.hpp"

namespace mazurka::oracle {

namespace {

std::string covered(Coverage coverage, const std::string& trace, const Truth::Ending& ending) {
  switch (coverage) {
    case Coverage::traces: return trace;
    case Coverage::final_states: return ending.state;
    case Coverage::observed_traces: return ending.observed_trace;
    case Coverage::observed_states: return ending.observable;
  }
  return {};
}

std::string in_words(Coverage coverage) {
  switch (coverage) {
    case Coverage::traces: return "trace";
    case Coverage::final_states: return "final state";
    case Coverage::observed_traces: return "observed trace";
    case Coverage::observed_states: return "observed final state";
  }
  return {};
}

bool has(const Model& model, std::initializer_list<Op> ops) {
  return std::any_of(model.processes.begin(), model.processes.end(), [&](const auto& process) {
    return std::any_of(process.steps.begin(), process.steps.end(), [&](const ModelStep& step) {
      return std::find(ops.begin(), ops.end(), step.op) != ops.end();
    });
  });
}

}  // namespace

Promises promises_of(std::string_view technique, const Model& model) {
  // That a sequence is redundant may only turn out when its last step, an attempt, is in vain.
  const bool attempts =
      has(model, {Op::exchange, Op::exchange_branch, Op::try_lock, Op::try_branch, Op::sem_try});
  if (technique == "optimal-observers") {
    // That a variable is awaited may only turn out when its writes have been taken for unobserved.
    const bool known_from_the_start = !has(model, {Op::await});
    return {.coverage = Coverage::observed_traces,
            .each_trace_once = known_from_the_start,
            .never_asleep = known_from_the_start && !attempts};
  }
  if (technique == "source-context" || technique == "optimal-context") {
    return {.coverage = Coverage::final_states};
  }
  if (technique == "optimal-context-observers") return {.coverage = Coverage::observed_states};
  return {.each_trace_once = technique != "exhaustive",
          .never_asleep = technique == "optimal" && !attempts,
          .every_interleaving = technique == "exhaustive"};
}

std::string compare(const Model& model, const Truth& truth, Explorer& explorer,
                    const Promises& promises, std::uint64_t seed) {
  if (truth.inconsistent) return inconsistent_truth;
  ModelProgram program(model);
  const Coverage coverage = promises.coverage;
  Comparison<Truth> comparison(truth, in_words(coverage),
                               [coverage](const std::string& trace, const Truth::Ending& ending) {
                                 return covered(coverage, trace, ending);
                               });
  return explore(program, explorer, promises, seed, comparison, [&](const Execution& execution) {
    Interleaving replay(model);
    for (std::size_t at = 0; at < execution.size(); ++at) {
      const Decision decision = execution.steps.decision(at);
      const std::size_t process = program.process_of(decision.process);
      if (!enabled(model, replay.state(), process)) {
        comparison.fail("a disabled process moved");
        return;
      }
      replay.take({process, decision.choice});
    }
    if (replay.state().bytes() != program.state().bytes()) comparison.fail("the state is another");
    if (execution.ending != Ending::asleep) comparison.count(replay.trace(), execution.ending);
  });
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
