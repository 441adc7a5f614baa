// Might a maximal run begin only with these actions? The heuristics PIFS and rPIFS.
//
// A set of actions B includes a first set in a state if some maximal run u has first(u) within B.
// Deciding that is NP-hard, so a run is approximated by local runs of single processes: an answer
// "no" is certain, "yes" is not. Starting from B, an action c joins the set when some participant
// can get to it by a local path that begins with an action of the set and only meets processes of
// the set (rPIFS drops this last condition), while another participant could do c right now. In
// the end the processes of the set must touch every enabled action, or the run would not be
// maximal.
//
// With more than two participants the rule is: every participant of c can do it now or has such a
// path, at least one of them the former and at least one the latter. In a maximal run whose first
// set is within B, the first action of every process is then in the set, by induction along the
// run: either it has no predecessor and is in B, or some participants have moved before.
//
// Local reachability is not listed in advance as triples (state, processes, action): their number
// explodes on long clients. Local states that have been reached are marked instead. From each of
// them, all that leads on in company of the same partner is one exit with a set of targets; an exit
// to a partner outside the set waits until he joins, so each is looked at once or twice.
//
// Local states from which a process can only go on by itself, to one other, are passed through:
// where they lead to is worked out once.
//
// Which actions the partners could do right now is a bit per process and action. It is kept from
// one test to the next and changes with the processes that have moved in between. So the actions
// that join from a local state are found word by word, and there are mostly none.
//
// The set of an action alone is kept, with all that was read to find it (kept_first_sets.hpp).
//
// The local state reached last is looked at first: that follows one process to the next, and most
// answers are "yes" as soon as enough processes have joined.
//
// This is for any system. Those that are pairs, as most are, are gone through in larger steps
// (pair_first_sets.hpp).
#pragma once

#include <compare>
#include <optional>
#include <span>
#include <vector>

#include "explorers/stateful/kept_first_sets.hpp"
#include "explorers/stateful/pair_first_sets.hpp"
#include "explorers/stateful/system.hpp"

namespace mazurka::stateful {

class FirstSetTest {
 public:
  enum class Paths : std::uint8_t { within_set, any };  // PIFS, rPIFS
  struct Answer {
    bool possible = false;
    std::size_t size = 0;  // actions in the final set, if it is not possible
  };

  /// With `pairs`, which must be in the state that is asked about, larger steps are made.
  explicit FirstSetTest(const System& system, const Pairs* pairs = nullptr);
  /// How many local states and edges have been looked at in all tests: what they cost, untimed.
  [[nodiscard]] std::uint64_t work() const { return pairs_ ? pairs_->work() : work_; }

  /// From now on, `action` alone is known to be possible in the state that is asked about, so that
  /// any set that comes to it is, too. Until forget(), which must be called before another state.
  void be_sure_of(ActionId action) {
    if (pairs_) return pairs_->be_sure_of(action);
    sure_.insert(action);
  }
  void forget() {
    if (pairs_) return pairs_->forget();
    sure_.clear();
  }

  [[nodiscard]] Answer operator()(const LocalState* locals, std::span<const ActionId> enabled,
                                  std::span<const ActionId> start, Paths paths = Paths::within_set);

 private:
  struct Exit {  // out of a local state, in company of one partner or alone
    std::uint32_t partner = 0;
    std::uint32_t targets = 0;    // where their set begins; it has no more words than it needs
    std::uint32_t words = 0;      // how many these are
    std::uint32_t reached = 0;    // the same words in sets of local states
    std::uint32_t first_row = 0;  // the row of the first bit of them
  };
  struct Row {  // a local state: where its parts begin, up to those of the next
    std::uint32_t columns = 0;
    std::uint32_t exits = 0;
    std::uint32_t offers = 0;
    std::uint32_t word = 0;          // the same words as its columns, in sets of actions
    std::uint32_t first_column = 0;  // of the first bit of them
    std::uint32_t process = 0;
    std::uint32_t work = 0;
    bool crowded = false;  // some action of it has more than two participants
  };
  struct Partner {  // of an action of two, seen from the other one's column
    ActionId action = 0;
    std::uint32_t process = 0;
    std::uint32_t column = 0;
  };
  struct Offer {  // what a local state makes possible for partners
    std::size_t word = 0;
    Word columns = 0;
  };
  struct Waiting {
    std::uint32_t exit = 0;
    std::uint32_t next = 0;
  };
  struct Crowd {  // a local transition with more than two participants
    std::uint32_t process = 0;
    System::Edge edge;
  };

