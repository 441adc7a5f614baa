// Actors and messages of one execution, and the names that they keep in all executions.
//
// A message is stored when it is sent and has a number for the rest of the execution; what it
// carries is known to the version of CAF alone (system.hpp). While a step is performed, what is
// sent is sent by it, and named after it; an actor is named after the step that creates it. So a
// name is the same in every equivalent interleaving, which CAF's own numbers are not.
//
// A message waits in the outbox of its sender: its place is how many were sent into it before, and
// its turn has come when so many have been delivered. What is no answer to that, such as a timeout
// or a request that comes back from an actor that has ended, has no place. The news that an actor
// has ended comes after all that it has sent, and after the step that asked for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/finding.hpp"
#include "core/ids.hpp"
#include "programs/caf/knowledge.hpp"
#include "programs/caf/rules.hpp"

namespace mazurka::caf {

/// No actor: the program's main; or no message, no channel.
inline constexpr std::uint32_t nobody = ~std::uint32_t{0};

struct Mail {
  enum class Kind : std::uint8_t {
    message,
    begin,    // an actor begins: the first message of its creator to it
    news,     // an actor hears that another has ended
    epilogue  // what is attached to the end of an actor is performed
  };
  Kind kind = Kind::message;
  bool announced = false;
  bool enabled = false;
  bool delivered = false;
  bool idle = false;        // a step of the world: nothing else is left
  std::uint16_t place = 0;  // in its channel: so many were sent before
  std::uint32_t receiver = nobody;
  std::uint32_t sender = nobody;   // the actor whose step sent it
  std::uint32_t sent_by = nobody;  // mail whose delivery sent it
  std::uint32_t channel = nobody;
  std::uint32_t ended = nobody;  // news and epilogue: whose end it waits for
  std::uint32_t asker = nobody;  // epilogue: whose step has asked for it
  std::uint16_t after = 0;       // so many deliveries to the receiver, or to the asker, come before
  ProcessId process = no_process;
};

struct Actor {
  static constexpr std::uint32_t not_yet = ~std::uint32_t{0};
  ObjectId object{};
  std::uint32_t created_by = nobody;  // mail
  std::uint16_t deliveries = 0;
  bool main = false;    // a scoped actor: main acts for it
  bool begins = false;  // with a message of its creator, which nothing can come before
  bool ended = false;
  bool unreachable = false;           // it ended because nobody held it any more
  bool end_noted = false;             // the step is over in which it ended
  std::uint32_t end_event = not_yet;  // that step; not_yet if it was the set-up
};

/// One FIFO outbox, or a part of it.
struct Outbox {
  ObjectId object{};
  std::uint16_t sent = 0;
  std::uint16_t delivered = 0;
  std::uint32_t receiver = nobody;  // of the latest message in it
  bool to_several = false;          // its messages had different receivers
};

/// Something that is wrong, found in a step or at the end.
struct Problem {
  FindingKind kind{};
  std::string message;
  std::string key;
};

/// A request that was not answered so far.
struct OpenRequest {
  std::uint32_t requester = nobody;
  std::uint64_t id = 0;
  std::uint32_t mail = nobody;
};

class Traffic {
 public:
  explicit Traffic(Channels channels) : channels_(channels) {}

  void reset();

  // --- what a step does -------------------------------------------------------------------------
  void begin_step(std::uint32_t mail);
  void end_step() { current_ = nobody; }
  [[nodiscard]] std::uint32_t current() const { return current_; }
  /// The actor whose step is performed; nobody: main.
  [[nodiscard]] std::uint32_t self() const;

  std::uint32_t add_actor(bool main);
  enum class Order : std::uint8_t { in_turn, urgent, any };
  /// Sends. What it carries is kept by the caller under this number.
  std::uint32_t post(Mail::Kind kind, std::uint32_t receiver, Order order);
  /// `receiver` is to hear of the end of `watched`, be it now or later.
  std::uint32_t watch(Mail::Kind kind, std::uint32_t receiver, std::uint32_t watched);
  void actor_ended(std::uint32_t actor);
  /// The step in which it ended is over, or its news were asked for later: it comes after all that
  /// the actor has sent.
  void place_news(Mail& news);
  /// Nobody waits for this any more.
  void withdraw(std::uint32_t mail) { mails_[mail].delivered = true; }
  void problem(FindingKind kind, std::string message, std::string key);
  void request_sent(const OpenRequest& request);
  void request_answered(std::uint32_t requester, std::uint64_t id);

  // --- what is asked of it ----------------------------------------------------------------------
  [[nodiscard]] std::size_t size() const { return mails_.size(); }
  [[nodiscard]] Mail& operator[](std::size_t number) { return mails_[number]; }
  [[nodiscard]] const Mail& operator[](std::size_t number) const { return mails_[number]; }
  [[nodiscard]] std::vector<Actor>& actors() { return actors_; }
  [[nodiscard]] const std::vector<Actor>& actors() const { return actors_; }
  [[nodiscard]] Outbox& outbox(std::uint32_t channel) { return outboxes_[channel]; }
  [[nodiscard]] const Outbox& outbox(std::uint32_t channel) const { return outboxes_[channel]; }
  [[nodiscard]] bool is_first(const Mail& mail) const {
    return mail.channel == nobody || mail.kind == Mail::Kind::news ||
           mail.place == outboxes_[mail.channel].delivered;
  }
  [[nodiscard]] bool can_deliver(const Mail& mail) const;
  /// Where what `actor` has sent to `receiver` waits; nobody: nothing has to.
  [[nodiscard]] std::uint32_t outbox_of(std::uint32_t sender, std::uint32_t receiver, Order order);
  [[nodiscard]] const std::vector<OpenRequest>& requests() const { return requests_; }
  [[nodiscard]] std::vector<Problem>& problems() { return problems_; }
  /// Mails that wait for the end of an actor that ended in this step.
  [[nodiscard]] std::vector<std::uint32_t>& enabled_by_end() { return enabled_by_end_; }
  /// Delivered, in that order.
  [[nodiscard]] std::vector<std::uint32_t>& history() { return history_; }
  [[nodiscard]] const std::vector<std::uint32_t>& history() const { return history_; }
  [[nodiscard]] bool saw_urgent() const { return saw_urgent_; }
  [[nodiscard]] Channels channels() const { return channels_; }
  void use(Channels channels) { channels_ = channels; }
  [[nodiscard]] Knowledge& knowledge() { return knowledge_; }

 private:
  enum class Named : std::uint8_t { actor, outbox };
  ObjectId object(Named what, std::uint64_t one, std::uint64_t other);

  Channels channels_;
  bool saw_urgent_ = false;
  std::vector<Mail> mails_;
  std::vector<Actor> actors_;
  std::vector<Outbox> outboxes_;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> outbox_keys_;
  std::vector<OpenRequest> requests_;
  std::vector<Problem> problems_;
  std::vector<std::uint32_t> enabled_by_end_;
  std::vector<std::uint32_t> history_;
  Knowledge knowledge_;
  std::uint32_t current_ = nobody;
  bool current_was_dead_ = false;
  std::uint32_t created_here_ = 0;                              // actors, by the current step
  std::unordered_map<std::uint64_t, std::uint32_t> object_of_;  // outlives executions
};

}  // namespace mazurka::caf
