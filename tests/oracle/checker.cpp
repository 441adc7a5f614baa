#include "oracle/checker.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <stdexcept>
#include <utility>

#include "explorers/table.hpp"
#include "oracle/model_program.hpp"
#include "oracle/parted_search.hpp"

namespace mazurka::oracle {

namespace {

using Seen = Promises::Seen;

std::string covered(Seen coverage, const std::string& trace, const Truth::Ending& ending) {
  switch (coverage) {
    case Seen::traces: return trace;
    case Seen::final_states: return ending.state;
    case Seen::observed_traces: return ending.observed_trace;
    case Seen::observed_states: return ending.observable;
  }
  return {};
}

std::string in_words(Seen coverage) {
  switch (coverage) {
    case Seen::traces: return "trace";
    case Seen::final_states: return "final state";
    case Seen::observed_traces: return "observed trace";
    case Seen::observed_states: return "observed final state";
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

Promises promises_of(const Technique& technique, const Model& model) {
  return promises_of(Variant{std::string(technique.name), &technique, {}}, model);
}

Promises promises_of(const Variant& variant, const Model& model) {
  Promises promises = TechniqueRequest{variant.technique, variant.options, {}}.promises();
  // That a sequence is redundant may only turn out when its last step, an attempt, is in vain.
  if (has(model, {Op::exchange, Op::exchange_branch, Op::try_lock, Op::try_branch, Op::sem_try,
                  Op::try_share, Op::share_branch, Op::try_alone})) {
    promises.never_asleep = false;
    // An attempt counts as it is announced: what it was in vain for makes more events.
    if (variant.technique->name == "unfolding") promises.each_trace_once = false;
  }
  // To it, the order of those who share a lock counts.
  if (variant.technique->name == "reverse" &&
      has(model, {Op::share, Op::try_share, Op::share_branch})) {
    promises.each_trace_once = false;
  }
  // That a variable is awaited may only turn out when its writes have been taken for unobserved.
  if (promises.seen == Promises::Seen::observed_traces && has(model, {Op::await})) {
    promises.each_trace_once = promises.never_asleep = false;
  }
  return promises;
}

namespace {

Comparison<Truth> comparison_with(const Truth& truth, Seen coverage) {
  return Comparison<Truth>(truth, in_words(coverage),
                           [coverage](const std::string& trace, const Truth::Ending& ending) {
                             return covered(coverage, trace, ending);
                           });
}

/// The trace of the execution that the program has just performed. Empty: something is wrong.
std::string trace_of(const Model& model, const ModelProgram& program, const Execution& execution,
                     Comparison<Truth>& comparison) {
  Interleaving replay(model);
  for (std::size_t at = 0; at < execution.size(); ++at) {
    const Decision decision = execution.steps.decision(at);
    const std::size_t process = program.process_of(decision.process);
    if (!enabled(model, replay.state(), process)) {
      comparison.fail("a disabled process moved");
      return {};
    }
    replay.take({process, decision.choice});
  }
  if (replay.state().bytes() != program.state().bytes()) comparison.fail("the state is another");
  return replay.trace();
}

}  // namespace

std::string compare(const Model& model, const Truth& truth, Explorer& explorer,
                    const Promises& promises, std::uint64_t seed) {
  if (truth.inconsistent) return inconsistent_truth;
  ModelProgram program(model);
  Comparison<Truth> comparison = comparison_with(truth, promises.seen);
  return explore(program, explorer, promises, seed, comparison, [&](const Execution& execution) {
    const std::string trace = trace_of(model, program, execution, comparison);
    if (comparison.failed() || execution.ending == Ending::asleep) return;
    comparison.count(trace, execution.ending);
  });
}

std::string compare_in_parts(const Model& model, const Truth& truth, const Variant& variant,
                             std::uint64_t seed) {
  if (truth.inconsistent) return inconsistent_truth;
  const Promises promises = promises_of(variant, model);
  Comparison<Truth> comparison = comparison_with(truth, promises.seen);
  PartedSearch search;
  search.seed = seed;
  search.most_executions = 1 + seed % 7;
  search.make_explorer = [&] { return variant.make(); };
  search.make_part = [&]() -> PartedSearch::Part {
    auto program = std::make_unique<ModelProgram>(model);
    const ModelProgram* const own = program.get();
    using Ended = std::pair<std::string, Ending>;
    const auto seen = std::make_shared<std::vector<Ended>>();
    return {std::move(program),
            [&, own, seen](const Execution& execution) {
              const std::string trace = trace_of(model, *own, execution, comparison);
              if (execution.ending != Ending::asleep) seen->emplace_back(trace, execution.ending);
            },
            [&, seen] {
              for (const auto& [trace, ending] : *seen) comparison.count(trace, ending);
            }};
  };
  if (!search.run()) return search.problem;
  if (std::abs(search.explored - 1) > 1e-6) return "the parts are not the whole, by their weights";
  return comparison.conclude(search.statistics, search.findings, promises);
}

std::string compare(const Model& model, const Variant& variant, std::uint64_t seed) {
  const auto truth = enumerate_interleavings(model, most_interleavings);
  if (!truth) return {};
  return compare(model, *truth, *variant.make(), promises_of(variant, model), seed);
}

Variant variant(std::string_view name) {
  TechniqueRequest request = parse_technique(name);
  if (!request.error.empty()) throw std::invalid_argument(request.error);
  return {std::string(name), request.technique, std::move(request.options)};
}

std::vector<Variant> all_variants() {
  std::vector<Variant> variants;
  for (const Technique* technique : general_techniques()) {
    for (const std::string& name : variants_of(*technique)) variants.push_back(variant(name));
  }
  return variants;
}

}  // namespace mazurka::oracle
