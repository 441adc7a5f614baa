#include "programs/threads/runtime/tree_scribe.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "programs/threads/runtime/hooks/hooks.hpp"
#include "programs/threads/runtime/recorder.hpp"

namespace mazurka::threads {

namespace {

constexpr std::size_t most_values = 8;  // variables of a final state

bool is_access(Action action) {
  return action == Action::read || action == Action::write || action == Action::update ||
         action == Action::update_failed;
}
bool writes(Action action) { return action == Action::write || action == Action::update; }

/// A decision, not an access between two of them, nor the failure after one.
bool is_decision(const RawEvent& event) {
  return (event.flags & flag_plain) == 0 && event.action != Action::failure;
}

/// A variable of one execution.
struct Used {
  ProcessId first = no_process;
  bool shared = false;
  const RawEvent* written = nullptr;  // the latest
};

/// What variables that several processes use hold in the end, by address.
std::vector<const RawEvent*> final_writes(const std::vector<RawEvent>& events) {
  std::map<std::pair<std::uint64_t, std::uint8_t>, Used> variables;
  for (const RawEvent& event : events) {
    if (!is_access(event.action) || event.size == 0 || (event.flags & flag_not_done) != 0) continue;
    Used& used =
        variables.try_emplace({event.address, event.size}, Used{event.process}).first->second;
    used.shared = used.shared || used.first != event.process;
    if (writes(event.action)) used.written = &event;
  }
  std::vector<const RawEvent*> written;
  for (const auto& [where, used] : variables) {
    if (used.shared && used.written != nullptr && written.size() < most_values) {
      written.push_back(used.written);
    }
  }
  return written;
}

class TreeScribe {
 public:
  TreeScribe(const UntoldTree& untold, const Request& request)
      : untold_(untold), request_(request) {
    raw_.tree = untold.tree;
    raw_.tree.processes.resize(untold.names.size());  // their names are the front process's affair
    raw_.steps.resize(untold.tree.nodes.size());
  }

  void write_path(const TreePath& path) {
    const RawStory story = perform(path.decisions);
    for (const RawEvent& event : story.events) {
      if (event.position >= path.nodes.size() || !is_decision(event)) continue;
      const std::uint32_t node = path.nodes[event.position];
      if (node != TreePath::not_wanted && raw_.steps[node].stack.empty()) raw_.steps[node] = event;
    }
    const std::uint32_t last = path.nodes.back();
    if (last != TreePath::not_wanted && has_final_state(raw_.tree.nodes[last].end)) {
      write_final(last, story.events);
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

  [[nodiscard]] RawTree done() { return std::move(raw_); }

 private:
  static bool has_final_state(TreeEnd end) {
    return end == TreeEnd::complete || end == TreeEnd::failed || end == TreeEnd::deadlock;
  }

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

  void write_final(std::uint32_t node, const std::vector<RawEvent>& events) {
    RawTree::Final& end = raw_.finals.emplace_back();
    end.node = node;
    for (const RawEvent* event : final_writes(events)) {
      const auto key = std::tuple(event->address, event->size, event->action, event->value,
                                  event->high, event->new_value, event->new_high);
      const auto [at, fresh] =
          values_.try_emplace(key, static_cast<std::uint32_t>(raw_.values.size()));
      if (fresh) raw_.values.push_back(*event);
      end.values.push_back(at->second);
    }
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

  using Value = std::tuple<std::uint64_t, std::uint8_t, Action, std::uint64_t, std::uint64_t,
                           std::uint64_t, std::uint64_t>;
  const UntoldTree& untold_;
  const Request& request_;
  RawTree raw_;
  std::map<Value, std::uint32_t> values_;
};

}  // namespace

RawTree write_down(const UntoldTree& untold, const Request& request, double seconds,
                   const std::function<bool()>& enough) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begun = Clock::now();
  const auto is_over = [&](double share) {
    return enough() || Clock::now() - begun > std::chrono::duration<double>(seconds * share);
  };
  TreeScribe scribe(untold, request);
  constexpr double share_of_paths = 0.7;
  for (const TreePath& path : untold.paths) {
    if (is_over(share_of_paths)) break;
    scribe.write_path(path);
  }
  for (const std::vector<Decision>& decisions : untold.parted) {
    if (is_over(1)) break;
    scribe.write_parting(decisions);
  }
  return scribe.done();
}

}  // namespace mazurka::threads
