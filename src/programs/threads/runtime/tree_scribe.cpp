#include "programs/threads/runtime/tree_scribe.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/check.hpp"
#include "programs/threads/runtime/final_states.hpp"
#include "programs/threads/runtime/hooks/hooks.hpp"
#include "programs/threads/runtime/recorder.hpp"

namespace mazurka::threads {

namespace {

constexpr std::size_t most_of_summary = 1'000'000;  // steps that are performed to tell one

/// A decision, not an access between two of them, nor the failure after one.
bool is_decision(const RawEvent& event) {
  return (event.flags & flag_plain) == 0 && event.action != Action::failure;
}

class TreeScribe {
 public:
  TreeScribe(const UntoldTree& untold, const Request& request)
      : untold_(untold), request_(request) {
    raw_.tree = untold.tree;
    raw_.tree.processes.resize(untold.names.size());  // their names are the front process's affair
    raw_.steps.resize(untold.tree.nodes.size());
    for (TreeNode& node : raw_.tree.nodes) node.state_known = !has_final_state(node.end);
  }

  void write_path(const TreePath& path) {
    const RawStory story = perform(path.decisions);
    for (const RawEvent& event : story.events) {
      if (event.position >= path.nodes.size() || !is_decision(event)) continue;
      const std::uint32_t node = path.nodes[event.position];
      if (node == TreePath::not_wanted) continue;
      MAZURKA_CHECK(node < raw_.steps.size(), "a path goes through nodes of the tree");
      // Before the decision itself there may be operations that are none here: nobody else is
      // there.
      const bool decides = event.process == path.decisions[event.position].process;
      if (decides || raw_.steps[node].stack.empty()) raw_.steps[node] = event;
    }
    MAZURKA_CHECK(path.nodes.size() == path.decisions.size() && !path.nodes.empty(),
                  "a path has a node for each decision");
    const std::uint32_t last = path.nodes.back();
    if (last != TreePath::not_wanted && has_final_state(raw_.tree.nodes[last].end)) {
      if (story.gaps.empty()) {
        states_.add(last, story.events);
      } else {
        raw_.tree.nodes[last].state = "the execution is too long";
      }
    }
    keep_names(story);
  }

  void write_parting(const std::vector<Decision>& decisions) {
    const RawStory story = perform(decisions);
    for (const RawEvent& event : story.events) {
      if (event.position + 1 != decisions.size() || !is_decision(event)) continue;
      raw_.parted.push_back(event);
      keep_names(story);
      return;
    }
  }

  [[nodiscard]] RawTree done() {
    states_.write_to(raw_);
    return std::move(raw_);
  }

 private:
  static bool has_final_state(TreeEnd end) { return end != TreeEnd::none && !is_given_up(end); }

  /// No further than to the last decision. Its processes have the search's names.
  RawStory perform(const std::vector<Decision>& decisions) {
    Recorder recorder;
    runtime->record_into(&recorder);
    ProcessNames names = untold_.names;
    Execution execution;
    Run run(runtime->vocabulary(), names, execution);
    run.start({.prefix = decisions}, {std::max<std::uint64_t>(decisions.size(), 1),
                                      !request_.limits.keep_going, 0, request_.crashing});
    runtime->run(run);
    run.finish_execution();
    runtime->record_into(nullptr);
    if (runtime->must_restart()) runtime->restarted();
    if (run.divergence()) return {};
    recorder.keep_blocks_mentioned();
    return std::move(recorder.story);
  }

  void keep_names(const RawStory& story) {
    for (const RawProcess& process : story.processes) {
      const auto same = [&](const RawProcess& one) { return one.id == process.id; };
      if (std::any_of(raw_.processes.begin(), raw_.processes.end(), same)) continue;
      raw_.processes.push_back(process);
      raw_.stacks.push_back(
          {process.id, slot_begin(index(process.id)), stack_top(index(process.id))});
    }
    for (const RawBlock& block : story.blocks) {
      const auto same = [&](const RawBlock& one) {
        return one.address == block.address && one.owner == block.owner && one.nth == block.nth;
      };
      if (std::any_of(raw_.blocks.begin(), raw_.blocks.end(), same)) continue;
      raw_.blocks.push_back(block);
    }
  }

  const UntoldTree& untold_;
  const Request& request_;
  RawTree raw_;
  FinalStates states_;
};

}  // namespace

// Of a summary, what a certain number of steps leads to: the same whenever it is asked for.
RawTree write_down(const UntoldTree& untold, const Request& request,
                   const std::function<bool()>& enough) {
  TreeScribe scribe(untold, request);
  std::size_t performed = 0;
  const auto is_over = [&](const std::vector<Decision>& next) {
    performed += next.size();
    return enough() || (!untold.tree.whole && performed > most_of_summary);
  };
  for (const TreePath& path : untold.paths) {
    if (is_over(path.decisions)) break;
    scribe.write_path(path);
  }
  performed = 0;
  for (const std::vector<Decision>& decisions : untold.parted) {
    if (is_over(decisions)) break;
    scribe.write_parting(decisions);
  }
  return scribe.done();
}

}  // namespace mazurka::threads
