// Message passing on fibers: what mazurka/messages.hpp calls.
//
// What the operations mean and which of them commute is in programs/messages; here they become
// scheduling points. A request or another change of an object is always enabled. A wait has what
// fulfilled its request as its cause, whether it was parked by then or came later: whether it was
// is no property of the trace, so the change must not be said to release it (Step::released).
//
// Data: the sender makes a copy in its own part of the heap, and the address of that travels. What
// the sender knew when it sent, the receiver knows from its wait or its successful test on, so that
// the contents are no data race.
#include "programs/threads/runtime/messages.hpp"

#include <algorithm>
#include <array>

#include "core/check.hpp"

namespace mazurka::threads {

namespace {

using messages::Change;
using messages::Kind;
using messages::Side;
using messages::Ticket;

// As mazurka/messages.hpp numbers them.
enum class Call : std::uint8_t {
  send,
  receive,
  acquire,
  post,
  lock,
  unlock,
  arrive,
  enqueue,
  signal,
  broadcast,
};

struct CallMeaning {
  Change change;
  Action action;
};

CallMeaning meaning_of(Call call) {
  switch (call) {
    case Call::send: return {Change::send, Action::message_send};
    case Call::receive: return {Change::receive, Action::message_receive};
    case Call::acquire: return {Change::receive, Action::semaphore_acquire};
    case Call::post: return {Change::send, Action::semaphore_post};
    case Call::lock: return {Change::request, Action::mutex_request};
    case Call::unlock: return {Change::release, Action::mutex_release};
    case Call::arrive: return {Change::arrive, Action::barrier_request};
    case Call::enqueue: return {Change::enqueue, Action::condition_enqueue};
    case Call::signal: return {Change::signal, Action::condition_signal};
    case Call::broadcast: break;
  }
  return {Change::broadcast, Action::condition_broadcast};
}

Action waiting_action(const Ticket& ticket, bool semaphore) {
  switch (ticket.kind) {
    case Kind::mailbox:
      if (semaphore) return Action::wait_semaphore;
      return ticket.side == Side::giving ? Action::wait_sent : Action::wait_received;
    case Kind::mutex: return Action::wait_mutex;
    case Kind::barrier: return Action::wait_barrier;
    case Kind::condition: break;
  }
  return Action::wait_condition;
}

// Names of parts of the state, for its fingerprint.
std::uint64_t part_name(ObjectId object, std::uint32_t rank, unsigned sort) {
  return std::uint64_t{1} << 50 | static_cast<std::uint64_t>(index(object)) << 24 |
         static_cast<std::uint64_t>(rank) << 2 | sort;
}

constexpr unsigned name_bits = 32;

}  // namespace

// The current process's request of that name; a finding if it is not its own.
MessageRequest& Messages::own_request(std::uint64_t name) {
  Process& own = self();
  const std::uint64_t number = name & ((std::uint64_t{1} << name_bits) - 1);
  if (name >> name_bits != index(own.id) || number >= own.requests.size()) {
    fail(FindingKind::misuse, "waits for or tests a request of another actor", "foreign request");
  }
  return own.requests[number];
}

std::vector<ProcessId> Messages::fulfilled_by(messages::Change change, ObjectId object,
                                              const Ticket* released) {
  std::vector<ProcessId> found;
  for (std::size_t at = 0; at < state_.processes.end(); ++at) {
    const Process* one = state_.processes.find(static_cast<ProcessId>(at));
    if (one == nullptr || one->finished || !one->ticket) continue;
    if (state_.exchange.fulfils(change, object, *one->ticket, released)) found.push_back(one->id);
  }
  return found;
}

// What the event lets others know who are fulfilled by it.
void Messages::publish(std::uint32_t event, ObjectId object, Change change) {
  Process& own = self();
  if (change == Change::release || change == Change::arrive) {
    // Those before count as well: all that held the mutex, all that arrived.
    state_.gathered[object].join(own.knowledge.now);
    state_.event_knowledge[event].assign(state_.gathered[object]);
  } else {
    state_.event_knowledge[event].assign(own.knowledge.now);
  }
  own.knowledge.now.tick(own.id);
}

// Parks before the change and performs its scheduling part; returns its event.
std::uint32_t Messages::commit_change(Change change, Action action, std::uintptr_t address,
                                      ObjectId object, const Ticket* released) {
  note(action, address);
  const std::array<Access, 1> accesses{messages::access_of(change, object, first_kind_)};
  park({accesses, no_process, false}, true);
  record(action, address);
  const std::vector<ProcessId> fulfilled = fulfilled_by(change, object, released);
  const auto event = static_cast<std::uint32_t>(run().position());
  commit();
  for (const ProcessId process : fulfilled) {
    run().release(process);
    run().enable(process, true);
    run().caused_by(process, event);
  }
  publish(event, object, change);
  return event;
}

ObjectId Messages::object_at(messages::Kind kind, std::uintptr_t address) {
  const auto number = static_cast<std::uint8_t>(first_kind_ + static_cast<std::uint8_t>(kind));
  const ObjectId object = names_.object_for(address, number);
  if (std::find(state_.message_objects.begin(), state_.message_objects.end(), object) ==
      state_.message_objects.end()) {
    state_.message_objects.push_back(object);
  }
  return object;
}

std::uint64_t Messages::request(int call, std::uintptr_t address, std::uint64_t payload,
                                std::uint32_t parameter) {
  EngineScope scope;
  const auto what = static_cast<Call>(call);
  const CallMeaning meaning = meaning_of(what);
  const Kind kind = what == Call::lock      ? Kind::mutex
                    : what == Call::arrive  ? Kind::barrier
                    : what == Call::enqueue ? Kind::condition
                                            : Kind::mailbox;
  const ObjectId object = object_at(kind, address);
  Process& own = self();
  const std::uint32_t event =
      commit_change(meaning.change, meaning.action, address, object, nullptr);
  const messages::Entry entry{event, own.id, payload};
  Ticket ticket;
  switch (what) {
    case Call::send: ticket = state_.exchange.send(object, entry); break;
    case Call::lock: ticket = state_.exchange.request(object, entry); break;
    case Call::arrive: ticket = state_.exchange.arrive(object, entry, parameter); break;
    case Call::enqueue: ticket = state_.exchange.enqueue(object, entry); break;
    default: ticket = state_.exchange.receive(object, entry, parameter); break;
  }
  if (state_.tracking) {
    const unsigned sort = ticket.side == Side::giving ? 0 : 1;
    state_.tracker.change(part_name(object, ticket.rank, sort), 0, index(own.id) + 1);
  }
  own.requests.push_back({ticket, address, what == Call::acquire});
  return static_cast<std::uint64_t>(index(own.id)) << name_bits | (own.requests.size() - 1);
}

void Messages::change(int call, std::uintptr_t address) {
  EngineScope scope;
  const auto what = static_cast<Call>(call);
  const CallMeaning meaning = meaning_of(what);
  if (what == Call::unlock) {
    const ObjectId object = object_at(Kind::mutex, address);
    const Ticket ticket = own_request(latest_request(address)).ticket;
    const std::uint32_t event =
        commit_change(meaning.change, meaning.action, address, object, &ticket);
    state_.exchange.release(ticket, event);
    if (state_.tracking) state_.tracker.change(part_name(object, ticket.rank, 2), 0, 1);
    return;
  }
  const bool posts = what == Call::post;
  const ObjectId object = object_at(posts ? Kind::mailbox : Kind::condition, address);
  const std::uint32_t event =
      commit_change(meaning.change, meaning.action, address, object, nullptr);
  if (posts) {
    const Ticket given = state_.exchange.send(object, {event, self().id, 0});
    if (state_.tracking)
      state_.tracker.change(part_name(object, given.rank, 0), 0, index(self().id) + 1);
    return;
  }
  const std::size_t from = state_.exchange.settled(object);
  const std::size_t count = state_.exchange.signal(object, event, what == Call::broadcast);
  for (std::size_t rank = from; state_.tracking && rank < from + count; ++rank) {
    state_.tracker.change(part_name(object, static_cast<std::uint32_t>(rank), 2), 0, 1);
  }
}

// The latest request of the current process for the mutex that it has not withdrawn.
std::uint64_t Messages::latest_request(std::uintptr_t mutex) {
  const Process& own = self();
  for (std::size_t at = own.requests.size(); at-- > 0;) {
    const MessageRequest& request = own.requests[at];
    if (request.address == mutex && request.ticket.kind == Kind::mutex &&
        !state_.exchange.withdrawn(request.ticket)) {
      return static_cast<std::uint64_t>(index(own.id)) << name_bits | at;
    }
  }
  EngineScope scope;
  fail(FindingKind::misuse, "unlocks, tests or waits for a mutex that it has not asked for",
       "no request " + std::to_string(mutex));
}

// The current process learns that its request is fulfilled.
void Messages::learn(const MessageRequest& request) {
  const std::uint32_t cause = state_.exchange.cause(request.ticket);
  MAZURKA_CHECK(cause == no_event || cause < run().position(),
                "a message was sent by an earlier event");
  if (cause != no_event) self().knowledge.now.join(state_.event_knowledge[cause]);
}

void Messages::wait_for_request(const MessageRequest& request) {
  Process& own = self();
  const Ticket ticket = request.ticket;
  const Action action = waiting_action(ticket, request.semaphore);
  const std::uintptr_t address = request.address;
  note(action, address);
  own.ticket = ticket;
  const std::array<Access, 1> accesses{messages::wait_of(ticket, first_kind_)};
  const bool fulfilled = state_.exchange.fulfilled(ticket);
  const std::uint32_t cause = fulfilled ? state_.exchange.cause(ticket) : no_event;
  const std::span<const std::uint32_t> causes(&cause, cause == no_event ? 0 : 1);
  park({accesses, no_process, false}, fulfilled, fulfilled, causes);
  own.ticket.reset();
  const messages::Entry* partner = state_.exchange.partner(ticket);
  if (RawEvent* event = record(action, address); event != nullptr && partner != nullptr) {
    event->peer = partner->process;
  }
  commit();
  learn(request);
  tell(partner == nullptr ? 0 : index(partner->process) + 1);
}

void Messages::wait(std::uint64_t name) {
  EngineScope scope;
  wait_for_request(own_request(name));
}

// Chooses one of the requests, and waits for that one. If it is never fulfilled while another is,
// the choice was wrong and the execution shows nothing: see excuse_wrong_picks.
int Messages::wait_any(std::span<const std::uint64_t> names) {
  EngineScope scope;
  if (names.empty()) {
    fail(FindingKind::misuse, "waits for one of no requests", "wait for none");
  }
  for (const std::uint64_t name : names) (void)own_request(name);
  const int chosen = threads_.choose(static_cast<int>(names.size()));
  Process& own = self();
  own.picked_from.assign(names.begin(), names.end());
  MAZURKA_CHECK(chosen >= 0 && static_cast<std::size_t>(chosen) < names.size(),
                "one of the requests is chosen");
  ++state_.picking;
  wait_for_request(own_request(names[static_cast<std::size_t>(chosen)]));
  --state_.picking;
  own.picked_from.clear();
  return chosen;
}

int Messages::test(std::span<const std::uint64_t> names) {
  EngineScope scope;
  if (names.empty()) return -1;
  scratch_.clear();  // a member: what is on the stack may be put back (checkpoints.hpp)
  for (const std::uint64_t name : names) {
    scratch_.push_back(messages::test_of(own_request(name).ticket, first_kind_));
  }
  const std::uintptr_t address = own_request(names.front()).address;
  note(Action::message_test, address);
  park({scratch_, no_process, false}, true);
  std::vector<int> fulfilled;
  for (std::size_t at = 0; at < names.size(); ++at) {
    if (state_.exchange.fulfilled(own_request(names[at]).ticket)) {
      fulfilled.push_back(static_cast<int>(at));
    }
  }
  int answer = -1;
  if (!fulfilled.empty()) {
    answer = fulfilled[std::min<std::size_t>(state_.decision.choice, fulfilled.size() - 1)];
  }
  const auto told = static_cast<unsigned>(answer + 1);
  if (RawEvent* event = record(Action::message_test, address)) event->value = told;
  commit({}, static_cast<std::uint16_t>(std::max<std::size_t>(fulfilled.size(), 1)));
  tell(told);
  if (answer >= 0) learn(own_request(names[static_cast<std::size_t>(answer)]));
  return answer;
}

std::uint64_t Messages::payload(std::uint64_t name) {
  EngineScope scope;
  const messages::Entry* partner = state_.exchange.partner(own_request(name).ticket);
  if (partner == nullptr || partner->payload == 0) {
    fail(FindingKind::misuse, "takes a message that has not arrived", "no message");
  }
  return partner->payload;
}

// Nobody can move, perhaps only because somebody picked the wrong one of several requests.
void Messages::excuse_wrong_picks() {
  bool wrong = false;
  for (std::size_t at = 0; at < state_.processes.end(); ++at) {
    const Process* one = state_.processes.find(static_cast<ProcessId>(at));
    if (one == nullptr || one->finished || one->picked_from.empty()) continue;
    for (const std::uint64_t name : one->picked_from) {
      const std::uint64_t number = name & ((std::uint64_t{1} << name_bits) - 1);
      if (state_.exchange.fulfilled(one->requests[number].ticket)) wrong = true;
    }
  }
  run().excuse_waiting(wrong);
}

// After an execution that everybody lived to see the end of: what was left behind.
void Messages::report_leftovers() {
  for (const ObjectId object : state_.message_objects) {
    const Objects::Origin& origin = names_[object];
    MAZURKA_CHECK(origin.kind >= first_kind_, "what messages go through is of their kinds");
    const auto kind = static_cast<Kind>(origin.kind - first_kind_);
    const std::string key = std::to_string(origin.address);
    if (kind == Kind::mutex) {
      if (const messages::Entry* owner = state_.exchange.owner(object)) {
        run().report(owner->process, FindingKind::misuse, "ends without having unlocked a mutex",
                     "never released " + key);
      }
    }
    if (kind != Kind::mailbox || state_.exchange.unreceived(object) == 0) continue;
    const messages::Entry& oldest = state_.exchange.oldest_unreceived(object);
    if (oldest.payload == 0) continue;  // a semaphore's posts may be left over
    run().report(oldest.process, FindingKind::orphan,
                 std::to_string(state_.exchange.unreceived(object)) +
                     (state_.exchange.unreceived(object) == 1 ? " message is" : " messages are") +
                     " never received",
                 "never received " + key);
  }
}

}  // namespace mazurka::threads
