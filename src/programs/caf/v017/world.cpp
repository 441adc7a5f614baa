#include "programs/caf/v017/world.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/check.hpp"
#include "programs/actors/failures.hpp"
#include "programs/caf/v017/coordinator.hpp"
#include "programs/caf/v017/cycles.hpp"
#include "programs/caf/v017/originals.hpp"
#include "programs/caf/watch.hpp"

namespace mazurka::caf::v017 {

namespace {

World*& the_active_world() {
  static World* world = nullptr;
  return world;
}

/// The function is not for everybody, but ours to call: an actor ends with all that belongs to it.
struct Ending : ::caf::scheduled_actor {
  static bool of(::caf::scheduled_actor& actor) { return (actor.*&Ending::finalize)(); }
};

}  // namespace

World* active_world() { return the_active_world(); }

World::World(::caf::actor_system& system, Main main)
    : system_(system), main_(std::move(main)), unit_(system) {
  system_.await_actors_before_shutdown(false);
}

World::~World() = default;

void World::Unit::exec_later(::caf::resumable* job) { active_world()->runnable(job); }

// --- actors and what they carry -----------------------------------------------------------------

std::uint32_t World::number_of(::caf::actor_id id) {
  while (first_id_ + entries_.size() < id) {
    explorer_->traffic().add_actor(false);
    entries_.emplace_back();
  }
  return static_cast<std::uint32_t>(id - first_id_ - 1);
}

void World::number_new_actors() { number_of(system_.latest_actor_id()); }

std::uint32_t World::see(::caf::abstract_actor& actor) {
  if (actor.id() <= first_id_) {
    refuse("it uses the servers of the actor system (spawning by name, the configuration)");
    return nobody;
  }
  const std::uint32_t number = number_of(actor.id());
  Entry& entry = entries_[number];
  if (!entry.seen) {
    entry.seen = true;
    entry.reference = ::caf::strong_actor_ptr(actor.ctrl());
    entry.address = actor.address();
    explorer_->traffic().actors()[number].main =
        actor.getf(::caf::abstract_actor::is_blocking_flag);
  }
  return number;
}

::caf::scheduled_actor* World::Entry::scheduled() const {
  if (reference == nullptr) return nullptr;
  ::caf::abstract_actor* const actor = reference->get();
  if (actor->getf(::caf::abstract_actor::is_blocking_flag)) return nullptr;
  return static_cast<::caf::scheduled_actor*>(actor);
}

World::Payload& World::payload(std::uint32_t mail) {
  if (payloads_.size() <= mail) payloads_.resize(mail + 1);
  return payloads_[mail];
}

std::uint64_t World::step_name() const {
  const std::uint32_t mail = explorer_->traffic().current();
  return mail == nobody ? 0 : index(explorer_->traffic()[mail].process) + 1;
}

// --- executions ---------------------------------------------------------------------------------

void World::run_main(Explorer& explorer, const Rules& rules) {
  explorer_ = &explorer;
  rules_ = rules;
  entries_.clear();
  payloads_.clear();
  closing_ = exit_handled_ = thrown_ = false;
  waking_ = nullptr;
  unordered_ = 0;
  unlinked_.clear();
  exits_sent_.clear();
  links_.clear();
  first_id_ = system_.latest_actor_id();
  coordinator_of(system_).clock().start(rules.timeouts, explorer.traffic().knowledge());
  the_active_world() = this;
  bool over = false;
  const auto failure = actors::run_guarded([&] {
    try {
      main_(system_);
    } catch (const Explorer::Over&) {
      over = true;
    }
  });
  if (over) throw Explorer::Over{};
  number_new_actors();
  if (failure) {
    const bool exception = failure->kind == actors::Failure::Kind::exception;
    std::string message = failure->message;
    if (failure->kind == actors::Failure::Kind::expectation) {
      message = "assertion `" + message + "` fails";
    }
    problem(exception ? FindingKind::uncaught_exception : FindingKind::assertion, message);
  }
}

// Whatever is left ends; nobody hears of it.
void World::clear() {
  closing_ = true;
  coordinator_of(system_).clock().cancel_all();
  for (Payload& payload : payloads_) {
    payload.element.reset();
    payload.attached.reset();
    if (payload.job != nullptr) ::caf::intrusive_ptr_release(payload.job);
    payload.job = nullptr;
  }
  for (Entry& entry : entries_) {
    if (entry.reference != nullptr) end(entry);
  }
  for (const auto& [name, actor] : system_.registry().named_actors()) {
    if (actor != nullptr && actor->id() > first_id_) system_.registry().erase(name);
  }
  std::vector<::caf::actor_addr> held;  // by whom: by each other
  for (Entry& entry : entries_) {
    const bool acts_for_itself = entry.scheduled() != nullptr;
    entry.reference.reset();
    if (acts_for_itself) held.push_back(entry.address);
  }
  destroy(held);
  entries_.clear();
  payloads_.clear();
  the_active_world() = nullptr;
}

void World::end(Entry& entry) {
  using ::caf::abstract_actor;
  abstract_actor* const actor = entry.reference->get();
  if (actor->getf(abstract_actor::is_cleaned_up_flag)) return;
  ::caf::scheduled_actor* const one = entry.scheduled();
  if (one == nullptr || entry.broken) {
    static_cast<::caf::monitorable_actor*>(actor)->cleanup(::caf::exit_reason::kill, &unit_);
    return;
  }
  one->context(&unit_);
  one->quit(::caf::exit_reason::kill);
  Ending::of(*one);
}

// --- steps --------------------------------------------------------------------------------------

template <typename Body>
void World::guarded(std::uint32_t actor, const Body& body) {
  const auto failure = actors::run_guarded(body);
  if (!failure) return;
  entries_[actor].broken = true;
  explorer_->traffic().problem(failure->kind == actors::Failure::Kind::exception
                                   ? FindingKind::uncaught_exception
                                   : FindingKind::assertion,
                               failure->message + " in " + name_of(actor), failure->message);
}

void World::deliver(std::uint32_t mail) {
  const Mail about = explorer_->traffic()[mail];
  MAZURKA_CHECK(about.receiver < entries_.size(), "a message is for an actor that exists");
  exit_handled_ = thrown_ = false;
  unlinked_.clear();
  Payload& carried = payload(mail);
  Entry& entry = entries_[about.receiver];
  switch (about.kind) {
    case Mail::Kind::begin: {
      ::caf::resumable* const job = std::exchange(carried.job, nullptr);
      if (!entry.broken && entry.reference != nullptr) resume(about.receiver);
      ::caf::intrusive_ptr_release(job);
      break;
    }
    case Mail::Kind::message: hand_over(about.receiver, std::move(carried.element)); break;
    case Mail::Kind::news: hand_over(about.receiver, make_news(about, carried)); break;
    case Mail::Kind::epilogue: {
      const ::caf::attachable_ptr attached = std::move(carried.attached);
      guarded(about.receiver,
              [&] { attached->actor_exited(entries_[about.receiver].reason, nullptr); });
      break;
    }
  }
  number_new_actors();
  for (const auto& [who, whom] : unlinked_) {
    if (explorer_->traffic().actors()[who].ended) continue;
    refuse("it ends a link, whose effect depends on whether the other has just ended");
  }
}

namespace {

/// What a message carries may belong to several receivers, until it belongs to one that may change
/// it: the library counts them.
class SharedContent {
 public:
  explicit SharedContent(const ::caf::type_erased_tuple& content) : content_(&content) {
    if (Watch::active() != nullptr && !content.shared()) Watch::active()->has_alone(content_);
  }
  SharedContent(const SharedContent&) = delete;
  SharedContent& operator=(const SharedContent&) = delete;
  ~SharedContent() {
    if (Watch::active() != nullptr) Watch::active()->has_read(content_);
  }

