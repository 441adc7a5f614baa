#include "programs/threads/host/tree_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

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
    name_variables();
    for (const RawTree::Final& end : raw_.finals) tree_.nodes[end.node].state = state_of(end);
    return std::move(tree_);
  }

 private:
  [[nodiscard]] TreeStep step_of(std::size_t event) {
    const RawEvent& raw = story_.events[event];
    return {tree_.process_named(teller_.process_name(raw.process)), teller_.describe(raw),
            teller_.place(raw.stack)};
  }

  [[nodiscard]] const RawEvent& value(std::uint32_t at) const {
    return story_.events[raw_.steps.size() + raw_.parted.size() + at];
  }

  /// One name may stand for several variables: they are numbered as they lie in memory.
  void name_variables() {
    std::map<std::string, std::size_t> how_many;
    for (std::size_t at = 0; at < raw_.values.size(); ++at) {
      const RawEvent& event = value(static_cast<std::uint32_t>(at));
      const Place place{event.address, event.size};
      if (names_.contains(place)) continue;
      teller_.tell_as_of(event);
      const RawBlock* block = teller_.block_at(event.address);
      // How a std::thread hands its function over is nobody's concern.
      const bool is_capture =
          block != nullptr && teller_.symbols_.is_thread_machinery(block->stack);
      std::string& name = names_[place];
      if (!is_capture) name = teller_.object(event.address, event.size);
      ++how_many[name];
    }
    std::map<std::string, std::size_t> so_far;
    for (auto& [place, name] : names_) {
      if (const std::string same = name; !same.empty() && how_many[same] > 1) {
        name += '#' + std::to_string(++so_far[same]);
      }
    }
  }

  /// "x = 1, y = 2"
  [[nodiscard]] std::string state_of(const RawTree::Final& end) const {
    std::string text;
    for (const std::uint32_t at : end.values) {
      const RawEvent& event = value(at);
      const std::string& name = names_.at({event.address, event.size});
      if (!name.empty()) text += (text.empty() ? "" : ", ") + name + value_after(event);
    }
    if (raw_.left_out > 0) {
      text += fmt::format("{}{} more that hold the same in every execution",
                          text.empty() ? "" : ", and ", raw_.left_out);
    }
    return text;
  }

  [[nodiscard]] std::string value_after(const RawEvent& event) const {
    if ((event.flags & flag_not_done) != 0) {
      return event.action == Action::write ? " unchanged" : " = ...";
    }
    if (!has_value(event)) return " = ...";
    teller_.tell_as_of(event);
    return " = " + teller_.value(event, event.value, event.high);
  }

  using Place = std::pair<std::uint64_t, std::uint8_t>;  // address, size
  const RawTree& raw_;
  const RawStory story_;
  const Storyteller teller_;
  ExplorationTree tree_;
  std::map<Place, std::string> names_;  // empty: not to be told
};

ExplorationTree told_tree(const Symbols& symbols, const RawTree& raw) {
  if (raw.tree.empty() || raw.steps.empty()) return raw.tree;  // the front-end has told it
  return TreeWords(symbols, raw).tell();
}

}  // namespace mazurka::threads
