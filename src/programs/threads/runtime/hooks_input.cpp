// Input. What a program reads from its standard input, a terminal or another process is not there
// again in the next execution, and may have to be waited for: such reads are refused. Ordinary
// files are read as they are.

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

#include "programs/threads/runtime/hooks.hpp"

using mazurka::threads::natively;
using mazurka::threads::runtime;
using mazurka::threads::scheduled;

namespace {

bool can_be_repeated(int file) {
  struct stat status {};
  if (file == STDIN_FILENO) return false;
  return fstat(file, &status) != 0 || S_ISREG(status.st_mode) || S_ISCHR(status.st_mode);
}

void refuse_standard_input(FILE* stream, const char* call) {
  if (scheduled() && stream == stdin) runtime->unsupported(call);
}

}  // namespace

MAZURKA_HOOK ssize_t read(int file, void* buffer, std::size_t size) {
  if (scheduled() && !can_be_repeated(file)) {
    runtime->unsupported("read() from standard input, a pipe or a socket");
  }
  return natively<ssize_t>("read", file, buffer, size);
}
MAZURKA_HOOK char* fgets(char* buffer, int size, FILE* stream) {
  refuse_standard_input(stream, "fgets() from standard input");
  return natively<char*>("fgets", buffer, size, stream);
}
MAZURKA_HOOK int fgetc(FILE* stream) {
  refuse_standard_input(stream, "fgetc() from standard input");
  return natively("fgetc", stream);
}
MAZURKA_HOOK int getc(FILE* stream) {
  refuse_standard_input(stream, "getc() from standard input");
  return natively("getc", stream);
}
MAZURKA_HOOK int getchar() {
  refuse_standard_input(stdin, "getchar()");
  return natively("getchar");
}
MAZURKA_HOOK std::size_t fread(void* buffer, std::size_t size, std::size_t count, FILE* stream) {
  refuse_standard_input(stream, "fread() from standard input");
  return natively<std::size_t>("fread", buffer, size, count, stream);
}
MAZURKA_HOOK ssize_t getline(char** line, std::size_t* size, FILE* stream) {
  refuse_standard_input(stream, "getline() from standard input");
  return natively<ssize_t>("getline", line, size, stream);
}

#define MAZURKA_SCANF(name)                                            \
  MAZURKA_HOOK int mazurka_##name(const char* format, ...) asm(#name); \
  MAZURKA_HOOK int mazurka_##name(const char* format, ...) {           \
    refuse_standard_input(stdin, "scanf()");                           \
    va_list arguments;                                                 \
    va_start(arguments, format);                                       \
    const int result = vscanf(format, arguments);                      \
    va_end(arguments);                                                 \
    return result;                                                     \
  }
#define MAZURKA_FSCANF(name)                                                         \
  MAZURKA_HOOK int mazurka_##name(FILE* stream, const char* format, ...) asm(#name); \
  MAZURKA_HOOK int mazurka_##name(FILE* stream, const char* format, ...) {           \
    refuse_standard_input(stream, "fscanf() from standard input");                   \
    va_list arguments;                                                               \
    va_start(arguments, format);                                                     \
    const int result = vfscanf(stream, format, arguments);                           \
    va_end(arguments);                                                               \
    return result;                                                                   \
  }
MAZURKA_SCANF(scanf)
MAZURKA_SCANF(__isoc99_scanf)
MAZURKA_SCANF(__isoc23_scanf)
MAZURKA_FSCANF(fscanf)
MAZURKA_FSCANF(__isoc99_fscanf)
MAZURKA_FSCANF(__isoc23_fscanf)

// The one signal that programs send to themselves to end.
MAZURKA_HOOK int raise(int signal) noexcept {
  if (!scheduled()) return natively("raise", signal);
  if (signal == SIGABRT) abort();
  runtime->unsupported("raise()");
}
