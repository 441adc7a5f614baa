#include "explorers/stateful/first_set.hpp"

#include <algorithm>
#include <limits>

#include "core/check.hpp"

namespace mazurka::stateful {

namespace {

constexpr std::uint32_t nobody = std::numeric_limits<std::uint32_t>::max();

template <typename List>
std::uint32_t size_of(const List& list) {
  return static_cast<std::uint32_t>(list.size());
}

}  // namespace

// --- the layout, once per system

FirstSetTest::FirstSetTest(const System& system, const Pairs* pairs)
    : system_(system),
      known_(system.processes(), 0),
      first_waiting_(system.processes(), nobody),
      processes_(system.process_words(), 0) {
  if (pairs != nullptr) {
    pairs_.emplace(system, *pairs);
    return;
  }
  sure_.resize(system.actions());
  lay_out();
  possible_.assign(members_.size(), 0);
  for (std::uint32_t process = 0; process < system.processes(); ++process) {
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
  read_.assign(words, 0);
  reached_set_.assign(state_words, 0);
  lay_out_partners();
  passage_.resize(system_.rows());
  for (std::uint32_t process = 0; process < system_.processes(); ++process) {
    find_passages(process);
    for (LocalState state = 0; state < system_.states(process); ++state) fill_row(process, state);
  }
  MAZURKA_CHECK(rows_.size() == system_.rows(), "each local state has its row");
  rows_.push_back({size_of(columns_), size_of(exits_), size_of(offers_)});
}

void FirstSetTest::lay_out_partners() {
  partner_at_.resize(members_.size() * word_bits);
  for (ActionId action = 0; action < system_.actions(); ++action) {
    const auto all = system_.participants(action);
    if (all.size() != 2) continue;
    for (std::size_t at = 0; at < 2; ++at) {
      partner_at_[first_word_[all[at].process] * word_bits + all[at].column] = {
          action, all[1 - at].process, all[1 - at].column};
    }
  }
}

/// The one other local state that the process can get to from here, all by itself; else this one.
LocalState FirstSetTest::only_way_on(std::uint32_t process, LocalState state) const {
  LocalState next = state;
  for (const System::Edge& edge : system_.edges(process, state)) {
    if (edge.participants != 1 || (next != state && edge.target != next)) return state;
    next = edge.target;
  }
  return next;
}

// A way that runs in a circle leads to that one of its local states which was come to first.
void FirstSetTest::find_passages(std::uint32_t process) {
  constexpr LocalState open = std::numeric_limits<LocalState>::max();
  LocalState* const passage = passage_.data() + system_.row_of(process, 0);
  std::fill_n(passage, system_.states(process), open);
  std::vector<LocalState> way;
  for (LocalState state = 0; state < system_.states(process); ++state) {
    LocalState at = state;
    for (way.clear(); passage[at] == open;) {
      way.push_back(at);
      passage[at] = at;
      at = only_way_on(process, at);
    }
    MAZURKA_CHECK(passage[at] < system_.states(process), "a passage leads to a local state");
    for (const LocalState passed : way) passage[passed] = passage[at];
  }
}

void FirstSetTest::fill_row(std::uint32_t process, LocalState state) {
  const auto edges = system_.edges(process, state);
  const std::size_t row = rows_.size();
  rows_.push_back({size_of(columns_), size_of(exits_), size_of(offers_), 0, 0, process,
                   static_cast<std::uint32_t>(1 + edges.size()), false});
  add_columns(process, edges);
  std::vector<Leaving> leaving;
  for (const System::Edge& edge : edges) {
    if (edge.participants > 2) {
      rows_[row].crowded = true;
      continue;
    }
    if (edge.participants == 2) add_offer(row, edge.partner);
    const LocalState target = passage_[system_.row_of(process, edge.target)];
    if (target == state) continue;
    leaving.push_back({edge.participants == 1 ? nobody : edge.partner.process, target});
  }
  add_exits(process, leaving);
}

// Only those of two participants can join.
void FirstSetTest::add_columns(std::uint32_t process, std::span<const System::Edge> edges) {
  std::vector<std::uint32_t> columns;
  for (const System::Edge& edge : edges) {
    if (edge.participants == 2) columns.push_back(edge.column);
  }
  if (columns.empty()) return;
  const auto [least, greatest] = std::minmax_element(columns.begin(), columns.end());
  const std::size_t first = *least / word_bits;
  Row& row = rows_.back();
  row.word = static_cast<std::uint32_t>(first_word_[process] + first);
  row.first_column = static_cast<std::uint32_t>(first * word_bits);
  columns_.resize(columns_.size() + *greatest / word_bits - first + 1, 0);
  for (const std::uint32_t column : columns) {
    insert(columns_.data() + row.columns, column - row.first_column);
  }
}

void FirstSetTest::add_exits(std::uint32_t process, std::vector<Leaving>& leaving) {
  std::sort(leaving.begin(), leaving.end());
  for (std::size_t at = 0; at < leaving.size();) {
    const std::uint32_t partner = leaving[at].partner;
    std::size_t end = at;
    while (end < leaving.size() && leaving[end].partner == partner) ++end;
    const std::size_t first = leaving[at].target / word_bits;
    const std::size_t words = leaving[end - 1].target / word_bits - first + 1;
    exits_.push_back({partner, size_of(targets_), static_cast<std::uint32_t>(words),
                      static_cast<std::uint32_t>(first_state_[process] + first),
                      static_cast<std::uint32_t>(system_.row_of(process, 0) + first * word_bits)});
    targets_.resize(targets_.size() + words, 0);
    for (; at < end; ++at) {
      insert(targets_.data() + exits_.back().targets, leaving[at].target - first * word_bits);
    }
  }
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
  }
}

// --- one test

/// Empties the sets of the last test, which only has something of the processes in it.
void FirstSetTest::clear() {
  for_each_bit(processes_.data(), processes_.size(), [&](std::size_t process) {
    for (std::size_t at = first_word_[process]; at < first_word_[process + 1]; ++at) {
      members_[at] = 0;
      read_[at] = 0;
    }
  });
  for (const std::uint32_t word : reached_words_) reached_set_[word] = 0;
  reached_words_.clear();
  for (const Waiting& waiting : waiting_) first_waiting_[exits_[waiting.exit].partner] = nobody;
  for (Word& word : processes_) word = 0;
  waiting_.clear();
  fresh_.clear();
  crowds_.clear();
  size_ = 0;
  meets_sure_ = false;
}

inline void FirstSetTest::visit(std::uint32_t process, LocalState passed) {
  const LocalState state = passage_[system_.row_of(process, passed)];
  const std::size_t word = first_state_[process] + state / word_bits;
  Word& reached = reached_set_[word];
  if ((reached & bit_of(state)) != 0) return;
  if (reached == 0) reached_words_.push_back(static_cast<std::uint32_t>(word));
  reached |= bit_of(state);
  fresh_.push_back(static_cast<std::uint32_t>(system_.row_of(process, state)));
}

inline void FirstSetTest::take(const Exit& exit) {
  for (std::uint32_t at = 0; at < exit.words; ++at) {
    Word& reached = reached_set_[exit.reached + at];
    const Word fresh = targets_[exit.targets + at] & ~reached;
    if (fresh == 0) continue;
    if (reached == 0) reached_words_.push_back(exit.reached + at);
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
  const LocalState target = system_.target({process, column}, known_[process]);
  if (target != no_target) visit(process, target);
}

void FirstSetTest::look_at(std::uint32_t number) {
  const Row& row = rows_[number];
  const Row& next = rows_[number + 1];
  work_ += row.work;
  for (std::uint32_t at = 0; at < next.columns - row.columns; ++at) {
    const std::size_t word = row.word + at;
    const Word joining = columns_[row.columns + at] & possible_[word] & ~members_[word];
    read_[word] |= columns_[row.columns + at];
    for_each_bit(joining, [&](std::size_t bit) {
      const Partner& partner = partner_at_[word * word_bits + bit];
      ++size_;
      include(partner.action, row.process,
              static_cast<std::uint32_t>(row.first_column + at * word_bits + bit));
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
    if (system_.target(who, known_[who.process]) != no_target) {
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

FirstSetTest::Answer FirstSetTest::operator()(const LocalState* locals,
                                              std::span<const ActionId> enabled,
                                              std::span<const ActionId> start, Paths paths) {
  if (pairs_) {
    const bool possible = pairs_->possible(enabled, start, paths == Paths::within_set);
    return {possible, pairs_->size()};
  }
  follow(locals);
  const bool alone = start.size() == 1 && paths == Paths::within_set;
  if (alone) {
    if (const auto known = known_answer(enabled, start.front())) return *known;
  }
  clear();
  paths_ = paths;
  const Answer answer = test(enabled, start);
  if (alone && !meets_sure_ && crowds_.empty()) keep(start.front(), !answer.possible);
  return answer;
}

/// By what is kept of the action, if that holds in this state, too.
std::optional<FirstSetTest::Answer> FirstSetTest::known_answer(std::span<const ActionId> enabled,
                                                               ActionId action) {
  const KeptFirstSets::Kept* const kept = kept_.find(action);
  if (kept == nullptr) return std::nullopt;
  work_ += kept->parts() / 4;
  if (!kept->holds(known_.data(), possible_.data())) return std::nullopt;
  const bool possible = std::all_of(enabled.begin(), enabled.end(), [&](ActionId one) {
    return meet(system_.domain(one), kept->processes.data(), kept->processes.size());
  });
  if (!possible && !kept->whole) return std::nullopt;
  return Answer{possible, kept->size};
}

/// What was read: the local states of those in the set, and what else they could have done.
void FirstSetTest::keep(ActionId action, bool whole) {
  latest_.places.clear();
  latest_.bits.clear();
  for_each_bit(processes_.data(), processes_.size(), [&](std::size_t process) {
    latest_.places.push_back({static_cast<std::uint32_t>(process), known_[process]});
    for (std::size_t at = first_word_[process]; at < first_word_[process + 1]; ++at) {
      if (read_[at] != 0) latest_.bits.push_back({at, read_[at], possible_[at] & read_[at]});
    }
  });
  latest_.processes = processes_;
  latest_.size = size_;
  latest_.whole = whole;
  kept_.keep(action, latest_);
}

FirstSetTest::Answer FirstSetTest::test(std::span<const ActionId> enabled,
                                        std::span<const ActionId> start) {
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
