#include "explorers/stateful/first_set.hpp"

#include <algorithm>
#include <limits>

namespace mazurka::stateful {

namespace {

constexpr std::uint32_t nobody = std::numeric_limits<std::uint32_t>::max();

template <typename List>
std::uint32_t size_of(const List& list) {
  return static_cast<std::uint32_t>(list.size());
}

}  // namespace

// --- the layout, once per system

FirstSetTest::FirstSetTest(const System& system)
    : system_(system),
      known_(system.processes(), 0),
      now_(system.processes(), nullptr),
      first_waiting_(system.processes(), nobody),
      processes_(system.process_words(), 0) {
  sure_.resize(system.actions());
  lay_out();
  possible_.assign(members_.size(), 0);
  for (std::uint32_t process = 0; process < system.processes(); ++process) {
    now_[process] = system.targets(process, known_[process]);
    toggle(system.row_of(process, known_[process]));
  }
}

void FirstSetTest::lay_out() {
  std::size_t words = 0;
  std::size_t state_words = 0;
  for (std::uint32_t process = 0; process < system_.processes(); ++process) {
    first_word_.push_back(words);
    first_state_.push_back(state_words);
    words += words_for(system_.columns(process));
    state_words += words_for(system_.states(process));
  }
  first_word_.push_back(words);
  first_state_.push_back(state_words);
  members_.assign(words, 0);
  reached_set_.assign(state_words, 0);
  partner_at_.resize(words * word_bits);
  for (ActionId action = 0; action < system_.actions(); ++action) {
    const auto all = system_.participants(action);
    if (all.size() != 2) continue;
    for (std::size_t at = 0; at < 2; ++at) {
      partner_at_[first_word_[all[at].process] * word_bits + all[at].column] = {
          action, all[1 - at].process, all[1 - at].column};
    }
  }
  for (std::uint32_t process = 0; process < system_.processes(); ++process) {
    for (LocalState state = 0; state < system_.states(process); ++state) fill_row(process, state);
  }
  rows_.push_back({size_of(columns_), size_of(exits_), size_of(offers_)});
}

void FirstSetTest::fill_row(std::uint32_t process, LocalState state) {
  const auto edges = system_.edges(process, state);
  const std::size_t row = rows_.size();
  rows_.push_back({size_of(columns_), size_of(exits_), size_of(offers_),
                   static_cast<std::uint32_t>(first_word_[process]), process,
                   static_cast<std::uint32_t>(1 + edges.size()), false});
  columns_.resize(columns_.size() + words_for(system_.columns(process)), 0);
  for (const System::Edge& edge : edges) {
    if (edge.participants > 2) {
      rows_[row].crowded = true;
      continue;
    }
    insert(columns_.data() + rows_[row].columns, edge.column);
    if (edge.participants == 2) add_offer(row, edge.partner);
    if (edge.target != state) add_exit(row, process, edge);
  }
}

void FirstSetTest::add_exit(std::size_t row, std::uint32_t process, const System::Edge& edge) {
  const std::uint32_t partner = edge.participants == 1 ? nobody : edge.partner.process;
  std::size_t at = rows_[row].exits;
  while (at < exits_.size() && exits_[at].partner != partner) ++at;
  if (at == exits_.size()) {
    const auto words = static_cast<std::uint32_t>(words_for(system_.states(process)));
    exits_.push_back({partner, size_of(targets_), static_cast<std::uint32_t>(first_state_[process]),
                      words, static_cast<std::uint32_t>(system_.row_of(process, 0))});
    targets_.resize(targets_.size() + words, 0);
  }
  insert(targets_.data() + exits_[at].targets, edge.target);
}

void FirstSetTest::add_offer(std::size_t row, const System::Participant& partner) {
  const std::size_t word = first_word_[partner.process] + partner.column / word_bits;
  std::size_t at = rows_[row].offers;
  while (at < offers_.size() && offers_[at].word != word) ++at;
  if (at == offers_.size()) offers_.push_back({word, 0});
  offers_[at].columns |= bit_of(partner.column);
}

// --- what partners could do right now

// An action has one partner, so no bit is set by two processes: it can be toggled.
void FirstSetTest::toggle(std::size_t row) {
  for (std::size_t at = rows_[row].offers; at < rows_[row + 1].offers; ++at) {
    possible_[offers_[at].word] ^= offers_[at].columns;
  }
}

void FirstSetTest::follow(const LocalState* locals) {
  for (std::uint32_t process = 0; process < known_.size(); ++process) {
    if (known_[process] == locals[process]) continue;
    toggle(system_.row_of(process, known_[process]));
    toggle(system_.row_of(process, locals[process]));
    known_[process] = locals[process];
    now_[process] = system_.targets(process, locals[process]);
  }
}

// --- one test

/// Empties the sets of the last test, which only has something of the processes in it.
void FirstSetTest::clear() {
  for_each_bit(processes_.data(), processes_.size(), [&](std::size_t process) {
    for (std::size_t at = first_word_[process]; at < first_word_[process + 1]; ++at) {
      members_[at] = 0;
    }
    for (std::size_t at = first_state_[process]; at < first_state_[process + 1]; ++at) {
      reached_set_[at] = 0;
    }
  });
  for (const Waiting& waiting : waiting_) first_waiting_[exits_[waiting.exit].partner] = nobody;
  for (Word& word : processes_) word = 0;
  waiting_.clear();
  fresh_.clear();
  crowds_.clear();
  size_ = 0;
  meets_sure_ = false;
}

inline void FirstSetTest::visit(std::uint32_t process, LocalState state) {
  Word* const reached = reached_set_.data() + first_state_[process];
  if (contains(reached, state)) return;
  insert(reached, state);
  fresh_.push_back(static_cast<std::uint32_t>(system_.row_of(process, state)));
}

inline void FirstSetTest::take(const Exit& exit) {
  for (std::uint32_t at = 0; at < exit.words; ++at) {
    Word& reached = reached_set_[exit.reached + at];
    const Word fresh = targets_[exit.targets + at] & ~reached;
    reached |= fresh;
    for_each_bit(fresh, [&](std::size_t bit) {
      fresh_.push_back(static_cast<std::uint32_t>(exit.first_row + at * word_bits + bit));
    });
  }
}

void FirstSetTest::join(std::uint32_t process) {
  joined_ = true;
  insert(processes_.data(), process);
  for (std::uint32_t at = first_waiting_[process]; at != nobody; at = waiting_[at].next) {
    take(exits_[waiting_[at].exit]);
  }
}

void FirstSetTest::add(ActionId action) {
  if (has(action)) return;
  ++size_;
  for (const System::Participant& who : system_.participants(action)) {
    include(action, who.process, who.column);
  }
}

/// A participant of an action that joins; it goes on from there if it could do it right now.
inline void FirstSetTest::include(ActionId action, std::uint32_t process, std::uint32_t column) {
  if (sure_.contains(action)) meets_sure_ = true;
  insert(members_.data() + first_word_[process], column);
  if (!in_set(process)) join(process);
  const LocalState target = now_[process][column];
  if (target != no_target) visit(process, target);
}

void FirstSetTest::look_at(std::uint32_t number) {
  const Row& row = rows_[number];
  const Row& next = rows_[number + 1];
  work_ += row.work;
  for (std::uint32_t at = 0; at < next.columns - row.columns; ++at) {
    const std::size_t word = row.word + at;
    const Word joining = columns_[row.columns + at] & possible_[word] & ~members_[word];
    for_each_bit(joining, [&](std::size_t bit) {
      const Partner& partner = partner_at_[word * word_bits + bit];
      ++size_;
      include(partner.action, row.process, static_cast<std::uint32_t>(at * word_bits + bit));
      include(partner.action, partner.process, partner.column);
    });
  }
  for (std::uint32_t at = row.exits; at < next.exits; ++at) {
    const Exit& exit = exits_[at];
    if (exit.partner == nobody || paths_ == Paths::any || in_set(exit.partner)) {
      take(exit);
    } else {
      waiting_.push_back({at, first_waiting_[exit.partner]});
      first_waiting_[exit.partner] = size_of(waiting_) - 1;
    }
  }
  if (row.crowded) gather_crowds(number);
}

void FirstSetTest::gather_crowds(std::uint32_t number) {
  const std::uint32_t process = rows_[number].process;
  const auto state = static_cast<LocalState>(number - system_.row_of(process, 0));
  for (const System::Edge& edge : system_.edges(process, state)) {
    if (edge.participants <= 2) continue;
    crowds_.push_back({process, edge});
    if (paths_ == Paths::any) visit(process, edge.target);
  }
}

bool FirstSetTest::reached_at(const System::Participant& who) const {
  bool found = false;
  const std::size_t first = first_state_[who.process];
  for_each_bit(reached_set_.data() + first, first_state_[who.process + 1] - first,
               [&](std::size_t state) {
                 found = found || system_.target(who, static_cast<LocalState>(state)) != no_target;
               });
  return found;
}

bool FirstSetTest::follows(std::uint32_t process, ActionId action) const {
  bool sticks = false;
  for (const System::Participant& who : system_.participants(action)) {
    if (who.process == process) continue;
    if (now_[who.process][who.column] != no_target) {
      sticks = true;
    } else if (!reached_at(who)) {
      return false;
    }
  }
  return sticks;
}

// Whether a transition with many participants can be taken depends on all of them: these few are
// tried again whenever nothing else is left to do.
bool FirstSetTest::look_at_crowds() {
  const std::size_t actions = size_;
  for (std::size_t at = 0; at < crowds_.size(); ++at) {
    const Crowd crowd = crowds_[at];
    if (!has(crowd.edge.action) && follows(crowd.process, crowd.edge.action)) {
      add(crowd.edge.action);
    }
    if (subset(system_.domain(crowd.edge.action), processes_.data(), processes_.size())) {
      visit(crowd.process, crowd.edge.target);
    }
  }
  return size_ != actions || !fresh_.empty();
}

bool FirstSetTest::touches_all(std::span<const ActionId> enabled, std::size_t& touched) const {
  while (touched < enabled.size() &&
         meet(system_.domain(enabled[touched]), processes_.data(), processes_.size())) {
    ++touched;
  }
  return touched == enabled.size();
}

FirstSetTest::Answer FirstSetTest::operator()(const LocalState* locals,
                                              std::span<const ActionId> enabled,
                                              std::span<const ActionId> start, Paths paths) {
  clear();
  follow(locals);
  paths_ = paths;
  for (const ActionId action : start) add(action);
  joined_ = true;
  std::size_t touched = 0;
  while (true) {
    if (meets_sure_ || (joined_ && touches_all(enabled, touched))) return {true, size_};
    joined_ = false;
    if (!fresh_.empty()) {
      const std::uint32_t row = fresh_.back();
      fresh_.pop_back();
      look_at(row);
    } else if (!look_at_crowds()) {
      return {false, size_};
    }
  }
}

}  // namespace mazurka::stateful
