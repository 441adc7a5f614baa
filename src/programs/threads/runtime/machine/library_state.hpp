// What the C library remembers for a program that calls it: where strtok goes on, and getopt, and
// the date that it has answered with.
//
// All ranks of an MPI program call the same library, and each must find what it has left there. So
// there is one such state per rank, which is put back before every execution.
#pragma once

#include <time.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace mazurka::threads {

/// Of a date in words, as asctime answers.
inline constexpr std::size_t length_of_date = 26;

struct LibraryState {
  char* strtok = nullptr;
  int option_index = 0;  // 0: getopt begins anew
  int option_errors = 1;
  tm date{};
  std::array<char, length_of_date> date_in_words{};
};

/// Those of so many ranks, to be put back.
[[nodiscard]] std::span<std::byte> memory_of_library_states(std::size_t ranks);
/// That of the rank.
[[nodiscard]] LibraryState& library_state(std::int32_t rank);
/// Whose state the variables of getopt are; negative: nobody's.
[[nodiscard]] std::int32_t& rank_of_options();

}  // namespace mazurka::threads
