#include "explorers/stateful/first_set.hpp"

#include <algorithm>
#include <limits>

namespace mazurka::stateful {

namespace {

constexpr std::uint32_t nobody = std::numeric_limits<std::uint32_t>::max();

}  // namespace

// --- the layout, once per system

FirstSetTest::FirstSetTest(const System& system)
    : system_(system),
      known_(system.processes(), 0),
      first_waiting_(system.processes(), nobody),
      processes_(system.process_words(), 0) {
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
  reached_set_.assign(state_words, 0);
  action_at_.assign(words * word_bits, 0);
  for (ActionId action = 0; action < system_.actions(); ++action) {
    for (const System::Participant& who : system_.participants(action)) {
      action_at_[first_word_[who.process] * word_bits + who.column] = action;
    }
  }
  for (std::uint32_t process = 0; process < system_.processes(); ++process) {
    for (LocalState state = 0; state < system_.states(process); ++state) fill_row(process, state);
  }
  rows_.push_back({columns_.size(), exits_.size(), offers_.size()});
}

void FirstSetTest::fill_row(std::uint32_t process, LocalState state) {
  const auto edges = system_.edges(process, state);
  const std::size_t row = rows_.size();
  rows_.push_back({columns_.size(), exits_.size(), offers_.size(),
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
    exits_.push_back({process, partner, targets_.size()});
    targets_.resize(targets_.size() + words_for(system_.states(process)), 0);
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
  locals_ = locals;
  for (std::uint32_t process = 0; process < known_.size(); ++process) {
    if (known_[process] == locals[process]) continue;
    toggle(system_.row_of(process, known_[process]));
    toggle(system_.row_of(process, locals[process]));
    known_[process] = locals[process];
  }
}

// --- one test

void FirstSetTest::begin(const LocalState* locals, Paths paths) {
  follow(locals);
  paths_ = paths;
  reached_.clear();
  fresh_.clear();
  waiting_.clear();
  crowds_.clear();
  std::fill(members_.begin(), members_.end(), Word{0});
  std::fill(reached_set_.begin(), reached_set_.end(), Word{0});
  std::fill(first_waiting_.begin(), first_waiting_.end(), nobody);
  std::fill(processes_.begin(), processes_.end(), Word{0});
  size_ = 0;
  meets_sure_ = false;
}

void FirstSetTest::visit(std::uint32_t process, LocalState state) {
  Word* const reached = reached_set_.data() + first_state_[process];
  if (contains(reached, state)) return;
  insert(reached, state);
  fresh_.push_back({process, state});
}

void FirstSetTest::take(const Exit& exit) {
  const std::size_t first = first_state_[exit.process];
  const std::size_t words = first_state_[exit.process + 1] - first;
  for (std::size_t at = 0; at < words; ++at) {
    const Word fresh = targets_[exit.targets + at] & ~reached_set_[first + at];
    reached_set_[first + at] |= fresh;
    for_each_bit(fresh, [&](std::size_t bit) {
      fresh_.push_back({exit.process, static_cast<LocalState>(at * word_bits + bit)});
    });
  }
}

void FirstSetTest::join(std::uint32_t process) {
  insert(processes_.data(), process);
  for (std::uint32_t at = first_waiting_[process]; at != nobody; at = waiting_[at].next) {
    take(exits_[waiting_[at].exit]);
  }
}

void FirstSetTest::add(ActionId action) {
  if (has(action)) return;
  if (sure_.contains(action)) meets_sure_ = true;
  ++size_;
  for (const System::Participant& who : system_.participants(action)) {
    insert(members_.data() + first_word_[who.process], who.column);
    if (!in_set(who.process)) join(who.process);
    const LocalState target = system_.target(who, locals_[who.process]);
    if (target != no_target) visit(who.process, target);
  }
}

void FirstSetTest::look_at(const Reached& here) {
  const std::size_t number = system_.row_of(here.process, here.state);
  const Row& row = rows_[number];
  const Row& next = rows_[number + 1];
  work_ += row.work;
  reached_.push_back(here);
  std::size_t word = first_word_[here.process];
  for (std::size_t at = row.columns; at < next.columns; ++at, ++word) {
    for_each_bit(columns_[at] & possible_[word] & ~members_[word],
                 [&](std::size_t bit) { add(action_at_[word * word_bits + bit]); });
  }
  for (std::size_t at = row.exits; at < next.exits; ++at) {
    const Exit& exit = exits_[at];
    if (exit.partner == nobody || paths_ == Paths::any || in_set(exit.partner)) {
      take(exit);
    } else {
      waiting_.push_back({at, first_waiting_[exit.partner]});
      first_waiting_[exit.partner] = static_cast<std::uint32_t>(waiting_.size() - 1);
    }
  }
  if (row.crowded) gather_crowds(here);
}

void FirstSetTest::gather_crowds(const Reached& here) {
  for (const System::Edge& edge : system_.edges(here.process, here.state)) {
    if (edge.participants <= 2) continue;
    crowds_.push_back({here.process, edge});
    if (paths_ == Paths::any) visit(here.process, edge.target);
  }
}

bool FirstSetTest::reached_at(const System::Participant& who) const {
  return std::any_of(reached_.begin(), reached_.end(), [&](const Reached& reached) {
    return reached.process == who.process && system_.target(who, reached.state) != no_target;
  });
}

bool FirstSetTest::follows(std::uint32_t process, ActionId action) const {
  bool sticks = false;
  for (const System::Participant& who : system_.participants(action)) {
    if (who.process == process) continue;
    if (can_now(who)) {
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
  // Often the processes of the first actions are enough.
  std::fill(processes_.begin(), processes_.end(), Word{0});
  for (const ActionId action : start) {
    unite(processes_.data(), system_.domain(action), processes_.size());
  }
  std::size_t touched = 0;
  if (touches_all(enabled, touched)) return {true, start.size()};
  begin(locals, paths);
  for (const ActionId action : start) add(action);
  while (true) {
    if (meets_sure_ || touches_all(enabled, touched)) return {true, size_};
    if (!fresh_.empty()) {
      const Reached here = fresh_.back();
      fresh_.pop_back();
      look_at(here);
    } else if (!look_at_crowds()) {
      return {false, size_};
    }
  }
}

}  // namespace mazurka::stateful
