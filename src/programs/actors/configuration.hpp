// The actors' local states and the messages on their way: what a step changes.
//
// A message is stored when it is sent and keeps its number for the rest of the execution; an
// actor's id is interned from (actor that created it, n-th created by it), so it is the same in
// every equivalent interleaving and references can be compared. The configuration is put back to
// its beginning without running the set-up again: initial states are copied, initial messages are
// never changed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/ids.hpp"
#include "mazurka/actors.hpp"
#include "programs/actors/guards.hpp"

namespace mazurka::actors {

inline constexpr std::uint32_t nobody = ~std::uint32_t{0};

struct Mail {
  enum class Kind : std::uint8_t { message, crash, watch };
  Kind kind = Kind::message;
  bool enabled = false;
  bool delivered = false;
  std::uint16_t place = 0;  // in its channel: so many were sent before
  const Handler* handler = nullptr;
  void* arguments = nullptr;
  std::uint32_t receiver = nobody;
  std::uint32_t sender = nobody;   // actor; nobody: the set-up
  std::uint32_t sent_by = nobody;  // mail whose handling sent it; nobody: the set-up
  std::uint32_t reply = nobody;    // who awaits the answer
  std::uint32_t channel = nobody;
  std::uint64_t name = 0;  // a number for (message whose handling sent it, n-th sent)
  ProcessId process = no_process;
};

/// Why a handler did not end as it should.
struct Failure {
  enum class Kind : std::uint8_t { expectation, assertion, exception };
  Kind kind{};
  std::string message;
};

class Configuration final : public Host {
 public:
  explicit Configuration(const System& system);
  Configuration(const Configuration&) = delete;
  Configuration& operator=(const Configuration&) = delete;
  ~Configuration() override;

  [[nodiscard]] const Rules& rules() const { return rules_; }
  /// Whether invariants read actors of this type, or of one that it may have been or become.
  [[nodiscard]] bool watches(const ActorType& type) const;
  /// The invariants that do not hold. Throws if one reads what it did not say it would.
  [[nodiscard]] std::vector<const NamedCondition*> violated_invariants();
  /// What is wrong with the program itself, if anything is.
  [[nodiscard]] const std::string& mistake() const { return mistake_; }

  /// Back to the initial configuration.
  void reset();

  /// The receiver handles the message. Returns the number of the first message sent by it.
  std::size_t deliver(std::size_t mail);
  [[nodiscard]] const std::optional<Failure>& failure() const { return failure_; }

  [[nodiscard]] std::vector<Mail>& mails() { return mails_; }
  [[nodiscard]] const std::vector<Mail>& mails() const { return mails_; }
  /// The messages handled so far, in that order.
  [[nodiscard]] const std::vector<std::uint32_t>& history() const { return history_; }

  /// Whether the message could be handled now.
  [[nodiscard]] bool can_deliver(const Mail& mail) const;
  [[nodiscard]] bool is_lost(const Mail& mail) const {
    return mail.kind == Mail::Kind::message && actors_[mail.receiver].dead;
  }
  /// Whether nothing is before it in its channel.
  [[nodiscard]] bool is_first(const Mail& mail) const {
    return mail.channel == nobody || mail.place == channels_[mail.channel].delivered;
  }

  struct Actor {
    const ActorType* type = nullptr;
    void* state = nullptr;  // constructed as `type` if `type` is set
    std::size_t capacity = 0;
    std::size_t alignment = 0;
    bool exists = false;
    bool dead = false;
    std::uint32_t created = 0;                      // n-th on this path
    std::uint32_t children = 0;                     // created by it so far
    std::uint32_t sent = 0;                         // into channels, so far
    std::uint32_t creator = nobody;                 // nobody: the set-up
    std::uint32_t nth = 0;                          // among its creator's children
    const GuardTable::LocalState* local = nullptr;  // interned, if known
    std::vector<std::pair<std::uint32_t, const Handler*>> watchers;
  };
  [[nodiscard]] const Actor& actor(std::uint32_t id) const { return actors_[id]; }

  /// The interned local state that guards are asked about; null for a type without guards.
  [[nodiscard]] const GuardTable::LocalState* local_state(std::uint32_t id);
  [[nodiscard]] std::uint16_t guard_class(const Mail& mail) {
    return guards_.class_of(*mail.handler, mail.arguments);
  }
  [[nodiscard]] std::uint64_t channel_value(std::uint32_t channel) const {
    return channels_[channel].delivered;
  }