  struct Leaving {  // a local transition, as it is sorted into exits
    std::uint32_t partner = 0;
    LocalState target = 0;
    // NOLINTNEXTLINE(modernize-use-nullptr): a mistake about what this is made of
    friend auto operator<=>(const Leaving&, const Leaving&) = default;
  };

  [[nodiscard]] Answer test(std::span<const ActionId> enabled, std::span<const ActionId> start);
  [[nodiscard]] std::optional<Answer> known_answer(std::span<const ActionId> enabled,
                                                   ActionId action);
  void keep(ActionId action, bool whole);
  void lay_out();
  void lay_out_partners();
  void find_passages(std::uint32_t process);
  [[nodiscard]] LocalState only_way_on(std::uint32_t process, LocalState state) const;
  void fill_row(std::uint32_t process, LocalState state);
  void add_columns(std::uint32_t process, std::span<const System::Edge> edges);
  void add_exits(std::uint32_t process, std::vector<Leaving>& leaving);
  void add_offer(std::size_t row, const System::Participant& partner);
  void clear();
  void follow(const LocalState* locals);
  void toggle(std::size_t row);
  void add(ActionId action);
  void include(ActionId action, std::uint32_t process, std::uint32_t column);
  void join(std::uint32_t process);
  void visit(std::uint32_t process, LocalState passed);
  void take(const Exit& exit);
  void look_at(std::uint32_t number);
  void gather_crowds(std::uint32_t number);
  bool look_at_crowds();
  [[nodiscard]] bool follows(std::uint32_t process, ActionId action) const;
  [[nodiscard]] bool reached_at(const System::Participant& who) const;
  [[nodiscard]] bool touches_all(std::span<const ActionId> enabled, std::size_t& touched) const {
    while (touched < enabled.size() &&
           meet(system_.domain(enabled[touched]), processes_.data(), processes_.size())) {
      ++touched;
    }
    return touched == enabled.size();
  }
  [[nodiscard]] bool in_set(std::uint32_t process) const {
    return contains(processes_.data(), process);
  }
  [[nodiscard]] bool has(ActionId action) const {
    const System::Participant& who = system_.participants(action).front();
    return contains(members_.data() + first_word_[who.process], who.column);
  }

  const System& system_;
  std::optional<PairFirstSets> pairs_;  // where there is one, nothing that follows is used
  Paths paths_ = Paths::within_set;

  // Sets of actions have a row of words per process, with a bit per column; sets of local states
  // have one, with a bit per state.
  std::vector<std::size_t> first_word_;   // per process, in sets of actions
  std::vector<std::size_t> first_state_;  // per process, in sets of local states
  std::vector<Partner> partner_at_;       // per bit of sets of actions
  std::vector<LocalState> passage_;       // per row: the local state that it leads to, or itself
  std::vector<Row> rows_;
  std::vector<Word> columns_;
  std::vector<Exit> exits_;
  std::vector<Word> targets_;
  std::vector<Offer> offers_;

  std::vector<LocalState> known_;  // the state of the last test, and in it:
  std::vector<Word> possible_;     // of two participants, the other could do it

  std::vector<Word> members_;                 // actions in the set
  std::vector<Word> read_;                    // those of which it was asked whether they could join
  std::vector<Word> reached_set_;             // local states
  std::vector<std::uint32_t> reached_words_;  // those of the sets that are not empty
  std::vector<std::uint32_t> fresh_;          // rows reached and not yet looked at
  std::vector<Waiting> waiting_;
  std::vector<std::uint32_t> first_waiting_;  // per process
  std::vector<Crowd> crowds_;
  std::vector<Word> processes_;
  bool joined_ = false;  // somebody, since this was last asked
  std::size_t size_ = 0;
  KeptFirstSets kept_;
  KeptFirstSets::Kept latest_;
  RoundSet sure_;
  bool meets_sure_ = false;
  std::uint64_t work_ = 0;
};

}  // namespace mazurka::stateful
