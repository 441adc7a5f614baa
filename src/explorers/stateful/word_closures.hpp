// Closures (source_sets.hpp) of systems that are pairs (pairs.hpp).
//
// Idea. What is in a closure is, for each process, a set of actions that it could do next: a word.
// Mostly everything that a process could do next joins, and then what that brings in of a partner
// depends on the local states of the two alone. So it is kept, for each process, which partners
// join wholly if it does, and which in part; from one state to the next only the pairs of those who
// have moved are looked at. A closure is then a walk over processes.
//
// Where a process has joined in part, its actions are gone through one by one: for each, the
// partner's ways to it join, and where it is possible those of the process itself. Each of these is
// a word, too, which only depends on the local state.
//
// Closures of several actions in one state are compared: as soon as all that another one began with
// has joined, this one is no smaller.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "explorers/stateful/ahead.hpp"
#include "explorers/stateful/pairs.hpp"
#include "explorers/stateful/system.hpp"

namespace mazurka::stateful {

class WordClosures {
 public:
  /// They are those of the state that `pairs` are in.
  WordClosures(const System& system, const Pairs& pairs, const Ahead& ahead);

  /// What the next closures are to have of these actions, which are possible; all of one state.
  void want(std::span<const ActionId> wanted);
  /// The wanted actions of the closure of `seed`, in order. False, and not all of them, if there
  /// are `limit`, or as many as in the closure of another seed since want().
  bool closure(ActionId seed, std::size_t limit, std::vector<ActionId>& hits);
  [[nodiscard]] std::uint64_t work() const { return work_; }

 private:
  using Row = Pairs::Row;

  struct Part {  // of a closure: that of a process that has not joined wholly
    Word joined = 0;
    Word fresh = 0;  // and not yet looked at
  };
  struct Brings {  // if a process joins wholly
    Word whole = 0;
    Word part = 0;
  };
  struct Marks {  // on a process, as bits of actions by position
    Word wanted = 0;
    Word seeds = 0;
  };

  void find_ways(const Ahead& ahead);
  void renew(std::uint32_t process);
  [[nodiscard]] Word brought(std::uint32_t process, const Pairs::Neighbour& neighbour) const;
  [[nodiscard]] std::uint8_t kind(std::uint32_t process, const Pairs::Neighbour& neighbour);
  [[nodiscard]] std::uint8_t find_kind(std::uint32_t process,
                                       const Pairs::Neighbour& neighbour) const;
  [[nodiscard]] bool join_wholly(std::uint32_t process, std::size_t limit);
  void join(std::uint32_t process, Word columns);
  void look_at(std::uint32_t process);
  [[nodiscard]] bool is_hit(ActionId action) const;
  void keep_seed(ActionId seed);

  const System& system_;
  const Pairs& pairs_;
  std::vector<std::uint32_t> first_way_;  // per row
  std::vector<Word> ways_;                // per row and column: what to do there on a way to it
  std::vector<std::uint8_t> kinds_;       // of two processes, by Pairs::place: as far as was asked

  std::vector<Row> rows_;       // per process: the state that follows are of
  std::vector<Brings> brings_;  // per process
  std::span<const ActionId> wanted_;
  std::vector<Marks> marks_;  // per process
  std::size_t seeds_ = 0;     // since want(): how many are marked
  Word single_seeds_ = 0;     // those of one process

  std::vector<Part> parts_;  // per process
  Word begun_ = 0;           // processes whose part is not empty
  Word open_ = 0;            // with something fresh
  Word whole_ = 0;           // of which everything has joined
  Word open_whole_ = 0;      // and not yet looked at
  Word hits_ = 0;            // of the first wanted actions
  Word touched_seeds_ = 0;   // one of their processes has joined wholly
  std::uint64_t work_ = 0;
};

}  // namespace mazurka::stateful
