#include "cli/automata_story.hpp"

#include <string>

namespace mazurka::cli {

namespace {

class Teller {
 public:
  explicit Teller(const Network& network)
      : network_(network), who_(participants(network)), locals_() {
    for (const NetworkProcess& process : network.processes) locals_.push_back(process.initial);
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
      for (const std::uint32_t process : who_[action]) move(process, action, row.place);
      story.rows.push_back(std::move(row));
    }
    if (!story.rows.empty()) story.rows.back().failing = true;
    if (deadlock) tell_waiting(story);
    return story;
  }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  [[nodiscard]] std::uint32_t leader(ActionId action) const {
    for (const std::uint32_t process : who_[action]) {
      if (network_.processes[process].role == Role::client) return process;
    }
    return who_[action].front();
  }
  void move(std::uint32_t process, ActionId action, std::string& place) {
    const NetworkProcess& mover = network_.processes[process];
    for (const NetworkTransition& step : mover.transitions) {
      if (step.action != action || step.source != locals_[process]) continue;
      locals_[process] = step.target;
      if (mover.role == Role::server && mover.name != "(observer)") {
        place += (place.empty() ? "" : " ") + mover.name + "=" + mover.states[step.target];
      }
      return;
    }
  }
  void tell_waiting(Story& story) const {
    for (std::uint32_t process = 0; process < network_.processes.size(); ++process) {
      const NetworkProcess& waiter = network_.processes[process];
      if (waiter.role != Role::client) continue;
      std::string wanted;
      for (const NetworkTransition& step : waiter.transitions) {
        if (step.source != locals_[process]) continue;
        wanted += (wanted.empty() ? "" : " or ") + network_.actions[step.action];
      }
      if (wanted.empty()) continue;
      story.endings.push_back(waiter.name + " waits in " + waiter.states[locals_[process]] +
                              " for " + wanted);
    }
  }

  const Network& network_;
  std::vector<std::vector<std::uint32_t>> who_;
  std::vector<LocalState> locals_;
};

}  // namespace

Story tell_run(const Network& network, const std::vector<ActionId>& path, bool deadlock) {
  return Teller(network).tell(path, deadlock);
}

}  // namespace mazurka::cli
