#include "programs/actors/configuration.hpp"

#include <cstring>
#include <stdexcept>
#include <utility>

namespace mazurka::actors {

Configuration::Configuration(const System& system) {
  Setup setup(*this, rules_);
  system(setup);
  population_.keep();
  mails_.keep(rules_.fifo_channels);
}

void Configuration::reset() {
  mails_.reset();
  population_.reset();
  failure_.reset();
  if (track_changes_) mails_.begin_counting();
}

bool Configuration::can_deliver(const Mail& mail) const {
  if (!mails_.is_first(mail)) return false;
  if (mail.kind != Mail::Kind::message) return true;
  const Actor& actor = population_[mail.receiver];
  if (!actor.type->guarded && !mail.handler->actor->guarded) return true;
  if (actor.dead || actor.type != mail.handler->actor) return false;
  return mail.handler->accepts == nullptr || mail.handler->accepts(actor.state, mail.arguments);
}

const GuardTable::LocalState* Configuration::local_state(std::uint32_t id) {
  Actor& actor = population_[id];
  if (actor.dead) return &guards_.dead();
  if (!actor.type->guarded) return nullptr;
  if (actor.local == nullptr) {
    actor.local = &guards_.state_of(*actor.type, actor.state, Population::beside_state(actor));
  }
  return actor.local;
}

std::size_t Configuration::deliver(std::size_t number) {
  const std::size_t first_sent = mails_.size();
  const std::uint32_t receiver = mails_[number].receiver;
  const std::size_t existed = actor_count();
  if (track_changes_) change_ = population_.part(receiver) ^ mails_.count(mails_[number], -1);
  mails_.begin_handling(number);
  stopping_ = false;
  const Mail mail = mails_[number];
  population_[receiver].local = nullptr;
  switch (mail.kind) {
    case Mail::Kind::message: handle(mail); break;
    case Mail::Kind::crash:
      if (!population_[receiver].dead) end_actor(receiver);
      break;
    case Mail::Kind::watch:
      if (population_[receiver].dead) {
        notify(mail.sender, *mail.handler, receiver);
      } else {
        population_[receiver].watchers.emplace_back(mail.sender, mail.handler);
      }
      break;
  }
  mails_.end_handling();
  if (track_changes_) {
    change_ ^= population_.part(receiver);
    for (std::size_t at = existed; at < actor_count(); ++at) {
      change_ ^= population_.part(actor_at(at));
    }
    for (std::size_t at = first_sent; at < mails_.size(); ++at) {
      change_ ^= mails_.count(mails_[at], 1);
    }
  }
  return first_sent;
}

void Configuration::handle(const Mail& mail) {
  Mails::Reply* const reply = mails_.reply_to(mail);
  // The table of actors may move while the handler creates some.
  void* const state = population_[mail.receiver].state;
  failure_ = run_guarded([&] {
    Context context(*this);
    mail.handler->invoke(state, mail.arguments, context,
                         reply == nullptr ? nullptr : &reply->message);
  });
  if (next_type_ != nullptr) {
    population_.replace(mail.receiver, *next_type_, next_state_);
    next_type_->value.destroy(next_state_);
    next_type_ = nullptr;
  }
  if (reply != nullptr && !failure_) {
    Mail& answer = post(Mail::Kind::message, reply->message.handler, reply->receiver);
    answer.arguments = std::exchange(reply->message.arguments, nullptr);
  }
  if (stopping_) end_actor(mail.receiver);
}

void Configuration::end_actor(std::uint32_t id) {
  population_[id].dead = true;
  for (const auto& [watcher, handler] : population_[id].watchers) notify(watcher, *handler, id);
}

// The handler's only parameter is a reference: an id.
void Configuration::notify(std::uint32_t watcher, const Handler& handler, std::uint32_t ended) {
  void* arguments = mails_.allocate(handler.arguments);
  static_assert(sizeof(Ref<int>) == sizeof ended);
  std::memcpy(arguments, &ended, sizeof ended);
  post(Mail::Kind::message, &handler, watcher).arguments = arguments;
}

Mail& Configuration::post(Mail::Kind kind, const Handler* handler, std::uint32_t to) {
  if (!population_.has(to)) {
    throw std::invalid_argument("a message is sent to a reference that names no actor");
  }
  Mail& mail = mails_.post(kind, handler, to);
  if (mail.channel != nobody) population_[self()].sent += mail.urgent ? 1U << 16U : 1U;
  return mail;
}

}  // namespace mazurka::actors
