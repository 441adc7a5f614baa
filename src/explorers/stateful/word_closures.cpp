#include "explorers/stateful/word_closures.hpp"

#include <algorithm>

namespace mazurka::stateful {

namespace {

// What one of two processes brings in of the other, and the other of it.
constexpr std::uint8_t whole = 1;
constexpr std::uint8_t part = 2;
constexpr unsigned back = 2;  // by so many bits
constexpr std::uint8_t unknown = 0xff;

}  // namespace

// --- the layout, once per system

WordClosures::WordClosures(const System& system, const Pairs& pairs, const Ahead& ahead)
    : system_(system),
      pairs_(pairs),
      kinds_(pairs.places(), unknown),
      rows_(system.processes(), Pairs::nowhere),
      brings_(system.processes()),
      marks_(system.processes()),
      parts_(system.processes()) {
  find_ways(ahead);
}

void WordClosures::find_ways(const Ahead& ahead) {
  for (std::uint32_t process = 0; process < system_.processes(); ++process) {
    for (LocalState state = 0; state < system_.states(process); ++state) {
      const std::size_t row = system_.row_of(process, state);
      first_way_.push_back(static_cast<std::uint32_t>(ways_.size()));
      ways_.resize(ways_.size() + system_.columns(process), 0);
      for (const System::Edge& edge : system_.edges(process, state)) {
        const std::size_t next = system_.row_of(process, edge.target);
        for (std::uint32_t column = 0; column < system_.columns(process); ++column) {
          if (ahead.has(next, column)) ways_[first_way_[row] + column] |= bit_of(edge.column);
        }
      }
    }
  }
}

// --- what processes bring in, in a state

/// What joins of the neighbour if all that the process could do next has.
Word WordClosures::brought(std::uint32_t process, const Pairs::Neighbour& neighbour) const {
  const Word* const ways = ways_.data() + first_way_[pairs_.row(neighbour.process)];
  Word joining = 0;
  for_each_bit(pairs_.all(process) & neighbour.columns, [&](std::size_t column) {
    joining |= ways[pairs_.partner(process, column).column];
  });
  return joining;
}

std::uint8_t WordClosures::find_kind(std::uint32_t process,
                                     const Pairs::Neighbour& neighbour) const {
  const auto kind = [&](std::uint32_t from, const Pairs::Neighbour& to) -> unsigned {
    const Word joining = brought(from, to);
    return joining == 0 ? 0 : joining == pairs_.all(to.process) ? whole : part;
  };
  const auto others = pairs_.neighbours(neighbour.process);
  const auto me = std::find_if(others.begin(), others.end(), [&](const Pairs::Neighbour& known) {
    return known.process == process;
  });
  return static_cast<std::uint8_t>(kind(process, neighbour) | kind(neighbour.process, *me) << back);
}

inline std::uint8_t WordClosures::kind(std::uint32_t process, const Pairs::Neighbour& neighbour) {
  if (kinds_.empty()) return find_kind(process, neighbour);
  std::uint8_t& kind = kinds_[pairs_.place(process, neighbour)];
  if (kind == unknown) kind = find_kind(process, neighbour);
  return kind;
}

/// Looks at the pairs of a process that has moved.
inline void WordClosures::renew(std::uint32_t process) {
  Brings mine;
  for (const Pairs::Neighbour& neighbour : pairs_.neighbours(process)) {
    const Word kinds = kind(process, neighbour);
    mine.whole |= (kinds & 1U) << neighbour.process;
    mine.part |= (kinds >> 1U & 1U) << neighbour.process;
    Brings& brings = brings_[neighbour.process];
    brings.whole = (brings.whole & ~bit_of(process)) | (kinds >> back & 1U) << process;
    brings.part = (brings.part & ~bit_of(process)) | (kinds >> (back + 1) & 1U) << process;
  }
  brings_[process] = mine;
}

void WordClosures::want(std::span<const ActionId> wanted) {
  for (std::uint32_t process = 0; process < rows_.size(); ++process) {
    marks_[process] = {};
    if (rows_[process] == pairs_.row(process)) continue;
    rows_[process] = pairs_.row(process);
    renew(process);
  }
  wanted_ = wanted;
  seeds_ = 0;
  single_seeds_ = 0;
  for (std::size_t at = 0; at < std::min(wanted.size(), word_bits); ++at) {
    for_each_bit(*system_.domain(wanted[at]),
                 [&](std::size_t process) { marks_[process].wanted |= bit_of(at); });
  }
}

// --- one closure

/// What all that the process could do next brings in. False if the closure is no smaller.
inline bool WordClosures::join_wholly(std::uint32_t process, std::size_t limit) {
  open_whole_ &= ~bit_of(process);
  const Marks& marks = marks_[process];
  hits_ |= marks.wanted;
  if ((marks.seeds & touched_seeds_) != 0 ||
      static_cast<std::size_t>(std::popcount(hits_)) >= limit)
    return false;
  touched_seeds_ |= marks.seeds;
  const Brings& brings = brings_[process];
  open_whole_ |= brings.whole & ~whole_;
  whole_ |= brings.whole;
  const Word in_part = brings.part & ~whole_;
  if (in_part == 0) return true;
  for (const Pairs::Neighbour& neighbour : pairs_.neighbours(process)) {
    if ((in_part & bit_of(neighbour.process)) == 0) continue;
    join(neighbour.process, brought(process, neighbour));
  }
  return true;
}

inline void WordClosures::join(std::uint32_t process, Word columns) {
  Part& part = parts_[process];
  const Word fresh = columns & ~part.joined;
  if (fresh == 0 || (whole_ & bit_of(process)) != 0) return;
  part.joined |= fresh;
  part.fresh |= fresh;
  begun_ |= bit_of(process);
  open_ |= bit_of(process);
  if (part.joined != pairs_.all(process)) return;
  whole_ |= bit_of(process);
  open_whole_ |= bit_of(process);
}

/// What the fresh actions of the process bring in.
inline void WordClosures::look_at(std::uint32_t process) {
  const Word fresh = parts_[process].fresh;
  parts_[process].fresh = 0;
  open_ &= ~bit_of(process);
  work_ += static_cast<std::uint64_t>(std::popcount(fresh));
  for_each_bit(fresh & ~pairs_.alone(process), [&](std::size_t column) {
    const Pairs::Partner partner = pairs_.partner(process, column);
    join(partner.process, ways_[first_way_[pairs_.row(partner.process)] + partner.column]);
  });
  const Word* const ways = ways_.data() + first_way_[pairs_.row(process)];
  for_each_bit(fresh & pairs_.possible(process),
               [&](std::size_t column) { join(process, ways[column]); });
}

inline bool WordClosures::is_hit(ActionId action) const {
  const Word domain = *system_.domain(action);
  if ((domain & whole_) != 0) return true;
  if ((domain & begun_) == 0) return false;
  const auto all = system_.participants(action);
  return std::any_of(all.begin(), all.end(), [&](const System::Participant& who) {
    return (parts_[who.process].joined & bit_of(who.column)) != 0;
  });
}

void WordClosures::keep_seed(ActionId seed) {
  if (seeds_ == word_bits) return;
  for_each_bit(*system_.domain(seed),
               [&](std::size_t process) { marks_[process].seeds |= bit_of(seeds_); });
  if (system_.participants(seed).size() == 1) single_seeds_ |= bit_of(seeds_);
  ++seeds_;
}

bool WordClosures::closure(ActionId seed, std::size_t limit, std::vector<ActionId>& hits) {
  for_each_bit(begun_, [&](std::size_t process) { parts_[process] = {}; });
  begun_ = open_ = hits_ = 0;
  touched_seeds_ = single_seeds_;
  whole_ = open_whole_ = *system_.domain(seed);
  bool smaller = true;
  while (smaller) {
    work_ += 5;
    if (open_whole_ != 0) {
      smaller = join_wholly(static_cast<std::uint32_t>(std::countr_zero(open_whole_)), limit);
    } else if ((open_ & ~whole_) != 0) {
      look_at(static_cast<std::uint32_t>(std::countr_zero(open_ & ~whole_)));
    } else {
      break;
    }
  }
  keep_seed(seed);
  if (!smaller) return false;
  hits.clear();
  for (const ActionId action : wanted_) {
    if (is_hit(action)) hits.push_back(action);
  }
  return hits.size() < limit;
}

}  // namespace mazurka::stateful
