// The messages of an execution: those on their way, and those that were handled.
//
// A message is stored when it is sent and keeps its number for the rest of the execution. While one
// is handled, what is sent is sent by it, and named after it, so that a name is the same in every
// equivalent interleaving. What the set-up has sent is never changed: each execution begins with
// it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/check.hpp"
#include "core/ids.hpp"
#include "mazurka/actors/erased.hpp"
#include "programs/actors/channels.hpp"
#include "programs/actors/message_memory.hpp"
#include "programs/actors/nobody.hpp"

namespace mazurka::actors {

struct Mail {
  enum class Kind : std::uint8_t { message, crash, watch };
  Kind kind = Kind::message;
  bool enabled = false;
  bool delivered = false;
  bool urgent = false;
  std::uint16_t place = 0;  // in its lane of its channel: so many were sent before
  std::uint16_t after = 0;  // so many urgent ones of its channel come before it
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

[[nodiscard]] inline Lane lane_of(const Mail& mail) {
  return mail.urgent ? Lane::urgent : Lane::ordinary;
}

/// In words: "deposit(100)".
[[nodiscard]] std::string label(const Mail& mail, const Names& names);

class Mails {
 public:
  Mails() = default;
  Mails(const Mails&) = delete;
  Mails& operator=(const Mails&) = delete;
  ~Mails();

  /// The set-up is over: what it has sent is there again after each reset.
  void keep(bool in_channels);
  void reset();

  [[nodiscard]] std::size_t size() const { return mails_.size(); }
  [[nodiscard]] Mail& operator[](std::size_t number) { return mails_[number]; }
  [[nodiscard]] const Mail& operator[](std::size_t number) const { return mails_[number]; }
  [[nodiscard]] auto begin() const { return mails_.begin(); }
  [[nodiscard]] auto end() const { return mails_.end(); }

  /// Those handled so far, in that order.
  [[nodiscard]] const std::vector<std::uint32_t>& history() const { return history_; }
  /// Whether nothing is before it in its channel.
  [[nodiscard]] bool is_first(const Mail& mail) const {
    return mail.channel == nobody ||
           (mail.place == channels_.delivered(mail.channel, lane_of(mail)) &&
            mail.after <= channels_.delivered(mail.channel, Lane::urgent));
  }
  [[nodiscard]] std::uint16_t delivered_in(std::uint32_t channel, Lane lane) const {
    return channels_.delivered(channel, lane);
  }

  // --- one step ---------------------------------------------------------------------------------
  void begin_handling(std::size_t number);
  void end_handling() { self_ = current_ = nobody; }
  /// The mail that is being handled, and by whom; nobody: it is the set-up.
  [[nodiscard]] std::uint32_t current() const { return current_; }
  [[nodiscard]] std::uint32_t self() const { return self_; }

  /// Sends it. Whatever it carries is for the caller to put there.
  Mail& post(Mail::Kind kind, const Handler* handler, std::uint32_t to);
  [[nodiscard]] void* allocate(const ValueType& type) { return memory_.allocate(type); }

  /// Who sent this request in the current step goes on with the handler when it is answered.
  Message& await(std::uint32_t request, const Handler& handler);
  struct Reply {
    Message message;
    std::uint32_t receiver;
  };
  /// Where the answer to this mail goes; null if nobody awaits one.
  [[nodiscard]] Reply* reply_to(const Mail& mail) {
    if (mail.reply == nobody) return nullptr;
    MAZURKA_CHECK(mail.reply < replies_.size(), "an answer goes where one is awaited");
    return &replies_[mail.reply];
  }

  // --- fingerprints -----------------------------------------------------------------------------
  /// Equal for equal contents of the messages on their way, whatever their names.
  [[nodiscard]] Fingerprint fingerprint() const;
  /// From here on the messages on their way are counted by content.
  void begin_counting();
  /// One more or one less is on its way: what that changes in the fingerprint.
  Fingerprint count(const Mail& mail, int difference);

 private:
  void enter_channel(Mail& mail);
  [[nodiscard]] std::uint64_t content_of(const Mail& mail) const;

  std::vector<Mail> mails_;
  std::size_t initial_ = 0;  // so many are of the set-up
  bool kept_ = false;
  bool in_channels_ = false;
  std::deque<Reply> replies_;  // one may be awaited while another is given: none of them moves
  Channels channels_;
  MessageMemory memory_;
  std::vector<std::uint32_t> history_;
  std::uint32_t self_ = nobody;
  std::uint32_t current_ = nobody;
  std::size_t first_sent_ = 0;                                 // by the current step
  std::unordered_map<std::uint64_t, std::uint64_t> contents_;  // how many messages have each
};

}  // namespace mazurka::actors
