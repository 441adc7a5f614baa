// A copy of the program's image for every rank of MPI: private global variables without a switch.
//
// The program is a position-independent executable. Its file is copied once per rank, with the mark
// removed that keeps the dynamic linker from loading an executable, and loaded like a library. All
// references inside an executable were bound when it was linked, so a copy uses its own variables
// and functions. The original image stays unused, but for its thread-local storage: code of an
// executable reaches that by offsets which are the same in all copies, so each rank's thread-local
// variables are in the original's block and begin with the values that the rank's copy has for
// them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "programs/threads/runtime/beginning.hpp"

namespace mazurka::threads {

struct RankImage {
  int (*main)(int, char**, char**) = nullptr;
  std::uintptr_t begin = 0;  // of everything that is loaded of it
  std::uintptr_t end = 0;
  std::span<const std::byte> thread_locals;  // what they begin as; zeros follow
  ObjectFunctions functions;                 // to be called before and after main
  int argc = 0;
  char** argv = nullptr;  // its own
};

/// Empty if the program has no ranks.
[[nodiscard]] const std::vector<RankImage>& rank_images();
/// Which rank's copy the address lies in; -1: none.
[[nodiscard]] int rank_at(const void* address);

/// Loads so many copies; what is done before main is left to the ranks. Throws std::runtime_error
/// if the program is not built for it.
void load_rank_images(std::size_t count, int argc, char** argv);

}  // namespace mazurka::threads
