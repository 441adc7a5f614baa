// A system of actors as a program that explorers can run.
//
// Every message is a process with a single step, its delivery; the step that sends it releases it.
// A delivery touches its receiver, and nothing else that matters: what it reads and writes is the
// receiver's state. So two deliveries are dependent if they have one receiver or one sends the
// other; unless both handlers are const member functions, which only read (and send). Three things
// may be added to a footprint:
//  - a message that not every local state accepts has a guard on the receiver (guards.hpp);
//  - with FIFO channels, a message has a place in its channel: the guard is that all before it have
//    been delivered, which no reversal can change (an urgent one waits for urgent ones only, and
//    those after it wait for it);
//  - what invariants read is touched by every delivery to an actor that they read, so that the
//    invariants see these in every order.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/program.hpp"
#include "programs/actors/configuration.hpp"

namespace mazurka::actors {

class ActorProgram final : public Program {
 public:
  explicit ActorProgram(const System& system, Order order = Order::fifo);

  [[nodiscard]] const Vocabulary& vocabulary() const override { return vocabulary_; }
  [[nodiscard]] Steps steps() const override { return Steps::one; }
  // Invariants look at what happens on the way, so equal states do not make equal executions.
  [[nodiscard]] bool has_states() const override {
    return configuration_.rules().invariants.empty();
  }
  void run(Run& run) override;

  /// The configuration after the latest execution.
  [[nodiscard]] Configuration& configuration() { return configuration_; }

  /// Where the decisions of the execution under way are written down, numbered by creation.
  struct Journal {
    Decision* decisions = nullptr;
    std::uint32_t capacity = 0;
    void (*advance)(void* owner, std::uint32_t size) = nullptr;
    void* owner = nullptr;
  };
  void keep(Journal journal) { journal_ = journal; }

  /// Called after each delivery, of an execution that is performed to be shown.
  using Observer = std::function<void(const Mail& delivered)>;
  void observe(Observer observer) { observer_ = std::move(observer); }

 private:
  enum Kind : std::uint8_t { actor_kind, channel_kind, observed_kind };
  enum ActorMode : std::uint8_t { deliver, deliver_if, read };
  enum ChannelMode : std::uint8_t { in_turn, after_urgent };

  void start(Run& run);
  void announce(Run& run, std::size_t number);
  bool step(Run& run, Decision decision);
  void collect_values(const Mail& mail, bool all);
  void update_enabled(Run& run, const Mail& delivered);
  void report_failure(Run& run, const Mail& mail);
  void check_invariants(Run& run, ProcessId process);
  void end(Run& run);
  [[nodiscard]] ProcessId preferred(const Run& run) const;
  [[nodiscard]] ProcessId oldest_first(const Run& run, bool only_urgent) const;
  [[nodiscard]] ProcessId by_creation(const Run& run, bool latest) const;
  [[nodiscard]] bool guarded(const Mail& mail) const;
  [[nodiscard]] ObjectId object_of_channel(std::uint32_t channel, Lane lane);

  Configuration configuration_;
  Order order_;
  Vocabulary vocabulary_;
  Journal journal_;
  Observer observer_;
  std::vector<std::uint32_t> pending_;          // mails, in the order of sending
  std::vector<std::uint32_t> mail_of_process_;  // by process
  std::size_t enabled_ = 0;                     // how many pending mails can be delivered
  std::vector<std::uint64_t> values_;
  std::vector<ProcessId> released_;
  std::vector<Access> accesses_;
  bool failed_ = false;  // in this execution, and the search goes on
};

}  // namespace mazurka::actors
