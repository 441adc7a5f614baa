// What happens before what, as the language sees it: which steps of others an actor knows of.
//
// Main and each actor are a row of steps. A message carries what its sender knew when it was sent,
// and who gets it learns that; who creates an actor sends it its beginning. Nothing else orders:
// two accesses to memory of which neither is known to the other's actor could come at the same
// time. An idle step comes after everything, and so does main where it waits until nothing is left.
#pragma once

#include <cstdint>
#include <vector>

#include "core/check.hpp"
#include "core/ids.hpp"
#include "native/memory_model/clocks.hpp"

namespace mazurka::caf {

class Knowledge {
 public:
  using Clock = native::VectorClock;
  static constexpr std::uint32_t main = 0;
  static constexpr std::uint32_t world = 1;  // acts when nothing else is left
  [[nodiscard]] static std::uint32_t of_actor(std::uint32_t actor) { return actor + 2; }

  /// It costs time, so it is only kept where somebody asks for it.
  void keep(bool wanted) { kept_ = wanted; }

  void reset() {
    if (!kept_) return;
    clocks_.clear();
    sent_.clear();
    ends_.clear();
    begin(main);
  }

  /// What the one who acts now knows.
  [[nodiscard]] const Clock& now() const {
    MAZURKA_CHECK(current_ < clocks_.size(), "who acts has begun");
    return clocks_[current_];
  }
  [[nodiscard]] std::uint32_t current() const { return current_; }
  [[nodiscard]] std::uint32_t tick() const { return now()[current_]; }

  void send(std::uint32_t mail) {
    if (!kept_) return;
    at(sent_, mail).assign(message_ == nullptr ? now() : *message_);
    go_on();
  }
  /// Who delivers the mail acts from now on.
  void receive(std::uint32_t mail, std::uint32_t process) {
    if (!kept_) return;
    MAZURKA_CHECK(mail < sent_.size(), "what is received was sent");
    begin(process);
    clocks_[process].join(sent_[mail]);
  }
  void begin_idle(std::uint32_t process) {
    if (!kept_) return;
    begin(process);
    for (const Clock& other : clocks_) clocks_[process].join(other);
  }
  void actor_ended(std::uint32_t actor) {
    if (!kept_) return;
    at(ends_, actor).assign(now());
    go_on();
  }
  void learn_of_end(std::uint32_t actor) {
    if (!kept_) return;
    MAZURKA_CHECK(actor < ends_.size(), "who learns of an end learns of one that was");
    learn(ends_[actor]);
  }

  void learn(const Clock& other) { clocks_[current_].join(other); }
  /// Others will know all that was done so far, and not what is done from now on.
  void publish(Clock& to) {
    to.join(now());
    go_on();
  }

  /// What is sent in this scope was meant to be sent when this was known: a timeout.
  class SentEarlier {
   public:
    SentEarlier(Knowledge& knowledge, const Clock& known) : knowledge_(knowledge) {
      knowledge_.message_ = &known;
    }
    SentEarlier(const SentEarlier&) = delete;
    SentEarlier& operator=(const SentEarlier&) = delete;
    ~SentEarlier() { knowledge_.message_ = nullptr; }

   private:
    Knowledge& knowledge_;
  };
  /// For later, if it is kept.
  [[nodiscard]] Clock copy() {
    Clock now_known;
    if (kept_) publish(now_known);
    return now_known;
  }

 private:
  static Clock& at(std::vector<Clock>& clocks, std::uint32_t number) {
    if (clocks.size() <= number) clocks.resize(number + std::size_t{1});
    return clocks[number];
  }
  void begin(std::uint32_t process) {
    at(clocks_, process);
    current_ = process;
    go_on();
  }
  void go_on() { clocks_[current_].tick(static_cast<ProcessId>(current_)); }

  bool kept_ = false;
  std::uint32_t current_ = main;
  std::vector<Clock> clocks_;       // per process
  std::vector<Clock> sent_;         // per mail
  std::vector<Clock> ends_;         // per actor
  const Clock* message_ = nullptr;  // what messages carry, if it is not what is known now
};

}  // namespace mazurka::caf
