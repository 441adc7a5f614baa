// Whether a caller may look at what a function returns.
//
// pthread_barrier_wait tells one of the threads that it let through that it is the serial one. Any
// of them can be, so every choice has to be explored; but hardly any program looks, and then all
// choices are the same. And additions to an atomic counter commute if nobody looks at what was
// there before (memory_model/atomics.cpp). So the instructions behind the call are read: if the
// register that has the result is overwritten, or lost in another call, before anything can have
// read it, nobody looks. Only the commonest instructions are known; whatever else is found there
// may look.
//
// The readers are plain functions of bytes, each for one kind of machine.
#pragma once

#include <array>
#include <cstdint>

namespace mazurka::threads {

/// The byte of code there as the compiler has made it, where a trap stands in its place
/// (machine/traps.hpp). Null: there are none.
inline std::uint8_t (*compiled_byte)(std::uintptr_t at) = nullptr;

/// `code`: where the call returns to. `ignores_arguments(address)`: the function at the address
/// takes no arguments.
[[nodiscard]] bool may_use_result_aarch64(const void* code,
                                          bool (*ignores_arguments)(std::uintptr_t));
[[nodiscard]] bool may_use_result_x86_64(const void* code);

/// For the machine that we are on.
[[nodiscard]] bool may_use_result(const void* code);

/// The same, read once for each place: code stays as it is, since no library is ever unloaded
/// (hooks/surroundings.cpp).
class ResultUses {
 public:
  [[nodiscard]] bool may_use(const void* code) {
    Entry& entry = entries_[reinterpret_cast<std::uintptr_t>(code) / 4 % entries_.size()];
    if (entry.code != code) entry = {code, may_use_result(code)};
    return entry.uses;
  }

 private:
  struct Entry {
    const void* code = nullptr;
    bool uses = false;
  };
  std::array<Entry, 256> entries_{};  // by address; the latest of those that share a place
};

}  // namespace mazurka::threads
