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
// explodes on long clients. Local states that have been reached are marked instead. An edge that
// leads out of the set waits in the list of the process that is missing, so each edge is looked at
// at most twice.
#pragma once

#include <span>
#include <vector>

#include "explorers/stateful/system.hpp"

namespace mazurka::stateful {

class FirstSetTest {
 public:
  enum class Paths : std::uint8_t { within_set, any };  // PIFS, rPIFS
  struct Answer {
    bool possible = false;
    std::size_t size = 0;  // actions in the final set, if it is not possible
  };

  explicit FirstSetTest(const System& system);
  /// How many local states and edges have been looked at in all tests: what they cost, untimed.
  [[nodiscard]] std::uint64_t work() const { return work_; }

  [[nodiscard]] Answer operator()(const LocalState* locals, std::span<const ActionId> enabled,
                                  std::span<const ActionId> start, Paths paths = Paths::within_set);

 private:
  struct Reached {
    std::uint32_t process = 0;
    LocalState state = 0;
  };
  struct Waiting {  // a local transition whose partner is not in the set yet
    std::uint32_t process = 0;
    LocalState target = 0;
    std::uint32_t next = 0;
  };
  struct Crowd {  // a local transition with more than two participants
    std::uint32_t process = 0;
    System::Edge edge;
  };

  void add(ActionId action);
  void join(std::uint32_t process);
  void visit(std::uint32_t process, LocalState state);
  void look_at(const Reached& here);
  void wait_for(std::uint32_t partner, std::uint32_t process, LocalState target);
  bool look_at_crowds();
  [[nodiscard]] bool follows(std::uint32_t process, ActionId action) const;
  [[nodiscard]] bool reached_at(const System::Participant& who) const;
  [[nodiscard]] bool can_now(const System::Participant& who) const {
    return system_.target(who, locals_[who.process]) != no_target;
  }
  [[nodiscard]] bool in_set(std::uint32_t process) const {
    return contains(processes_.data(), process);
  }

  const System& system_;
  const LocalState* locals_ = nullptr;
  Paths paths_ = Paths::within_set;
  RoundSet actions_;
  RoundSet rows_;
  std::vector<Reached> reached_;
  std::vector<Waiting> waiting_;
  std::vector<std::uint32_t> first_waiting_;  // per process
  std::vector<Crowd> crowds_;
  std::vector<Word> processes_;
  std::size_t size_ = 0;
  std::uint64_t work_ = 0;
};

}  // namespace mazurka::stateful