 private:
  const void* content_;
};

}  // namespace

void World::hand_over(std::uint32_t receiver, ::caf::mailbox_element_ptr element) {
  Entry& entry = entries_[receiver];
  if (entry.reference == nullptr || entry.broken) return;
  ::caf::abstract_actor* const actor = entry.reference->get();
  woken_ = nullptr;
  exit_handled_ = std::as_const(*element).content().match_elements<::caf::exit_msg>();
  const SharedContent content(std::as_const(*element).content());
  if (::caf::scheduled_actor* const one = entry.scheduled()) {
    waking_ = one;
    original::enqueue(*one, std::move(element), &unit_);
    waking_ = nullptr;
    if (one->mailbox().closed()) return;
    ::caf::resumable* const job = std::exchange(woken_, nullptr);
    resume(receiver);
    if (job != nullptr) ::caf::intrusive_ptr_release(job);
    return;
  }
  original::enqueue(*static_cast<::caf::blocking_actor*>(actor), std::move(element), &unit_);
}

namespace {

bool has_skipped(::caf::scheduled_actor& actor) {
  return !actor.mailbox().closed() &&
         (!actor.get_normal_queue().cache().empty() || !actor.get_urgent_queue().cache().empty());
}

}  // namespace

// The message that was handed over, and those that the actor has skipped before: nothing else is in
// its mailbox.
void World::resume(std::uint32_t actor) {
  ::caf::scheduled_actor* const one = entries_[actor].scheduled();
  entries_[actor].begun = true;
  guarded(actor, [&] { one->resume(&unit_, std::numeric_limits<std::size_t>::max()); });
  // CAF may handle an urgent message between the one that was handed over and those that were
  // skipped before; here they all are one step.
  skips_ = skips_ || has_skipped(*one);
  if (skips_ && explorer_->traffic().saw_urgent()) {
    refuse("it sends urgent messages, and an actor skips messages");
  }
}

::caf::mailbox_element_ptr World::make_news(const Mail& mail, const Payload& payload) {
  MAZURKA_CHECK(mail.ended < entries_.size(), "news are of an actor that exists");
  const Entry& ended = entries_[mail.ended];
  const ::caf::message_id id = ::caf::make_message_id(payload.priority);
  if (payload.news == News::down) {
    return ::caf::make_mailbox_element(ended.reference, id, {},
                                       ::caf::down_msg{ended.address, ended.reason});
  }
  return ::caf::make_mailbox_element(ended.reference, id, {},
                                     ::caf::exit_msg{ended.address, ended.reason});
}

// --- when nothing is left -----------------------------------------------------------------------

bool World::has_unreachable() {
  return std::any_of(entries_.begin(), entries_.end(), [](const Entry& entry) {
    return entry.reference != nullptr && entry.reference->strong_refs == 1;
  });
}

// To release one may make others unreachable. They go in an order that does not depend on who was
// created first.
void World::release() {
  const std::vector<Actor>& actors = explorer_->traffic().actors();
  std::vector<std::uint32_t> order(entries_.size());
  for (std::uint32_t at = 0; at < order.size(); ++at) order[at] = at;
  std::sort(order.begin(), order.end(), [&](std::uint32_t one, std::uint32_t other) {
    return index(actors[one].object) < index(actors[other].object);
  });
  for (bool again = true; std::exchange(again, false);) {
    for (const std::uint32_t number : order) {
      Entry& entry = entries_[number];
      if (entry.reference == nullptr || entry.reference->strong_refs != 1) continue;
      if (entry.name.empty()) entry.name = name_of(number);
      entry.released = again = true;
      const ::caf::strong_actor_ptr last = std::move(entry.reference);
    }
  }
  number_new_actors();
}

bool World::has_timers() const { return coordinator_of(system_).clock().has_timers(); }

void World::pass_time() { coordinator_of(system_).clock().pass(); }

std::vector<std::uint32_t> World::running() const {
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t at = 0; at < entries_.size(); ++at) {
    const Entry& entry = entries_[at];
    if (entry.reference == nullptr) continue;
    if (entry.reference->get()->getf(::caf::abstract_actor::is_registered_flag)) {
      numbers.push_back(at);
    }
  }
  return numbers;
}

std::vector<std::string> World::left() const {
  std::vector<std::string> all;
  for (std::uint32_t at = 0; at < entries_.size(); ++at) {
    ::caf::scheduled_actor* const one = entries_[at].scheduled();
    if (one == nullptr || one->mailbox().closed()) continue;
    const auto note = [&](auto& queue) {
      for (::caf::mailbox_element& element : queue.cache()) {
        all.push_back(to_string(element.content()) + " for " + name_of(at));
      }
    };
    note(one->get_urgent_queue());
    note(one->get_normal_queue());
  }
  return all;
}

}  // namespace mazurka::caf::v017
