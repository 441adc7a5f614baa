// A CAF program as one that explorers can run.
//
// Every message is a process with a single step, its delivery; the step that sends it is its cause.
// A delivery touches its receiver, and the outbox that it leaves: the guard is that its turn has
// come, which no reversal can change. Main is no actor of its own: what it does up to where it
// waits for the first time is the set-up, and what it does after a message has come for it is part
// of that message's delivery.
//
// Three things are not messages. The *news* that an actor has ended belong to the step that asked
// for them, and are released by the end of the actor, be that before or after. An *epilogue* is
// what someone has attached to the end of an actor. And when nothing can be delivered, an *idle
// step* is taken: actors that nobody holds end (references are held until then, so that it does not
// matter who drops the last), else time passes, else main goes on that has waited for this. An idle
// step comes after all that has happened: every step counts, as an arrival at a barrier does, and
// the guard of an idle step is how many there were.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/program.hpp"
#include "programs/caf/system.hpp"
#include "programs/caf/watch.hpp"

namespace mazurka::caf {

class CafProgram final : public Program, private Explorer {
 public:
  CafProgram(System& system, const Rules& rules);

  [[nodiscard]] const Vocabulary& vocabulary() const override { return vocabulary_; }
  [[nodiscard]] Steps steps() const override { return deliveries_only_ ? Steps::one : Steps::many; }
  void run(Run& run) override;
  [[nodiscard]] bool abandoned() const override { return must_restart_ || too_many_messages_; }
  // What was learnt decides what the steps are, in another process too.
  void save_names(ArchiveWriter& archive) const override;
  void load_names(ArchiveReader& archive) override;

  /// Something was learnt that changes the steps: the search must begin anew.
  [[nodiscard]] bool must_restart() const { return must_restart_; }
  void restart();
  /// There are more than can be told apart: the program may go on for ever.
  [[nodiscard]] bool has_too_many_messages() const { return too_many_messages_; }

  /// For techniques that know nothing but deliveries, each caused by the step that sent the
  /// message: who asks for the end of another actor is refused.
  void expect_deliveries_only() { deliveries_only_ = true; }

  /// What the program does that can not be explored; empty: nothing.
  [[nodiscard]] const std::string& refusal() const { return refusal_; }

  /// Where the decisions of the execution under way are written down, numbered by creation.
  struct Journal {
    Decision* decisions = nullptr;
    std::uint32_t capacity = 0;
    void (*advance)(void* owner, std::uint32_t size) = nullptr;
    void* owner = nullptr;
  };
  void keep(Journal journal) { journal_ = journal; }

  /// Words of the execution that is performed next are kept for a chart.
  void tell(bool wanted) { tells_ = wanted; }
  /// The latest execution, told.
  struct Told {
    std::vector<Mail> mails;
    std::vector<std::string> labels;  // per mail
    std::vector<std::string> names;   // per actor
    std::vector<std::uint32_t> history;
    std::vector<std::string> endings;
  };
  [[nodiscard]] const Told& told() const { return told_; }
  /// Of the latest execution.
  [[nodiscard]] const Traffic& latest() const { return traffic_; }
  /// Of all executions: what nobody can say to have been explored; empty: there is nothing.
  [[nodiscard]] const std::string& unexplored() const { return watch_.unexplored(); }

 private:
  enum Kind : std::uint8_t { actor_kind, outbox_kind, world_kind };
  enum ActorMode : std::uint8_t { deliver, deliver_after };
  enum OutboxMode : std::uint8_t { leave, follow };
  enum WorldMode : std::uint8_t { count, when_idle };
  enum class Idle : std::uint8_t { release, time, main };

  // Explorer
  Traffic& traffic() override { return traffic_; }
  bool wait(std::uint32_t actor, bool may_give_up) override;
  void refuse(const std::string& what) override;
  [[nodiscard]] bool tells() const override { return tells_; }

  void start(Run& run);
  enum class Waited : std::uint8_t { came, in_vain, over };
  [[nodiscard]] Waited deliver_until(std::uint32_t actor, bool may_give_up);
  void open_step(Decision decision);
  /// False: the execution is over.
  [[nodiscard]] bool close_step();
  void close_set_up();
  void create_new(ProcessId parent);
  void signal_ends(bool committed);
  void announce(std::uint32_t number);
  void announce_new();
  void update_enabled();
  void refuse_what_is_no_delivery(const Mail& mail);
  void collect_accesses(const Mail& mail);
  void collect_values(const Mail& mail);
  bool announce_idle(bool main_waits);
  void report_problems(ProcessId process);
  void end_of_all();
  [[nodiscard]] Problem open_requests() const;
  void keep_words();
  [[nodiscard]] std::string about(std::uint32_t mail) const;

  System& system_;
  Rules rules_;
  Traffic traffic_;
  Watch watch_;
  Vocabulary vocabulary_;
  Journal journal_;
  Run* run_ = nullptr;
  bool set_up_ = true;       // main has not waited yet
  bool over_ = false;        // of this execution nothing is to follow
  bool failed_ = false;      // a step has failed, and the search goes on
  bool main_waits_ = false;  // for a message that may never come
  bool main_ended_ = false;
  bool tells_ = false;
  bool must_restart_ = false;
  bool too_many_messages_ = false;
  bool deliveries_only_ = false;
  std::string refusal_;
  std::uint32_t open_ = nobody;  // the step under way: a mail
  std::size_t first_new_ = 0;    // mails from here on have no process yet
  std::size_t enabled_ = 0;
  std::uint16_t counted_ = 0;  // steps so far
  std::vector<std::uint32_t> pending_;
  std::vector<std::uint32_t> mail_of_process_;
  std::vector<Access> accesses_;
  std::vector<std::uint64_t> values_;
  std::vector<ProcessId> released_;
  Idle idle_{};
  Told told_;
};

}  // namespace mazurka::caf
