// A network laid out for exploration.
//
// A global state is a row of machine words in which every process has a bit field just wide enough
// for its local states; no field crosses a word. The target of (process, local state, action) is
// one table look-up, an action is found through one of its participants (its leader, a client), so
// the enabled actions of a state are collected from the leaders' local states alone.
//
// Actions are renumbered by the wanted order, so that "smallest action" is a comparison of ids.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/network.hpp"
#include "explorers/stateful/bits.hpp"

namespace mazurka::stateful {

/// The order in which actions are tried: a number of nodes means little without it.
enum class Order : std::uint8_t {
  declared,          // as the network lists them
  reversed,          // the last one first
  reversed_clients,  // the last client first, its own actions as declared
  shuffled,          // pseudo-random, by seed
};

class System {
 public:
  struct Participant {
    std::uint32_t process = 0;
    std::uint32_t column = 0;  // of the action, in the process's table
  };
  struct Edge {  // a local transition
    ActionId action = 0;
    std::uint32_t column = 0;
    LocalState target = 0;
    std::uint32_t participants = 0;
    Participant partner;  // the other participant, where there is exactly one
  };

  explicit System(const Network& network, Order order = Order::declared, std::uint64_t seed = 0);

  [[nodiscard]] std::size_t processes() const { return fields_.size(); }
  [[nodiscard]] std::size_t actions() const { return original_.size(); }
  [[nodiscard]] std::size_t words() const { return words_; }
  [[nodiscard]] std::size_t process_words() const { return words_for(processes()); }
  [[nodiscard]] std::size_t action_words() const { return words_for(actions()); }
  /// The network's number of an action of the system.
  [[nodiscard]] ActionId original(ActionId action) const { return original_[action]; }

  [[nodiscard]] std::span<const Participant> participants(ActionId action) const {
    return {participants_.data() + first_participant_[action],
            first_participant_[action + 1] - first_participant_[action]};
  }
  /// The participant at whose local states the action is looked for.
  [[nodiscard]] std::uint32_t leader(ActionId action) const { return leader_[action]; }
  /// Whether no action has more than two participants.
  [[nodiscard]] bool is_of_pairs() const;
  [[nodiscard]] LocalState target(const Participant& who, LocalState state) const {
    if (tables_[who.process].sparse) return find_target(who, state);
    return listed_target(who, state);
  }
  [[nodiscard]] std::span<const Edge> edges(std::uint32_t process, LocalState state) const {
    const std::size_t row = row_of(process, state);
    return {edges_.data() + first_edge_[row], first_edge_[row + 1] - first_edge_[row]};
  }
  /// (process, local state) as one number below rows().
  [[nodiscard]] std::size_t row_of(std::uint32_t process, LocalState state) const {
    return tables_[process].first_row + state;
  }
  [[nodiscard]] std::size_t rows() const { return first_edge_.size() - 1; }
  [[nodiscard]] std::size_t columns(std::uint32_t process) const {
    return tables_[process].columns;
  }
  [[nodiscard]] std::size_t states(std::uint32_t process) const { return tables_[process].states; }

  /// The processes of an action, as a bit set of process_words().
  [[nodiscard]] const Word* domain(ActionId action) const {
    return domains_.data() + action * process_words();
  }
  [[nodiscard]] bool dependent(ActionId one, ActionId other) const {
    return meet(domain(one), domain(other), process_words());
  }

  // --- global states
  // ------------------------------------------------------------------------------

  void initial(Word* state) const;
  [[nodiscard]] LocalState local(const Word* state, std::uint32_t process) const {
    const Field& field = fields_[process];
    return static_cast<LocalState>(state[field.word] >> field.shift & field.mask);
  }
  void unpack(const Word* state, LocalState* locals) const;
  /// The enabled actions, in order.
  void enabled(const LocalState* locals, std::vector<ActionId>& out) const;
  [[nodiscard]] bool is_enabled(const LocalState* locals, ActionId action) const;

  /// A hash that is a sum over the words, so that a step only exchanges what it changes.
  [[nodiscard]] Word hash(const Word* state) const;
  /// Writes the successor; returns its hash. The action must be enabled.
  Word step(const Word* state, Word hash, const LocalState* locals, ActionId action,
            Word* successor) const;
  /// No action is possible, and not because every client has come to its end.
  [[nodiscard]] bool is_deadlock(const LocalState* locals) const;

 private:
  struct Field {
    std::uint32_t word = 0;
    std::uint32_t shift = 0;
    Word mask = 0;
  };
  struct Table {
    std::size_t first = 0;
    std::size_t first_row = 0;
    std::uint32_t columns = 0;
    std::uint32_t states = 0;
    bool sparse = false;  // the edges are looked through: a table would be large, and mostly empty
  };
  struct Offer {  // an action at its leader's local state
    ActionId action = 0;
    std::uint32_t first = 0;  // the other participants
    std::uint32_t count = 0;
  };

  void number_actions(const Network& network, Order order, std::uint64_t seed);
  void lay_out_fields(const Network& network);
  void fill_tables(const Network& network);
  void choose_leaders(const Network& network);
  [[nodiscard]] LocalState find_target(const Participant& who, LocalState state) const;
  [[nodiscard]] LocalState listed_target(const Participant& who, LocalState state) const {
    const Table& table = tables_[who.process];
    return targets_[table.first + std::size_t{state} * table.columns + who.column];
  }
  // Where all tables are listed, nobody need ask.
  template <bool listed>
  [[nodiscard]] LocalState target_in(const Participant& who, LocalState state) const {
    if constexpr (listed) return listed_target(who, state);
    return target(who, state);
  }
  template <bool listed>
  void find_enabled(const LocalState* locals, std::vector<ActionId>& out) const;
  template <bool listed>
  Word take_step(const Word* state, Word hash, const LocalState* locals, ActionId action,
                 Word* successor) const;
  [[nodiscard]] static Word mixed(Word value, std::size_t at) {
    value ^= (at + 1) * 0x9e3779b97f4a7c15U;
    value = (value ^ (value >> 32)) * 0xd6e8feb86659fd93U;
    value = (value ^ (value >> 32)) * 0xd6e8feb86659fd93U;
    return value ^ (value >> 32);
  }

  std::vector<ActionId> original_;
  std::vector<ActionId> renumbered_;  // its inverse
  std::vector<Field> fields_;
  std::vector<LocalState> initial_;
  std::size_t words_ = 1;
  std::vector<Table> tables_;
  bool all_listed_ = true;  // no table is sparse
  std::vector<LocalState> targets_;
  std::vector<std::size_t> first_edge_;
  std::vector<bool> unfinished_;  // per row: a client that is there wants to go on
  std::vector<Edge> edges_;
  std::vector<std::size_t> first_participant_;
  std::vector<Participant> participants_;
  std::vector<Word> domains_;
  std::vector<std::uint32_t> leader_;     // per action
  std::vector<std::uint32_t> leaders_;    // the processes that lead an action
  std::vector<std::size_t> first_offer_;  // per row
  std::vector<Offer> offers_;
  std::vector<Participant> followers_;  // an action's participants without its leader
};

}  // namespace mazurka::stateful
