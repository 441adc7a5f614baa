#include "explorers/stateful/pair_first_sets.hpp"

#include <algorithm>

namespace mazurka::stateful {

namespace {

constexpr std::size_t most_slots = std::size_t{1} << 20;  // 24 megabytes

}  // namespace

PairFirstSets::PairFirstSets(const System& system, const Pairs& pairs)
    : system_(system),
      pairs_(pairs),
      slots_(std::size_t{1} << 8),
      members_(system.processes(), 0),
      sure_of_(system.processes(), 0) {
  for (std::uint32_t process = 0; process < system.processes(); ++process) {
    ways_.resize(ways_.size() + system.states(process), {0, 0, ~Word{0}, 0, process, 0});
    look_ahead(process);
  }
  fresh_.resize(system.rows() + 1);
  waiting_.resize(system.rows() + 1);
}

// The least fixed point along the edges.
void PairFirstSets::look_ahead(std::uint32_t process) {
  Ways* const ways = ways_.data() + system_.row_of(process, 0);
  for (bool changed = true; changed;) {
    changed = false;
    for (auto state = static_cast<LocalState>(system_.states(process)); state-- > 0;) {
      const Ways before = ways[state];
      for (const System::Edge& edge : system_.edges(process, state)) {
        ways[state].columns |= ways[edge.target].columns;
        ways[state].partners |= ways[edge.target].partners;
        if (edge.participants != 2) continue;
        ways[state].columns |= bit_of(edge.column);
        ways[state].partners |= bit_of(edge.partner.process);
      }
      changed = changed || ways[state].columns != before.columns ||
                ways[state].partners != before.partners;
    }
  }
}

// --- what is brought in, by local state and company

inline std::size_t PairFirstSets::slot_of(Row row, Word company) const {
  const Word mixed = (company ^ (Word{row} << 44)) * 0x9e3779b97f4a7c15U;
  return ((mixed >> 32) ^ mixed >> 52 ^ row) & (slots_.size() - 1);
}

inline Word PairFirstSets::columns_from(Row row, Word company) {
  Ways& ways = ways_[row];
  if (company == ways.company) return ways.columns_with_it;
  ways.company = company;
  return ways.columns_with_it =
             company == ways.partners ? ways.columns : find_columns(row, company);
}

Word PairFirstSets::find_columns(Row row, Word company) {
  for (std::size_t at = slot_of(row, company); slots_[at].row != nowhere;
       at = (at + 1) & (slots_.size() - 1)) {
    if (slots_[at].row == row && slots_[at].company == company) return slots_[at].columns;
  }
  const Word columns = walk(row, company);
  if (++used_ * 3 > slots_.size() * 2) make_room();
  keep({company, columns, row});
  return columns;
}

/// Where there would be too many, all are forgotten.
void PairFirstSets::make_room() {
  if (slots_.size() >= most_slots) {
    slots_.assign(slots_.size(), {});
    used_ = 1;
    return;
  }
  std::vector<Known> all(slots_.size() * 2);
  all.swap(slots_);
  for (const Known& known : all) {
    if (known.row != nowhere) keep(known);
  }
}

void PairFirstSets::keep(const Known& known) {
  std::size_t at = slot_of(known.row, known.company);
  while (slots_[at].row != nowhere) at = (at + 1) & (slots_.size() - 1);
  slots_[at] = known;
}

/// The columns that local paths from the row lead to which meet nobody but the company.
Word PairFirstSets::walk(Row row, Word company) {
  const std::uint32_t process = ways_[row].process;
  const auto first = static_cast<LocalState>(row - system_.row_of(process, 0));
  Word columns = 0;
  reached_.assign(system_.states(process), false);
  reached_[first] = true;
  open_.assign(1, first);
  while (!open_.empty()) {
    const LocalState state = open_.back();
    open_.pop_back();
    ++work_;
    for (const System::Edge& edge : system_.edges(process, state)) {
      if (edge.participants == 2) {
        columns |= bit_of(edge.column);
        if ((company & bit_of(edge.partner.process)) == 0) continue;
      }
      if (reached_[edge.target]) continue;
      reached_[edge.target] = true;
      open_.push_back(edge.target);
    }
  }
  return columns;
}

// --- one test

void PairFirstSets::be_sure_of(ActionId action) {
  sure_.push_back(action);
  for (const System::Participant& who : system_.participants(action)) {
    sure_of_[who.process] |= bit_of(who.column);
  }
}

void PairFirstSets::forget() {
  for (const ActionId action : sure_) {
    for (const System::Participant& who : system_.participants(action)) sure_of_[who.process] = 0;
  }
  sure_.clear();
}

inline void PairFirstSets::clear() {
  std::fill(members_.begin(), members_.end(), 0);
  processes_ = 0;
  fresh_count_ = 0;
  waiting_count_ = 0;
  if (++round_ == 0) {
    for (Ways& ways : ways_) ways.round = 0;
    round_ = 1;
  }
  size_ = 0;
  meets_sure_ = false;
}

/// The process, which could do the action of the column right now, goes on from there. There is
/// always room for one more row, and whether it counts is hard to foretell.
inline void PairFirstSets::activate(std::uint32_t process, std::size_t column) {
  const Row row = pairs_.target(process, column);
  Ways& ways = ways_[row];
  const bool counts = (ways.columns & left_to(process)) != 0 && ways.round != round_;
  ways.round = counts ? round_ : ways.round;
  fresh_[fresh_count_] = row;
  fresh_count_ += counts ? 1 : 0;
}

void PairFirstSets::add(ActionId action) {
  const auto participants = system_.participants(action);
  const System::Participant& first = participants.front();
  if ((members_[first.process] & bit_of(first.column)) != 0) return;
  ++size_;
  for (const System::Participant& who : participants) {
    members_[who.process] |= bit_of(who.column);
    if ((sure_of_[who.process] & bit_of(who.column)) != 0) meets_sure_ = true;
    activate(who.process, who.column);
  }
}

inline bool PairFirstSets::touches_all() {
  const Word* const domains = system_.domain(0);  // a word each
  while (!untouched_.empty() && (domains[untouched_.front()] & processes_) != 0) {
    untouched_ = untouched_.subspan(1);
  }
  return untouched_.empty();
}

/// The process's actions of these columns join. Who could do one right now goes on from there.
inline void PairFirstSets::bring_in(std::uint32_t process, Word columns) {
  members_[process] |= columns;
  const auto count = static_cast<std::size_t>(std::popcount(columns));
  size_ += count;
  work_ += count;
  if ((columns & sure_of_[process]) != 0) meets_sure_ = true;
  for_each_bit(columns, [&](std::size_t column) {
    const Pairs::Partner partner = pairs_.partner(process, column);
    members_[partner.process] |= bit_of(partner.column);
    processes_ |= bit_of(partner.process);
    activate(partner.process, partner.column);
  });
  for_each_bit(columns & pairs_.all(process),
               [&](std::size_t column) { activate(process, column); });
}

/// Lets somebody join, if somebody can. What was come to last is looked at first. Where more could
/// join in other company, it waits for that.
inline bool PairFirstSets::advance() {
  while (fresh_count_ != 0) {
    const Row row = fresh_[--fresh_count_];
    const Ways& ways = ways_[row];
    const Word company = company_ ? ways.partners & processes_ : ways.partners;
    const Word left = ways.columns & left_to(ways.process);
    const Word columns = columns_from(row, company) & left;
    work_ += 3;
    waiting_[waiting_count_] = {row, company};
    waiting_count_ += columns != left ? 1 : 0;
    if (columns == 0) continue;
    bring_in(ways.process, columns);
    return true;
  }
  for (std::size_t at = company_ ? waiting_count_ : 0; at-- > 0;) {
    Waiting& waiting = waiting_[at];
    const Ways& ways = ways_[waiting.row];
    const Word company = ways.partners & processes_;
    if (waiting.company == company) continue;
    waiting.company = company;
    const Word columns = columns_from(waiting.row, company) & left_to(ways.process);
    work_ += 3;
    if (columns == 0) continue;
    bring_in(ways.process, columns);
    return true;
  }
  return false;
}

bool PairFirstSets::possible(std::span<const ActionId> enabled, std::span<const ActionId> start,
                             bool company) {
  clear();
  work_ += 8;  // about as long as it takes, in local states of the other walk
  untouched_ = enabled;
  company_ = company;
  for (const ActionId action : start) processes_ |= *system_.domain(action);
  if (touches_all()) return true;
  for (const ActionId action : start) add(action);
  while (!meets_sure_ && !touches_all()) {
    if (!advance()) return false;
  }
  return true;
}

}  // namespace mazurka::stateful
