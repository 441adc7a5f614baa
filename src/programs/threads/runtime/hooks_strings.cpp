// Functions of the C library that read and write strings and memory on the program's behalf.
//
// The C library is not instrumented: what such a call touches is told here, before it happens. Only
// calls that the program makes itself count; a library may have synchronised unseen.
#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#include "programs/threads/runtime/call_site.hpp"
#include "programs/threads/runtime/hooks.hpp"

using mazurka::threads::in_program;
using mazurka::threads::in_zone;
using mazurka::threads::native;
using mazurka::threads::runtime;
using mazurka::threads::scheduled;

namespace {

// Constants can not change.
bool can_change(std::uintptr_t address) {
  if (in_zone(address)) return true;
  for (const auto& region : runtime->snapshot().regions()) {
    if (address >= region.begin && address < region.end) return true;
  }
  return false;
}

std::size_t length_of(const char* text) { return native().strlen(text); }

std::size_t length_of(const char* text, std::size_t most) {
  std::size_t length = 0;
  while (length < most && static_cast<const volatile char*>(text)[length] != 0) ++length;
  return length;
}

// One call of the program's: tells what it touches.
class Teller {
 public:
  [[nodiscard]] bool counts() const { return counts_; }
  void read(const void* where, std::size_t size) const { touch(where, size, false); }
  void write(const void* where, std::size_t size) const { touch(where, size, true); }
  void read_string(const char* text) const {
    if (counts_) read(text, length_of(text) + 1);
  }
  void read_string(const char* text, std::size_t most) const {
    if (counts_) read(text, std::min(most, length_of(text, most) + 1));
  }

 private:
  void touch(const void* where, std::size_t size, bool write) const {
    const auto address = reinterpret_cast<std::uintptr_t>(where);
    if (!counts_ || size == 0 || !can_change(address)) return;
    mazurka_call_site.stack_pointer = 0;  // these hooks do not note where they were called
    runtime->plain_access(address, size, write, code_);
  }

  const void* code_ = mazurka_caller;
  bool counts_ = scheduled() && in_program(code_);
};

// How far two strings are looked at: up to the first difference.
std::size_t compared(const char* one, const char* other, std::size_t most) {
  std::size_t at = 0;
  while (at < most && one[at] == other[at] && one[at] != 0) ++at;
  return std::min(most, at + 1);
}

void read_both(const Teller& teller, const void* one, const void* other, std::size_t size) {
  teller.read(one, size);
  teller.read(other, size);
}

char* duplicate(const char* text, std::size_t length) {
  auto* copy = static_cast<char*>(malloc(length + 1));
  if (copy == nullptr) return nullptr;
  std::memcpy(copy, text, length);
  copy[length] = 0;
  return copy;
}

}  // namespace

MAZURKA_FAR_HOOK(std::size_t, strlen, const char* text) {
  Teller{}.read_string(text);
  return length_of(text);
}
MAZURKA_FAR_HOOK(std::size_t, strnlen, const char* text, std::size_t most) {
  Teller{}.read_string(text, most);
  return length_of(text, most);
}
MAZURKA_FAR_HOOK(char*, strcpy, char* to, const char* from) {
  const Teller teller;
  teller.read_string(from);
  teller.write(to, length_of(from) + 1);
  return native().strcpy(to, from);
}
MAZURKA_FAR_HOOK(char*, strncpy, char* to, const char* from, std::size_t size) {
  const Teller teller;
  teller.read_string(from, size);
  teller.write(to, size);
  return native().strncpy(to, from, size);
}
MAZURKA_FAR_HOOK(char*, strcat, char* to, const char* from) {
  const Teller teller;
  teller.read_string(to);
  teller.read_string(from);
  teller.write(to + length_of(to), length_of(from) + 1);
  return native().strcat(to, from);
}
MAZURKA_FAR_HOOK(char*, strncat, char* to, const char* from, std::size_t most) {
  const Teller teller;
  teller.read_string(to);
  teller.read_string(from, most);
  teller.write(to + length_of(to), length_of(from, most) + 1);
  return native().strncat(to, from, most);
}
MAZURKA_FAR_HOOK(int, strcmp, const char* one, const char* other) {
  const Teller teller;
  if (teller.counts()) read_both(teller, one, other, compared(one, other, ~std::size_t{0}));
  return native().strcmp(one, other);
}
MAZURKA_FAR_HOOK(int, strncmp, const char* one, const char* other, std::size_t most) {
  const Teller teller;
  if (teller.counts()) read_both(teller, one, other, compared(one, other, most));
  return native().strncmp(one, other, most);
}
MAZURKA_FAR_HOOK(int, memcmp, const void* one, const void* other, std::size_t size) {
  const Teller teller;
  read_both(teller, one, other, size);
  return native().memcmp(one, other, size);
}
// Their own would be allocated by the C library, at another address in every execution.
MAZURKA_FAR_HOOK(char*, strdup, const char* text) {
  Teller{}.read_string(text);
  return duplicate(text, length_of(text));
}
MAZURKA_FAR_HOOK(char*, strndup, const char* text, std::size_t most) {
  Teller{}.read_string(text, most);
  return duplicate(text, length_of(text, most));
}

