// A network of automata as a program that stateless techniques can run.
//
// Clients are processes, servers are objects. Two clients that share an action cannot move apart
// from each other, so they are one process; two servers that share an action are one object, so
// that being enabled is always a matter of one object's value. A client that could do one of
// several things first chooses one (a step with outcomes, independent of everything else) and then
// waits for the server. That may choose what is not possible while something else would have been:
// an execution that ends this way is complete, but no deadlock, and shows nothing that other
// executions do not show.
//
// The value of an object is the set of its actions that its servers allow, as the address of a bit
// set that stays where it is as long as the program.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/bit_set.hpp"
#include "core/network.hpp"
#include "core/program.hpp"

namespace mazurka::automata {

class AutomataProgram final : public Program {
 public:
  /// `predicate`: a state to be reported as a finding; its meaning for the user is `wanted`.
  explicit AutomataProgram(Network network, StatePredicate predicate = {}, std::string wanted = {});

  [[nodiscard]] const Vocabulary& vocabulary() const override { return vocabulary_; }
  void run(Run& run) override;
  [[nodiscard]] const Network* network() const override { return &network_; }

  /// The actions of the latest execution, in order.
  [[nodiscard]] const std::vector<ActionId>& actions() const { return performed_; }
  /// What each of its steps was about: the action that was performed, or only chosen for later.
  struct Taken {
    ActionId action = 0;
    bool performed = false;
  };
  [[nodiscard]] const std::vector<Taken>& taken() const { return taken_; }
  /// Performs the schedule of a finding once more. Returns its actions.
  const std::vector<ActionId>& replay(const std::vector<Decision>& schedule,
                                      ProcessNames names = {});
  /// Whether the latest execution ended in a state in which nothing is enabled.
  [[nodiscard]] bool ended_in_terminal_state() const;

 private:
  static constexpr std::uint32_t none = no_target;

  struct Action {
    std::vector<std::uint32_t> clients;
    std::vector<std::uint32_t> servers;
    std::uint32_t object = none;
    std::uint16_t operand = 0;  // its number among the actions of its object
  };
  struct Group {  // a process for the checker
    std::vector<std::uint32_t> clients;
    ProcessId name{};
    std::vector<ActionId> offers;  // what it could do now, as far as it is concerned
    ActionId chosen = none;
    bool finished = false;
  };
  struct Object {
    std::vector<std::uint32_t> servers;
    std::vector<ActionId> actions;
    std::map<std::vector<LocalState>, std::unique_ptr<std::vector<Word>>> values;
  };

  /// Before the first execution: whoever only looks at the network does not need this.
  void prepare();
  void make_tables();
  void make_groups();
  void make_objects();
  [[nodiscard]] LocalState target(std::uint32_t process, LocalState state, ActionId action) const;
  [[nodiscard]] bool clients_allow(ActionId action) const;
  [[nodiscard]] bool servers_allow(ActionId action) const;
  [[nodiscard]] std::uint64_t value_of(Object& object);
  void announce(Run& run, Group& group);
  void go_on(Run& run, Group& group);
  void perform(ActionId action);
  /// Reports the state if it is the one that is looked for.
  void look_at_state(Run& run, ProcessId mover);
  [[nodiscard]] bool someone_can_move(const Run& run) const;

  Network network_;
  StatePredicate predicate_;
  std::string wanted_;
  Vocabulary vocabulary_;
  bool prepared_ = false;
  std::vector<std::vector<std::map<ActionId, LocalState>>> targets_;  // process, state
  std::vector<std::vector<bool>> wanting_;                            // process, state
  std::vector<Action> actions_;
  std::vector<Group> groups_;
  std::vector<Object> objects_;
  std::vector<std::size_t> group_of_;  // per ProcessId
  std::vector<LocalState> locals_;
  std::vector<ActionId> performed_;
  std::vector<Taken> taken_;
};

}  // namespace mazurka::automata
