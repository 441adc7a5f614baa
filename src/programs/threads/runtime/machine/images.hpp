// The program, its libraries and the C library: which code and data is whose.
//
// A program of MPI is there several times: each rank runs a copy (rank_images.hpp), which is the
// program as much as the original.
#pragma once

#include <link.h>

#include <cstddef>
#include <cstdint>

namespace mazurka::threads {

/// So many ranks an MPI program can have.
inline constexpr std::size_t most_ranks = 128;

enum class Module : std::uint8_t { program, library, c_library, runtime };
[[nodiscard]] Module module_of(const dl_phdr_info& info);
/// Whether it is a copy of the program that a rank runs.
[[nodiscard]] bool is_copy_of_program(const dl_phdr_info& info);

struct Extent {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  [[nodiscard]] bool contains(const void* address) const {
    return reinterpret_cast<std::uintptr_t>(address) - begin < end - begin;
  }
};
/// Where the C library is, with its data.
[[nodiscard]] Extent extent_of_c_library();
/// Whether it is the program or a library that is neither the C library nor this one.
[[nodiscard]] bool is_of_program(const dl_phdr_info& module);

/// Whether the address lies in the C library's code (whose allocations are its own business).
[[nodiscard]] bool in_c_library(const void* code);
/// Whether the address lies in the program itself or a copy of it, not in a library.
[[nodiscard]] bool in_program(const void* address);
/// Whether it is the address of an instruction there.
[[nodiscard]] bool in_code_of_program(std::uintptr_t address);
/// Whether the program has code on its stacks (functions within functions).
[[nodiscard]] bool stacks_are_executable();
/// Also again, when copies have been loaded.
void learn_modules();

}  // namespace mazurka::threads
