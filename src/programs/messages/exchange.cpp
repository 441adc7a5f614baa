#include "programs/messages/exchange.hpp"

#include <algorithm>

#include "core/check.hpp"

namespace mazurka::messages {

Ticket Exchange::send(ObjectId mailbox, const Entry& entry) {
  Object& object = objects_[mailbox];
  object.given.push_back(entry);
  return {Kind::mailbox, Side::giving, mailbox, static_cast<std::uint32_t>(object.given.size() - 1),
          0};
}

Ticket Exchange::receive(ObjectId mailbox, const Entry& entry, std::uint32_t credit) {
  Object& object = objects_[mailbox];
  object.requests.push_back({entry});
  return {Kind::mailbox, Side::taking, mailbox,
          static_cast<std::uint32_t>(object.requests.size() - 1), credit};
}

Ticket Exchange::request(ObjectId mutex, const Entry& entry) {
  Ticket ticket = receive(mutex, entry);
  ticket.kind = Kind::mutex;
  return ticket;
}

Ticket Exchange::arrive(ObjectId barrier, const Entry& entry, std::uint32_t round) {
  Ticket ticket = receive(barrier, entry, std::max(round, 1U));
  ticket.kind = Kind::barrier;
  return ticket;
}

Ticket Exchange::enqueue(ObjectId condition, const Entry& entry) {
  Ticket ticket = receive(condition, entry);
  ticket.kind = Kind::condition;
  return ticket;
}

bool Exchange::release(const Ticket& ticket, std::uint32_t event) {
  Object& object = objects_[ticket.object];
  MAZURKA_CHECK(ticket.kind == Kind::mutex && ticket.rank < object.requests.size(),
                "what is withdrawn is a request of a mutex");
  Request& request = object.requests[ticket.rank];
  if (request.settled) return false;
  request.settled = true;
  request.settled_by = event;
  while (object.unsettled < object.requests.size() && object.requests[object.unsettled].settled) {
    ++object.unsettled;
  }
  return true;
}

std::size_t Exchange::signal(ObjectId condition, std::uint32_t event, bool all) {
  Object& object = objects_[condition];
  std::size_t count = 0;
  while (object.unsettled < object.requests.size() && (all || count == 0)) {
    Request& request = object.requests[object.unsettled++];
    request.settled = true;
    request.settled_by = event;
    ++count;
  }
  return count;
}

namespace {

// The arrivals that a barrier's ticket needs.
std::size_t needed(const Ticket& ticket) {
  return (ticket.rank / ticket.parameter + std::size_t{1}) * ticket.parameter;
}

}  // namespace

bool Exchange::fulfilled(const Ticket& ticket) const {
  const Object* object = objects_.find(ticket.object);
  if (object == nullptr) return false;
  switch (ticket.kind) {
    case Kind::mailbox:
      if (ticket.side == Side::giving) return object->requests.size() > ticket.rank;
      return object->given.size() + ticket.parameter > ticket.rank;
    case Kind::mutex: return object->unsettled >= ticket.rank;
    case Kind::barrier: return object->requests.size() >= needed(ticket);
    case Kind::condition: return object->requests[ticket.rank].settled;
  }
  return false;
}

std::uint32_t Exchange::cause(const Ticket& ticket) const {
  MAZURKA_CHECK(fulfilled(ticket), "only what is fulfilled has a cause");
  const Object* object = objects_.find(ticket.object);
  switch (ticket.kind) {
    case Kind::mailbox: {
      const Entry* other = partner(ticket);
      return other == nullptr ? no_event : other->event;
    }
    case Kind::mutex: {
      // Withdrawals are ordered among themselves: the latest of the earlier requests' counts.
      std::uint32_t latest = no_event;
      for (std::uint32_t rank = 0; rank < ticket.rank; ++rank) {
        const std::uint32_t by = object->requests[rank].settled_by;
        if (latest == no_event || by > latest) latest = by;
      }
      return latest;
    }
    case Kind::barrier: return object->requests[needed(ticket) - 1].entry.event;
    case Kind::condition: return object->requests[ticket.rank].settled_by;
  }
  return no_event;
}

const Entry* Exchange::partner(const Ticket& ticket) const {
  const Object* object = objects_.find(ticket.object);
  if (object == nullptr || ticket.kind != Kind::mailbox) return nullptr;
  if (ticket.side == Side::giving) {
    return ticket.rank < object->requests.size() ? &object->requests[ticket.rank].entry : nullptr;
  }
  if (ticket.rank < ticket.parameter) return nullptr;
  const std::size_t rank = ticket.rank - ticket.parameter;
  return rank < object->given.size() ? &object->given[rank] : nullptr;
}

bool Exchange::fulfils(Change change, ObjectId where, const Ticket& ticket,
                       const Ticket* released) const {
  if (ticket.object != where || fulfilled(ticket)) return false;
  const Object* object = objects_.find(where);
  switch (change) {
    case Change::send:
      return ticket.kind == Kind::mailbox && ticket.side == Side::taking &&
             object->given.size() + ticket.parameter == ticket.rank;
    case Change::receive:
      return ticket.kind == Kind::mailbox && ticket.side == Side::giving &&
             object->requests.size() == ticket.rank;
    case Change::release: {
      if (released == nullptr || object->unsettled != released->rank) return false;
      std::size_t next = released->rank + std::size_t{1};
      while (next < object->requests.size() && object->requests[next].settled) ++next;
      return next >= ticket.rank;
    }
    case Change::arrive: return object->requests.size() + 1 == needed(ticket);
    case Change::signal: return object->unsettled == ticket.rank;
    case Change::broadcast: return true;
    case Change::request:
    case Change::enqueue: return false;
  }
  return true;
}

const Entry* Exchange::owner(ObjectId mutex) const {
  const Object* object = objects_.find(mutex);
  if (object == nullptr || object->unsettled >= object->requests.size()) return nullptr;
  return &object->requests[object->unsettled].entry;
}

bool Exchange::withdrawn(const Ticket& request) const {
  return objects_.find(request.object)->requests[request.rank].settled;
}

std::size_t Exchange::unreceived(ObjectId mailbox) const {
  const Object* object = objects_.find(mailbox);
  if (object == nullptr || object->given.size() <= object->requests.size()) return 0;
  return object->given.size() - object->requests.size();
}

const Entry& Exchange::oldest_unreceived(ObjectId mailbox) const {
  MAZURKA_CHECK(unreceived(mailbox) > 0, "there is a message that nobody has received");
  const Object& object = *objects_.find(mailbox);
  return object.given[object.requests.size()];
}

std::size_t Exchange::settled(ObjectId object) const {
  const Object* found = objects_.find(object);
  return found == nullptr ? 0 : found->unsettled;
}

std::uint64_t Exchange::digest(ObjectId which) const {
  const Object* object = objects_.find(which);
  if (object == nullptr) return 0;
  std::uint64_t digest = object->given.size();
  const auto mix = [&](std::uint64_t value) { digest = fingerprint_of(digest, value).low; };
  for (const Entry& entry : object->given) mix(index(entry.process) + 1);
  for (const Request& request : object->requests) {
    mix((index(request.entry.process) + 1) * 2 + (request.settled ? 1 : 0));
  }
  return digest;
}

std::string Exchange::text() const {
  std::string text;
  for (std::size_t at = 0; at < objects_.end(); ++at) {
    const Object* found = objects_.find(static_cast<ObjectId>(at));
    if (found == nullptr || (found->given.empty() && found->requests.empty())) continue;
    const Object& object = *found;
    text += std::to_string(at) + ':';
    for (const Entry& entry : object.given) text += std::to_string(index(entry.process)) + ' ';
    text += '/';
    for (const Request& request : object.requests) {
      text += std::to_string(index(request.entry.process)) + (request.settled ? "- " : " ");
    }
  }
  return text;
}

}  // namespace mazurka::messages