  /// Equal for equal local states and equal contents of the messages on their way, whatever the
  /// messages' names.
  [[nodiscard]] Fingerprint fingerprint() const;
  /// From the next reset on: keep what each step changes in the fingerprint.
  void track_changes(bool wanted) { track_changes_ = wanted; }
  [[nodiscard]] const Fingerprint& latest_change() const { return change_; }
  /// A number for the actor's local state.
  [[nodiscard]] std::uint64_t state_hash(std::uint32_t actor) const;

  [[nodiscard]] std::string label(const Mail& mail) const;  // "deposit(100)"
  [[nodiscard]] std::string name_of(std::uint32_t actor) const override;

  // Host
  void* send(const Handler& handler, std::uint32_t to, std::uint32_t& request) override;
  Message& await(std::uint32_t request, const Handler& handler) override;
  void* spawn(const ActorType& type, std::uint32_t& id) override;
  void* become(const ActorType& type) override;
  void stop() override;
  void crash(std::uint32_t actor) override;
  void monitor(std::uint32_t watcher, std::uint32_t actor, const Handler& handler) override;
  [[nodiscard]] std::uint32_t self() const override { return self_; }
  void expect(bool condition, const std::string& text) override;
  [[nodiscard]] std::size_t actor_count() const override { return existing_.size(); }
  [[nodiscard]] std::uint32_t actor_at(std::size_t at) const override { return existing_[at]; }
  [[nodiscard]] const ActorType* type_of(std::uint32_t actor) const override;
  [[nodiscard]] const void* state_of(std::uint32_t actor) const override;
  [[nodiscard]] std::size_t pending(const Handler* handler) const override;
  void reads(const ActorType& type) const override;

 private:
  struct Channel {
    std::uint32_t from, to;
    std::uint16_t sent = 0;
    std::uint16_t delivered = 0;
  };
  struct Reply {
    Message message;
    std::uint32_t receiver;
  };
  struct Initial {
    std::uint32_t actor;
    const ActorType* type;
    Block state;
    std::vector<std::pair<std::uint32_t, const Handler*>> watchers;
  };

  void refuse_if_reading(const char* what) const;
  void* allocate(const ValueType& type);
  void make_room(Actor& actor, const ValueType& type);
  void clear_state(Actor& actor);
  Mail& post(Mail::Kind kind, const Handler* handler, std::uint32_t to);
  void enter_channel(Mail& mail);
  void handle(Actor& actor, const Mail& mail);
  void end_actor(std::uint32_t id);
  void notify(std::uint32_t watcher, const Handler& handler, std::uint32_t ended);
  [[nodiscard]] static std::uint64_t beside_state(const Actor& actor);
  [[nodiscard]] std::uint64_t content_of(const Mail& mail) const;
  [[nodiscard]] Fingerprint actor_part(std::uint32_t actor) const;
  Fingerprint count_content(const Mail& mail, int difference);

  Rules rules_;
  GuardTable guards_;
  std::vector<Actor> actors_;
  std::vector<std::vector<std::uint32_t>> children_;  // per creator: ids of actors; set-up first
  std::vector<std::uint32_t> existing_;               // in order of creation on this path
  std::vector<Initial> initial_;
  std::vector<Mail> mails_;
  std::size_t initial_mails_ = 0;
  std::deque<Reply> replies_;  // a handler may await an answer while it answers: none of them moves
  std::vector<Channel> channels_;
  std::vector<std::uint32_t> history_;

  struct Chunk {
    std::unique_ptr<std::byte[]> memory;
    std::size_t size;
  };
  std::vector<Chunk> chunks_;
  std::size_t chunk_ = 0;
  std::size_t used_ = 0;
  std::size_t initial_chunk_ = 0;
  std::size_t initial_used_ = 0;

  std::uint32_t self_ = nobody;
  std::uint32_t current_ = nobody;  // mail
  std::size_t first_sent_ = 0;      // by the current step
  std::uint32_t spawned_ = 0;       // by the set-up
  bool stopping_ = false;
  const ActorType* next_type_ = nullptr;
  void* next_state_ = nullptr;
  std::optional<Failure> failure_;
  std::string mistake_;
  bool checking_invariants_ = false;
  bool watch_becoming_ = false;
  bool track_changes_ = false;
  Fingerprint change_;
  std::unordered_map<std::uint64_t, std::uint64_t> contents_;  // how many messages have each
};

}  // namespace mazurka::actors
