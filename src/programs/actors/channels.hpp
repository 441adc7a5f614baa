// FIFO channels: messages from one actor to another are handled in the order in which they were
// sent.
//
// A channel counts: so many messages were sent into it, so many of them delivered. A message's
// place is how many were sent before it, and its turn has come when so many have been delivered.
// Channels are numbered in the order in which they were first used, and keep their numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mazurka::actors {

class Channels {
 public:
  struct Place {
    std::uint32_t channel;
    std::uint16_t place;
  };
  /// One more message.
  Place enter(std::uint32_t from, std::uint32_t to) {
    std::size_t at = 0;
    while (at < channels_.size() && (channels_[at].from != from || channels_[at].to != to)) ++at;
    if (at == channels_.size()) channels_.push_back({from, to});
    return {static_cast<std::uint32_t>(at), channels_[at].sent++};
  }
  /// The message whose turn it is leaves the channel.
  void deliver(std::uint32_t channel) { ++channels_[channel].delivered; }
  [[nodiscard]] std::uint16_t delivered(std::uint32_t channel) const {
    return channels_[channel].delivered;
  }

  /// What was sent so far will be there again, and not be delivered, after each reset.
  void keep() {
    for (Channel& channel : channels_) channel.kept = channel.sent;
  }
  void reset() {
    for (Channel& channel : channels_) {
      channel.sent = channel.kept;
      channel.delivered = 0;
    }
  }

 private:
  struct Channel {
    std::uint32_t from, to;
    std::uint16_t sent = 0;
    std::uint16_t delivered = 0;
    std::uint16_t kept = 0;
  };
  std::vector<Channel> channels_;
};

}  // namespace mazurka::actors
