#include "explorers/stateful/system.hpp"

#include <algorithm>
#include <numeric>
#include <random>

#include "core/check.hpp"

namespace mazurka::stateful {

namespace {

constexpr std::size_t most_cells = std::size_t{1} << 16;  // of a table that is mostly empty

}  // namespace

System::System(const Network& network, Order order, std::uint64_t seed) {
  number_actions(network, order, seed);
  lay_out_fields(network);
  fill_tables(network);
  choose_leaders(network);
}

void System::number_actions(const Network& network, Order order, std::uint64_t seed) {
  original_.resize(network.actions.size());
  std::iota(original_.begin(), original_.end(), 0U);
  if (order == Order::reversed) std::reverse(original_.begin(), original_.end());
  if (order == Order::reversed_clients) {
    std::vector<std::uint32_t> client(network.actions.size(), 0);
    for (std::uint32_t process = 0; process < network.processes.size(); ++process) {
      if (network.processes[process].role != Role::client) continue;
      for (const NetworkTransition& step : network.processes[process].transitions) {
        client[step.action] = process;
      }
    }
    std::stable_sort(original_.begin(), original_.end(),
                     [&](ActionId one, ActionId other) { return client[one] > client[other]; });
  }
  if (order == Order::shuffled) {
    std::mt19937_64 random(seed);
    for (std::size_t at = original_.size(); at > 1; --at) {
      std::swap(original_[at - 1], original_[random() % at]);
    }
  }
  renumbered_.assign(original_.size(), no_target);
  for (ActionId action = 0; action < original_.size(); ++action) {
    MAZURKA_CHECK(renumbered_[original_[action]] == no_target, "each action has one number");
    renumbered_[original_[action]] = action;
  }
}

void System::lay_out_fields(const Network& network) {
  std::uint32_t word = 0;
  std::uint32_t used = 0;
  for (const NetworkProcess& process : network.processes) {
    const auto bits = static_cast<std::uint32_t>(
        std::bit_width(std::max<std::size_t>(process.states.size(), 1) - 1));
    if (used + bits > 64) {
      ++word;
      used = 0;
    }
    fields_.push_back({word, used == 64 ? 0 : used, (Word{1} << bits) - 1});
    initial_.push_back(process.initial);
    used += bits;
  }
  words_ = word + 1;
  for (std::size_t at = 0; at < fields_.size(); ++at) {
    MAZURKA_CHECK(
        (fields_[at].mask << fields_[at].shift) >> fields_[at].shift == fields_[at].mask &&
            initial_[at] <= fields_[at].mask,
        "the field of a process has room for its states, in one word");
  }
}

void System::fill_tables(const Network& network) {
  const auto who = mazurka::participants(network);
  std::vector<std::vector<std::pair<std::uint32_t, ActionId>>> known(network.processes.size());
  first_participant_.push_back(0);
  domains_.assign(actions() * process_words(), 0);
  for (ActionId action = 0; action < actions(); ++action) {
    for (const std::uint32_t process : who[original_[action]]) {
      const auto column = static_cast<std::uint32_t>(known[process].size());
      known[process].emplace_back(column, action);
      participants_.push_back({process, column});
      insert(domains_.data() + action * process_words(), process);
    }
    first_participant_.push_back(participants_.size());
  }
  std::size_t first_row = 0;
  std::vector<std::uint32_t> column_of(actions(), 0);
  for (std::uint32_t process = 0; process < network.processes.size(); ++process) {
    const NetworkProcess& source = network.processes[process];
    const std::size_t cells = source.states.size() * known[process].size();
    const Table table{targets_.size(), first_row, static_cast<std::uint32_t>(known[process].size()),
                      static_cast<std::uint32_t>(source.states.size()),
                      cells > most_cells && cells / 16 > source.transitions.size()};
    tables_.push_back(table);
    all_listed_ = all_listed_ && !table.sparse;
    if (!table.sparse) targets_.resize(targets_.size() + cells, no_target);
    for (const auto& [column, action] : known[process]) column_of[action] = column;
    std::vector<std::vector<Edge>> rows(source.states.size());
    for (const NetworkTransition& step : source.transitions) {
      const ActionId action = renumbered_[step.action];
      const std::size_t cell = std::size_t{step.source} * table.columns + column_of[action];
      if (!table.sparse) targets_[table.first + cell] = step.target;
      const auto all = participants(action);
      Edge edge{action, column_of[action], step.target, static_cast<std::uint32_t>(all.size()), {}};
      if (all.size() == 2) edge.partner = all[all[0].process == process ? 1 : 0];
      rows[step.source].push_back(edge);
    }
    const std::vector<bool> wanting = wanting_states(source);
    for (LocalState state = 0; state < source.states.size(); ++state) {
      unfinished_.push_back(source.role == Role::client && wanting[state]);
    }
    for (std::vector<Edge>& row : rows) {
      std::sort(row.begin(), row.end(),
                [](const Edge& one, const Edge& other) { return one.action < other.action; });
      first_edge_.push_back(edges_.size());
      edges_.insert(edges_.end(), row.begin(), row.end());
    }
    first_row += source.states.size();
  }
  first_edge_.push_back(edges_.size());
  MAZURKA_CHECK(unfinished_.size() == rows() && first_row == rows(),
                "each local state has its row");
}

void System::choose_leaders(const Network& network) {
  leader_.assign(actions(), 0);
  std::vector<std::uint32_t> first_follower(actions(), 0);
  std::vector<bool> leads(processes(), false);
  for (ActionId action = 0; action < actions(); ++action) {
    const auto all = participants(action);
    if (all.empty()) continue;
    auto chosen = std::find_if(all.begin(), all.end(), [&](const Participant& who) {
      return network.processes[who.process].role == Role::client;
    });
    if (chosen == all.end()) chosen = all.begin();
    MAZURKA_CHECK(network.processes[chosen->process].role == Role::client,
                  "a client leads each action, so that every run ends");
    leader_[action] = chosen->process;
    leads[chosen->process] = true;
    first_follower[action] = static_cast<std::uint32_t>(followers_.size());
    for (const Participant& who : all) {
      if (who.process != chosen->process) followers_.push_back(who);
    }
  }
  for (std::uint32_t process = 0; process < processes(); ++process) {
    if (leads[process]) leaders_.push_back(process);
    for (LocalState state = 0; state < states(process); ++state) {
      first_offer_.push_back(offers_.size());
      for (const Edge& edge : edges(process, state)) {
        if (leader_[edge.action] != process) continue;
        offers_.push_back({edge.action, first_follower[edge.action],
                           static_cast<std::uint32_t>(participants(edge.action).size() - 1)});
      }
    }
  }
  first_offer_.push_back(offers_.size());
  MAZURKA_CHECK(first_offer_.size() == rows() + 1, "each local state has its offers");
}

// Columns are numbered in the order of actions, and so are edges.
LocalState System::find_target(const Participant& who, LocalState state) const {
  MAZURKA_CHECK(who.column < columns(who.process), "a participant has a column for the action");
  const auto all = edges(who.process, state);
  const auto edge =
      std::lower_bound(all.begin(), all.end(), who.column,
                       [](const Edge& one, std::uint32_t column) { return one.column < column; });
  return edge == all.end() || edge->column != who.column ? no_target : edge->target;
}

bool System::is_of_pairs() const {
  for (ActionId action = 0; action < actions(); ++action) {
    if (participants(action).size() > 2) return false;
  }
  return true;
}

void System::initial(Word* state) const {
  std::fill_n(state, words_, Word{0});
  for (std::uint32_t process = 0; process < processes(); ++process) {
    state[fields_[process].word] |= Word{initial_[process]} << fields_[process].shift;
  }
}

void System::unpack(const Word* state, LocalState* locals) const {
  for (std::uint32_t process = 0; process < processes(); ++process) {
    locals[process] = local(state, process);
  }
}

bool System::is_enabled(const LocalState* locals, ActionId action) const {
  for (const Participant& who : participants(action)) {
    if (target(who, locals[who.process]) == no_target) return false;
  }
  return true;
}

template <bool listed>
void System::find_enabled(const LocalState* locals, std::vector<ActionId>& out) const {
  out.clear();
  bool sorted = true;
  for (const std::uint32_t process : leaders_) {
    const std::size_t row = row_of(process, locals[process]);
    for (std::size_t at = first_offer_[row]; at < first_offer_[row + 1]; ++at) {
      const Offer& offer = offers_[at];
      bool possible = true;
      for (std::uint32_t other = 0; other < offer.count && possible; ++other) {
        const Participant& who = followers_[offer.first + other];
        possible = target_in<listed>(who, locals[who.process]) != no_target;
      }
      if (!possible) continue;
      sorted = sorted && (out.empty() || out.back() < offer.action);
      out.push_back(offer.action);
    }
  }
  if (!sorted) std::sort(out.begin(), out.end());
}

void System::enabled(const LocalState* locals, std::vector<ActionId>& out) const {
  if (all_listed_) return find_enabled<true>(locals, out);
  find_enabled<false>(locals, out);
}

Word System::hash(const Word* state) const {
  Word sum = 0;
  for (std::size_t at = 0; at < words_; ++at) sum += mixed(state[at], at);
  return sum;
}

template <bool listed>
Word System::take_step(const Word* state, Word hash, const LocalState* locals, ActionId action,
                       Word* successor) const {
  if (words_ == 1) {
    Word word = *state;
    for (const Participant& who : participants(action)) {
      const LocalState before = locals[who.process];
      word ^= Word{before ^ target_in<listed>(who, before)} << fields_[who.process].shift;
    }
    *successor = word;
    return mixed(word, 0);
  }
  std::copy_n(state, words_, successor);
  for (const Participant& who : participants(action)) {
    const LocalState before = locals[who.process];
    const Field& field = fields_[who.process];
    Word& word = successor[field.word];
    hash -= mixed(word, field.word);
    word ^= Word{before ^ target_in<listed>(who, before)} << field.shift;
    hash += mixed(word, field.word);
  }
  return hash;
}

Word System::step(const Word* state, Word hash, const LocalState* locals, ActionId action,
                  Word* successor) const {
  if (all_listed_) return take_step<true>(state, hash, locals, action, successor);
  return take_step<false>(state, hash, locals, action, successor);
}

bool System::is_deadlock(const LocalState* locals) const {
  for (std::uint32_t process = 0; process < processes(); ++process) {
    if (unfinished_[row_of(process, locals[process])]) return true;
  }
  return false;
}

}  // namespace mazurka::stateful
