#include "explorers/stateful/word_closures.hpp"

#include <algorithm>

namespace mazurka::stateful {

WordClosures::WordClosures(const System& system, const Pairs& pairs, const Ahead& ahead)
    : system_(system),
      pairs_(pairs),
      all_(system.rows(), 0),
      wanted_(system.processes(), 0),
      parts_(system.processes()) {
  for (std::uint32_t process = 0; process < system.processes(); ++process) {
    for (LocalState state = 0; state < system.states(process); ++state) {
      const std::size_t row = system.row_of(process, state);
      first_way_.push_back(static_cast<std::uint32_t>(ways_.size()));
      ways_.resize(ways_.size() + system.columns(process), 0);
      for (const System::Edge& edge : system.edges(process, state)) {
        all_[row] |= bit_of(edge.column);
        const std::size_t next = system.row_of(process, edge.target);
        for (std::uint32_t column = 0; column < system.columns(process); ++column) {
          if (ahead.has(next, column)) ways_[first_way_[row] + column] |= bit_of(edge.column);
        }
      }
    }
  }
}

void WordClosures::want(std::span<const ActionId> wanted) {
  std::fill(wanted_.begin(), wanted_.end(), 0);
  for (const ActionId action : wanted) {
    for (const System::Participant& who : system_.participants(action)) {
      wanted_[who.process] |= bit_of(who.column);
    }
  }
  seeds_.clear();
}

inline void WordClosures::join(std::uint32_t process, Word columns) {
  Part& part = parts_[process];
  const Word fresh = columns & ~part.joined;
  if (fresh == 0) return;
  part.joined |= fresh;
  part.fresh |= fresh;
  begun_ |= bit_of(process);
  open_ |= bit_of(process);
  if (part.joined == all_[pairs_.row(process)]) whole_ |= bit_of(process);
}

/// What the fresh actions of the process bring in.
inline void WordClosures::look_at(std::uint32_t process) {
  const Word fresh = parts_[process].fresh;
  const Word possible = fresh & pairs_.possible(process);
  parts_[process].fresh = 0;
  open_ &= ~bit_of(process);
  for_each_bit(fresh & ~pairs_.alone(process), [&](std::size_t column) {
    const Pairs::Partner partner = pairs_.partner(process, column);
    if ((whole_ & bit_of(partner.process)) != 0) return;
    join(partner.process, ways_[first_way_[pairs_.row(partner.process)] + partner.column]);
  });
  if ((whole_ & bit_of(process)) != 0) return;
  const Word* const ways = ways_.data() + first_way_[pairs_.row(process)];
  for_each_bit(possible, [&](std::size_t column) { join(process, ways[column]); });
}

inline bool WordClosures::hit(std::uint32_t process, Word columns, std::size_t limit,
                              std::vector<ActionId>& hits) {
  parts_[process].hits |= columns;
  for (; columns != 0; columns &= columns - 1) {
    const auto column = static_cast<std::size_t>(std::countr_zero(columns));
    const Pairs::Partner& partner = pairs_.partner(process, column);
    parts_[partner.process].hits |= bit_of(partner.column);
    begun_ |= bit_of(partner.process);
    hits.push_back(pairs_.action(process, column));
    if (hits.size() >= limit) return false;
  }
  return true;
}

bool WordClosures::has_all_of_another_seed() const {
  return std::any_of(seeds_.begin(), seeds_.end(),
                     [&](Word processes) { return (processes & ~whole_) == 0; });
}

bool WordClosures::closure(ActionId seed, std::size_t limit, std::vector<ActionId>& hits) {
  for_each_bit(begun_, [&](std::size_t process) { parts_[process] = {}; });
  begun_ = open_ = whole_ = 0;
  hits.clear();
  for (const System::Participant& who : system_.participants(seed)) {
    join(who.process, all_[pairs_.row(who.process)]);
  }
  bool smaller = true;
  while (open_ != 0 && smaller) {
    const auto process = static_cast<std::uint32_t>(std::countr_zero(open_));
    const Part& part = parts_[process];
    work_ += 3 + static_cast<std::uint64_t>(std::popcount(part.fresh));
    smaller = hit(process, part.fresh & wanted_[process] & ~part.hits, limit, hits) &&
              !has_all_of_another_seed();
    look_at(process);
  }
  seeds_.push_back(*system_.domain(seed));
  return smaller;
}

}  // namespace mazurka::stateful
