// Options of the command line, for ranks of an MPI program: getopt keeps where it is in variables
// of the C library, which are all ranks' in turn (library_state.hpp).
//
// A rank that comes back in the middle of a word with several options goes on with the next word.
#include <getopt.h>

#include "programs/threads/runtime/hooks/hooks.hpp"
#include "programs/threads/runtime/machine/library_state.hpp"

using mazurka::threads::natively;
using mazurka::threads::runtime;
using mazurka::threads::scheduled;

namespace {

/// The variables are the current rank's from now on.
void take_variables() {
  using mazurka::threads::library_state;
  if (!scheduled() || runtime->current().rank < 0) return;
  const std::int32_t rank = runtime->current().rank;
  std::int32_t& whose = mazurka::threads::rank_of_options();
  if (whose == rank) return;
  if (whose >= 0) {
    library_state(whose).option_index = optind;
    library_state(whose).option_errors = opterr;
  }
  whose = rank;
  optind = library_state(rank).option_index;
  opterr = library_state(rank).option_errors;
}

}  // namespace

MAZURKA_HOOK int getopt(int argc, char* const* argv, const char* options) noexcept {
  take_variables();
  return natively<int>("getopt", argc, argv, options);
}
MAZURKA_HOOK int getopt_long(int argc, char* const* argv, const char* options,
                             const struct option* names, int* index) noexcept {
  take_variables();
  return natively<int>("getopt_long", argc, argv, options, names, index);
}
MAZURKA_HOOK int getopt_long_only(int argc, char* const* argv, const char* options,
                                  const struct option* names, int* index) noexcept {
  take_variables();
  return natively<int>("getopt_long_only", argc, argv, options, names, index);
}
