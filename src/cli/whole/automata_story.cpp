#include "cli/whole/automata_story.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "core/check.hpp"

namespace mazurka::cli {

namespace {

class Teller {
 public:
  explicit Teller(const Network& network)
      : network_(network), who_(participants(network)), last_(network.processes.size(), none) {
    std::size_t size = 0;
    for (const NetworkProcess& process : network.processes) {
      locals_.push_back(process.initial);
      size += process.states.size() + process.transitions.size() + process.impossible.size();
    }
    drawn_ = size <= largest_drawing;
  }

  Story tell(const std::vector<ActionId>& path, bool deadlock) {
    Story story;
    std::vector<std::size_t> column(network_.processes.size(), none);
    const auto column_of = [&](std::uint32_t process) {
      if (column[process] == none) {
        column[process] = story.processes.size();
        story.processes.push_back(network_.processes[process].name);
      }
      return column[process];
    };
    constexpr std::size_t most_columns = 12;
    if (network_.processes.size() <= most_columns * 2) {
      for (std::uint32_t process = 0; process < network_.processes.size(); ++process) {
        if (network_.processes[process].role == Role::client) column_of(process);
      }
    }
    for (const ActionId action : path) {
      StoryRow row;
      row.process = column_of(leader(action));
      row.action = network_.actions[action];
      row.decision = true;
      for (const std::uint32_t process : who_[action]) move(process, action, row);
      come_after(row, action, story);
      story.rows.push_back(std::move(row));
    }
    for (StoryRow& row : story.rows) {
      if (!drawn_) row.event.moves.clear();
    }
    if (drawn_) draw(story);
    if (!story.rows.empty()) story.rows.back().failing = true;
    if (deadlock) tell_waiting(column, story);
    return story;
  }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  static constexpr std::size_t largest_drawing = 5000;  // locations and edges
  static constexpr std::string_view observer = "(observer)";
  static inline const std::string never = " (which can never happen)";

  [[nodiscard]] std::uint32_t leader(ActionId action) const {
    for (const std::uint32_t process : who_[action]) {
      if (network_.processes[process].role == Role::client) return process;
    }
    return who_[action].front();
  }
  void move(std::uint32_t process, ActionId action, StoryRow& row) {
    const NetworkProcess& mover = network_.processes[process];
    for (const NetworkTransition& step : mover.transitions) {
      if (step.action != action || step.source != locals_[process]) continue;
      locals_[process] = step.target;
      row.event.moves.push_back({process, step.source, step.target});
      if (mover.role == Role::server && mover.name != observer) {
        row.place += (row.place.empty() ? "" : " ") + mover.name + "=" + mover.states[step.target];
      }
      return;
    }
    MAZURKA_CHECK(false, "each participant of an action that happened could take it");
  }

  /// Actions that share a participant do not commute.
  void come_after(StoryRow& row, ActionId action, const Story& story) {
    std::vector<std::size_t>& after = row.event.after;
    for (const std::uint32_t process : who_[action]) {
      const std::size_t before = std::exchange(last_[process], story.rows.size());
      const bool known = before == none || story.rows[before].process == row.process ||
                         std::find(after.begin(), after.end(), before) != after.end();
      if (!known) after.push_back(before);
    }
    std::sort(after.begin(), after.end());
  }

  /// The automata, for those who draw them.
  void draw(Story& story) const {
    for (const NetworkProcess& process : network_.processes) {
      StoryAutomaton& automaton = story.automata.emplace_back();
      automaton.name = process.name;
      automaton.server = process.role == Role::server;
      automaton.locations = process.states;
      automaton.initial = process.initial;
      for (const NetworkTransition& step : process.transitions) {
        automaton.edges.push_back({step.source, step.target, network_.actions[step.action]});
      }
      for (const ImpossibleTransition& step : process.impossible) {
        automaton.edges.push_back({step.source, step.target, step.action + never});
      }
    }
  }

  void tell_waiting(const std::vector<std::size_t>& column, Story& story) const {
    for (std::uint32_t process = 0; process < network_.processes.size(); ++process) {
      const NetworkProcess& waiter = network_.processes[process];
      if (waiter.role != Role::client) continue;
      std::string wanted;
      for (const NetworkTransition& step : waiter.transitions) {
        if (step.source != locals_[process]) continue;
        wanted += (wanted.empty() ? "" : " or ") + network_.actions[step.action];
      }
      for (const ImpossibleTransition& step : waiter.impossible) {
        if (step.source != locals_[process]) continue;
        wanted += (wanted.empty() ? "" : " or ") + step.action + never;
      }
      if (wanted.empty()) continue;
      const std::string reason = "waits in " + waiter.states[locals_[process]] + " for " + wanted;
      story.endings.push_back(waiter.name + " " + reason);
      if (column[process] == none) continue;
      StoryStop& stop = story.stuck.emplace_back();
      stop.process = column[process];
      stop.reason = reason;
    }
  }

  const Network& network_;
  std::vector<std::vector<std::uint32_t>> who_;
  std::vector<LocalState> locals_;
  std::vector<std::size_t> last_;  // the latest row in which the process took part
  bool drawn_ = false;
};

}  // namespace

Story tell_run(const Network& network, const std::vector<ActionId>& path, bool deadlock) {
  return Teller(network).tell(path, deadlock);
}

}  // namespace mazurka::cli
