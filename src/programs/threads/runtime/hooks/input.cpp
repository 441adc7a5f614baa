// Input. What a program reads from its standard input, a terminal or another process is not there
// again in the next execution, and may have to be waited for: such reads are refused. Ordinary
// files are read as they are, and what they are read into counts as written (teller.hpp).

// Where optimised, the C library's headers define some of these themselves.
#ifndef __NO_INLINE__
#define __NO_INLINE__ 1  // NOLINT(bugprone-reserved-identifier)
#endif
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <wchar.h>

#include <algorithm>
#include <cstring>
#include "programs/threads/runtime/format.hpp"
#include "programs/threads/runtime/hooks/hooks.hpp"
#include "programs/threads/runtime/surroundings/surroundings.hpp"
#include "programs/threads/runtime/teller.hpp"

using mazurka::threads::natively;
using mazurka::threads::runtime;
using mazurka::threads::scheduled;
using mazurka::threads::tell_scanned;
using mazurka::threads::Teller;
using mazurka::threads::Use;
using mazurka::threads::use_open_file;

namespace {

bool can_be_repeated(int file) {
  struct stat status {};
  if (file == STDIN_FILENO) return false;
  return fstat(file, &status) != 0 || S_ISREG(status.st_mode) || S_ISCHR(status.st_mode);
}

void refuse_standard_input(FILE* stream, const char* call) {
  if (scheduled() && stream == stdin) runtime->unsupported(call);
  use_open_file(stream, Use::changes);  // where it goes on
}

// The kernel does not write into a page that is protected to learn whether it is written.
void make_writable(const void* buffer, std::size_t size) {
  if (scheduled()) runtime->snapshot().expect_write(buffer, size);
}

}  // namespace

