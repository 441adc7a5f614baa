// Functions of the C library that answer in memory of their own: the next call writes over it,
// whoever makes it. That is a write like any other. Each rank of an MPI program has such memory.
#include <time.h>

#include <cstring>

#include "programs/threads/runtime/hooks/hooks.hpp"
#include "programs/threads/runtime/machine/call_site.hpp"
#include "programs/threads/runtime/machine/library_state.hpp"

using mazurka::threads::length_of_date;
using mazurka::threads::natively;
using mazurka::threads::runtime;
using mazurka::threads::scheduled;
using mazurka::threads::Use;

namespace {

tm* place_of(mazurka::threads::LibraryState& state, const tm*) { return &state.date; }
char* place_of(mazurka::threads::LibraryState& state, const char*) {
  return state.date_in_words.data();
}

template <typename Result>
Result* answered(Result* result, std::size_t size, const void* code) {
  if (result == nullptr || !scheduled()) return result;
  if (const std::int32_t rank = runtime->current().rank; rank >= 0) {
    Result* const own = place_of(mazurka::threads::library_state(rank), result);
    std::memcpy(own, result, size);
    result = own;
  }
  mazurka_call_site.stack_pointer = 0;  // these hooks do not note it
  runtime->state().went_outside = true;
  runtime->accesses.plain(reinterpret_cast<std::uintptr_t>(result), size, true, code);
  return result;
}

// Where we are, and so what time it is there, comes from the environment.
void look_at_zone() {
  if (scheduled()) runtime->use_outside("the environment", Use::looks);
}

}  // namespace

MAZURKA_HOOK tm* gmtime(const time_t* time) noexcept {
  return answered(natively<tm*>("gmtime", time), sizeof(tm), __builtin_return_address(0));
}
MAZURKA_HOOK tm* localtime(const time_t* time) noexcept {
  look_at_zone();
  return answered(natively<tm*>("localtime", time), sizeof(tm), __builtin_return_address(0));
}
MAZURKA_HOOK char* asctime(const tm* time) noexcept {
  return answered(natively<char*>("asctime", time), length_of_date, __builtin_return_address(0));
}
MAZURKA_HOOK char* ctime(const time_t* time) noexcept {
  look_at_zone();
  return answered(natively<char*>("ctime", time), length_of_date, __builtin_return_address(0));
}
