#include "programs/mpi/vocabulary.hpp"

namespace mazurka::mpi {

namespace {

/// The number that the kind gets if the first of them has this one.
std::uint8_t number(Kind kind, std::uint8_t first) {
  return static_cast<std::uint8_t>(first + static_cast<std::uint8_t>(kind));
}

void add_window_kinds(Vocabulary& vocabulary, std::uint8_t first) {
  const auto is_free = [](std::uint16_t, std::uint64_t value) { return value == 0; };
  const auto is_shared = [](std::uint16_t, std::uint64_t value) { return value >> 32U == 0; };
  const std::uint8_t lock = vocabulary.add_kind(
      number(Kind::lock, first), "lock of a window",
      {{lock_mode::alone, {.name = "lock", .guard = is_free, .partners = GuardPartners::every}},
       {lock_mode::share,
        {.name = "lock shared", .guard = is_shared, .partners = GuardPartners::every}},
       {lock_mode::give_back, {.name = "unlock"}},
       {lock_mode::give_back_share, {.name = "unlock shared"}}});
  vocabulary.declare_independent(lock, lock_mode::share, lock_mode::share);
  vocabulary.declare_independent(lock, lock_mode::share, lock_mode::give_back_share);
  vocabulary.declare_independent(lock, lock_mode::give_back_share, lock_mode::give_back_share);

  const std::uint8_t cell =
      vocabulary.add_kind(number(Kind::cell, first), "place in a window",
                          {{cell_mode::add, {.name = "accumulate"}},
                           {cell_mode::change, {.name = "fetch and change"}},
                           {cell_mode::read, {.name = "fetch", .writes = false}},
                           {cell_mode::signal, {.name = "signal"}},
                           {cell_mode::test, {.name = "test", .writes = false}}});
  vocabulary.declare_independent(cell, cell_mode::add, cell_mode::add);
  vocabulary.declare_independent(cell, cell_mode::read, cell_mode::read);
  vocabulary.declare_independent(cell, cell_mode::test, cell_mode::test);
  vocabulary.declare_independent(cell, cell_mode::signal, cell_mode::signal);
}

}  // namespace

std::uint8_t add_kinds(Vocabulary& vocabulary) {
  const auto first = static_cast<std::uint8_t>(vocabulary.kinds());
  using namespace channel_mode;
  const std::uint8_t channel =
      vocabulary.add_kind(number(Kind::channel, first), "channel",
                          {{send, {.name = "send"}},
                           {take, {.name = "take a message"}},
                           {test_send, {.name = "test a send", .writes = false}},
                           {look, {.name = "look for a message", .writes = false}},
                           {keep, {.name = "look for a message and take it"}}});
  vocabulary.declare_independent(channel, send, take);
  vocabulary.declare_independent(channel, take, take);
  vocabulary.declare_independent(channel, send, test_send);
  vocabulary.declare_independent(channel, test_send, test_send);
  vocabulary.declare_independent(channel, test_send, look);
  vocabulary.declare_independent(channel, look, look);

  const auto open = [](std::uint16_t, std::uint64_t value) { return value == receive_open; };
  const std::uint8_t receive =
      vocabulary.add_kind(number(Kind::receive, first), "receive",
                          {{receive_mode::take, {.name = "match", .guard = open}},
                           {receive_mode::test, {.name = "test", .writes = false}},
                           {receive_mode::withdraw, {.name = "withdraw"}}});
  vocabulary.declare_independent(receive, receive_mode::test, receive_mode::test);

  // Matches at a rank are independent of each other and of what is posted there.
  const std::uint8_t queue =
      vocabulary.add_kind(number(Kind::queue, first), "queue of receives",
                          {{queue_mode::post, {.name = "post"}},
                           {queue_mode::match, {.name = "match"}},
                           {queue_mode::test_send, {.name = "test a send", .writes = false}},
                           {queue_mode::look, {.name = "look", .writes = false}},
                           {queue_mode::keep, {.name = "look and take"}}});
  vocabulary.declare_independent(queue, queue_mode::match, queue_mode::match);
  vocabulary.declare_independent(queue, queue_mode::match, queue_mode::post);
  vocabulary.declare_independent(queue, queue_mode::test_send, queue_mode::post);
  vocabulary.declare_independent(queue, queue_mode::test_send, queue_mode::test_send);
  vocabulary.declare_independent(queue, queue_mode::look, queue_mode::test_send);
  vocabulary.declare_independent(queue, queue_mode::look, queue_mode::look);

  const std::uint8_t collective =
      vocabulary.add_kind(number(Kind::collective, first), "collective operation",
                          {{collective_mode::arrive, {.name = "arrive"}},
                           {collective_mode::test, {.name = "test", .writes = false}}});
  vocabulary.declare_independent(collective, collective_mode::arrive, collective_mode::arrive);
  vocabulary.declare_independent(collective, collective_mode::test, collective_mode::test);
  add_window_kinds(vocabulary, first);
  return channel;
}

}  // namespace mazurka::mpi
