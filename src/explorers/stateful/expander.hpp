// One node under expansion: what is enabled in it, what is to be taken from it, what a step leads
// to.
//
// All of this follows from the node alone, its state and what is asleep in it, not from what else
// has been visited. So the search of one thread and that of several share it; each thread has its
// own.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "explorers/stateful/exact.hpp"
#include "explorers/stateful/first_set.hpp"
#include "explorers/stateful/pairs.hpp"
#include "explorers/stateful/search.hpp"
#include "explorers/stateful/selection.hpp"
#include "explorers/stateful/stopwatch.hpp"
#include "explorers/stateful/system.hpp"

namespace mazurka::stateful {

class Expander {
 public:
  /// `exact`: where the variant asks it. What is done is counted in `counts`.
  Expander(const System& system, const Variant& variant, const ExactFirstSets* exact,
           Counts& counts);
  Expander(const Expander&) = delete;
  Expander& operator=(const Expander&) = delete;

  // --- the node

  void load_state(const Word* state);
  /// Brings in the state of a node, what is enabled in it and what is asleep.
  void load(const Word* state, std::span<const Word> mask);
  [[nodiscard]] const std::vector<ActionId>& enabled() const { return enabled_; }
  [[nodiscard]] bool is_deadlock() const { return system_.is_deadlock(locals_.data()); }
  /// The actions to take from it, in order. Valid until the next call.
  [[nodiscard]] std::span<const ActionId> plan() {
    follow();
    return selection_.select(locals_.data(), enabled_, sleeping_, [](auto) {});
  }
  /// The same. `ahead` is told the hashes of the states that they lead to, before they are put in
  /// order.
  template <typename Ahead>
  [[nodiscard]] std::span<const ActionId> plan(Ahead&& ahead) {
    follow();
    return selection_.select(
        locals_.data(), enabled_, sleeping_, [&](std::span<const ActionId> chosen) {
          for (const ActionId action : chosen) {
            ahead(system_.step(state_.data(), hash_, locals_.data(), action, below_state_.data()));
          }
        });
  }
  /// What is asleep by now: at first what was when it was loaded, later what was taken, too.
  [[nodiscard]] std::vector<ActionId>& asleep() { return asleep_; }

  // --- one successor

  /// Takes the action from the node.
  void step(ActionId action);
  /// What is enabled in the successor that the action has led to, and what is asleep. What follows
  /// but for its state and hash is known from then on.
  void look_around(ActionId action);
  void step_back(ActionId action);
  /// The initial state as if a step had led to it.
  void step_to_initial();

  [[nodiscard]] const std::vector<Word>& successor() const { return below_state_; }
  [[nodiscard]] const std::vector<ActionId>& enabled_below() const { return enabled_below_; }
  [[nodiscard]] Word hash() const { return hash_below_; }
  /// What is asleep in the successor, by position among what is enabled there.
  [[nodiscard]] const std::vector<Word>& mask() const { return mask_; }
  [[nodiscard]] bool worth_a_node();
  [[nodiscard]] bool satisfies(const StatePredicate& predicate) const {
    return predicate([&](std::uint32_t process) { return locals_[process]; });
  }

  // --- the cost

  [[nodiscard]] Timing& timing() { return timing_; }
  [[nodiscard]] std::uint64_t work() const {
    return work_ + first_set_test_.work() + selection_.work();
  }

 private:
  void put_to_sleep(ActionId action);
  void find_enabled(std::vector<ActionId>& out);
  void follow() {
    if (pairs_ && moved_ != 0) pairs_->follow(locals_.data(), moved_);
    moved_ = 0;
  }

  const System& system_;
  const Variant variant_;
  const ExactFirstSets* exact_;
  Counts& counts_;
  std::optional<Pairs> pairs_;  // where the system is one of pairs, and that helps
  FirstSetTest first_set_test_;
  Timing timing_;
  Selection selection_;
  std::uint64_t work_ = 0;

  std::vector<Word> state_;
  Word hash_ = 0;
  std::vector<LocalState> locals_;
  std::vector<ActionId> enabled_;
  std::vector<ActionId> asleep_;
  RoundSet sleeping_;

  std::vector<Word> below_state_;
  Word hash_below_ = 0;
  std::vector<LocalState> before_;  // where those who took the step were
  Word moved_ = 0;                  // who may have, since pairs_ were told
  std::vector<ActionId> enabled_below_;
  RoundSet below_;  // what is asleep there
  std::vector<ActionId> awake_below_;
  std::vector<Word> mask_;
  std::vector<Word> allowed_;
};

}  // namespace mazurka::stateful
