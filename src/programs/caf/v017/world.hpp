// CAF 0.17 as the explorer sees it.
//
// The real actors, handlers, mailboxes and requests of the library run. What it does to others is
// taken over by functions of the same name as the library's (hooks.cpp), which come first when the
// program is loaded: a message that is sent does not go to a mailbox but on its way; who monitors,
// links or attaches asks for news; who waits in main has messages delivered; who ends is noted. A
// delivery gives the message to the library, which handles it, and those that the actor has skipped
// before, as it always does.
//
// The system is made once and used for all executions. References to actors are held until nothing
// else is left to do, and in the end everything that is left is ended.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "caf/all.hpp"
#include "programs/caf/system.hpp"

namespace mazurka::caf::v017 {

class World;
/// The one whose execution is under way; null between executions.
[[nodiscard]] World* active_world();

class World final : public System {
 public:
  using Main = std::function<void(::caf::actor_system&)>;
  World(::caf::actor_system& system, Main main);
  ~World() override;

  // System
  void run_main(Explorer& explorer, const Rules& rules) override;
  void deliver(std::uint32_t mail) override;
  [[nodiscard]] bool has_unreachable() override;
  void release() override;
  [[nodiscard]] bool has_timers() const override;
  void pass_time() override;
  [[nodiscard]] std::vector<std::uint32_t> running() const override;
  [[nodiscard]] std::vector<std::string> left() const override;
  void clear() override;
  [[nodiscard]] std::string name_of(std::uint32_t actor) const override;
  [[nodiscard]] std::string label(std::uint32_t mail) const override;

  // What the program does, told by the hooks.
  void send(::caf::abstract_actor& receiver, ::caf::mailbox_element_ptr& element);
  void launched(::caf::local_actor& actor, bool lazy);
  void runnable(::caf::resumable* job);
  void monitor(::caf::local_actor& observer, ::caf::abstract_actor& observed,
               ::caf::message_priority priority);
  void demonitor(::caf::local_actor& observer, ::caf::abstract_actor& observed);
  void link(::caf::abstract_actor& one, ::caf::abstract_actor& other);
  void unlink(::caf::abstract_actor& one, ::caf::abstract_actor& other);
  /// False: it is the actor's own doing.
  bool attach(::caf::abstract_actor& observed, ::caf::attachable_ptr& what);
  void ending(::caf::monitorable_actor& actor, const ::caf::error& reason);
  void unhandled(::caf::scheduled_actor& actor, const ::caf::message_view& message);
  void thrown(::caf::scheduled_actor& actor, const std::exception_ptr& exception);
  /// Main waits for a message. False: it gave up.
  bool await(::caf::blocking_actor& actor, bool may_give_up);
  void await_running(std::size_t expected);
  /// Main waits until nothing is left.
  void await_idle();
  void refuse(const std::string& what);
  void problem(FindingKind kind, const std::string& message);
  void put_name(::caf::abstract_actor& actor, const std::string& name);

  /// A number for the step under way, the same in every equivalent execution; 0: the set-up.
  [[nodiscard]] std::uint64_t step_name() const;

  /// What is sent in this scope has no order.
  class Unordered {
   public:
    explicit Unordered(World& world) : world_(world) { ++world_.unordered_; }
    Unordered(const Unordered&) = delete;
    Unordered& operator=(const Unordered&) = delete;
    ~Unordered() { --world_.unordered_; }

   private:
    World& world_;
  };

 private:
  struct Entry {
    ::caf::strong_actor_ptr reference;
    ::caf::actor_addr address;
    ::caf::error reason;  // why it ended
    std::string name;
    bool seen = false;
    bool begun = false;
    bool broken = false;    // an assertion has left it as it was
    bool released = false;  // the last reference is gone

    /// Null: main acts for it, or it is gone.
    [[nodiscard]] ::caf::scheduled_actor* scheduled() const;
  };
  enum class News : std::uint8_t { down, exit };
  using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  // of actors
  struct Payload {
    ::caf::mailbox_element_ptr element;
    ::caf::resumable* job = nullptr;  // of a beginning; holds a reference
    ::caf::attachable_ptr attached;
    News news{};
    ::caf::message_priority priority{};
    std::string label;
  };
  class Unit final : public ::caf::execution_unit {
   public:
    explicit Unit(::caf::actor_system& system) : execution_unit(&system) {}
    void exec_later(::caf::resumable* job) override;
  };

  std::uint32_t see(::caf::abstract_actor& actor);
  std::uint32_t number_of(::caf::actor_id id);
  void number_new_actors();
  Payload& payload(std::uint32_t mail);
  [[nodiscard]] ::caf::mailbox_element_ptr make_news(const Mail& mail, const Payload& payload);
  void hand_over(std::uint32_t receiver, ::caf::mailbox_element_ptr element);
  void resume(std::uint32_t actor);
  template <typename Body>
  void guarded(std::uint32_t actor, const Body& body);
  void end(Entry& entry);

  ::caf::actor_system& system_;
  Main main_;
  Unit unit_;
  Explorer* explorer_ = nullptr;
  Rules rules_;
  ::caf::actor_id first_id_ = 0;  // those of this execution come after it
  std::vector<Entry> entries_;    // by number
  std::vector<Payload> payloads_;
  bool closing_ = false;
  bool skips_ = false;  // an actor has skipped a message, in whichever execution
  const ::caf::resumable* waking_ = nullptr;  // is being given a message
  ::caf::resumable* woken_ = nullptr;
  int unordered_ = 0;
  bool exit_handled_ = false;  // the step under way handles an exit message
  bool thrown_ = false;        // ... and an exception has left a handler
  Pairs links_;                // who has asked for it, to whom
  Pairs exits_sent_;           // by whom, to whom
  Pairs unlinked_;             // in this step: who, from whom
};

}  // namespace mazurka::caf::v017
