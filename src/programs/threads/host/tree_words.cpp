#include "programs/threads/host/tree_words.hpp"

#include <algorithm>

#include "programs/threads/host/storyteller.hpp"

namespace mazurka::threads {

namespace {

/// What the storyteller looks names up in: all events, as if they were one story.
RawStory story_of(const RawTree& raw) {
  RawStory story;
  story.processes = raw.processes;
  story.blocks = raw.blocks;
  story.stacks = raw.stacks;
  for (const auto* events : {&raw.steps, &raw.parted, &raw.values}) {
    story.events.insert(story.events.end(), events->begin(), events->end());
  }
  return story;
}

}  // namespace

class TreeWords {
 public:
  TreeWords(const Symbols& symbols, const RawTree& raw)
      : raw_(raw), story_(story_of(raw)), teller_(symbols, story_), tree_(raw.tree) {}

  ExplorationTree tell() {
    tree_.processes.clear();
    for (std::size_t at = 0; at < std::min(tree_.nodes.size(), raw_.steps.size()); ++at) {
      TreeStep& step = tree_.nodes[at].step;
      const bool known = !raw_.steps[at].stack.empty();
      const auto process = static_cast<ProcessId>(step.process);
      step = known ? step_of(at)
                   : TreeStep{tree_.process_named(teller_.process_name(process)), {}, {}};
    }
    for (std::size_t at = 0; at < raw_.parted.size(); ++at) {
      tree_.parted.push_back(step_of(raw_.steps.size() + at));
    }
    for (const RawTree::Final& end : raw_.finals) tree_.nodes[end.node].state = state_of(end);
    return std::move(tree_);
  }

 private:
  [[nodiscard]] TreeStep step_of(std::size_t event) {
    const RawEvent& raw = story_.events[event];
    return {tree_.process_named(teller_.process_name(raw.process)), teller_.describe(raw),
            teller_.place(raw.stack)};
  }

  /// "x = 1, y = 2"
  [[nodiscard]] std::string state_of(const RawTree::Final& end) const {
    std::string text;
    for (const std::uint32_t at : end.values) {
      const RawEvent& event = story_.events[raw_.steps.size() + raw_.parted.size() + at];
      text += (text.empty() ? "" : ", ") + value_after(event);
    }
    return text;
  }

  [[nodiscard]] std::string value_after(const RawEvent& event) const {
    teller_.tell_as_of(event);
    const std::string name = teller_.object(event.address, event.size);
    if (!has_value(event)) return name + " = ...";
    const bool updated = event.action == Action::update;
    return name + " = " +
           (updated ? teller_.value(event, event.new_value, event.new_high)
                    : teller_.value(event, event.value, event.high));
  }

  const RawTree& raw_;
  const RawStory story_;
  const Storyteller teller_;
  ExplorationTree tree_;
};

ExplorationTree told_tree(const Symbols& symbols, const RawTree& raw) {
  if (raw.tree.empty() || raw.steps.empty()) return raw.tree;  // the front-end has told it
  return TreeWords(symbols, raw).tell();
}

}  // namespace mazurka::threads
