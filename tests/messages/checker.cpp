#include "messages/checker.hpp"

#include <map>
#include <set>

#include "core/session.hpp"
#include "explorers/registry.hpp"
#include "messages/model_program.hpp"

namespace mazurka::messages {

namespace {

class Comparison {
 public:
  Comparison(const Model& model, const Truth& truth) : model_(model), truth_(truth) {}

  void take_in(const Execution& execution, const ModelProgram& program) {
    if (!problem_.empty()) return;
    std::vector<Move> moves;
    for (std::size_t at = 0; at < execution.size(); ++at) {
      const Decision decision = execution.steps.decision(at);
      moves.push_back({index(decision.process), decision.choice});
    }
    const auto performed = perform(model_, moves);
    if (!performed) {
      problem_ = "a disabled actor moved";
    } else if (performed->state != program.machine().actors_text()) {
      problem_ = "the state is another: " + program.machine().actors_text() + " instead of " +
                 performed->state;
    } else if (execution.ending != Ending::asleep) {
      count(performed->trace, execution.ending == Ending::deadlock);
    }
  }

  std::string conclude(const Session& session, const Promises& promises) {
    if (!problem_.empty()) return problem_;
    for (const auto& [trace, ending] : truth_.traces) {
      if (!times_.contains(trace)) return "trace " + trace + " is missing";
    }
    for (const auto& [trace, times] : times_) {
      if (promises.each_trace_once && times > 1) return "trace " + trace + " was explored twice";
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
  void count(const std::string& trace, bool deadlock) {
    const auto known = truth_.traces.find(trace);
    if (known == truth_.traces.end()) {
      problem_ = "trace " + trace + " does not exist";
    } else if (known->second.deadlock != deadlock) {
      problem_ = "trace " + trace + " ends in another way";
    } else {
      ++times_[trace];
    }
  }

  const Model& model_;
  const Truth& truth_;
  std::map<std::string, std::uint64_t> times_;
  std::string problem_;
};

}  // namespace

Promises promises_of(const std::string& technique) {
  if (technique == "exhaustive") return {.every_interleaving = true};
  return {.each_trace_once = true,
          .never_asleep = technique == "optimal" || technique == "unfolding"};
}

const std::vector<std::string>& technique_names() {
  static const std::vector<std::string> names{"exhaustive",  "sleep",      "dpor",
                                              "source",      "optimal",    "unfolding",
                                              "unfolding:1", "unfolding:2"};
  return names;
}

std::string compare(const Model& model, const Truth& truth, Explorer& explorer,
                    const Promises& promises, std::uint64_t seed) {
  if (truth.inconsistent) return "one trace ends in two states: the oracle is wrong";
  ModelProgram program(model);
  Session session(program, {.max_executions = 100'000, .keep_going = true, .seed = seed});
  Comparison comparison(model, truth);
  session.on_execution = [&](const Execution& execution) {
    comparison.take_in(execution, program);
  };
  const bool all = explorer.explore(session);
  if (session.divergence()) return "a schedule could not be performed";
  if (!all) return "the search gave up";
  return comparison.conclude(session, promises);
}

std::string compare(const Model& model, const std::string& technique, std::uint64_t seed) {
  const auto truth = enumerate_interleavings(model, most_interleavings);
  if (!truth) return {};
  const TechniqueRequest request = parse_technique(technique);
  if (!request.error.empty()) return request.error;
  return compare(model, *truth, *request.make(), promises_of(technique), seed);
}

}  // namespace mazurka::messages
