// Which operations of message programs are independent: one table.
//
// The rows are the eleven theorems of Pham, Jéron and Quinson ("Unfolding-based dynamic partial
// order reduction of asynchronous distributed programs"), restated over the modes in which an
// operation touches an object, and extended to barriers and condition variables. Theorems 1, 2, 3
// and 7 need no row: operations that touch no common object are independent. A pair that has no row
// is dependent. Where we depart from the paper, and why:
//
//  - T1 is false as printed if a computation touches a buffer in flight. Here data is copied when
//    it is sent, and handed over by the receiver's own wait or test, so no buffer is ever shared.
//  - T6 ("the first paired communication in Com") speaks of the order in which events happened, so
//    it is no relation on operations. A wait for one of several requests first chooses which, and
//    then waits for that one; so a wait is about one request, and depends on the one operation that
//    fulfils it. A test depends on every operation that could fulfil one of its requests, the
//    failed test of an unpaired communication included.
//  - T10 likewise: a wait for a mutex depends on the release that makes its process the owner; a
//    test depends on every release.
//
// `unless_fulfilling` is the one condition: the operation would fulfil the request that the other
// one waits for. Then the wait cannot happen before; it is caused by that operation
// (Run::caused_by), an order and never a race.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "core/vocabulary.hpp"
#include "programs/messages/exchange.hpp"

namespace mazurka::messages {

/// How an operation touches an object. Numbers are unique within a kind of object.
namespace mode {
inline constexpr std::uint8_t wait = 0;  // of every kind
// mailbox, semaphore
inline constexpr std::uint8_t send = 1;
inline constexpr std::uint8_t receive = 2;
inline constexpr std::uint8_t test_send = 3;
inline constexpr std::uint8_t test_receive = 4;
// mutex
inline constexpr std::uint8_t request = 1;
inline constexpr std::uint8_t release = 2;
inline constexpr std::uint8_t test = 3;  // also of barriers and conditions
// barrier
inline constexpr std::uint8_t arrive = 1;
// condition
inline constexpr std::uint8_t enqueue = 1;
inline constexpr std::uint8_t signal = 2;
}  // namespace mode

enum class When : std::uint8_t { always, unless_fulfilling };

struct IndependenceRow {
  std::uint8_t theorem;  // 0: ours
  Kind kind;
  std::uint8_t one;
  std::uint8_t other;
  When when;
};

[[nodiscard]] std::span<const IndependenceRow> independence_table();

/// The row that makes two accesses to one object independent, or null.
[[nodiscard]] const IndependenceRow* find_row(Kind kind, std::uint8_t one, std::uint8_t other);

/// Adds the kinds of objects to a vocabulary, in the order of Kind; returns the first one's number.
std::uint8_t add_kinds(Vocabulary& vocabulary);

/// How a change touches its object, how a ticket is tested, how it is waited for. `first_kind`:
/// what add_kinds returned.
[[nodiscard]] Access access_of(Change change, ObjectId object, std::uint8_t first_kind);
[[nodiscard]] Access test_of(const Ticket& ticket, std::uint8_t first_kind);
[[nodiscard]] Access wait_of(const Ticket& ticket, std::uint8_t first_kind);

}  // namespace mazurka::messages
