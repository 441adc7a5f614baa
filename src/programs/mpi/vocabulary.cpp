#include "programs/mpi/vocabulary.hpp"

namespace mazurka::mpi {

namespace {

void add_window_kinds(Vocabulary& vocabulary) {
  const auto is_free = [](std::uint16_t, std::uint64_t value) { return value == 0; };
  const auto is_shared = [](std::uint16_t, std::uint64_t value) { return value >> 32U == 0; };
  const std::uint8_t lock = vocabulary.add_kind(
      "lock of a window",
      {{.name = "lock", .guard = is_free, .partners = GuardPartners::every},
       {.name = "lock shared", .guard = is_shared, .partners = GuardPartners::every},
       {.name = "unlock"},
       {.name = "unlock shared"}});
  vocabulary.declare_independent(lock, lock_mode::share, lock_mode::share);
  vocabulary.declare_independent(lock, lock_mode::share, lock_mode::give_back_share);
  vocabulary.declare_independent(lock, lock_mode::give_back_share, lock_mode::give_back_share);

  const std::uint8_t cell =
      vocabulary.add_kind("place in a window", {{.name = "accumulate"},
                                                {.name = "fetch and change"},
                                                {.name = "fetch", .writes = false},
                                                {.name = "signal"},
                                                {.name = "test", .writes = false}});
  vocabulary.declare_independent(cell, cell_mode::add, cell_mode::add);
  vocabulary.declare_independent(cell, cell_mode::read, cell_mode::read);
  vocabulary.declare_independent(cell, cell_mode::test, cell_mode::test);
  vocabulary.declare_independent(cell, cell_mode::signal, cell_mode::signal);
}

}  // namespace

std::uint8_t add_kinds(Vocabulary& vocabulary) {
  const std::uint8_t channel =
      vocabulary.add_kind("channel", {{.name = "send"},
                                      {.name = "take a message"},
                                      {.name = "test a send", .writes = false},
                                      {.name = "look for a message", .writes = false},
                                      {.name = "look for a message and take it"}});
  using namespace channel_mode;
  vocabulary.declare_independent(channel, send, take);
  vocabulary.declare_independent(channel, take, take);
  vocabulary.declare_independent(channel, send, test_send);
  vocabulary.declare_independent(channel, test_send, test_send);
  vocabulary.declare_independent(channel, test_send, look);
  vocabulary.declare_independent(channel, look, look);

  const auto open = [](std::uint16_t, std::uint64_t value) { return value == receive_open; };
  const std::uint8_t receive = vocabulary.add_kind(
      "receive",
      {{.name = "match", .guard = open}, {.name = "test", .writes = false}, {.name = "withdraw"}});
  vocabulary.declare_independent(receive, receive_mode::test, receive_mode::test);

  // Matches at a rank are independent of each other and of what is posted there.
  const std::uint8_t queue =
      vocabulary.add_kind("queue of receives", {{.name = "post"},
                                                {.name = "match"},
                                                {.name = "test a send", .writes = false},
                                                {.name = "look", .writes = false},
                                                {.name = "look and take"}});
  vocabulary.declare_independent(queue, queue_mode::match, queue_mode::match);
  vocabulary.declare_independent(queue, queue_mode::match, queue_mode::post);
  vocabulary.declare_independent(queue, queue_mode::test_send, queue_mode::post);
  vocabulary.declare_independent(queue, queue_mode::test_send, queue_mode::test_send);
  vocabulary.declare_independent(queue, queue_mode::look, queue_mode::test_send);
  vocabulary.declare_independent(queue, queue_mode::look, queue_mode::look);

  const std::uint8_t collective = vocabulary.add_kind(
      "collective operation", {{.name = "arrive"}, {.name = "test", .writes = false}});
  vocabulary.declare_independent(collective, collective_mode::arrive, collective_mode::arrive);
  vocabulary.declare_independent(collective, collective_mode::test, collective_mode::test);
  add_window_kinds(vocabulary);
  return channel;
}

}  // namespace mazurka::mpi
