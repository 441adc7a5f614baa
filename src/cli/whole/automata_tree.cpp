#include "cli/whole/automata_tree.hpp"

#include <algorithm>
#include <string>

#include "core/check.hpp"

namespace mazurka::cli {

namespace {

using automata::AutomataProgram;

class Words {
 public:
  Words(AutomataProgram& program, ExplorationTree& tree)
      : network_(*program.network()), who_(participants(network_)), tree_(tree) {}

  [[nodiscard]] TreeStep step_of(const AutomataProgram::Taken& taken) {
    std::uint32_t mover = who_[taken.action].front();
    for (const std::uint32_t process : who_[taken.action]) {
      if (network_.processes[process].role == Role::client) {
        mover = process;
        break;
      }
    }
    const std::string& action = network_.actions[taken.action];
    return {tree_.process_named(network_.processes[mover].name),
            taken.performed ? action : "choose " + action,
            {}};
  }

  /// Where everybody is: "P0 eats, fork0 taken".
  [[nodiscard]] std::string state_after(const std::vector<ActionId>& actions) const {
    std::vector<LocalState> locals;
    for (const NetworkProcess& process : network_.processes) locals.push_back(process.initial);
    for (const ActionId action : actions) {
      for (const std::uint32_t process : who_[action]) {
        const auto& steps = network_.processes[process].transitions;
        const auto step = std::find_if(steps.begin(), steps.end(), [&](const auto& one) {
          return one.action == action && one.source == locals[process];
        });
        MAZURKA_CHECK(step != steps.end(),
                      "each participant of an action that happened could take it");
        if (step != steps.end()) locals[process] = step->target;
      }
    }
    std::string text;
    for (std::size_t at = 0; at < locals.size() && at < most_told; ++at) {
      const NetworkProcess& process = network_.processes[at];
      text += (at == 0 ? "" : ", ") + process.name + " " + process.states[locals[at]];
    }
    return locals.size() > most_told ? text + ", ..." : text;
  }

 private:
  static constexpr std::size_t most_told = 12;  // processes
  const Network& network_;
  std::vector<std::vector<std::uint32_t>> who_;
  ExplorationTree& tree_;
};

}  // namespace

ExplorationTree told_tree(AutomataProgram& program, UntoldTree untold) {
  ExplorationTree& tree = untold.tree;
  for (TreeNode& node : tree.nodes) node.step.process = 0;
  Words words(program, tree);
  for (const TreePath& path : untold.paths) {
    const std::vector<ActionId>& actions = program.replay(path.decisions, untold.names);
    const std::size_t told = std::min(program.taken().size(), path.nodes.size());
    for (std::size_t at = 0; at < told; ++at) {
      if (path.nodes[at] == TreePath::not_wanted) continue;
      MAZURKA_CHECK(path.nodes[at] < tree.nodes.size(), "a path goes through nodes of the tree");
      tree.nodes[path.nodes[at]].step = words.step_of(program.taken()[at]);
    }
    const std::uint32_t last = path.nodes.back();
    if (last != TreePath::not_wanted && tree.nodes[last].end != TreeEnd::asleep) {
      tree.nodes[last].state = words.state_after(actions);
    }
  }
  for (const std::vector<Decision>& decisions : untold.parted) {
    program.replay(decisions, untold.names);
    if (program.taken().size() != decisions.size()) continue;
    tree.parted.push_back(words.step_of(program.taken().back()));
  }
  if (tree.processes.empty() && !tree.nodes.empty()) {
    tree.processes.push_back(program.network()->processes.front().name);
  }
  return std::move(tree);
}

}  // namespace mazurka::cli
