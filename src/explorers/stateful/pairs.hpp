// A system with few processes whose actions have at most two participants, as sets of single words.
//
// A set of processes is a word, and so is one of the actions of a process, by column. Which actions
// of two the other participant could do right now is such a word per process. It is kept from one
// state to the next and changes with the processes that have moved in between.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "explorers/stateful/system.hpp"

namespace mazurka::stateful {

class Pairs {
 public:
  using Row = std::uint32_t;  // a local state: System::row_of
  static constexpr Row nowhere = 0xffffffffU;

  struct Partner {  // of an action of two, seen from the other one's column
    std::uint32_t process = 0;
    std::uint32_t column = 0;
  };

  /// A process that another one has actions with.
  struct Neighbour {
    std::uint32_t process = 0;
    Word columns = 0;        // of the other one: these actions
    std::size_t first = 0;   // see place(): less what the rows of the first local states add
    std::size_t stride = 0;  // from one local state of the other one to the next
  };

  explicit Pairs(const System& system);

  /// Whether words are enough for the system.
  [[nodiscard]] static bool fit(const System& system);

  /// From now on it is about this state, in which no other processes have moved than these.
  void follow(const LocalState* locals, Word moved = ~Word{0}) {
    if (known_.size() < word_bits) moved &= bit_of(known_.size()) - 1;
    for_each_bit(moved, [&](std::size_t process) {
      if (known_[process] == locals[process]) return;
      move(static_cast<std::uint32_t>(process), locals[process]);
    });
  }

  [[nodiscard]] const Partner& partner(std::uint32_t process, std::size_t column) const {
    return places_[process][column].partner;
  }
  [[nodiscard]] ActionId action(std::uint32_t process, std::size_t column) const {
    return places_[process][column].action;
  }
  [[nodiscard]] Row row(std::uint32_t process) const { return now_[process].row; }
  /// All that the process could do next.
  [[nodiscard]] Word all(std::uint32_t process) const { return now_[process].all; }
  [[nodiscard]] Word alone(std::uint32_t process) const { return now_[process].alone; }
  [[nodiscard]] Word possible(std::uint32_t process) const { return now_[process].possible; }
  /// Where the action of the column leads the process right now; nowhere if it can not do it.
  [[nodiscard]] Row target(std::uint32_t process, std::size_t column) const {
    return now_[process].targets[column];
  }
  [[nodiscard]] std::span<const Neighbour> neighbours(std::uint32_t process) const {
    return neighbours_[process];
  }
  /// Where in a table there is what depends on the local states of the two alone.
  [[nodiscard]] std::size_t place(std::uint32_t process, const Neighbour& neighbour) const {
    return neighbour.first + row(process) * neighbour.stride + row(neighbour.process);
  }
  /// The size of such a table; 0 if it would be too large to have one.
  [[nodiscard]] std::size_t places() const { return table_size_; }
  /// The enabled actions, in order.
  void enabled(std::vector<ActionId>& out) const;

 private:
  struct Place {  // a column of a process
    Partner partner;
    ActionId action = 0;
  };
  struct Offer {  // what a local state makes possible for a partner
    std::uint32_t process = 0;
    Word columns = 0;
  };
  struct Edges {                // of a local state
    std::uint32_t targets = 0;  // where they begin
    std::uint32_t offers = 0;
    Word led = 0;    // actions of two whose leader it is
    Word alone = 0;  // those of nobody else
    Word all = 0;
  };
  struct Now {                     // of a process
    const Row* targets = nullptr;  // by column
    Word possible = 0;
    Word led = 0;
    Word alone = 0;
    Word all = 0;
    Row row = nowhere;
  };

  void find_neighbours();
  void lay_out_places();
  void lay_out(std::uint32_t process, LocalState state);
  void add_offer(const System::Participant& partner);
  void move(std::uint32_t process, LocalState state);
  void enter(std::uint32_t process, LocalState state);
  void toggle(Row row);

  const System& system_;
  std::vector<std::array<Place, word_bits>> places_;  // per process
  std::vector<Edges> edges_;                          // per row
  std::vector<Row> targets_;                          // per row and column
  std::vector<Offer> offers_;
  std::vector<std::vector<Neighbour>> neighbours_;  // per process
  std::size_t table_size_ = 0;
  std::vector<std::uint32_t> leaders_;  // the processes that lead an action, or act alone

  std::vector<LocalState> known_;  // the state
  std::vector<Now> now_;           // per process
};

}  // namespace mazurka::stateful
