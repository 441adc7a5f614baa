// What the program does in a step, as the hooks tell it.
#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <typeinfo>
#include <utility>

#include "programs/actors/failures.hpp"
#include "programs/caf/v017/world.hpp"

namespace mazurka::caf::v017 {

namespace {

std::string readable(const char* mangled) {
  int status = 0;
  char* const text = abi::__cxa_demangle(mangled, nullptr, nullptr, &status);
  std::string name = status == 0 ? text : mangled;
  std::free(text);
  return name;
}

/// The class, without where it is from; empty if it is one of the library's own.
std::string class_of(const ::caf::abstract_actor& actor) {
  std::string name = readable(typeid(actor).name());
  if (name.starts_with("caf::")) return {};
  const std::size_t parameters = name.find('<');
  const std::size_t scope = name.rfind("::", parameters);
  return name.substr(scope == std::string::npos ? 0 : scope + 2);
}

std::string in_words(const ::caf::error& reason, const ::caf::actor_system& system) {
  return system.render(reason);
}

}  // namespace

std::string World::name_of(std::uint32_t number) const {
  const Entry& entry = entries_[number];
  if (!entry.name.empty()) return entry.name;
  if (explorer_->traffic().actors()[number].main) return "main";
  if (entry.reference == nullptr) return "an actor that has ended";
  return "actor " + std::to_string(number + 1);
}

// The library shows an actor as a number at a node, and the number is another one in each
// execution.
std::string World::label(std::uint32_t mail) const {
  if (mail >= payloads_.size()) return {};
  std::string text = payloads_[mail].label;
  const std::string node = "@" + to_string(system_.node());
  for (std::size_t at = text.find(node); at != std::string::npos; at = text.find(node, at + 1)) {
    std::size_t first = at;
    while (first > 0 && text[first - 1] >= '0' && text[first - 1] <= '9') --first;
    if (first == at) continue;
    const ::caf::actor_id id = std::stoull(text.substr(first, at - first));
    if (id <= first_id_ || id - first_id_ > entries_.size()) continue;
    const std::string name = name_of(static_cast<std::uint32_t>(id - first_id_ - 1));
    text.replace(first, at + node.size() - first, name);
    at = first;
  }
  return text;
}

void World::put_name(::caf::abstract_actor& actor, const std::string& name) {
  const std::uint32_t number = see(actor);
  if (number != nobody) entries_[number].name = name;
}

// --- messages -----------------------------------------------------------------------------------

void World::send(::caf::abstract_actor& receiver, ::caf::mailbox_element_ptr& element) {
  const std::uint32_t to = closing_ ? nobody : see(receiver);
  if (to == nobody) {
    element.reset();
    return;
  }
  const ::caf::message_id id = element->mid;
  if (id.is_stream_message() ||
      std::as_const(*element).content().match_elements<::caf::open_stream_msg>()) {
    refuse("it uses streams");
  }
  using Order = Traffic::Order;
  const Order usual = id.is_urgent_message() ? Order::urgent : Order::in_turn;
  Traffic& traffic = explorer_->traffic();
  const std::uint32_t mail =
      traffic.post(Mail::Kind::message, to, unordered_ > 0 ? Order::any : usual);
  if (id.is_response()) {
    traffic.request_answered(to, id.request_id().integer_value());
  } else if (id.is_request() && element->sender != nullptr) {
    const std::uint32_t requester = see(*element->sender->get());
    if (requester != nobody) {
      traffic.request_sent({requester, id.request_id().integer_value(), mail});
    }
  }
  if (std::as_const(*element).content().match_elements<::caf::exit_msg>())
    exits_sent_.emplace_back(traffic.self(), to);
  Payload& carried = payload(mail);
  if (explorer_->tells()) carried.label = to_string(std::as_const(*element).content());
  carried.element = std::move(element);
}

// --- actors -------------------------------------------------------------------------------------

void World::launched(::caf::local_actor& actor, bool lazy) {
  const std::uint32_t number = see(actor);
  if (number == nobody) return;
  explorer_->traffic().actors()[number].begins = !lazy;
  if (!explorer_->tells()) return;
  std::string name = class_of(actor);
  const std::string own = actor.name();
  if (name.empty() || (own != "actor" && own != "scheduled_actor" && !own.starts_with("user."))) {
    name = own == "scheduled_actor" || own.starts_with("user.") ? "actor" : own;
  }
  std::size_t same = 1;
  for (const Entry& other : entries_) {
    if (other.name == name || other.name.starts_with(name + " ")) ++same;
  }
  entries_[number].name = same == 1 ? name : name + " " + std::to_string(same);
}

// An actor is launched: it begins with a message of its creator.
void World::runnable(::caf::resumable* job) {
  if (job == waking_) {
    woken_ = job;
    return;
  }
  if (closing_ || job->subtype() != ::caf::resumable::scheduled_actor) {
    if (!closing_) refuse("it runs something that is no actor");
    ::caf::intrusive_ptr_release(job);
    return;
  }
  const std::uint32_t actor = see(*static_cast<::caf::scheduled_actor*>(job));
  if (actor == nobody) return;
  const auto order = unordered_ > 0 ? Traffic::Order::any : Traffic::Order::in_turn;
  const std::uint32_t mail = explorer_->traffic().post(Mail::Kind::begin, actor, order);
  Payload& carried = payload(mail);
  carried.job = job;
  if (explorer_->tells()) carried.label = "begin";
}

void World::ending(::caf::monitorable_actor& actor, const ::caf::error& reason) {
  if (closing_ || actor.id() <= first_id_) return;
  const std::uint32_t number = number_of(actor.id());
  Entry& entry = entries_[number];
  entry.reason = reason;
  if (!entry.seen) entry.address = actor.address();
  explorer_->traffic().actor_ended(number);
  explorer_->traffic().actors()[number].unreachable = reason == ::caf::exit_reason::unreachable;
  const bool harmless = !reason || reason == ::caf::exit_reason::normal ||
                        reason == ::caf::exit_reason::user_shutdown ||
                        reason == ::caf::exit_reason::unreachable;
  if (harmless || exit_handled_ || thrown_ || rules_.allow_errors) return;
  problem(FindingKind::misuse,
          name_of(number) + " ends with an error: " + in_words(reason, system_));
}

// --- monitors and links -------------------------------------------------------------------------

void World::monitor(::caf::local_actor& observer, ::caf::abstract_actor& observed,
                    ::caf::message_priority priority) {
  if (closing_) return;
  const std::uint32_t who = see(observer);
  const std::uint32_t whom = see(observed);
  if (who == nobody || whom == nobody) return;
  const std::uint32_t mail = explorer_->traffic().watch(Mail::Kind::news, who, whom);
  Payload& carried = payload(mail);
  carried.news = News::down;
  carried.priority = priority;
  if (explorer_->tells()) carried.label = "down";
}

void World::demonitor(::caf::local_actor& observer, ::caf::abstract_actor& observed) {
  if (closing_) return;
  const std::uint32_t who = see(observer);
  const std::uint32_t whom = see(observed);
  Traffic& traffic = explorer_->traffic();
  for (std::uint32_t at = 0; at < traffic.size(); ++at) {
    const Mail& mail = traffic[at];
    if (mail.kind == Mail::Kind::news && mail.receiver == who && mail.ended == whom &&
        !mail.delivered && payload(at).news == News::down) {
      refuse("it calls demonitor, whose effect depends on whether the other has just ended");
      return;
    }
  }
}

void World::link(::caf::abstract_actor& one, ::caf::abstract_actor& other) {
  if (closing_) return;
  const std::uint32_t who = see(one);
  const std::uint32_t whom = see(other);
  if (who == nobody || whom == nobody) return;
  Traffic& traffic = explorer_->traffic();
  const auto contains = [](const Pairs& pairs, std::uint32_t first, std::uint32_t second) {
    return std::find(pairs.begin(), pairs.end(), std::pair(first, second)) != pairs.end();
  };
  // Who is told to exit drops its link to who tells it, if there is one by then.
  if (contains(exits_sent_, traffic.self(), whom)) {
    refuse("it links to an actor to which it has sent an exit message before");
  }
  // The second of two that link to each other does nothing, and which that is depends on the order.
  if (contains(links_, whom, who))
    refuse("two actors link to each other, where one link is enough");
  links_.emplace_back(who, whom);
  const auto add = [&](std::uint32_t observer, std::uint32_t observed) {
    for (std::uint32_t at = 0; at < traffic.size(); ++at) {
      const Mail& mail = traffic[at];
      if (mail.kind == Mail::Kind::news && mail.receiver == observer && mail.ended == observed &&
          !mail.delivered && payload(at).news == News::exit) {
        return;  // linked before
      }
    }
    const std::uint32_t mail = traffic.watch(Mail::Kind::news, observer, observed);
    Payload& carried = payload(mail);
    carried.news = News::exit;
    carried.priority = ::caf::message_priority::normal;
    if (explorer_->tells()) carried.label = "exit";
  };
  add(who, whom);
  add(whom, who);
}

// The other's link to this one ends with it, whatever the order. Whether this one still hears of
// the other's end depends on which came first; it does not matter if this one ends now.
void World::unlink(::caf::abstract_actor& one, ::caf::abstract_actor& other) {
  if (closing_ || one.id() <= first_id_ || other.id() <= first_id_) return;
  const std::uint32_t who = see(one);
  const std::uint32_t whom = see(other);
  Traffic& traffic = explorer_->traffic();
  for (std::uint32_t at = 0; at < traffic.size(); ++at) {
    const Mail& mail = traffic[at];
    if (mail.kind != Mail::Kind::news || mail.delivered || payload(at).news != News::exit) continue;
    if (mail.receiver == whom && mail.ended == who) traffic.withdraw(at);
    if (mail.receiver == who && mail.ended == whom) unlinked_.emplace_back(who, whom);
  }
}

bool World::attach(::caf::abstract_actor& observed, ::caf::attachable_ptr& what) {
  if (closing_) return false;
  const std::uint32_t whom = see(observed);
  if (whom == nobody) return true;
  Traffic& traffic = explorer_->traffic();
  if (traffic.current() != nobody && traffic[traffic.current()].receiver == whom) return false;
  const std::uint32_t mail = traffic.watch(Mail::Kind::epilogue, whom, whom);
  Payload& carried = payload(mail);
  carried.attached = std::move(what);
  if (explorer_->tells()) carried.label = "what is attached to its end";
  return true;
}

// --- what goes wrong ----------------------------------------------------------------------------

void World::problem(FindingKind kind, const std::string& message) {
  if (!closing_) explorer_->traffic().problem(kind, message, message);
}

void World::unhandled(::caf::scheduled_actor& actor, const ::caf::message_view& message) {
  if (closing_ || rules_.allow_unhandled) return;
  const std::uint32_t number = see(actor);
  if (number == nobody) return;
  const std::string text = to_string(message.content());
  explorer_->traffic().problem(FindingKind::orphan, name_of(number) + " has no handler for " + text,
                               "no handler for " + text);
}

void World::thrown(::caf::scheduled_actor& actor, const std::exception_ptr& exception) {
  if (closing_) return;
  thrown_ = true;
  if (rules_.allow_errors) return;
  const std::uint32_t number = see(actor);
  if (number == nobody) return;
  try {
    std::rethrow_exception(exception);
  } catch (...) {
    const actors::Failure failure = actors::current_exception_as_failure();
    const bool expectation = failure.kind == actors::Failure::Kind::expectation;
    const std::string text =
        expectation ? "assertion `" + failure.message + "` fails" : failure.message;
    explorer_->traffic().problem(
        expectation ? FindingKind::assertion : FindingKind::uncaught_exception,
        text + " in " + name_of(number), text);
  }
}

void World::refuse(const std::string& what) {
  if (!closing_) explorer_->refuse(what);
}

// --- main waits ---------------------------------------------------------------------------------

bool World::await(::caf::blocking_actor& actor, bool may_give_up) {
  const std::uint32_t number = see(actor);
  if (number == nobody) return true;
  if (explorer_->traffic().self() != nobody) {
    refuse("an actor waits for messages inside a handler (scoped_actor, function_view)");
    throw std::runtime_error("an actor must not wait");
  }
  number_new_actors();
  while (actor.mailbox().try_block()) {
    if (!explorer_->wait(number, may_give_up)) {
      actor.mailbox().try_unblock();
      return false;
    }
  }
  actor.mailbox().fetch_more();
  return true;
}

void World::await_running(std::size_t expected) {
  if (system_.registry().running() == expected) return;
  await_idle();
  if (system_.registry().running() == expected) return;
  std::string names;
  for (const std::uint32_t actor : running()) {
    names += (names.empty() ? "" : ", ") + name_of(actor);
  }
  problem(FindingKind::deadlock, "caf_main waits for the end of " + names + ", which never comes");
  await_idle();
}

void World::await_idle() {
  number_new_actors();
  explorer_->wait(nobody, false);
}

}  // namespace mazurka::caf::v017
