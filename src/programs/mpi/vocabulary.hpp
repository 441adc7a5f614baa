// Which operations of MPI programs are independent.
//
// Nearly all of them are: a send touches its channel, a receive the queue of its rank, a collective
// operation itself. What depends on each other is
//
//  - two matches of one receive: *takes*, guarded, since only one of them can be;
//  - a test with what could complete its request: a send, a match, an arrival;
//  - sends on one channel, posts and looks at one rank and its collective operations on one
//    communicator (a queue, too), which one process makes in order anyway, and several threads of a
//    rank do not;
//  - locks of a part of a window, unless they are shared;
//  - atomic updates of a place in a window, unless they add up to the same in any order.
//
// That a wait comes after what completes its request is no dependence: it can not come before. The
// run is told so (Run::caused_by).
#pragma once

#include <cstdint>

#include "core/vocabulary.hpp"

namespace mazurka::mpi {

enum class Kind : std::uint8_t { channel, receive, queue, collective, lock, cell };

namespace channel_mode {
inline constexpr std::uint8_t send = 0;
inline constexpr std::uint8_t take = 1;       // a message out of it
inline constexpr std::uint8_t test_send = 2;  // was it taken?
inline constexpr std::uint8_t look = 3;       // is there one?
inline constexpr std::uint8_t keep = 4;       // is there one? Then it is taken
}  // namespace channel_mode

namespace receive_mode {
inline constexpr std::uint8_t take = 0;  // guarded: nobody has
inline constexpr std::uint8_t test = 1;
inline constexpr std::uint8_t withdraw = 2;
}  // namespace receive_mode

namespace queue_mode {
inline constexpr std::uint8_t post = 0;
inline constexpr std::uint8_t match = 1;      // of a receive that was posted there
inline constexpr std::uint8_t test_send = 2;  // has one of its matches taken a message?
inline constexpr std::uint8_t look = 3;       // is there a message for nobody else?
inline constexpr std::uint8_t keep = 4;       // is there one? Then it is taken
}  // namespace queue_mode

namespace collective_mode {
inline constexpr std::uint8_t arrive = 0;
inline constexpr std::uint8_t test = 1;
}  // namespace collective_mode

namespace lock_mode {
inline constexpr std::uint8_t alone = 0;  // guarded: nobody has it
inline constexpr std::uint8_t share = 1;  // guarded: nobody has it alone
inline constexpr std::uint8_t give_back = 2;
inline constexpr std::uint8_t give_back_share = 3;
}  // namespace lock_mode

/// Places in windows, and epochs that others have a part in.
namespace cell_mode {
inline constexpr std::uint8_t add = 0;     // leaves the same in any order, and learns nothing
inline constexpr std::uint8_t change = 1;  // learns what was there, or leaves what depends on it
inline constexpr std::uint8_t read = 2;
inline constexpr std::uint8_t signal = 3;  // comes to an epoch, or leaves it
inline constexpr std::uint8_t test = 4;    // have they?
}  // namespace cell_mode

/// The value of a receive, as guards see it.
inline constexpr std::uint64_t receive_open = 0;
inline constexpr std::uint64_t receive_taken = 1;

/// Adds the kinds of objects to a vocabulary, in the order of Kind; returns the first one's number.
std::uint8_t add_kinds(Vocabulary& vocabulary);

}  // namespace mazurka::mpi
