// What a function of the C library touches on the program's behalf.
//
// The C library is not instrumented: a hook that stands before such a function tells what the call
// is going to read and write, and then lets the function do it. Where the extent depends on what is
// in memory it is found out first; others may move while it is told, and then the function itself
// decides. Only calls that the program makes itself count; a library may have synchronised unseen.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "programs/threads/runtime/machine/call_site.hpp"
#include "programs/threads/runtime/machine/engine.hpp"
#include "programs/threads/runtime/machine/native.hpp"
#include "programs/threads/runtime/runtime.hpp"

namespace mazurka::threads {

/// One call of the program's: tells what it touches.
class Teller {
 public:
  static constexpr std::size_t no_limit = ~std::size_t{0};

  explicit Teller(const void* code = mazurka_caller)
      : code_(code), counts_(scheduled() && in_program(code)) {}

  /// Whether anything is told; otherwise it need not be found out.
  [[nodiscard]] bool counts() const { return counts_; }

  void read(const void* where, std::size_t size) const { touch(where, size, false); }
  void write(const void* where, std::size_t size) const { touch(where, size, true); }

  /// Everything up to and including the zero that ends the text; at most so many characters.
  template <typename Character>
  void read_text(const Character* text, std::size_t most = no_limit) const {
    if (counts_) read(text, looked_at(text, most) * sizeof(Character));
  }
  /// From `text` to `end` and the character there, which ended the search.
  template <typename Character>
  void read_up_to(const Character* text, const Character* end) const {
    if (counts_) read(text, static_cast<std::size_t>(end + 1 - text) * sizeof(Character));
  }

  template <typename Character>
  [[nodiscard]] static std::size_t length(const Character* text, std::size_t most) {
    std::size_t length = 0;
    while (length < most && static_cast<const volatile Character*>(text)[length] != 0) ++length;
    return length;
  }
  template <typename Character>
  [[nodiscard]] static std::size_t looked_at(const Character* text, std::size_t most) {
    return std::min(most, length(text, most) + 1);
  }

 private:
  // Constants can not change.
  static bool can_change(std::uintptr_t address) {
    if (in_zone(address)) return true;
    for (const auto& region : runtime->snapshot().regions()) {
      if (address >= region.begin && address < region.end) return true;
    }
    return false;
  }
  void touch(const void* where, std::size_t size, bool write) const {
    const auto address = reinterpret_cast<std::uintptr_t>(where);
    if (!counts_ || size == 0 || !can_change(address)) return;
    mazurka_call_site.stack_pointer = 0;  // these hooks do not note where they were called
    runtime->accesses.plain(address, size, write, code_);
  }

  const void* code_;
  bool counts_;
};

}  // namespace mazurka::threads

/// Within a hook: the C library's own function of that name, as `own`. The types of its parameters
/// follow.
#define MAZURKA_OWN(type, name, ...)      \
  static type (*const own)(__VA_ARGS__) = \
      reinterpret_cast<type (*)(__VA_ARGS__)>(mazurka::threads::native_symbol(#name))
