#include "programs/mpi/vocabulary.hpp"

namespace mazurka::mpi {

std::uint8_t add_kinds(Vocabulary& vocabulary) {
  const std::uint8_t channel =
      vocabulary.add_kind("channel", {{.name = "send"},
                                      {.name = "take a message"},
                                      {.name = "test a send", .writes = false},
                                      {.name = "look for a message", .writes = false}});
  using namespace channel_mode;
  vocabulary.declare_independent(channel, send, take);
  vocabulary.declare_independent(channel, take, take);
  vocabulary.declare_independent(channel, send, test_send);
  vocabulary.declare_independent(channel, test_send, test_send);
  vocabulary.declare_independent(channel, test_send, look);
  vocabulary.declare_independent(channel, look, look);
  vocabulary.declare_independent(channel, take, look);

  const auto open = [](std::uint16_t, std::uint64_t value) { return value == receive_open; };
  const std::uint8_t receive = vocabulary.add_kind(
      "receive",
      {{.name = "match", .guard = open}, {.name = "test", .writes = false}, {.name = "withdraw"}});
  vocabulary.declare_independent(receive, receive_mode::test, receive_mode::test);

  // Matches at a rank are independent of each other and of what is posted there.
  const std::uint8_t queue = vocabulary.add_kind(
      "queue of receives",
      {{.name = "post"}, {.name = "match"}, {.name = "test a send", .writes = false}});
  constexpr std::uint8_t match = 1;
  constexpr std::uint8_t test_match = 2;
  vocabulary.declare_independent(queue, match, match);
  vocabulary.declare_independent(queue, match, queue_mode::post);
  vocabulary.declare_independent(queue, test_match, queue_mode::post);
  vocabulary.declare_independent(queue, test_match, test_match);

  const std::uint8_t collective = vocabulary.add_kind(
      "collective operation", {{.name = "arrive"}, {.name = "test", .writes = false}});
  vocabulary.declare_independent(collective, collective_mode::arrive, collective_mode::arrive);
  vocabulary.declare_independent(collective, collective_mode::test, collective_mode::test);
  return channel;
}

}  // namespace mazurka::mpi
