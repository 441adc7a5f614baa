// What a model does next: the rules of SPIN's verifier.
//
// A step is one transition of one process, two if it is a rendezvous. Between the steps of an
// atomic sequence nobody else moves, unless the process can not; such states in between are no
// states of their own. A successor is what is reached when others may move again.
//
// - A process that has come to its end disappears only when it is the youngest one.
// - `timeout` is true when nothing at all is possible otherwise.
// - After a rendezvous it is the receiver that goes on, if its next statement is atomic.
// - `else` is possible when nothing before it in the selection is.
#pragma once

#include <deque>
#include <functional>
#include <set>
#include <vector>

#include "core/check.hpp"
#include "programs/promela/values.hpp"

namespace mazurka::promela {

/// One statement that was executed, and what it dealt with.
struct Taken {
  std::uint32_t process = 0;
  std::uint8_t proctype = 0;
  StatementId statement = none;
  std::vector<std::int32_t> values;  // what was assigned, sent, received; if it is wanted
};

class Machine {
 public:
  struct Callbacks {
    /// A successor, and how it was reached.
    std::function<void(const Configuration&, const std::vector<Taken>&)> reached;
    /// An assertion is wrong after the last of these, or something else must not be.
    std::function<void(const std::string& what, const Place& place, const std::vector<Taken>&)>
        failed;
  };

  Machine(const Model& model, Callbacks callbacks, Footprint* footprint = nullptr)
      : model_(model), values_(model, footprint), callbacks_(std::move(callbacks)) {}

  void keep_values(bool wanted) { keep_values_ = wanted; }
  [[nodiscard]] Configuration initial();
  [[nodiscard]] Configuration unpacked(std::vector<std::uint8_t> bytes) const;
  /// All successors. False if there is none: nobody can move.
  bool expand(const Configuration& from);
  /// The successors by one transition of a process, as long as nobody waits for a timeout.
  bool expand_one(const Configuration& from, std::uint32_t process, std::size_t transition);
  /// Nobody can move, and it is as it should be.
  [[nodiscard]] bool may_end(const Configuration& at) const;
  [[nodiscard]] const Values& values() const { return values_; }

 private:
  struct Mover {
    std::uint32_t process = 0;
    bool timeout = false;
  };
  [[nodiscard]] bool move_all(const Configuration& from, bool timeout);
  [[nodiscard]] bool move(const Configuration& from, const Mover& mover);
  [[nodiscard]] bool attempt(const Configuration& from, const Mover& mover,
                             const Transition& transition);
  [[nodiscard]] bool attempt_checked(const Configuration& from, const Mover& mover,
                                     const Transition& transition);
  [[nodiscard]] bool is_possible(const Statement& statement, const View& view) const;
  [[nodiscard]] bool is_rendezvous(const Statement& statement, const View& view) const;
  [[nodiscard]] bool meet(const Configuration& from, const Mover& sender,
                          const Transition& transition);
  [[nodiscard]] Configuration begun();
  [[noreturn]] void refuse(const Fault& fault, const std::string& what) const;
  [[nodiscard]] bool is_let(const Configuration& at, const Mover& mover) const;
  void arrive(const Configuration& at, std::uint32_t process, bool atomic);

  void perform(const Statement& statement, Configuration& state, const Mover& mover);
  void send(const Statement& statement, Configuration& state, const View& view);
  void receive(const Receive& receive, Configuration& state, const View& view);
  void run(const Statement& statement, Configuration& state, const Mover& mover);
  void start(std::uint32_t proctype, Configuration& state,
             const std::vector<std::int32_t>& arguments);
  void begin_with(const std::vector<Initial>& initials, Configuration& state, std::uint32_t process,
                  std::uint32_t first_channel);
  void end(Configuration& state);
  [[nodiscard]] bool run_d_step(const Statement& statement, Configuration& state,
                                const Mover& mover);
  void note(const Configuration& state, const Mover& mover, StatementId statement);
  void note_value(std::int32_t value);
  [[nodiscard]] const Location& location(const Configuration& at, std::uint32_t process) const {
    MAZURKA_CHECK(process < at.processes.size(), "a process is asked for that exists");
    const std::vector<Location>& all = model_.proctypes[at.proctype(process)].locations;
    MAZURKA_CHECK(at.location(process) < all.size(), "a process is at a location that it has");
    return all[at.location(process)];
  }

  const Model& model_;
  const Values values_;
  Callbacks callbacks_;
  bool keep_values_ = false;
  std::vector<Taken> trail_;
  std::deque<Configuration> buffers_;  // one per step since the state that is expanded
  std::size_t depth_ = 0;
  std::set<std::pair<std::uint32_t, std::vector<std::uint8_t>>>
      passed_;  // inside of atomic sequences
};

}  // namespace mazurka::promela
