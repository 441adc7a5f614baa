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
#include <algorithm>

#include "programs/messages/independence.hpp"
#include "programs/threads/runtime/hooks/hooks.hpp"

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

struct Meaning {
  Change change;
  Action action;
};

Meaning meaning_of(Call call) {
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

void Runtime::start_messages() {
  exchange_.clear();
  picking_ = 0;
  for (Clock& clock : gathered_) clock.clear();
  message_objects_.clear();
}

// The current process's request of that name; a finding if it is not its own.
MessageRequest& Runtime::own_request(std::uint64_t name) {
  Process& self = *current_;
  const std::uint64_t number = name & ((std::uint64_t{1} << name_bits) - 1);
  if (name >> name_bits != index(self.id) || number >= self.requests.size()) {
    fail(FindingKind::misuse, "waits for or tests a request of another actor", "foreign request");
  }
  return self.requests[number];
}

std::vector<ProcessId> Runtime::fulfilled_by(messages::Change change, ObjectId object,
                                             const Ticket* released) {
  std::vector<ProcessId> found;
  for (std::size_t at = 0; at < used_processes_; ++at) {
    const Process* one = processes_[at].get();
    if (one == nullptr || !one->used || one->finished || !one->awaited) continue;
    if (exchange_.fulfils(change, object, *one->awaited, released)) found.push_back(one->id);
  }
  return found;
}

// What the event lets others know who are fulfilled by it.
void Runtime::publish(std::uint32_t event, ObjectId object, Change change) {
  if (event_knowledge_.size() <= event) event_knowledge_.resize(event + std::size_t{1});
  Process& self = *current_;
  if (change == Change::release || change == Change::arrive) {
    // Those before count as well: all that held the mutex, all that arrived.
    if (gathered_.size() <= index(object)) gathered_.resize(index(object) + 1);
    gathered_[index(object)].join(self.knowledge.now);
    event_knowledge_[event].assign(gathered_[index(object)]);
  } else {
    event_knowledge_[event].assign(self.knowledge.now);
  }
  self.knowledge.now.tick(self.id);
}

// Parks before the change and performs its scheduling part; returns its event.
std::uint32_t Runtime::commit_change(Change change, Action action, std::uintptr_t address,
                                     ObjectId object, const Ticket* released) {
  note(action, address);
  const std::array<Access, 1> accesses{messages::access_of(change, object, first_message_kind_)};
  park({accesses, no_process, false}, true);
  record(action, address);
  const std::vector<ProcessId> fulfilled = fulfilled_by(change, object, released);
  const auto event = static_cast<std::uint32_t>(run_->position());
  commit();
  for (const ProcessId process : fulfilled) {
    run_->release(process);
    run_->enable(process, true);
    run_->caused_by(process, event);
  }
  publish(event, object, change);
  return event;
}

ObjectId Runtime::message_object(messages::Kind kind, std::uintptr_t address) {
  const auto number =
      static_cast<std::uint8_t>(first_message_kind_ + static_cast<std::uint8_t>(kind));
  const ObjectId object = object_for(address, number);
  if (std::find(message_objects_.begin(), message_objects_.end(), object) ==
      message_objects_.end()) {
    message_objects_.push_back(object);
  }
  return object;
}

std::uint64_t Runtime::message_request(int call, std::uintptr_t address, std::uint64_t payload,
                                       std::uint32_t parameter) {
  EngineScope scope;
  const auto what = static_cast<Call>(call);
  const Meaning meaning = meaning_of(what);
  const Kind kind = what == Call::lock      ? Kind::mutex
                    : what == Call::arrive  ? Kind::barrier
                    : what == Call::enqueue ? Kind::condition
                                            : Kind::mailbox;
  const ObjectId object = message_object(kind, address);
  Process& self = *current_;
  const std::uint32_t event =
      commit_change(meaning.change, meaning.action, address, object, nullptr);
  const messages::Entry entry{event, self.id, payload};
  Ticket ticket;
  switch (what) {
    case Call::send: ticket = exchange_.send(object, entry); break;
    case Call::lock: ticket = exchange_.request(object, entry); break;
    case Call::arrive: ticket = exchange_.arrive(object, entry, parameter); break;
    case Call::enqueue: ticket = exchange_.enqueue(object, entry); break;
    default: ticket = exchange_.receive(object, entry, parameter); break;
  }
  if (tracking_) {
    const unsigned sort = ticket.side == Side::giving ? 0 : 1;
    states_.change(part_name(object, ticket.rank, sort), 0, index(self.id) + 1);
  }
  self.requests.push_back({ticket, address, what == Call::acquire});
  return static_cast<std::uint64_t>(index(self.id)) << name_bits | (self.requests.size() - 1);
}

void Runtime::message_change(int call, std::uintptr_t address) {
  EngineScope scope;
  const auto what = static_cast<Call>(call);
  const Meaning meaning = meaning_of(what);
  if (what == Call::unlock) {
    const ObjectId object = message_object(Kind::mutex, address);
    const Ticket ticket = own_request(latest_request(address)).ticket;
    const std::uint32_t event =
        commit_change(meaning.change, meaning.action, address, object, &ticket);
    exchange_.release(ticket, event);
    if (tracking_) states_.change(part_name(object, ticket.rank, 2), 0, 1);
    return;
  }
  const bool posts = what == Call::post;
  const ObjectId object = message_object(posts ? Kind::mailbox : Kind::condition, address);
  const std::uint32_t event =
      commit_change(meaning.change, meaning.action, address, object, nullptr);
  if (posts) {
    const Ticket given = exchange_.send(object, {event, current_->id, 0});
    if (tracking_) states_.change(part_name(object, given.rank, 0), 0, index(current_->id) + 1);
    return;
  }
  const std::size_t from = exchange_.settled(object);
  const std::size_t count = exchange_.signal(object, event, what == Call::broadcast);
  for (std::size_t rank = from; tracking_ && rank < from + count; ++rank) {
    states_.change(part_name(object, static_cast<std::uint32_t>(rank), 2), 0, 1);
  }
}

// The latest request of the current process for the mutex that it has not withdrawn.
std::uint64_t Runtime::latest_request(std::uintptr_t mutex) {
  const Process& self = *current_;
  for (std::size_t at = self.requests.size(); at-- > 0;) {
    const MessageRequest& request = self.requests[at];
    if (request.address == mutex && request.ticket.kind == Kind::mutex &&
        !exchange_.withdrawn(request.ticket)) {
      return static_cast<std::uint64_t>(index(self.id)) << name_bits | at;
    }
  }
  EngineScope scope;
  fail(FindingKind::misuse, "unlocks, tests or waits for a mutex that it has not asked for",
       "no request " + std::to_string(mutex));
}

// The current process learns that its request is fulfilled.
void Runtime::learn(const MessageRequest& request) {
  const std::uint32_t cause = exchange_.cause(request.ticket);
  if (cause != no_event) current_->knowledge.now.join(event_knowledge_[cause]);
}

void Runtime::wait_for_request(const MessageRequest& request) {
  Process& self = *current_;
  const Ticket ticket = request.ticket;
  const Action action = waiting_action(ticket, request.semaphore);
  const std::uintptr_t address = request.address;
  note(action, address);
  self.awaited = ticket;
  const std::array<Access, 1> accesses{messages::wait_of(ticket, first_message_kind_)};
  const bool fulfilled = exchange_.fulfilled(ticket);
  park({accesses, no_process, false}, fulfilled, fulfilled,
       fulfilled ? exchange_.cause(ticket) : no_event);
  self.awaited.reset();
  const messages::Entry* partner = exchange_.partner(ticket);
  if (RawEvent* event = record(action, address); event != nullptr && partner != nullptr) {
    event->peer = partner->process;
  }
  commit();
  learn(request);
  tell(partner == nullptr ? 0 : index(partner->process) + 1);
}

void Runtime::message_wait(std::uint64_t name) {
  EngineScope scope;
  wait_for_request(own_request(name));
}

// Chooses one of the requests, and waits for that one. If it is never fulfilled while another is,
// the choice was wrong and the execution shows nothing: see excuse_wrong_picks.
int Runtime::message_wait_any(std::span<const std::uint64_t> names) {
  EngineScope scope;
  if (names.empty()) {
    fail(FindingKind::misuse, "waits for one of no requests", "wait for none");
  }
  for (const std::uint64_t name : names) (void)own_request(name);
  const int chosen = choose(static_cast<int>(names.size()));
  Process& self = *current_;
  self.picked_from.assign(names.begin(), names.end());
  ++picking_;
  wait_for_request(own_request(names[static_cast<std::size_t>(chosen)]));
  --picking_;
  self.picked_from.clear();
  return chosen;
}

int Runtime::message_test(std::span<const std::uint64_t> names) {
  EngineScope scope;
  if (names.empty()) return -1;
  std::vector<Access> accesses;
  for (const std::uint64_t name : names) {
    accesses.push_back(messages::test_of(own_request(name).ticket, first_message_kind_));
  }
  const std::uintptr_t address = own_request(names.front()).address;
  note(Action::message_test, address);
  park({accesses, no_process, false}, true);
  std::vector<int> fulfilled;
  for (std::size_t at = 0; at < names.size(); ++at) {
    if (exchange_.fulfilled(own_request(names[at]).ticket)) {
      fulfilled.push_back(static_cast<int>(at));
    }
  }
  int answer = -1;
  if (!fulfilled.empty()) {
    answer = fulfilled[std::min<std::size_t>(decision_.choice, fulfilled.size() - 1)];
  }
  const auto told = static_cast<unsigned>(answer + 1);
  if (RawEvent* event = record(Action::message_test, address)) event->value = told;
  commit({}, static_cast<std::uint16_t>(std::max<std::size_t>(fulfilled.size(), 1)));
  tell(told);
  if (answer >= 0) learn(own_request(names[static_cast<std::size_t>(answer)]));
  return answer;
}

std::uint64_t Runtime::message_payload(std::uint64_t name) {
  EngineScope scope;
  const messages::Entry* partner = exchange_.partner(own_request(name).ticket);
  if (partner == nullptr || partner->payload == 0) {
    fail(FindingKind::misuse, "takes a message that has not arrived", "no message");
  }
  return partner->payload;
}

// Nobody can move, perhaps only because somebody picked the wrong one of several requests.
void Runtime::excuse_wrong_picks() {
  bool wrong = false;
  for (std::size_t at = 0; at < used_processes_; ++at) {
    const Process* one = processes_[at].get();
    if (one == nullptr || !one->used || one->finished || one->picked_from.empty()) continue;
    for (const std::uint64_t name : one->picked_from) {
      const std::uint64_t number = name & ((std::uint64_t{1} << name_bits) - 1);
      if (exchange_.fulfilled(one->requests[number].ticket)) wrong = true;
    }
  }
  run_->excuse_waiting(wrong);
}

// After an execution that everybody lived to see the end of: what was left behind.
void Runtime::report_leftovers() {
  for (const ObjectId object : message_objects_) {
    const Objects::Origin& origin = objects_[object];
    const auto kind = static_cast<Kind>(origin.kind - first_message_kind_);
    const std::string key = std::to_string(origin.address);
    if (kind == Kind::mutex) {
      if (const messages::Entry* owner = exchange_.owner(object)) {
        run_->report(owner->process, FindingKind::misuse, "ends without having unlocked a mutex",
                     "never released " + key);
      }
    }
    if (kind != Kind::mailbox || exchange_.unreceived(object) == 0) continue;
    const messages::Entry& oldest = exchange_.oldest_unreceived(object);
    if (oldest.payload == 0) continue;  // a semaphore's posts may be left over
    run_->report(oldest.process, FindingKind::orphan,
                 std::to_string(exchange_.unreceived(object)) +
                     (exchange_.unreceived(object) == 1 ? " message is" : " messages are") +
                     " never received",
                 "never received " + key);
  }
}

}  // namespace mazurka::threads
