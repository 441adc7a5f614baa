#include "explorers/reverse/variables.hpp"

#include <algorithm>

namespace mazurka::reverse {

void Variables::update(const Task& task) {
  const std::size_t size = trace_.execution().size();
  variables_.clear();
  rank_.assign(size, 0);
  added_.resize(size);
  for (std::size_t at = 0; at < size; ++at) added_[at] = static_cast<std::uint32_t>(2 * at + 1);
  for (const Turn& turn : task.turns) {
    if (turn.read && turn.last + 1 < size) added_[turn.last + 1] = 2 * turn.first;
  }
  for (std::size_t at = 0; at < size; ++at) {
    const GraphStep& step = this->at(at);
    if (!step.touches()) continue;
    Variable& variable = variables_[step.variable];
    variable.events.push_back(static_cast<std::uint32_t>(at));
    if (step.writes) write(variable, static_cast<std::uint32_t>(at), step.source);
  }
  for (const auto& [name, variable] : variables_) {
    for (std::size_t at = 0; at < variable.written.size(); ++at) {
      rank_[variable.written[at]] = static_cast<std::uint32_t>(at + 1);
    }
  }
}

void Variables::write(Variable& variable, std::uint32_t event, std::uint32_t behind) {
  auto place = variable.written.begin();
  if (behind != no_event) place = std::find(place, variable.written.end(), behind) + 1;
  variable.written.insert(place, event);
}

std::uint32_t Variables::taker_of(std::uint64_t variable, std::uint32_t source) const {
  for (const std::uint32_t event : all_of(variable)) {
    const GraphStep& step = at(event);
    if (step.reads && step.writes && step.source == source) return event;
  }
  return no_event;
}

bool Variables::is_maximal(std::uint32_t event, std::uint32_t end, Cut kept) const {
  const GraphStep& step = at(event);
  const auto is_there = [&](std::uint32_t other) {
    return added_[other] < added_[event] || trace_.contains(kept, other);
  };
  if (step.reads && step.source != no_event && !is_there(step.source)) return false;
  const std::uint32_t source_rank = step.source == no_event ? 0 : rank_[step.source];
  const std::uint32_t place = step.reads ? source_rank : rank_[event];
  for (const std::uint32_t other : all_of(step.variable)) {
    if (other == event || other >= end || !is_there(other)) continue;
    const GraphStep& one = at(other);
    if (one.writes && rank_[other] > place) return false;
    if (one.reads && step.writes && one.source == event) return false;
  }
  return true;
}

bool Variables::may_be_left_out(std::uint32_t first, std::uint32_t end, Cut kept) const {
  for (std::uint32_t event = first; event < end; ++event) {
    if (!at(event).touches() || trace_.contains(kept, event)) continue;
    if (!is_maximal(event, end, kept)) return false;
  }
  return true;
}

std::uint32_t Variables::source_within(std::uint32_t event, std::uint32_t first, Cut kept) const {
  const GraphStep& step = at(event);
  if (!step.touches()) return by_outcome;
  if (step.reads) return step.source;
  const auto& written = variables_.at(step.variable).written;
  for (std::size_t at = rank_[event] - 1; at-- > 0;) {
    const std::uint32_t other = written[at];
    if (other < event && (other < first || trace_.contains(kept, other))) return other;
  }
  return no_event;
}

}  // namespace mazurka::reverse
