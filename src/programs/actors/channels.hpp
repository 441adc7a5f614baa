// FIFO channels: messages from one actor to another are handled in the order in which they were
// sent.
//
// A channel counts: so many messages were sent into it, so many of them delivered. A message's
// place is how many were sent before it, and its turn has come when so many have been delivered.
// Channels are numbered in the order in which they were first used, and keep their numbers.
//
// Urgent messages have a lane of their own. They are in order among themselves and may overtake the
// others: in a mailbox that has both, the urgent one is taken first. An ordinary message overtakes
// nothing, so it also waits for all urgent ones that were sent before it. Since nobody knows when a
// message arrives, an urgent one need not overtake anything.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/check.hpp"

namespace mazurka::actors {

enum class Lane : std::uint8_t { ordinary, urgent };

class Channels {
 public:
  struct Place {
    std::uint32_t channel;
    std::uint16_t place;  // in its lane
    std::uint16_t after;  // of an ordinary message: so many urgent ones come before it
  };
  /// One more message.
  Place enter(std::uint32_t from, std::uint32_t to, Lane lane = Lane::ordinary) {
    std::size_t at = 0;
    while (at < channels_.size() && (channels_[at].from != from || channels_[at].to != to)) ++at;
    if (at == channels_.size()) channels_.push_back({from, to, {}});
    Channel& channel = channels_[at];
    const std::uint16_t after =
        lane == Lane::ordinary ? channel.lanes[number(Lane::urgent)].sent : std::uint16_t{0};
    return {static_cast<std::uint32_t>(at), channel.lanes[number(lane)].sent++, after};
  }
  /// The message whose turn it is leaves the channel.
  void deliver(std::uint32_t channel, Lane lane = Lane::ordinary) {
    Counts& counts = channels_[channel].lanes[number(lane)];
    MAZURKA_CHECK(counts.delivered < counts.sent,
                  "a message leaves a channel that was sent into it");
    ++counts.delivered;
  }
  [[nodiscard]] std::uint16_t delivered(std::uint32_t channel, Lane lane = Lane::ordinary) const {
    return channels_[channel].lanes[number(lane)].delivered;
  }

  /// What was sent so far will be there again, and not be delivered, after each reset.
  void keep() {
    for_each_lane([](Counts& lane) { lane.kept = lane.sent; });
  }
  void reset() {
    for_each_lane([](Counts& lane) {
      lane.sent = lane.kept;
      lane.delivered = 0;
    });
  }

 private:
  struct Counts {
    std::uint16_t sent = 0;
    std::uint16_t delivered = 0;
    std::uint16_t kept = 0;
  };
  struct Channel {
    std::uint32_t from, to;
    std::array<Counts, 2> lanes;
  };
  static constexpr std::size_t number(Lane lane) { return static_cast<std::size_t>(lane); }
  template <typename Visit>
  void for_each_lane(const Visit& visit) {
    for (Channel& channel : channels_) {
      for (Counts& lane : channel.lanes) visit(lane);
    }
  }

  std::vector<Channel> channels_;
};

}  // namespace mazurka::actors
