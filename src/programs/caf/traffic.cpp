#include "programs/caf/traffic.hpp"

#include <algorithm>

#include "core/check.hpp"

namespace mazurka::caf {

void Traffic::reset() {
  mails_.clear();
  actors_.clear();
  outboxes_.clear();
  outbox_keys_.clear();
  requests_.clear();
  problems_.clear();
  enabled_by_end_.clear();
  history_.clear();
  knowledge_.reset();
  current_ = nobody;
  current_was_dead_ = false;
  created_here_ = 0;
}

void Traffic::begin_step(std::uint32_t mail) {
  MAZURKA_CHECK(current_ == nobody, "steps do not overlap");
  MAZURKA_CHECK(mail < mails_.size(), "a step delivers what was sent");
  current_ = mail;
  created_here_ = 0;
  const std::uint32_t receiver = mails_[mail].receiver;
  current_was_dead_ = receiver != nobody && actors_[receiver].ended;
  enabled_by_end_.clear();
  if (receiver == nobody) return;  // an idle step: who acts is told by the explorer
  const bool main = actors_[receiver].main;
  knowledge_.receive(mail, main ? Knowledge::main : Knowledge::of_actor(receiver));
  if (mails_[mail].ended != nobody) knowledge_.learn_of_end(mails_[mail].ended);
}

std::uint32_t Traffic::self() const {
  if (current_ == nobody) return nobody;
  const std::uint32_t actor = mails_[current_].receiver;
  return actor == nobody || actors_[actor].main ? nobody : actor;
}

// Numbers of objects are given when they are first named, and kept. The world has the number 0.
ObjectId Traffic::object(Named what, std::uint64_t one, std::uint64_t other) {
  constexpr unsigned half = 31;
  const std::uint64_t key = (static_cast<std::uint64_t>(what) << 2 * half) | (one << half) | other;
  const auto known = object_of_.emplace(key, static_cast<std::uint32_t>(object_of_.size() + 1));
  return ObjectId{known.first->second};
}

std::uint32_t Traffic::add_actor(bool main) {
  Actor& actor = actors_.emplace_back();
  const std::uint64_t creator = current_ == nobody ? 0 : index(mails_[current_].process);
  actor.object = object(Named::actor, creator, created_here_++);
  actor.created_by = current_;
  actor.main = main;
  return static_cast<std::uint32_t>(actors_.size() - 1);
}

std::uint32_t Traffic::outbox_of(std::uint32_t sender, std::uint32_t receiver, Order order) {
  if (channels_ == Channels::none || order == Order::any) return nobody;
  // Main is 0, and so is a receiver that does not matter; others are numbered from 1.
  const auto number = [this](std::uint32_t actor) -> std::uint64_t {
    return actor == nobody ? 0 : index(actors_[actor].object) + 1;
  };
  const std::uint64_t to = channels_ == Channels::fifo ? number(receiver) : 0;
  const std::uint64_t pair = to << 1 | (order == Order::urgent ? 1 : 0);
  const std::uint64_t key = number(sender) << 32 | pair;
  for (const auto& [known, channel] : outbox_keys_) {
    if (known == key) return channel;
  }
  const auto channel = static_cast<std::uint32_t>(outboxes_.size());
  outbox_keys_.emplace_back(key, channel);
  outboxes_.push_back({.object = object(Named::outbox, number(sender), pair)});
  return channel;
}

std::uint32_t Traffic::post(Mail::Kind kind, std::uint32_t receiver, Order order) {
  MAZURKA_CHECK(receiver == nobody || receiver < actors_.size(), "a message is for a known actor");
  if (order == Order::urgent) saw_urgent_ = true;
  const bool by_the_world = current_ != nobody && mails_[current_].idle;
  if (current_was_dead_ || by_the_world) order = Order::any;
  const auto number = static_cast<std::uint32_t>(mails_.size());
  const std::uint32_t sender = self();
  const std::uint32_t channel = outbox_of(sender, receiver, order);
  Mail& mail = mails_.emplace_back();
  mail.kind = kind;
  mail.receiver = receiver;
  mail.sender = sender;
  mail.sent_by = current_;
  mail.channel = channel;
  if (channel != nobody) {
    Outbox& outbox = outboxes_[channel];
    outbox.to_several = outbox.to_several || (outbox.sent > 0 && outbox.receiver != receiver);
    outbox.receiver = receiver;
    mail.place = outbox.sent++;
  }
  // Whoever knows an actor has heard of it from its creator: with one outbox per sender, that is
  // after its beginning.
  const bool can_overtake = channels_ != Channels::mailbox && kind != Mail::Kind::begin;
  if (can_overtake && receiver != nobody && actors_[receiver].begins) mail.after = 1;
  knowledge_.send(number);
  return number;
}

std::uint32_t Traffic::watch(Mail::Kind kind, std::uint32_t receiver, std::uint32_t watched) {
  MAZURKA_CHECK(watched < actors_.size(), "the end of a known actor is watched");
  const std::uint32_t number = post(kind, receiver, Order::any);
  Mail& mail = mails_[number];
  mail.ended = watched;
  mail.sender = watched;
  // After the step that asks for it. Where somebody else is to hear, that is before the end anyway.
  const std::uint32_t asker = current_ == nobody ? nobody : mails_[current_].receiver;
  if (kind == Mail::Kind::epilogue) {
    mail.asker = asker;
    mail.after = 0;
  }
  if (asker != nobody && (kind == Mail::Kind::epilogue || asker == receiver)) {
    mail.after = static_cast<std::uint16_t>(actors_[asker].deliveries + 1);
  }
  return number;
}

void Traffic::actor_ended(std::uint32_t actor) {
  MAZURKA_CHECK(actor < actors_.size(), "an actor ends that is known");
  if (actors_[actor].ended) return;
  actors_[actor].ended = true;
  knowledge_.actor_ended(actor);
  for (std::size_t at = 0; at < mails_.size(); ++at) {
    if (mails_[at].ended == actor && !mails_[at].delivered) {
      enabled_by_end_.push_back(static_cast<std::uint32_t>(at));
    }
  }
}

void Traffic::place_news(Mail& news) {
  if (news.kind != Mail::Kind::news || actors_[news.ended].main) return;
  MAZURKA_CHECK(actors_[news.ended].ended, "news of an end come after it");
  const std::uint32_t channel = outbox_of(news.ended, news.receiver, Order::in_turn);
  news.channel = channel;
  if (channel != nobody) news.place = outboxes_[channel].sent;
}

bool Traffic::can_deliver(const Mail& mail) const {
  if (mail.ended != nobody && !actors_[mail.ended].ended) return false;
  const std::uint32_t counted = mail.asker == nobody ? mail.receiver : mail.asker;
  if (mail.after > 0 && actors_[counted].deliveries < mail.after) return false;
  if (mail.kind != Mail::Kind::news) return is_first(mail);
  return mail.channel == nobody || outboxes_[mail.channel].delivered >= mail.place;
}

void Traffic::problem(FindingKind kind, std::string message, std::string key) {
  problems_.push_back({kind, std::move(message), std::move(key)});
}

// A request that is passed on has the same name, and somebody else is to answer it.
void Traffic::request_sent(const OpenRequest& request) {
  for (OpenRequest& known : requests_) {
    if (known.requester != request.requester || known.id != request.id) continue;
    known.mail = request.mail;
    return;
  }
  requests_.push_back(request);
}

void Traffic::request_answered(std::uint32_t requester, std::uint64_t id) {
  std::erase_if(requests_, [&](const OpenRequest& known) {
    return known.requester == requester && known.id == id;
  });
}

}  // namespace mazurka::caf
