#include "explorers/stateful/pairs.hpp"

#include <algorithm>

namespace mazurka::stateful {

namespace {

constexpr std::size_t most_places = std::size_t{1} << 20;

}  // namespace

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
      neighbours_(system.processes()),
      known_(system.processes(), 0),
      now_(system.processes()) {
  for (ActionId action = 0; action < system.actions(); ++action) {
    const auto all = system.participants(action);
    for (const System::Participant& who : all) {
      const System::Participant& other = who.process == all[0].process ? all.back() : all[0];
      places_[who.process][who.column] = {{other.process, other.column}, action};
    }
  }
  find_neighbours();
  lay_out_places();
  for (std::uint32_t process = 0; process < system.processes(); ++process) {
    bool leads = false;
    for (LocalState state = 0; state < system.states(process); ++state) {
      lay_out(process, state);
      leads = leads || (edges_.back().led | edges_.back().alone) != 0;
    }
    if (leads) leaders_.push_back(process);
  }
  edges_.push_back({static_cast<std::uint32_t>(targets_.size()),
                    static_cast<std::uint32_t>(offers_.size()), 0, 0, 0});
  for (std::uint32_t process = 0; process < system.processes(); ++process) {
    enter(process, known_[process]);
  }
}

void Pairs::find_neighbours() {
  for (ActionId action = 0; action < system_.actions(); ++action) {
    const auto all = system_.participants(action);
    if (all.size() != 2) continue;
    for (std::size_t at = 0; at < 2; ++at) {
      std::vector<Neighbour>& known = neighbours_[all[at].process];
      const std::uint32_t other = all[1 - at].process;
      auto neighbour = std::find_if(known.begin(), known.end(),
                                    [&](const Neighbour& one) { return one.process == other; });
      if (neighbour == known.end()) neighbour = known.insert(neighbour, Neighbour{other});
      neighbour->columns |= bit_of(all[at].column);
    }
  }
}

void Pairs::lay_out_places() {
  std::size_t size = 0;
  for (std::uint32_t process = 0; process < system_.processes(); ++process) {
    for (Neighbour& neighbour : neighbours_[process]) {
      const std::size_t states = system_.states(neighbour.process);
      if (system_.states(process) > (most_places - size) / states) return;
      neighbour.stride = states;
      neighbour.first =
          size - system_.row_of(process, 0) * states - system_.row_of(neighbour.process, 0);
      size += system_.states(process) * states;
    }
  }
  table_size_ = size;
}

void Pairs::lay_out(std::uint32_t process, LocalState state) {
  edges_.push_back({static_cast<std::uint32_t>(targets_.size()),
                    static_cast<std::uint32_t>(offers_.size()), 0, 0, 0});
  targets_.resize(targets_.size() + system_.columns(process), nowhere);
  Edges& here = edges_.back();
  for (const System::Edge& edge : system_.edges(process, state)) {
    targets_[here.targets + edge.column] = static_cast<Row>(system_.row_of(process, edge.target));
    here.all |= bit_of(edge.column);
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
  now_[process].all = edges_[row].all;
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
  for (const std::uint32_t process : leaders_) {
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
