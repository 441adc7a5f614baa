#include "explorers/stateful/pairs.hpp"

#include <algorithm>

namespace mazurka::stateful {

bool Pairs::fit(const System& system) {
  if (!system.is_of_pairs() || system.processes() > word_bits) return false;
  for (std::uint32_t process = 0; process < system.processes(); ++process) {
    if (system.columns(process) > word_bits) return false;
  }
  return true;
}

Pairs::Pairs(const System& system)
    : system_(system),
      places_(system.processes()),
      known_(system.processes(), 0),
      now_(system.processes()) {
  for (ActionId action = 0; action < system.actions(); ++action) {
    const auto all = system.participants(action);
    for (const System::Participant& who : all) {
      const System::Participant& other = who.process == all[0].process ? all.back() : all[0];
      places_[who.process][who.column] = {{other.process, other.column}, action};
    }
  }
  for (std::uint32_t process = 0; process < system.processes(); ++process) {
    for (LocalState state = 0; state < system.states(process); ++state) lay_out(process, state);
  }
  edges_.push_back({static_cast<std::uint32_t>(targets_.size()),
                    static_cast<std::uint32_t>(offers_.size()), 0, 0});
  for (std::uint32_t process = 0; process < system.processes(); ++process) {
    enter(process, known_[process]);
  }
}

void Pairs::lay_out(std::uint32_t process, LocalState state) {
  edges_.push_back({static_cast<std::uint32_t>(targets_.size()),
                    static_cast<std::uint32_t>(offers_.size()), 0, 0});
  targets_.resize(targets_.size() + system_.columns(process), nowhere);
  Edges& here = edges_.back();
  for (const System::Edge& edge : system_.edges(process, state)) {
    targets_[here.targets + edge.column] = static_cast<Row>(system_.row_of(process, edge.target));
    if (edge.participants == 1) {
      here.alone |= bit_of(edge.column);
      continue;
    }
    if (system_.leader(edge.action) == process) here.led |= bit_of(edge.column);
    add_offer(edge.partner);
  }
}

void Pairs::add_offer(const System::Participant& partner) {
  std::size_t at = edges_.back().offers;
  while (at < offers_.size() && offers_[at].process != partner.process) ++at;
  if (at == offers_.size()) offers_.push_back({partner.process, 0});
  offers_[at].columns |= bit_of(partner.column);
}

// An action has one partner, so no bit is set by two processes: it can be toggled.
inline void Pairs::toggle(Row row) {
  for (std::uint32_t at = edges_[row].offers; at < edges_[row + 1].offers; ++at) {
    now_[offers_[at].process].possible ^= offers_[at].columns;
  }
}

void Pairs::enter(std::uint32_t process, LocalState state) {
  const auto row = static_cast<Row>(system_.row_of(process, state));
  toggle(row);
  now_[process].targets = targets_.data() + edges_[row].targets;
  now_[process].led = edges_[row].led;
  now_[process].alone = edges_[row].alone;
  now_[process].row = row;
}

void Pairs::move(std::uint32_t process, LocalState state) {
  toggle(static_cast<Row>(system_.row_of(process, known_[process])));
  known_[process] = state;
  enter(process, state);
}

void Pairs::enabled(std::vector<ActionId>& out) const {
  out.clear();
  bool sorted = true;
  for (std::uint32_t process = 0; process < now_.size(); ++process) {
    const Now& now = now_[process];
    for_each_bit((now.led & now.possible) | now.alone, [&](std::size_t column) {
      const ActionId action = places_[process][column].action;
      sorted = sorted && (out.empty() || out.back() < action);
      out.push_back(action);
    });
  }
  if (!sorted) std::sort(out.begin(), out.end());
}

}  // namespace mazurka::stateful
