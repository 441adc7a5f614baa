#include "programs/messages/independence.hpp"

namespace mazurka::messages {

namespace {

constexpr std::array table{
    // Communications.
    IndependenceRow{4, Kind::mailbox, mode::send, mode::receive, When::always},
    IndependenceRow{5, Kind::mailbox, mode::test_send, mode::test_send, When::always},
    IndependenceRow{5, Kind::mailbox, mode::test_send, mode::test_receive, When::always},
    IndependenceRow{5, Kind::mailbox, mode::test_receive, mode::test_receive, When::always},
    IndependenceRow{5, Kind::mailbox, mode::test_send, mode::wait, When::always},
    IndependenceRow{5, Kind::mailbox, mode::test_receive, mode::wait, When::always},
    IndependenceRow{5, Kind::mailbox, mode::wait, mode::wait, When::always},
    IndependenceRow{6, Kind::mailbox, mode::test_send, mode::send, When::always},
    IndependenceRow{6, Kind::mailbox, mode::test_receive, mode::receive, When::always},
    IndependenceRow{6, Kind::mailbox, mode::wait, mode::send, When::unless_fulfilling},
    IndependenceRow{6, Kind::mailbox, mode::wait, mode::receive, When::unless_fulfilling},
    // Mutexes.
    IndependenceRow{8, Kind::mutex, mode::request, mode::release, When::always},
    IndependenceRow{9, Kind::mutex, mode::test, mode::test, When::always},
    IndependenceRow{9, Kind::mutex, mode::test, mode::wait, When::always},
    IndependenceRow{9, Kind::mutex, mode::wait, mode::wait, When::always},
    IndependenceRow{10, Kind::mutex, mode::wait, mode::release, When::unless_fulfilling},
    IndependenceRow{11, Kind::mutex, mode::request, mode::test, When::always},
    IndependenceRow{11, Kind::mutex, mode::request, mode::wait, When::always},
    // Barriers.
    IndependenceRow{0, Kind::barrier, mode::test, mode::test, When::always},
    IndependenceRow{0, Kind::barrier, mode::test, mode::wait, When::always},
    IndependenceRow{0, Kind::barrier, mode::wait, mode::wait, When::always},
    IndependenceRow{0, Kind::barrier, mode::wait, mode::arrive, When::unless_fulfilling},
    // Condition variables: a signal that nobody waits for is lost, so it is not a post.
    IndependenceRow{0, Kind::condition, mode::test, mode::test, When::always},
    IndependenceRow{0, Kind::condition, mode::test, mode::wait, When::always},
    IndependenceRow{0, Kind::condition, mode::test, mode::enqueue, When::always},
    IndependenceRow{0, Kind::condition, mode::wait, mode::wait, When::always},
    IndependenceRow{0, Kind::condition, mode::wait, mode::enqueue, When::always},
    IndependenceRow{0, Kind::condition, mode::wait, mode::signal, When::unless_fulfilling},
};

std::uint8_t number(Kind kind, std::uint8_t first_kind) {
  return static_cast<std::uint8_t>(first_kind + static_cast<std::uint8_t>(kind));
}

}  // namespace

std::span<const IndependenceRow> independence_table() { return table; }

const IndependenceRow* find_row(Kind kind, std::uint8_t one, std::uint8_t other) {
  for (const IndependenceRow& row : table) {
    if (row.kind != kind) continue;
    if ((row.one == one && row.other == other) || (row.one == other && row.other == one)) {
      return &row;
    }
  }
  return nullptr;
}

std::uint8_t add_kinds(Vocabulary& vocabulary) {
  const auto first = static_cast<std::uint8_t>(vocabulary.kinds());
  constexpr std::uint8_t unused = 2;  // of barriers
  vocabulary.add_kind(number(Kind::mailbox, first), "mailbox",
                      {{mode::wait, {.name = "wait"}},
                       {mode::send, {.name = "send"}},
                       {mode::receive, {.name = "receive"}},
                       {mode::test_send, {.name = "test of a send"}},
                       {mode::test_receive, {.name = "test of a receive"}}});
  vocabulary.add_kind(number(Kind::mutex, first), "asynchronous mutex",
                      {{mode::wait, {.name = "wait"}},
                       {mode::request, {.name = "request"}},
                       {mode::release, {.name = "release"}},
                       {mode::test, {.name = "test"}}});
  vocabulary.add_kind(number(Kind::barrier, first), "barrier",
                      {{mode::wait, {.name = "wait"}},
                       {mode::arrive, {.name = "arrival"}},
                       {unused, {.name = "unused"}},
                       {mode::test, {.name = "test"}}});
  vocabulary.add_kind(number(Kind::condition, first), "condition variable",
                      {{mode::wait, {.name = "wait"}},
                       {mode::enqueue, {.name = "request"}},
                       {mode::signal, {.name = "signal"}},
                       {mode::test, {.name = "test"}}});
  for (const IndependenceRow& row : table) {
    vocabulary.declare_independent(number(row.kind, first), row.one, row.other);
  }
  return first;
}

Access access_of(Change change, ObjectId object, std::uint8_t first_kind) {
  const auto make = [&](Kind kind, std::uint8_t mode) {
    return Access{object, number(kind, first_kind), mode, 0};
  };
  switch (change) {
    case Change::send: return make(Kind::mailbox, mode::send);
    case Change::receive: return make(Kind::mailbox, mode::receive);
    case Change::request: return make(Kind::mutex, mode::request);
    case Change::release: return make(Kind::mutex, mode::release);
    case Change::arrive: return make(Kind::barrier, mode::arrive);
    case Change::enqueue: return make(Kind::condition, mode::enqueue);
    case Change::signal:
    case Change::broadcast: break;
  }
  return make(Kind::condition, mode::signal);
}

Access test_of(const Ticket& ticket, std::uint8_t first_kind) {
  std::uint8_t how = mode::test;
  if (ticket.kind == Kind::mailbox) {
    how = ticket.side == Side::giving ? mode::test_send : mode::test_receive;
  }
  return {ticket.object, number(ticket.kind, first_kind), how, 0};
}

Access wait_of(const Ticket& ticket, std::uint8_t first_kind) {
  return {ticket.object, number(ticket.kind, first_kind), mode::wait, 0};
}

}  // namespace mazurka::messages
