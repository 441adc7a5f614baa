// Functions of the C library that print, to a stream, a file or a piece of memory: what they read
// on the program's behalf, and the piece of memory they write (teller.hpp, format.hpp).

// Where optimised, the C library's headers define some of these themselves.
#ifndef __NO_INLINE__
#define __NO_INLINE__ 1  // NOLINT(bugprone-reserved-identifier)
#endif
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>

#include "programs/threads/runtime/format.hpp"
#include "programs/threads/runtime/hooks/hooks.hpp"
#include "programs/threads/runtime/rank_output.hpp"
#include "programs/threads/runtime/surroundings/surroundings.hpp"
#include "programs/threads/runtime/teller.hpp"

using mazurka::threads::native;
using mazurka::threads::shown;
using mazurka::threads::tell_printed;
using mazurka::threads::Teller;
using mazurka::threads::Use;
using mazurka::threads::use_open_file;

namespace {

constexpr std::size_t unlimited = 0x7fffffff;

void tell(const Teller& teller, const char* format, va_list arguments) {
  if (!teller.counts()) return;
  va_list walked;
  va_copy(walked, arguments);
  tell_printed(teller, format, walked);
  va_end(walked);
}

int length_of(const char* format, va_list arguments) {
  va_list walked;
  va_copy(walked, arguments);
  const int length = native().vsnprintf(nullptr, 0, format, walked);
  va_end(walked);
  return length;
}

int print_into(const void* code, char* buffer, std::size_t size, const char* format,
               va_list arguments) {
  const Teller teller(code);
  if (teller.counts()) {
    tell(teller, format, arguments);
    const int length = size == 0 ? -1 : length_of(format, arguments);
    if (length >= 0) teller.write(buffer, std::min(size, static_cast<std::size_t>(length) + 1));
  }
  return native().vsnprintf(buffer, size, format, arguments);
}

// The C library's own would be allocated at another address in every execution.
int print_into_new(const void* code, char** result, const char* format, va_list arguments) {
  const Teller teller(code);
  tell(teller, format, arguments);
  const int length = length_of(format, arguments);
  if (length < 0) return length;
  const auto size = static_cast<std::size_t>(length) + 1;
  auto* buffer = static_cast<char*>(malloc(size));
  if (buffer == nullptr) return -1;
  teller.write(buffer, size);
  teller.write(result, sizeof *result);
  *result = buffer;
  return native().vsnprintf(buffer, size, format, arguments);
}

int print_to(const void* code, FILE* stream, const char* format, va_list arguments) {
  MAZURKA_OWN(int, vfprintf, FILE*, const char*, va_list);
  tell(Teller(code), format, arguments);
  use_open_file(stream, Use::adds);
  return own(shown(stream), format, arguments);
}

int print_to_file(const void* code, int file, const char* format, va_list arguments) {
  MAZURKA_OWN(int, vdprintf, int, const char*, va_list);
  tell(Teller(code), format, arguments);
  use_open_file(file, Use::adds);
  return own(file, format, arguments);
}

}  // namespace

/// Two hooks: the function `name` with its arguments after the format, and `v`name with a list of
/// them. `parameters` come before the format.
#define MAZURKA_PRINTING(name, print, parameters, passed)                                         \
  MAZURKA_HOOK int mazurka_at_##name(MAZURKA_LIST parameters const char* format, ...) asm(#name); \
  MAZURKA_HOOK int mazurka_at_##name(MAZURKA_LIST parameters const char* format, ...) {           \
    const void* code = __builtin_return_address(0);                                               \
    va_list arguments;                                                                            \
    va_start(arguments, format);                                                                  \
    const int length = print(code, MAZURKA_LIST passed format, arguments);                        \
    va_end(arguments);                                                                            \
    return length;                                                                                \
  }                                                                                               \
  MAZURKA_HOOK int mazurka_at_v##name(MAZURKA_LIST parameters const char* format,                 \
                                      va_list arguments) asm("v" #name);                          \
  MAZURKA_HOOK int mazurka_at_v##name(MAZURKA_LIST parameters const char* format,                 \
                                      va_list arguments) {                                        \
    return print(__builtin_return_address(0), MAZURKA_LIST passed format, arguments);             \
  }
#define MAZURKA_LIST(...) __VA_ARGS__ __VA_OPT__(, )

MAZURKA_PRINTING(printf, print_to, (), (stdout))
MAZURKA_PRINTING(fprintf, print_to, (FILE * stream), (stream))
MAZURKA_PRINTING(dprintf, print_to_file, (int file), (file))
MAZURKA_PRINTING(sprintf, print_into, (char* buffer), (buffer, unlimited))
MAZURKA_PRINTING(snprintf, print_into, (char* buffer, std::size_t size), (buffer, size))
MAZURKA_PRINTING(asprintf, print_into_new, (char** result), (result))

MAZURKA_FAR_HOOK(int, puts, const char* text) {
  MAZURKA_OWN(int, puts, const char*);
  Teller{}.read_text(text);
  return own(text);
}
MAZURKA_FAR_HOOK(int, fputs, const char* text, FILE* stream) {
  MAZURKA_OWN(int, fputs, const char*, FILE*);
  Teller{}.read_text(text);
  use_open_file(stream, Use::adds);
  return own(text, shown(stream));
}
MAZURKA_FAR_HOOK(std::size_t, fwrite, const void* from, std::size_t size, std::size_t count,
                 FILE* stream) {
  MAZURKA_OWN(std::size_t, fwrite, const void*, std::size_t, std::size_t, FILE*);
  Teller{}.read(from, size * count);
  use_open_file(stream, Use::adds);
  return own(from, size, count, shown(stream));
}
MAZURKA_FAR_HOOK(ssize_t, write, int file, const void* from, std::size_t size) {
  Teller{}.read(from, size);
  use_open_file(file, Use::adds);
  return native().syscall(SYS_write, file, from, size);
}
MAZURKA_FAR_HOOK(ssize_t, pwrite, int file, const void* from, std::size_t size, off_t offset) {
  MAZURKA_OWN(ssize_t, pwrite, int, const void*, std::size_t, off_t);
  Teller{}.read(from, size);
  use_open_file(file, Use::adds);
  return own(file, from, size, offset);
}
