// PIFS and rPIFS (first_set.hpp) in larger steps, of systems that are pairs (pairs.hpp).
//
// Idea. What a process that has come to a local state could bring in depends on this local state
// and on those of its partners who are in the set, nothing else: all actions that local paths in
// such company lead to. So for a local state and a company this is worked out once, as a set of
// actions. A test is then a look-up for each local state that is come to, and again when company
// joins, instead of a walk over local states.
//
// Which of them joins is hard to foretell, and a wrong guess takes the processor as long as a few
// of these steps. So what may or may not count is written down always, and counted if it does.
//
// Company counts only as far as it can be met on ways from there. What comes of all of it is known
// in advance: a local state from which nothing is left to be brought in is forgotten.
//
// The walk over local states stays for all other systems; a test compares the two.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "explorers/stateful/pairs.hpp"
#include "explorers/stateful/system.hpp"

namespace mazurka::stateful {

class PairFirstSets {
 public:
  /// It is asked about the state that `pairs` are in.
  PairFirstSets(const System& system, const Pairs& pairs);

  /// As those of FirstSetTest.
  void be_sure_of(ActionId action);
  void forget();
  [[nodiscard]] std::uint64_t work() const { return work_; }

  /// Whether it is possible. If not, size() is that of the final set. `company`: whether it counts.
  [[nodiscard]] bool possible(std::span<const ActionId> enabled, std::span<const ActionId> start,
                              bool company);
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  using Row = Pairs::Row;
  static constexpr Row nowhere = Pairs::nowhere;

  struct Ways {                // from a local state
    Word columns = 0;          // all that can be come to
    Word partners = 0;         // all who can be met
    Word company = ~Word{0};   // that was last asked about,
    Word columns_with_it = 0;  // and what can be come to in it
    std::uint32_t process = 0;
    std::uint32_t round = 0;  // the latest test in which it became active
  };
  struct Known {
    Word company = 0;
    Word columns = 0;
    Row row = nowhere;  // nowhere: an empty slot
  };
  struct Waiting {  // for further company
    Row row = nowhere;
    Word company = 0;  // that it was looked up with
  };

  void look_ahead(std::uint32_t process);
  void clear();
  void add(ActionId action);
  void activate(std::uint32_t process, std::size_t column);
  void bring_in(std::uint32_t process, Word columns);
  [[nodiscard]] bool advance();
  /// The process's actions that could join.
  [[nodiscard]] Word left_to(std::uint32_t process) const {
    return pairs_.possible(process) & ~members_[process];
  }
  [[nodiscard]] Word columns_from(Row row, Word company);
  [[nodiscard]] Word find_columns(Row row, Word company);
  [[nodiscard]] std::size_t slot_of(Row row, Word company) const;
  [[nodiscard]] Word walk(Row row, Word company);
  void keep(const Known& known);
  void make_room();
  [[nodiscard]] bool touches_all();

  const System& system_;
  const Pairs& pairs_;
  std::vector<Ways> ways_;  // per row

  std::vector<Known> slots_;
  std::size_t used_ = 0;
  std::vector<LocalState> open_;
  std::vector<bool> reached_;

  std::vector<Word> members_;  // per process: actions in the set
  std::vector<Word> sure_of_;  // per process: actions that are known to be possible
  Word processes_ = 0;         // in the set
  std::vector<Row> fresh_;     // active, not yet looked up: the first ones of these
  std::size_t fresh_count_ = 0;
  std::vector<Waiting> waiting_;  // the first ones
  std::size_t waiting_count_ = 0;
  bool company_ = true;
  std::span<const ActionId> untouched_;  // of what is enabled, as far as is known
  std::uint32_t round_ = 0;
  std::size_t size_ = 0;
  bool meets_sure_ = false;
  std::vector<ActionId> sure_;
  std::uint64_t work_ = 0;
};

}  // namespace mazurka::stateful
