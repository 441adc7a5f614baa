#include "programs/actors/mails.hpp"

#include <stdexcept>

#include "core/check.hpp"

namespace mazurka::actors {

namespace {

void destroy_arguments(const Handler* handler, void* arguments) {
  if (arguments != nullptr && !handler->arguments.trivial) handler->arguments.destroy(arguments);
}

}  // namespace

std::string label(const Mail& mail, const Names& names) {
  if (mail.kind == Mail::Kind::crash) return "crash";
  if (mail.kind == Mail::Kind::watch) return "monitor";
  return std::string(mail.handler->name) + "(" + mail.handler->show(mail.arguments, names) + ")";
}

// What a set-up that threw has sent may not have been constructed.
Mails::~Mails() {
  if (!kept_) return;
  reset();
  for (const Mail& mail : mails_) destroy_arguments(mail.handler, mail.arguments);
}

void Mails::keep(bool in_channels) {
  kept_ = true;
  initial_ = mails_.size();
  memory_.keep();
  in_channels_ = in_channels;
  if (in_channels_) {
    for (Mail& mail : mails_) enter_channel(mail);
  }
  channels_.keep();
}

void Mails::reset() {
  for (std::size_t at = initial_; at < mails_.size(); ++at) {
    destroy_arguments(mails_[at].handler, mails_[at].arguments);
  }
  mails_.resize(initial_);
  for (Mail& mail : mails_) {
    mail.delivered = false;
    mail.process = no_process;
  }
  for (const Reply& reply : replies_) {  // those that were answered have become mail
    destroy_arguments(reply.message.handler, reply.message.arguments);
  }
  replies_.clear();
  channels_.reset();
  memory_.reset();
  history_.clear();
}

void Mails::enter_channel(Mail& mail) {
  const Channels::Place entered = channels_.enter(mail.sender, mail.receiver, lane_of(mail));
  mail.channel = entered.channel;
  mail.place = entered.place;
  mail.after = entered.after;
}

// --- one step -----------------------------------------------------------------------------------

void Mails::begin_handling(std::size_t number) {
  MAZURKA_CHECK(current_ == nobody, "one message is handled at a time");
  Mail& mail = mails_[number];
  MAZURKA_CHECK(!mail.delivered && is_first(mail), "a message is delivered once, and in its turn");
  mail.delivered = true;
  history_.push_back(static_cast<std::uint32_t>(number));
  if (mail.channel != nobody) channels_.deliver(mail.channel, lane_of(mail));
  self_ = mail.receiver;
  current_ = static_cast<std::uint32_t>(number);
  first_sent_ = mails_.size();
}

Mail& Mails::post(Mail::Kind kind, const Handler* handler, std::uint32_t to) {
  MAZURKA_CHECK(kind != Mail::Kind::message || handler != nullptr, "a message is for a handler");
  MAZURKA_CHECK(first_sent_ <= mails_.size(), "what a step sends comes after what was sent before");
  const std::uint64_t nth = mails_.size() - first_sent_;
  const std::uint64_t name = detail::combine(current_ == nobody ? 0 : mails_[current_].name, nth);
  Mail& mail = mails_.emplace_back();
  mail.name = name;
  mail.kind = kind;
  mail.handler = handler;
  mail.urgent = kind == Mail::Kind::message && handler->urgent;
  mail.receiver = to;
  mail.sender = self_;
  mail.sent_by = current_;
  if (in_channels_) enter_channel(mail);
  return mail;
}

Message& Mails::await(std::uint32_t request, const Handler& handler) {
  if (current_ == nobody) throw std::logic_error("only an actor can await an answer");
  if (request >= mails_.size() || mails_[request].sent_by != current_) {
    throw std::logic_error("an answer is awaited in another step than its request was sent");
  }
  mails_[request].reply = static_cast<std::uint32_t>(replies_.size());
  replies_.push_back({{&handler, allocate(handler.arguments), nullptr}, self_});
  return replies_.back().message;
}

// --- fingerprints -------------------------------------------------------------------------------

std::uint64_t Mails::content_of(const Mail& mail) const {
  std::uint64_t content = detail::combine(reinterpret_cast<std::uintptr_t>(mail.handler),
                                          static_cast<std::uint64_t>(mail.kind));
  if (mail.kind == Mail::Kind::message) {
    content = detail::combine(content, mail.handler->arguments.hash(mail.arguments));
  }
  if (mail.reply != nobody) {  // who goes on with the answer, how, and with which arguments
    const Reply& reply = replies_[mail.reply];
    content = detail::combine(detail::combine(content, reply.receiver),
                              reinterpret_cast<std::uintptr_t>(reply.message.handler));
    content =
        detail::combine(content, reply.message.handler->arguments.hash(reply.message.arguments));
  }
  // For a monitor it matters from whom it is, and in channels its place. There a message counts
  // with its name: two that have changed places are not the same, even if their contents are, since
  // what was planned for one of them could not be done with the other.
  const bool has_sender = mail.channel != nobody || mail.kind == Mail::Kind::watch;
  content = detail::combine(content, has_sender ? mail.sender + std::uint64_t{1} : 0);
  if (mail.channel != nobody) {
    content = detail::combine(detail::combine(content, mail.name), mail.place + std::uint64_t{1});
    content = detail::combine(content, mail.after);
  }
  return detail::combine(content, mail.receiver);
}

Fingerprint Mails::fingerprint() const {
  std::unordered_map<std::uint64_t, std::uint64_t> counts;
  for (const Mail& mail : mails_) {
    if (!mail.delivered) ++counts[content_of(mail)];
  }
  Fingerprint whole;
  for (const auto& [content, count] : counts) whole ^= fingerprint_of(content, count);
  return whole;
}

void Mails::begin_counting() {
  contents_.clear();
  for (const Mail& mail : mails_) count(mail, 1);
}

// The part of a content is its number of messages: equal messages must not cancel each other out.
Fingerprint Mails::count(const Mail& mail, int difference) {
  const std::uint64_t content = content_of(mail);
  std::uint64_t& number = contents_[content];
  MAZURKA_CHECK(difference > 0 || number > 0, "no message leaves that was not counted");
  const Fingerprint before = number == 0 ? Fingerprint{} : fingerprint_of(content, number);
  number += static_cast<std::uint64_t>(static_cast<std::int64_t>(difference));
  return number == 0 ? before : before ^ fingerprint_of(content, number);
}

}  // namespace mazurka::actors
