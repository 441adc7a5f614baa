#include "messages/checker.hpp"

#include "explorers/table.hpp"
#include "messages/model_program.hpp"

namespace mazurka::messages {

Promises promises_of(const std::string& technique) { return parse_technique(technique).promises(); }

const std::vector<std::string>& technique_names() {
  static const std::vector<std::string> names{"exhaustive", "sleep",       "dpor",
                                              "source",     "optimal",     "reverse",
                                              "unfolding",  "unfolding:1", "unfolding:2"};
  return names;
}

std::string compare(const Model& model, const Truth& truth, Explorer& explorer,
                    const Promises& promises, std::uint64_t seed) {
  if (truth.inconsistent) return oracle::inconsistent_truth;
  ModelProgram program(model);
  oracle::Comparison<Truth> comparison(truth);
  const auto take_in = [&](const Execution& execution) {
    std::vector<Move> moves;
    for (std::size_t at = 0; at < execution.size(); ++at) {
      const Decision decision = execution.steps.decision(at);
      moves.push_back({index(decision.process), decision.choice});
    }
    const auto performed = perform(model, moves);
    const std::string state = program.machine().actors_text();
    if (!performed) {
      comparison.fail("a disabled actor moved");
    } else if (performed->state != state) {
      comparison.fail("the state is another: " + state + " instead of " + performed->state);
    } else if (execution.ending != Ending::asleep) {
      comparison.count(performed->trace, execution.ending);
    }
  };
  return oracle::explore(program, explorer, promises, seed, comparison, take_in);
}

std::string compare(const Model& model, const std::string& technique, std::uint64_t seed) {
  const auto truth = enumerate_interleavings(model, most_interleavings);
  if (!truth) return {};
  const TechniqueRequest request = parse_technique(technique);
  if (!request.error.empty()) return request.error;
  return compare(model, *truth, *request.make(), promises_of(technique), seed);
}

}  // namespace mazurka::messages
