// Which operations of MPI programs are independent.
//
// Nearly all of them are: a send touches its channel, a receive the queue of its rank, a collective
// operation itself. What depends on each other is
//
//  - two matches of one receive: *takes*, guarded, since only one of them can be;
//  - a test with what could complete its request: a send, a match, an arrival;
//  - sends on one channel and posts at one rank, which one process makes in order anyway, and
//    several threads of a rank do not.
//
// That a wait comes after what completes its request is no dependence: it can not come before. The
// run is told so (Run::caused_by).
#pragma once

#include <cstdint>

#include "core/vocabulary.hpp"

namespace mazurka::mpi {

enum class Kind : std::uint8_t { channel, receive, queue, collective };

namespace channel_mode {
inline constexpr std::uint8_t send = 0;
inline constexpr std::uint8_t take = 1;       // a message out of it
inline constexpr std::uint8_t test_send = 2;  // was it taken?
inline constexpr std::uint8_t look = 3;       // is there one?
}  // namespace channel_mode

namespace receive_mode {
inline constexpr std::uint8_t take = 0;  // guarded: nobody has
inline constexpr std::uint8_t test = 1;
inline constexpr std::uint8_t withdraw = 2;
}  // namespace receive_mode

namespace queue_mode {
inline constexpr std::uint8_t post = 0;
}

namespace collective_mode {
inline constexpr std::uint8_t arrive = 0;
inline constexpr std::uint8_t test = 1;
}  // namespace collective_mode

/// The value of a receive, as guards see it.
inline constexpr std::uint64_t receive_open = 0;
inline constexpr std::uint64_t receive_taken = 1;

/// Adds the kinds of objects to a vocabulary, in the order of Kind; returns the first one's number.
std::uint8_t add_kinds(Vocabulary& vocabulary);

}  // namespace mazurka::mpi
