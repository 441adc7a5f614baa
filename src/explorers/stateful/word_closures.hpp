// Closures (source_sets.hpp) of systems that are pairs (pairs.hpp).
//
// Idea. What is in a closure is, for each process, a set of actions that it could do next: a word.
// For every action that joins, the partner's ways to it do, and where the action is possible those
// of the process itself: each of these is a word, too, which only depends on the local state. A
// process of which everything has joined is done.
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
  /// The wanted actions of the closure of `seed`, in any order. False, and not all of them, if
  /// there are `limit`, or as many as in the closure of another seed since want().
  bool closure(ActionId seed, std::size_t limit, std::vector<ActionId>& hits);
  [[nodiscard]] std::uint64_t work() const { return work_; }

 private:
  struct Part {  // of a closure: that of a process
    Word joined = 0;
    Word fresh = 0;  // and not yet looked at
    Word hits = 0;
  };

  void join(std::uint32_t process, Word columns);
  void look_at(std::uint32_t process);
  [[nodiscard]] bool hit(std::uint32_t process, Word columns, std::size_t limit,
                         std::vector<ActionId>& hits);
  [[nodiscard]] bool has_all_of_another_seed() const;

  const System& system_;
  const Pairs& pairs_;
  std::vector<Word> all_;                 // per row: all that can be done there
  std::vector<std::uint32_t> first_way_;  // per row
  std::vector<Word> ways_;                // per row and column: what to do there on a way to it
  std::vector<Word> wanted_;              // per process
  std::vector<Part> parts_;               // per process
  Word begun_ = 0;                        // processes whose part is not empty
  Word open_ = 0;                         // with something fresh
  Word whole_ = 0;                        // of which everything has joined
  std::vector<Word> seeds_;               // since want(): their processes
  std::uint64_t work_ = 0;
};

}  // namespace mazurka::stateful