MAZURKA_FAR_HOOK(ssize_t, read, int file, void* buffer, std::size_t size) {
  const Teller teller;
  if (scheduled() && !can_be_repeated(file)) {
    runtime->unsupported("read() from standard input, a pipe or a socket");
  }
  make_writable(buffer, size);
  use_open_file(file, Use::changes);  // where it goes on
  const auto length = natively<ssize_t>("read", file, buffer, size);
  if (length > 0) teller.write(buffer, static_cast<std::size_t>(length));
  return length;
}
MAZURKA_FAR_HOOK(ssize_t, pread, int file, void* buffer, std::size_t size, off_t offset) {
  const Teller teller;
  make_writable(buffer, size);
  use_open_file(file, Use::looks);
  const auto length = natively<ssize_t>("pread", file, buffer, size, offset);
  if (length > 0) teller.write(buffer, static_cast<std::size_t>(length));
  return length;
}
MAZURKA_FAR_HOOK(char*, fgets, char* buffer, int size, FILE* stream) {
  const Teller teller;
  refuse_standard_input(stream, "fgets() from standard input");
  auto* const line = natively<char*>("fgets", buffer, size, stream);
  if (line != nullptr && teller.counts())
    teller.write(line, Teller::length(line, ~std::size_t{0}) + 1);
  return line;
}
#define MAZURKA_GET(name)                                          \
  MAZURKA_HOOK int name(FILE* stream) {                            \
    refuse_standard_input(stream, #name "() from standard input"); \
    return natively(#name, stream);                                \
  }
MAZURKA_GET(fgetc)
MAZURKA_GET(fgetc_unlocked)
MAZURKA_GET(getc)
MAZURKA_GET(getc_unlocked)
MAZURKA_GET(getw)
MAZURKA_GET(__uflow)
MAZURKA_HOOK wint_t fgetwc(FILE* stream) {
  refuse_standard_input(stream, "fgetwc() from standard input");
  return natively<wint_t>("fgetwc", stream);
}
MAZURKA_HOOK wint_t getwc(FILE* stream) {
  refuse_standard_input(stream, "getwc() from standard input");
  return natively<wint_t>("getwc", stream);
}
#define MAZURKA_GET_CHARACTER(type, name)     \
  MAZURKA_HOOK type name() {                  \
    refuse_standard_input(stdin, #name "()"); \
    return natively<type>(#name);             \
  }
MAZURKA_GET_CHARACTER(int, getchar)
MAZURKA_GET_CHARACTER(int, getchar_unlocked)
MAZURKA_GET_CHARACTER(wint_t, getwchar)
MAZURKA_FAR_HOOK(std::size_t, fread, void* buffer, std::size_t size, std::size_t count,
                 FILE* stream) {
  const Teller teller;
  refuse_standard_input(stream, "fread() from standard input");
  make_writable(buffer, size * count);
  const auto done = natively<std::size_t>("fread", buffer, size, count, stream);
  teller.write(buffer, done * size);
  return done;
}
namespace {

// The line goes to a block of the program's heap, which gets larger if it must.
void keep_line(const Teller& teller, char** line, std::size_t* size, const char* text,
               ssize_t length) {
  constexpr std::size_t smallest = 120;
  const std::size_t needed = length > 0 ? static_cast<std::size_t>(length) + 1 : 0;
  if (*line == nullptr || *size < needed) {
    *size = std::max({smallest, needed, *line == nullptr ? 0 : *size * 2});
    *line = static_cast<char*>(realloc(*line, *size));
  }
  if (*line == nullptr) return;
  teller.write(*line, needed);
  const mazurka::threads::EngineScope scope;
  std::memcpy(*line, text, needed);
}

}  // namespace

MAZURKA_FAR_HOOK(ssize_t, getdelim, char** line, std::size_t* size, int end, FILE* stream) {
  const Teller teller;
  refuse_standard_input(stream, "getdelim() from standard input");
  if (!scheduled()) return natively<ssize_t>("getdelim", line, size, end, stream);
  char* text = nullptr;
  std::size_t room = 0;
  const auto length = natively<ssize_t>("getdelim", &text, &room, end, stream);
  teller.write(line, sizeof *line);
  teller.write(size, sizeof *size);
  if (length > 0 || *line == nullptr) keep_line(teller, line, size, text, length);
  __libc_free(text);
  return length;
}
MAZURKA_FAR_HOOK(ssize_t, getline, char** line, std::size_t* size, FILE* stream) {
  return mazurka_at_getdelim(line, size, '\n', stream);
}

namespace {

template <typename Scan>
int scan(const void* code, const char* format, va_list arguments, Scan&& own) {
  const Teller teller(code);
  va_list walked;
  va_copy(walked, arguments);
  const int done = own();
  if (teller.counts() && done > 0) tell_scanned(teller, format, walked, done);
  va_end(walked);
  return done;
}

int scan_stream(const void* code, FILE* stream, const char* format, va_list arguments) {
  refuse_standard_input(stream, stream == stdin ? "scanf()" : "fscanf() from standard input");
  return scan(code, format, arguments, [&] {
    MAZURKA_OWN(int, __isoc99_vfscanf, FILE*, const char*, va_list);
    return own(stream, format, arguments);
  });
}

int scan_text(const void* code, const char* text, const char* format, va_list arguments) {
  Teller(code).read_text(text);
  return scan(code, format, arguments, [&] {
    MAZURKA_OWN(int, __isoc99_vsscanf, const char*, const char*, va_list);
    return own(text, format, arguments);
  });
}

}  // namespace

#define MAZURKA_LIST(...) __VA_ARGS__ __VA_OPT__(, )
#define MAZURKA_SCANNING(prefix, name, scanner, parameters, passed)                             \
  MAZURKA_HOOK int mazurka_at_##prefix##name(MAZURKA_LIST parameters const char* format,        \
                                             ...) asm(#prefix #name);                           \
  MAZURKA_HOOK int mazurka_at_##prefix##name(MAZURKA_LIST parameters const char* format, ...) { \
    const void* code = __builtin_return_address(0);                                             \
    va_list arguments;                                                                          \
    va_start(arguments, format);                                                                \
    const int done = scanner(code, MAZURKA_LIST passed format, arguments);                      \
    va_end(arguments);                                                                          \
    return done;                                                                                \
  }                                                                                             \
  MAZURKA_HOOK int mazurka_at_##prefix##v##name(MAZURKA_LIST parameters const char* format,     \
                                                va_list arguments) asm(#prefix "v" #name);      \
  MAZURKA_HOOK int mazurka_at_##prefix##v##name(MAZURKA_LIST parameters const char* format,     \
                                                va_list arguments) {                            \
    return scanner(__builtin_return_address(0), MAZURKA_LIST passed format, arguments);         \
  }
// The names that headers give them by the standard that a program is compiled for.
#define MAZURKA_SCANNINGS(name, scanner, parameters, passed)     \
  MAZURKA_SCANNING(, name, scanner, parameters, passed)          \
  MAZURKA_SCANNING(__isoc99_, name, scanner, parameters, passed) \
  MAZURKA_SCANNING(__isoc23_, name, scanner, parameters, passed)
MAZURKA_SCANNINGS(scanf, scan_stream, (), (stdin))
MAZURKA_SCANNINGS(fscanf, scan_stream, (FILE * stream), (stream))
MAZURKA_SCANNINGS(sscanf, scan_text, (const char* text), (text))
