#include "programs/mpi/matching.hpp"

#include <algorithm>
#include <iterator>

#include "core/check.hpp"

namespace mazurka::mpi {

bool fits(const Pattern& pattern, const Message& message) {
  return pattern.communicator == message.channel.communicator &&
         pattern.destination == message.channel.destination &&
         (pattern.source == any_source || pattern.source == message.channel.source) &&
         (pattern.tag == any_tag || pattern.tag == message.tag);
}

bool compete(const Pattern& one, const Pattern& other) {
  const auto overlap = [](int first, int second, int any) {
    return first == any || second == any || first == second;
  };
  return one.communicator == other.communicator && one.destination == other.destination &&
         overlap(one.source, other.source, any_source) && overlap(one.tag, other.tag, any_tag);
}

Matching::Queue& Matching::queue(CommunicatorKey communicator, int destination) {
  for (Queue& one : queues_) {
    if (one.communicator == communicator && one.destination == destination) return one;
  }
  queues_.push_back({communicator, destination, {}, {}, {}});
  return queues_.back();
}

const Matching::Queue* Matching::find_queue(CommunicatorKey communicator, int destination) const {
  const auto found = std::find_if(queues_.begin(), queues_.end(), [&](const Queue& one) {
    return one.communicator == communicator && one.destination == destination;
  });
  return found == queues_.end() ? nullptr : &*found;
}

MessageId Matching::send(const Channel& channel, int tag, std::uint32_t event) {
  MAZURKA_CHECK(channel.source >= 0 && channel.destination >= 0,
                "a message goes from rank to rank");
  const MessageId id{static_cast<std::uint32_t>(messages_.size())};
  messages_.push_back({channel, tag, event, no_receive});
  MAZURKA_CHECK(id == MessageId{0} || messages_[index(id) - 1].sent <= event,
                "messages are numbered as they are sent");
  Queue& there = queue(channel.communicator, channel.destination);
  const auto source = static_cast<std::size_t>(channel.source);
  if (there.arrived.size() <= source) there.arrived.resize(source + 1);
  there.arrived[source].push_back(id);
  return id;
}

bool Matching::would_choose(const Pattern& pattern) const {
  if (pattern.source == any_source) return true;
  const Queue* there = find_queue(pattern.communicator, pattern.destination);
  if (there == nullptr) return false;
  return std::any_of(there->unknown.begin(), there->unknown.end(), [&](ReceiveId rival) {
    const Receive& one = (*this)[rival];
    return one.chooses && compete(one.pattern, pattern);
  });
}

ReceiveId Matching::post(const Pattern& pattern, std::uint32_t event) {
  const ReceiveId id{static_cast<std::uint32_t>(receives_.size())};
  MAZURKA_CHECK(pattern.destination >= 0 && (pattern.source == any_source || pattern.source >= 0),
                "a receive is posted by a rank, for a rank or for any");
  const bool chooses = would_choose(pattern);
  Queue& there = queue(pattern.communicator, pattern.destination);
  Receive receive;
  receive.pattern = pattern;
  receive.posted = event;
  receive.nth = static_cast<std::uint32_t>(there.posted.size());
  receive.chooses = chooses;
  receive.rivals = there.unknown;
  receives_.push_back(std::move(receive));
  there.posted.push_back(id);
  if (!pattern.probes) there.unknown.push_back(id);
  return id;
}

void Matching::know_complete(ReceiveId receive) {
  const Pattern& pattern = (*this)[receive].pattern;
  std::erase(queue(pattern.communicator, pattern.destination).unknown, receive);
}

void Matching::withdraw(ReceiveId receive, std::uint32_t event) {
  MAZURKA_CHECK(is_open(receive), "a receive is withdrawn that is open");
  receives_[index(receive)].withdrawn = true;
  receives_[index(receive)].matched = event;
  const Pattern pattern = (*this)[receive].pattern;
  Queue& there = queue(pattern.communicator, pattern.destination);
  std::erase(there.unknown, receive);
}

std::optional<Matching::Candidate> Matching::candidate(ReceiveId receive, int source) const {
  const Receive& own = (*this)[receive];
  Candidate found;
  MAZURKA_CHECK(own.pattern.source == any_source || own.pattern.source == source,
                "a receive takes messages of the source that it names");
  found.causes.push_back(own.posted);
  const auto add_match_of = [&](ReceiveId rival) {
    const bool known = std::find(own.rivals.begin(), own.rivals.end(), rival) == own.rivals.end();
    const bool by_a_step = (*this)[rival].chooses || (*this)[rival].withdrawn;
    if (!known && by_a_step) found.causes.push_back((*this)[rival].matched);
  };
  const Channel channel{own.pattern.communicator, source, own.pattern.destination};
  for (const MessageId id : sent(channel)) {
    const Message& message = (*this)[id];
    if (!fits(own.pattern, message)) continue;
    if (message.taken_by < receive) {  // none counts as later than all
      add_match_of(message.taken_by);
      continue;
    }
    for (const ReceiveId rival : own.rivals) {
      if (!fits((*this)[rival].pattern, message)) continue;
      if (is_open(rival)) return std::nullopt;
      add_match_of(rival);
    }
    MAZURKA_CHECK(message.sent != no_event, "a message was sent by an event");
    found.message = id;
    found.causes.push_back(message.sent);
    std::sort(found.causes.begin(), found.causes.end());
    found.causes.erase(std::unique(found.causes.begin(), found.causes.end()), found.causes.end());
    return found;
  }
  return std::nullopt;
}

void Matching::match(ReceiveId receive, MessageId message, std::uint32_t event) {
  Receive& own = receives_[index(receive)];
  MAZURKA_CHECK(is_open(receive) && fits(own.pattern, messages_[index(message)]),
                "an open receive takes a message that fits it");
  MAZURKA_CHECK(own.pattern.probes || messages_[index(message)].taken_by == no_receive,
                "a message is received once");
  own.message = message;
  if (own.chooses) own.matched = event;
  if (!own.pattern.probes) messages_[index(message)].taken_by = receive;
}

std::span<const ReceiveId> Matching::posted(CommunicatorKey communicator, int destination) const {
  const Queue* there = find_queue(communicator, destination);
  if (there == nullptr) return {};
  return there->posted;
}

std::span<const MessageId> Matching::sent(const Channel& channel) const {
  const Queue* there = find_queue(channel.communicator, channel.destination);
  const auto source = static_cast<std::size_t>(channel.source);
  if (there == nullptr || channel.source < 0 || there->arrived.size() <= source) return {};
  return there->arrived[source];
}

std::vector<ReceiveId> Matching::waiting_at_once(const Channel& channel) const {
  std::vector<ReceiveId> found;
  for (const ReceiveId id : posted(channel.communicator, channel.destination)) {
    const Receive& one = (*this)[id];
    if (is_open(id) && !one.chooses && one.pattern.source == channel.source) found.push_back(id);
  }
  return found;
}

MessageId Matching::first_visible(const Pattern& pattern, int source) const {
  for (const MessageId id : sent({pattern.communicator, source, pattern.destination})) {
    const Message& message = (*this)[id];
    if (message.taken_by != no_receive || !fits(pattern, message)) continue;
    const std::span<const ReceiveId> all = posted(pattern.communicator, pattern.destination);
    const bool reserved = std::any_of(all.begin(), all.end(), [&](ReceiveId other) {
      const Receive& one = (*this)[other];
      return is_open(other) && !one.pattern.probes && fits(one.pattern, message);
    });
    return reserved ? no_message : id;
  }
  return no_message;
}

std::vector<ReceiveId> Matching::choosing(CommunicatorKey communicator, int destination) const {
  std::vector<ReceiveId> found;
  const Queue* there = find_queue(communicator, destination);
  if (there == nullptr) return found;
  std::copy_if(there->unknown.begin(), there->unknown.end(), std::back_inserter(found),
               [&](ReceiveId one) { return (*this)[one].chooses; });
  return found;
}

}  // namespace mazurka::mpi
