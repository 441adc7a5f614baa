// What message programs mean: mailboxes, asynchronous mutexes and their relatives.
//
// Everything here is a *request* and, later, its fulfilment. A request never waits: it takes the
// next rank at its object and returns a Ticket. Whether a ticket is fulfilled depends only on what
// happened at its object:
//
//   mailbox    the n-th send and the n-th receive are one communication: each is fulfilled when the
//              other exists. (A FIFO queue that holds either sends or receives does just that.)
//   semaphore  a mailbox whose first `credit` posts are there from the beginning
//   mutex      a request is fulfilled when all earlier ones have been withdrawn: its process owns
//              the mutex
//   barrier    the arrivals 1..n, n+1..2n, ... are rounds; all of a round are fulfilled by its last
//   condition  a request is fulfilled by the signal that takes it from the queue
//
// Waiting for a ticket is the only operation that can be disabled, and once it is enabled it stays
// so: the model is persistent. Which event fulfilled a ticket is the same in all interleavings of a
// trace, because requests of one side of an object are ordered among themselves; so it can serve
// as the wait's cause (independence.hpp).
//
// Nothing here knows who runs the program: the native front-end and the tests' models share it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/ids.hpp"
#include "core/table.hpp"

namespace mazurka::messages {

enum class Kind : std::uint8_t { mailbox, mutex, barrier, condition };

enum class Side : std::uint8_t {
  giving,  // send, post
  taking,  // receive, acquire; and all requests of other objects
};

struct Ticket {
  Kind kind{};
  Side side = Side::taking;
  ObjectId object{};
  std::uint32_t rank = 0;       // among the requests of its side, from 0
  std::uint32_t parameter = 0;  // semaphore: the credit; barrier: how many are a round
  friend bool operator==(const Ticket&, const Ticket&) = default;
};

/// One request, as its partner sees it.
struct Entry {
  std::uint32_t event = no_event;
  ProcessId process = no_process;
  std::uint64_t payload = 0;
  friend bool operator==(const Entry&, const Entry&) = default;
};

/// An operation that changes an object: what it does is known before it happens.
enum class Change : std::uint8_t {
  send,       // also: post
  receive,    // also: acquire
  request,    // a mutex
  release,    // withdraws a mutex's request
  arrive,     // at a barrier
  enqueue,    // at a condition
  signal,     // the oldest that is queued, if any
  broadcast,  // all of them
};

class Exchange {
 public:
  /// Forgets everything: a new execution.
  void clear() { objects_.clear(); }

  // Each returns the ticket of a new request that `entry` makes.
  Ticket send(ObjectId mailbox, const Entry& entry);
  Ticket receive(ObjectId mailbox, const Entry& entry, std::uint32_t credit = 0);
  Ticket request(ObjectId mutex, const Entry& entry);
  Ticket arrive(ObjectId barrier, const Entry& entry, std::uint32_t round);
  Ticket enqueue(ObjectId condition, const Entry& entry);

  /// Withdraws the request, owner or not; false if it was withdrawn before.
  bool release(const Ticket& request, std::uint32_t event);
  /// Fulfils the oldest request of the condition, or all of them; returns how many.
  std::size_t signal(ObjectId condition, std::uint32_t event, bool all);

  [[nodiscard]] bool fulfilled(const Ticket& ticket) const;
  /// The event without which the ticket would not be fulfilled; no_event: its own request was
  /// enough. Only for fulfilled tickets.
  [[nodiscard]] std::uint32_t cause(const Ticket& ticket) const;
  /// The other half of a fulfilled communication. Only for tickets of mailboxes.
  [[nodiscard]] const Entry* partner(const Ticket& ticket) const;

  /// Whether the change, made now, would fulfil the ticket, which is not yet. `released`: the
  /// request that a release withdraws.
  [[nodiscard]] bool fulfils(Change change, ObjectId object, const Ticket& ticket,
                             const Ticket* released = nullptr) const;

  /// Who owns the mutex, or null.
  [[nodiscard]] const Entry* owner(ObjectId mutex) const;
  [[nodiscard]] bool withdrawn(const Ticket& request) const;

  /// How many sends no receive was made for, and the oldest of them.
  [[nodiscard]] std::size_t unreceived(ObjectId mailbox) const;
  [[nodiscard]] const Entry& oldest_unreceived(ObjectId mailbox) const;
  /// How many of the oldest requests of a mutex or condition are settled.
  [[nodiscard]] std::size_t settled(ObjectId object) const;

  /// A number that tells the object's states apart, for techniques that compare values.
  [[nodiscard]] std::uint64_t digest(ObjectId object) const;

  friend bool operator==(const Exchange&, const Exchange&) = default;
  /// The state, without the numbers of events.
  [[nodiscard]] std::string text() const;

 private:
  struct Request {
    Entry entry;
    std::uint32_t settled_by = no_event;  // mutex: withdrawn; condition: signalled
    bool settled = false;
    friend bool operator==(const Request&, const Request&) = default;
  };
  struct Object {
    std::vector<Entry> given;       // mailbox
    std::vector<Request> requests;  // the taking side, and all requests of other kinds
    std::size_t unsettled = 0;      // mutex, condition: every request before this one is settled
    friend bool operator==(const Object&, const Object&) = default;
  };

  Table<ObjectId, Object> objects_;
};

}  // namespace mazurka::messages
