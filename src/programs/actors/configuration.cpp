#include "programs/actors/configuration.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <new>
#include <stdexcept>

#include "programs/actors/failures.hpp"

namespace mazurka::actors {

namespace {

constexpr std::size_t chunk_size = std::size_t{1} << 16;
constexpr std::size_t widest_alignment = 64;

}  // namespace

Configuration::Configuration(const System& system) {
  Setup setup(*this, rules_);
  system(setup);
  watch_becoming_ = std::any_of(rules_.watched.begin(), rules_.watched.end(),
                                [](const ActorType* type) { return type->becomes; });
  initial_mails_ = mails_.size();
  initial_chunk_ = chunk_;
  initial_used_ = used_;
  for (const std::uint32_t id : existing_) {
    const Actor& made = actors_[id];
    initial_.push_back({id, made.type, Block(made.type->value, made.state), made.watchers});
  }
  if (rules_.fifo_channels) {
    for (Mail& mail : mails_) enter_channel(mail);
  }
}

Configuration::~Configuration() {
  reset();
  for (Mail& mail : mails_) {
    if (mail.handler != nullptr && !mail.handler->arguments.trivial && mail.arguments != nullptr) {
      mail.handler->arguments.destroy(mail.arguments);
    }
  }
  for (Actor& actor : actors_) {
    clear_state(actor);
    if (actor.state != nullptr) ::operator delete (actor.state, std::align_val_t{actor.alignment});
  }
}

void Configuration::reset() {
  for (std::size_t at = initial_mails_; at < mails_.size(); ++at) {
    const Mail& mail = mails_[at];
    if (mail.arguments != nullptr && !mail.handler->arguments.trivial) {
      mail.handler->arguments.destroy(mail.arguments);
    }
  }
  mails_.resize(initial_mails_);
  for (Mail& mail : mails_) {
    mail.delivered = false;
    mail.process = no_process;
  }
  for (const Reply& reply : replies_) {  // those that were answered have become mail
    if (reply.message.arguments != nullptr && !reply.message.handler->arguments.trivial) {
      reply.message.handler->arguments.destroy(reply.message.arguments);
    }
  }
  replies_.clear();
  for (Channel& channel : channels_) channel.sent = channel.delivered = 0;
  if (rules_.fifo_channels) {
    for (const Mail& mail : mails_) ++channels_[mail.channel].sent;
  }
  chunk_ = initial_chunk_;
  used_ = initial_used_;
  history_.clear();

  for (std::size_t at = initial_.size(); at < existing_.size(); ++at) {
    Actor& actor = actors_[existing_[at]];
    actor.exists = false;
    actor.watchers.clear();
    actor.local = nullptr;
  }
  existing_.resize(initial_.size());
  for (const Initial& start : initial_) {
    Actor& actor = actors_[start.actor];
    if (actor.type == start.type) {
      actor.type->value.assign(actor.state, start.state.get());
    } else {
      clear_state(actor);
      make_room(actor, start.type->value);
      start.type->value.copy(actor.state, start.state.get());
      actor.type = start.type;
    }
    actor.dead = false;
    actor.children = actor.sent = 0;
    actor.local = nullptr;
    if (actor.type->mortal) actor.watchers = start.watchers;
  }
  failure_.reset();
  if (track_changes_) {
    contents_.clear();
    for (const Mail& mail : mails_) count_content(mail, 1);
  }
}

void Configuration::clear_state(Actor& actor) {
  if (actor.type != nullptr) actor.type->value.destroy(actor.state);
  actor.type = nullptr;
}

void Configuration::make_room(Actor& actor, const ValueType& type) {
  if (actor.state != nullptr && actor.capacity >= type.size && actor.alignment >= type.alignment) {
    return;
  }
  if (actor.state != nullptr) ::operator delete (actor.state, std::align_val_t{actor.alignment});
  actor.capacity = type.size;
  actor.alignment = std::max(type.alignment, alignof(std::max_align_t));
  actor.state = ::operator new (actor.capacity, std::align_val_t{actor.alignment});
}

void* Configuration::allocate(const ValueType& type) {
  for (;;) {
    if (chunk_ < chunks_.size()) {
      const std::size_t begin = (used_ + type.alignment - 1) / type.alignment * type.alignment;
      if (begin + type.size <= chunks_[chunk_].size) {
        used_ = begin + type.size;
        return chunks_[chunk_].memory.get() + begin;
      }
      ++chunk_;
      used_ = 0;
      continue;
    }
    if (type.alignment > alignof(std::max_align_t)) {
      throw std::invalid_argument("a message's parameters are aligned more than any plain type");
    }
    const std::size_t size = std::max(chunk_size, type.size + widest_alignment);
    chunks_.push_back({std::make_unique<std::byte[]>(size), size});
  }
}

bool Configuration::can_deliver(const Mail& mail) const {
  if (!is_first(mail)) return false;
  if (mail.kind != Mail::Kind::message) return true;
  const Actor& actor = actors_[mail.receiver];
  if (!actor.type->guarded && !mail.handler->actor->guarded) return true;
  if (actor.dead || actor.type != mail.handler->actor) return false;
  return mail.handler->accepts == nullptr || mail.handler->accepts(actor.state, mail.arguments);
}

const GuardTable::LocalState* Configuration::local_state(std::uint32_t id) {
  Actor& actor = actors_[id];
  if (actor.dead) return &guards_.dead();
  if (!actor.type->guarded) return nullptr;
  if (actor.local == nullptr) {
    actor.local = &guards_.state_of(*actor.type, actor.state, beside_state(actor));
  }
  return actor.local;
}

std::size_t Configuration::deliver(std::size_t number) {
  const std::size_t first_sent = first_sent_ = mails_.size();
  const std::uint32_t receiver = mails_[number].receiver;
  const std::size_t existed = existing_.size();
  if (track_changes_) change_ = actor_part(receiver) ^ count_content(mails_[number], -1);
  mails_[number].delivered = true;
  history_.push_back(static_cast<std::uint32_t>(number));
  if (mails_[number].channel != nobody) ++channels_[mails_[number].channel].delivered;
  self_ = receiver;
  current_ = static_cast<std::uint32_t>(number);
  stopping_ = false;
  const Mail mail = mails_[number];
  actors_[receiver].local = nullptr;
  switch (mail.kind) {
    case Mail::Kind::message: handle(actors_[receiver], mail); break;
    case Mail::Kind::crash:
      if (!actors_[receiver].dead) end_actor(receiver);
      break;
    case Mail::Kind::watch:
      if (actors_[receiver].dead) {
        notify(mail.sender, *mail.handler, receiver);
      } else {
        actors_[receiver].watchers.emplace_back(mail.sender, mail.handler);
      }
      break;
  }
  self_ = current_ = nobody;
  if (track_changes_) {
    change_ ^= actor_part(receiver);
    for (std::size_t at = existed; at < existing_.size(); ++at)
      change_ ^= actor_part(existing_[at]);
    for (std::size_t at = first_sent; at < mails_.size(); ++at) {
      change_ ^= count_content(mails_[at], 1);
    }
  }
  return first_sent;
}

void Configuration::handle(Actor& actor, const Mail& mail) {
  Message* reply = mail.reply == nobody ? nullptr : &replies_[mail.reply].message;
  void* const state = actor.state;  // the table of actors may move while the handler creates some
  failure_ = run_guarded([&] {
    Context context(*this);
    mail.handler->invoke(state, mail.arguments, context, reply);
  });
  if (next_type_ != nullptr) {
    Actor& self = actors_[mail.receiver];
    clear_state(self);
    make_room(self, next_type_->value);
    next_type_->value.copy(self.state, next_state_);
    next_type_->value.destroy(next_state_);
    self.type = next_type_;
    next_type_ = nullptr;
  }
  if (mail.reply != nobody && !failure_) {
    Mail& answer = post(Mail::Kind::message, replies_[mail.reply].message.handler,
                        replies_[mail.reply].receiver);
    answer.arguments = replies_[mail.reply].message.arguments;
    replies_[mail.reply].message.arguments = nullptr;
  }
  if (stopping_) end_actor(mail.receiver);
}

void Configuration::end_actor(std::uint32_t id) {
  actors_[id].dead = true;
  for (const auto& [watcher, handler] : actors_[id].watchers) notify(watcher, *handler, id);
}

// The handler's only parameter is a reference: an id.
void Configuration::notify(std::uint32_t watcher, const Handler& handler, std::uint32_t ended) {
  void* arguments = allocate(handler.arguments);
  static_assert(sizeof(Ref<int>) == sizeof ended);
  std::memcpy(arguments, &ended, sizeof ended);
  post(Mail::Kind::message, &handler, watcher).arguments = arguments;
}

Mail& Configuration::post(Mail::Kind kind, const Handler* handler, std::uint32_t to) {
  if (to >= actors_.size() || !actors_[to].exists) {
    throw std::invalid_argument("a message is sent to a reference that names no actor");
  }
  const std::uint64_t nth = mails_.size() - first_sent_;
  const std::uint64_t name = detail::combine(current_ == nobody ? 0 : mails_[current_].name, nth);
  Mail& mail = mails_.emplace_back();
  mail.name = name;
  mail.kind = kind;
  mail.handler = handler;
  mail.receiver = to;
  mail.sender = self_;
  mail.sent_by = current_;
  if (rules_.fifo_channels && current_ != nobody) {
    enter_channel(mail);
    ++actors_[self_].sent;
  }
  return mail;
}

void Configuration::enter_channel(Mail& mail) {
  std::size_t at = 0;
  while (at < channels_.size() &&
         (channels_[at].from != mail.sender || channels_[at].to != mail.receiver)) {
    ++at;
  }
  if (at == channels_.size()) channels_.push_back({mail.sender, mail.receiver});
  mail.channel = static_cast<std::uint32_t>(at);
  mail.place = channels_[at].sent++;
}

// --- invariants ---------------------------------------------------------------------------------

bool Configuration::watches(const ActorType& type) const {
  if (rules_.watch_all || (watch_becoming_ && type.becomes)) return true;
  return std::find(rules_.watched.begin(), rules_.watched.end(), &type) != rules_.watched.end();
}

std::vector<const NamedCondition*> Configuration::violated_invariants() {
  std::vector<const NamedCondition*> violated;
  checking_invariants_ = true;
  const View view(*this);
  for (const NamedCondition& invariant : rules_.invariants) {
    if (!invariant.holds(view)) violated.push_back(&invariant);
  }
  checking_invariants_ = false;
  return violated;
}

// Only the steps of actors that invariants read are explored in every order.
void Configuration::reads(const ActorType& type) const {
  if (!checking_invariants_ || watches(type)) return;
  throw std::invalid_argument("an invariant reads an actor of the type `" + std::string(type.name) +
                              "`, which is not among the types that it names");
}

// --- fingerprints -------------------------------------------------------------------------------

// How many actors it has created decides what the next is called, how many messages it has sent
// into channels their places; who watches it is told its end.
std::uint64_t Configuration::beside_state(const Actor& actor) {
  std::uint64_t beside = detail::combine(actor.children, actor.sent);
  for (const auto& [watcher, handler] : actor.watchers) {
    beside = detail::combine(detail::combine(beside, watcher),
                             reinterpret_cast<std::uintptr_t>(handler));
  }
  return beside;
}

std::uint64_t Configuration::state_hash(std::uint32_t id) const {
  const Actor& actor = actors_[id];
  return detail::combine(
      detail::combine(reinterpret_cast<std::uintptr_t>(actor.type), beside_state(actor)),
      actor.dead ? 0 : actor.type->value.hash(actor.state));
}

std::uint64_t Configuration::content_of(const Mail& mail) const {
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
  }
  return detail::combine(content, mail.receiver);
}

Fingerprint Configuration::actor_part(std::uint32_t id) const {
  return fingerprint_of(id, state_hash(id));
}

// The part of a content is its number of messages: equal messages must not cancel each other out.
Fingerprint Configuration::count_content(const Mail& mail, int difference) {
  const std::uint64_t content = content_of(mail);
  std::uint64_t& count = contents_[content];
  const Fingerprint before = count == 0 ? Fingerprint{} : fingerprint_of(content, count);
  count += static_cast<std::uint64_t>(static_cast<std::int64_t>(difference));
  return count == 0 ? before : before ^ fingerprint_of(content, count);
}

Fingerprint Configuration::fingerprint() const {
  Fingerprint whole;
  for (const std::uint32_t id : existing_) whole ^= actor_part(id);
  std::unordered_map<std::uint64_t, std::uint64_t> counts;
  for (const Mail& mail : mails_) {
    if (!mail.delivered) ++counts[content_of(mail)];
  }
  for (const auto& [content, count] : counts) whole ^= fingerprint_of(content, count);
  return whole;
}

}  // namespace mazurka::actors
