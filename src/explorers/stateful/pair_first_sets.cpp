#include "explorers/stateful/pair_first_sets.hpp"

namespace mazurka::stateful {

PairFirstSets::PairFirstSets(const System& system, const Pairs& pairs)
    : system_(system), pairs_(pairs), slots_(std::size_t{1} << 8), marks_(system.processes()) {
  for (std::uint32_t process = 0; process < system.processes(); ++process) {
    ways_.resize(ways_.size() + system.states(process), {0, 0, process, 0});
    look_ahead(process);
  }
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
  if (company == ways_[row].partners) return ways_[row].columns;
  for (std::size_t at = slot_of(row, company); slots_[at].row != nowhere;
       at = (at + 1) & (slots_.size() - 1)) {
    if (slots_[at].row == row && slots_[at].company == company) return slots_[at].columns;
  }
  const Word columns = walk(row, company);
  if (++used_ * 3 > slots_.size() * 2) {
    std::vector<Known> all(slots_.size() * 2);
    all.swap(slots_);
    for (const Known& known : all) {
      if (known.row != nowhere) keep(known);
    }
  }
  keep({company, columns, row});
  return columns;
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
    marks_[who.process].sure |= bit_of(who.column);
  }
}

void PairFirstSets::forget() {
  for (const ActionId action : sure_) {
    for (const System::Participant& who : system_.participants(action))
      marks_[who.process].sure = 0;
  }
  sure_.clear();
}

inline void PairFirstSets::clear() {
  for_each_bit(processes_, [&](std::size_t process) { marks_[process].members = 0; });
  processes_ = 0;
  active_.clear();
  if (++round_ == 0) {
    for (Ways& ways : ways_) ways.round = 0;
    round_ = 1;
  }
  size_ = 0;
  meets_sure_ = false;
}

inline void PairFirstSets::activate(std::uint32_t process, std::size_t column) {
  const Word left = pairs_.possible(process) & ~marks_[process].members;
  if (left == 0) return;
  const Row row = pairs_.target(process, column);
  if (row == nowhere) return;
  Ways& ways = ways_[row];
  if (ways.round == round_ || (ways.columns & left) == 0) return;
  ways.round = round_;
  active_.push_back({ways.partners, 0, row, process, false});
}

void PairFirstSets::add(ActionId action) {
  const auto participants = system_.participants(action);
  const System::Participant& first = participants.front();
  if ((marks_[first.process].members & bit_of(first.column)) != 0) return;
  ++size_;
  for (const System::Participant& who : participants) {
    Marks& marks = marks_[who.process];
    marks.members |= bit_of(who.column);
    if ((marks.sure & bit_of(who.column)) != 0) meets_sure_ = true;
    activate(who.process, who.column);
  }
}

inline bool PairFirstSets::touches_all() {
  while (!untouched_.empty() && (*system_.domain(untouched_.front()) & processes_) != 0) {
    untouched_ = untouched_.subspan(1);
  }
  return untouched_.empty();
}

/// The process's actions of these columns join. Who could do one right now goes on from there.
inline void PairFirstSets::bring_in(std::uint32_t process, Word columns) {
  Marks& mine = marks_[process];
  mine.members |= columns;
  size_ += static_cast<std::size_t>(std::popcount(columns));
  work_ += static_cast<std::uint64_t>(std::popcount(columns));
  if ((columns & mine.sure) != 0) meets_sure_ = true;
  // First who else joins: that alone may be enough.
  for_each_bit(columns, [&](std::size_t column) {
    const Pairs::Partner partner = pairs_.partner(process, column);
    marks_[partner.process].members |= bit_of(partner.column);
    processes_ |= bit_of(partner.process);
  });
  if (touches_all()) return;
  for_each_bit(columns, [&](std::size_t column) {
    const Pairs::Partner partner = pairs_.partner(process, column);
    activate(partner.process, partner.column);
    activate(process, column);
  });
}

/// Lets somebody join, if somebody can. What was come to last is looked at first.
inline bool PairFirstSets::advance() {
  for (std::size_t at = active_.size(); at-- > 0;) {
    Active& active = active_[at];
    const Word company = company_ ? active.partners & processes_ : active.partners;
    if (active.looked_up && active.company == company) continue;
    active.looked_up = true;
    active.company = company;
    work_ += 3;
    const std::uint32_t process = active.process;
    const Word left = pairs_.possible(process) & ~marks_[process].members;
    const Word joining = columns_from(active.row, company) & left;
    if (joining == 0) continue;
    bring_in(process, joining);
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
