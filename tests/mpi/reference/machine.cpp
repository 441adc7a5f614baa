#include "mpi/reference/machine.hpp"

#include <unordered_set>
#include <vector>

#include "mpi/reference/machine_state.hpp"
#include "mpi/reference/steps.hpp"

namespace mazurka::mpi_reference {

Explored explore(const Program& program, const MachineOptions& options) {
  Steps steps(program, options);
  Explored explored;
  State start;
  for (auto& of_communicator : start.collectives) {
    for (Contributions& one : of_communicator) one.fill(not_there);
  }
  std::unordered_set<State, StateHash> seen{start};
  std::unordered_set<State, StateHash> endings;
  std::vector<const State*> stack{&*seen.begin()};
  while (!stack.empty()) {
    const State& state = *stack.back();
    stack.pop_back();
    const std::vector<State>& following = steps.following(state);
    if (following.empty()) {
      State ending;  // without what nobody has received
      ending.ranks = state.ranks;
      std::size_t& number = explored.outcomes[steps.outcome(state)];
      if (endings.insert(ending).second) ++number;
    }
    for (const State& one : following) {
      const auto [added, fresh] = seen.insert(one);
      if (fresh) stack.push_back(&*added);
    }
    if (seen.size() > options.max_states) return explored;
  }
  explored.states = seen.size();
  explored.complete = true;
  return explored;
}

}  // namespace mazurka::mpi_reference
