// The actors' local states and the messages on their way: what a step changes.
//
// The configuration is put back to its beginning without running the set-up again: initial states
// are copied, initial messages are never changed (population.hpp, mails.hpp). It is also the host
// of handlers, set-up and conditions: what they do to it and ask it stands in hosting.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "core/ids.hpp"
#include "mazurka/actors.hpp"
#include "programs/actors/failures.hpp"
#include "programs/actors/guards.hpp"
#include "programs/actors/invariants.hpp"
#include "programs/actors/mails.hpp"
#include "programs/actors/population.hpp"

namespace mazurka::actors {

class Configuration final : public Host {
 public:
  explicit Configuration(const System& system);

  [[nodiscard]] const Rules& rules() const { return rules_; }
  [[nodiscard]] Invariants& invariants() { return invariants_; }
  [[nodiscard]] const Population& population() const { return population_; }
  [[nodiscard]] Mails& mails() { return mails_; }
  [[nodiscard]] const Mails& mails() const { return mails_; }
  /// What is wrong with the program itself, if anything is.
  [[nodiscard]] const std::string& mistake() const { return mistake_; }

  /// Back to the initial configuration.
  void reset();

  /// The receiver handles the message. Returns the number of the first message sent by it.
  std::size_t deliver(std::size_t mail);
  [[nodiscard]] const std::optional<Failure>& failure() const { return failure_; }

  /// Whether the message could be handled now.
  [[nodiscard]] bool can_deliver(const Mail& mail) const;
  [[nodiscard]] bool is_lost(const Mail& mail) const {
    return mail.kind == Mail::Kind::message && population_[mail.receiver].dead;
  }

  /// The interned local state that guards are asked about; null for a type without guards.
  [[nodiscard]] const GuardTable::LocalState* local_state(std::uint32_t actor);
  [[nodiscard]] std::uint16_t guard_class(const Mail& mail) {
    return guards_.class_of(*mail.handler, mail.arguments);
  }

  /// Equal for equal local states and equal contents of the messages on their way, whatever the
  /// messages' names.
  [[nodiscard]] Fingerprint fingerprint() const {
    return population_.fingerprint() ^ mails_.fingerprint();
  }
  /// From the next reset on: keep what each step changes in the fingerprint.
  void track_changes(bool wanted) { track_changes_ = wanted; }
  [[nodiscard]] const Fingerprint& latest_change() const { return change_; }

  // Host
  [[nodiscard]] std::string name_of(std::uint32_t actor) const override;
  void* send(const Handler& handler, std::uint32_t to, std::uint32_t& request) override;
  Message& await(std::uint32_t request, const Handler& handler) override;
  void* spawn(const ActorType& type, std::uint32_t& id) override;
  void* become(const ActorType& type) override;
  void stop() override;
  void crash(std::uint32_t actor) override;
  void monitor(std::uint32_t watcher, std::uint32_t actor, const Handler& handler) override;
  [[nodiscard]] std::uint32_t self() const override { return mails_.self(); }
  void expect(bool condition, const std::string& text) override;
  [[nodiscard]] std::size_t actor_count() const override { return population_.existing().size(); }
  [[nodiscard]] std::uint32_t actor_at(std::size_t at) const override {
    return population_.existing()[at];
  }
  [[nodiscard]] const ActorType* type_of(std::uint32_t actor) const override;
  [[nodiscard]] const void* state_of(std::uint32_t actor) const override;
  [[nodiscard]] std::size_t pending(const Handler* handler) const override;
  void reads(const ActorType& type) const override { invariants_.check_reading(type); }

 private:
  [[nodiscard]] std::string number_in_set_up(std::uint32_t actor) const;
  void refuse_if_reading(const char* what) const;
  Mail& post(Mail::Kind kind, const Handler* handler, std::uint32_t to);
  void handle(const Mail& mail);
  void end_actor(std::uint32_t id);
  void notify(std::uint32_t watcher, const Handler& handler, std::uint32_t ended);

  Rules rules_;
  Invariants invariants_{rules_};
  GuardTable guards_;
  Population population_;
  Mails mails_;

  // What the handler that runs has asked for, and how it ended.
  bool stopping_ = false;
  const ActorType* next_type_ = nullptr;
  void* next_state_ = nullptr;
  std::optional<Failure> failure_;
  std::string mistake_;

  bool track_changes_ = false;
  Fingerprint change_;
};

}  // namespace mazurka::actors
