#include "explorers/stateful/pair_closures.hpp"

#include <algorithm>
#include <utility>

namespace mazurka::stateful {

PairClosures::PairClosures(const System& system, const Ahead& ahead)
    : system_(system), ahead_(ahead) {
  members_.resize(system.actions());
  for (std::uint32_t process = 0; process < system.processes(); ++process) {
    for (LocalState state = 0; state < system.states(process); ++state) {
      process_of_.push_back(process);
    }
  }
  all_of_.assign(system.rows(), unknown);
  groups_of_.assign(system.rows(), unknown);
}

// --- groups

PairClosures::GroupId PairClosures::group_of(std::size_t row, std::vector<ActionId> actions) {
  for (GroupId known = groups_of_[row]; known != unknown; known = groups_[known].other) {
    const auto first = actions_.begin() + groups_[known].first_action;
    const auto last = actions_.begin() + groups_[known].last_action;
    if (std::equal(actions.begin(), actions.end(), first, last)) return known;
  }
  Group group;
  group.row = static_cast<std::uint32_t>(row);
  group.first_action = static_cast<std::uint32_t>(actions_.size());
  actions_.insert(actions_.end(), actions.begin(), actions.end());
  group.last_action = static_cast<std::uint32_t>(actions_.size());
  group.other = std::exchange(groups_of_[row], static_cast<GroupId>(groups_.size()));
  groups_.push_back(group);
  joined_.push_back(0);
  return groups_of_[row];
}

PairClosures::GroupId PairClosures::all_of(std::uint32_t process, LocalState state) {
  GroupId& known = all_of_[system_.row_of(process, state)];
  if (known != unknown) return known;
  std::vector<ActionId> actions;
  for (const System::Edge& edge : system_.edges(process, state)) actions.push_back(edge.action);
  return known = group_of(system_.row_of(process, state), std::move(actions));
}

PairClosures::GroupId PairClosures::ways_to(const System::Participant& who, LocalState state) {
  const std::size_t row = system_.row_of(who.process, state);
  GroupId& known = ways_to_.try_emplace(row << 32 | who.column, unknown).first->second;
  if (known != unknown) return known;
  std::vector<ActionId> actions;
  for (const System::Edge& edge : system_.edges(who.process, state)) {
    const std::size_t next = system_.row_of(who.process, edge.target);
    if (ahead_.has(next, who.column)) actions.push_back(edge.action);
  }
  return known = group_of(row, std::move(actions));
}

/// Its partners, and room for what it brings in with each of their local states. One that acts
/// alone is its own partner.
void PairClosures::prepare(GroupId number) {
  Group& group = groups_[number];
  group.prepared = true;
  const std::uint32_t mine = process_of(group.row);
  std::vector<std::uint32_t> processes;
  for (std::uint32_t at = group.first_action; at < group.last_action; ++at) {
    const auto participants = system_.participants(actions_[at]);
    const bool alone = participants.size() == 1;
    processes.push_back(alone || participants[0].process != mine ? participants[0].process
                                                                 : participants[1].process);
  }
  std::sort(processes.begin(), processes.end());
  processes.erase(std::unique(processes.begin(), processes.end()), processes.end());
  group.first_partner = static_cast<std::uint32_t>(partners_.size());
  for (const std::uint32_t process : processes) {
    const auto next = static_cast<std::uint32_t>(links_.size());
    const auto own_state = static_cast<std::uint32_t>(group.row - system_.row_of(mine, 0));
    // Of its own local states there is only one.
    partners_.push_back({process, process == mine ? next - own_state : next});
    links_.resize(links_.size() + (process == mine ? 1 : system_.states(process)));
  }
  group.last_partner = static_cast<std::uint32_t>(partners_.size());
}

// As in source_sets.hpp: if the partner can not, its ways to the action join; if it can, its own
// and those of the group's process.
void PairClosures::fill(std::uint32_t number, GroupId group, std::uint32_t partner,
                        LocalState state) {
  const std::uint32_t row = groups_[group].row;
  const std::uint32_t mine = process_of(row);
  const auto own_state = static_cast<LocalState>(row - system_.row_of(mine, 0));
  std::vector<GroupId> needed;
  Link link;
  link.first_action = static_cast<std::uint32_t>(possible_.size());
  for (std::uint32_t at = groups_[group].first_action; at < groups_[group].last_action; ++at) {
    const ActionId action = actions_[at];
    const auto participants = system_.participants(action);
    if (participants.size() == 1) {
      if (partner == mine) possible_.push_back(action);
      continue;
    }
    const bool second = participants[0].process == mine;
    const System::Participant& other = participants[second ? 1 : 0];
    if (other.process != partner) continue;
    needed.push_back(ways_to(other, state));
    if (system_.target(other, state) == no_target) continue;
    possible_.push_back(action);
    needed.push_back(ways_to(participants[second ? 0 : 1], own_state));
  }
  link.last_action = static_cast<std::uint32_t>(possible_.size());
  std::sort(needed.begin(), needed.end());
  needed.erase(std::unique(needed.begin(), needed.end()), needed.end());
  std::erase_if(needed, [&](GroupId one) {
    return one == group || groups_[one].first_action == groups_[one].last_action;
  });
  link.first_group = static_cast<std::uint32_t>(needed_.size());
  needed_.insert(needed_.end(), needed.begin(), needed.end());
  link.last_group = static_cast<std::uint32_t>(needed_.size());
  links_[number] = link;
}

// --- one closure

inline void PairClosures::join(GroupId group) {
  if (joined_[group] == closures_) return;
  joined_[group] = closures_;
  open_.push_back(group);
}

bool PairClosures::closure(const LocalState* locals, ActionId seed, const RoundSet& wanted,
                           std::size_t limit, std::vector<ActionId>& hits) {
  if (++closures_ == 0) {
    std::fill(joined_.begin(), joined_.end(), 0);
    closures_ = 1;
  }
  members_.clear();
  hits.clear();
  open_.clear();
  for (const System::Participant& who : system_.participants(seed)) {
    join(all_of(who.process, locals[who.process]));
  }
  while (!open_.empty()) {
    const GroupId group = open_.back();
    open_.pop_back();
    if (!groups_[group].prepared) prepare(group);
    const std::uint32_t last = groups_[group].last_partner;
    // Most look-ups of a group with many partners find nothing, and take little time.
    work_ += 1 + (last - groups_[group].first_partner) / 2;
    for (std::uint32_t at = groups_[group].first_partner; at < last; ++at) {
      const std::uint32_t process = partners_[at].process;
      const std::uint32_t number = partners_[at].first_link + locals[process];
      if (links_[number].first_action == unknown) fill(number, group, process, locals[process]);
      const Link link = links_[number];
      for (std::uint32_t one = link.first_action; one < link.last_action; ++one) {
        const ActionId action = possible_[one];
        if (!wanted.contains(action) || !members_.insert(action)) continue;
        hits.push_back(action);
        if (hits.size() >= limit) return false;
      }
      for (std::uint32_t one = link.first_group; one < link.last_group; ++one) join(needed_[one]);
    }
  }
  return true;
}

}  // namespace mazurka::stateful