// --- text into a buffer --------------------------------------------------------------------------

namespace {

int print_into(char* buffer, std::size_t size, const char* format, va_list arguments) {
  const Teller teller;
  const int length = native().vsnprintf(buffer, size, format, arguments);
  if (size != 0 && length >= 0) {
    teller.write(buffer, std::min(size, static_cast<std::size_t>(length) + 1));
  }
  return length;
}

constexpr std::size_t no_limit = 0x7fffffff;

}  // namespace

MAZURKA_HOOK int vsnprintf(char* buffer, std::size_t size, const char* format,
                           va_list arguments) noexcept {
  mazurka_caller = __builtin_return_address(0);
  return print_into(buffer, size, format, arguments);
}
MAZURKA_HOOK int vsprintf(char* buffer, const char* format, va_list arguments) noexcept {
  mazurka_caller = __builtin_return_address(0);
  return print_into(buffer, no_limit, format, arguments);
}
MAZURKA_HOOK int snprintf(char* buffer, std::size_t size, const char* format, ...) noexcept {
  mazurka_caller = __builtin_return_address(0);
  va_list arguments;
  va_start(arguments, format);
  const int length = print_into(buffer, size, format, arguments);
  va_end(arguments);
  return length;
}
MAZURKA_HOOK int sprintf(char* buffer, const char* format, ...) noexcept {
  mazurka_caller = __builtin_return_address(0);
  va_list arguments;
  va_start(arguments, format);
  const int length = print_into(buffer, no_limit, format, arguments);
  va_end(arguments);
  return length;
}

// --- memory from the system ----------------------------------------------------------------------

static bool is_mapped_here(const void* block, const void* caller) {
  return scheduled() && in_program(caller) && in_zone(reinterpret_cast<std::uintptr_t>(block));
}

// Memory that no file stands behind comes from the heap: it has the same address in every execution
// and is gone when the next one begins.
MAZURKA_HOOK void* mmap(void* wanted, std::size_t size, int protection, int flags, int file,
                        off_t offset) noexcept {
  if (!scheduled() || !in_program(__builtin_return_address(0)) || wanted != nullptr ||
      (flags & MAP_ANONYMOUS) == 0) {
    return native().mmap(wanted, size, protection, flags, file, offset);
  }
  constexpr std::size_t page = 4096;
  void* block = nullptr;
  if (posix_memalign(&block, page, (size + page - 1) / page * page) != 0) return MAP_FAILED;
  const mazurka::threads::EngineScope scope;
  std::memset(block, 0, size);
  return block;
}
MAZURKA_HOOK int munmap(void* block, std::size_t size) noexcept {
  if (is_mapped_here(block, __builtin_return_address(0))) {
    if (mazurka::threads::heaps.block_near(reinterpret_cast<std::uintptr_t>(block)) == block) {
      free(block);
    }
    return 0;
  }
  return native().munmap(block, size);
}
MAZURKA_HOOK int mprotect(void* block, std::size_t size, int protection) noexcept {
  if (is_mapped_here(block, __builtin_return_address(0))) return 0;
  return native().mprotect(block, size, protection);
}
