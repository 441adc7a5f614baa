// What a program changes outside of its memory through the C library: streams, folders that it
// reads, the environment, the locale, who it is; and other programs that it would become. What the
// next execution must not find again is noted (surroundings.hpp).
#include <dirent.h>
#include <dlfcn.h>
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstring>
#include <initializer_list>

#include "programs/threads/runtime/hooks.hpp"
#include "programs/threads/runtime/surroundings.hpp"

using mazurka::threads::EngineScope;
using mazurka::threads::natively;
using mazurka::threads::runtime;
using mazurka::threads::scheduled;
using mazurka::threads::surroundings;
using mazurka::threads::Use;

namespace {

void use(const char* what, Use use) {
  if (scheduled()) runtime->use_outside(what, use);
}

// Which numbers they get, and whether a number still means the same file, is a matter of order. Of
// streams and folders the program does not see the number, unless it asks.
void use_descriptors(Use how) { use("descriptors (it opens, copies or closes files)", how); }

template <typename Handle>
Handle* noted(Handle* handle) {
  use_descriptors(Use::adds);
  if (handle == nullptr || !scheduled()) return handle;
  const EngineScope scope;
  surroundings.opened(handle);
  return handle;
}

bool is_standard(FILE* stream) { return stream == stdin || stream == stdout || stream == stderr; }

template <typename Handle>
void forget(Handle* handle) {
  use_descriptors(Use::adds);
  if (!scheduled()) return;
  const EngineScope scope;
  surroundings.closed(handle);
}

}  // namespace

// --- streams and folders -------------------------------------------------------------------------

MAZURKA_HOOK FILE* fopen(const char* path, const char* mode) {
  return noted(natively<FILE*>("fopen", path, mode));
}
MAZURKA_HOOK FILE* fopen64(const char* path, const char* mode) {
  return noted(natively<FILE*>("fopen64", path, mode));
}
MAZURKA_HOOK FILE* fdopen(int file, const char* mode) noexcept {
  return noted(natively<FILE*>("fdopen", file, mode));
}
MAZURKA_HOOK FILE* freopen(const char* path, const char* mode, FILE* stream) {
  if (scheduled() && is_standard(stream)) {
    surroundings.standard_streams_change();
    return natively<FILE*>("freopen", path, mode, stream);
  }
  forget(stream);
  return noted(natively<FILE*>("freopen", path, mode, stream));
}
MAZURKA_HOOK FILE* tmpfile() { return noted(natively<FILE*>("tmpfile")); }
MAZURKA_HOOK FILE* fmemopen(void* buffer, std::size_t size, const char* mode) noexcept {
  return noted(natively<FILE*>("fmemopen", buffer, size, mode));
}
MAZURKA_HOOK FILE* open_memstream(char** buffer, std::size_t* size) noexcept {
  return noted(natively<FILE*>("open_memstream", buffer, size));
}
MAZURKA_HOOK int fclose(FILE* stream) {
  if (scheduled() && is_standard(stream)) return natively("fflush", stream);  // it is needed again
  forget(stream);
  return natively("fclose", stream);
}
// Where the standard streams keep what is printed is ours: the program's memory comes and goes.
MAZURKA_HOOK int setvbuf(FILE* stream, char* buffer, int mode, std::size_t size) noexcept {
  if (scheduled()) return 0;
  return natively("setvbuf", stream, buffer, mode, size);
}
MAZURKA_HOOK void setbuf(FILE* stream, char* buffer) noexcept {
  if (!scheduled()) natively<void>("setbuf", stream, buffer);
}
MAZURKA_HOOK void setbuffer(FILE* stream, char* buffer, std::size_t size) noexcept {
  if (!scheduled()) natively<void>("setbuffer", stream, buffer, size);
}
MAZURKA_HOOK void setlinebuf(FILE* stream) noexcept {
  if (!scheduled()) natively<void>("setlinebuf", stream);
}
MAZURKA_HOOK DIR* opendir(const char* path) { return noted(natively<DIR*>("opendir", path)); }
MAZURKA_HOOK DIR* fdopendir(int file) { return noted(natively<DIR*>("fdopendir", file)); }
MAZURKA_HOOK int closedir(DIR* folder) {
  forget(folder);
  return natively("closedir", folder);
}

// Functions that take at most six words and return one: passing six on is right for each of them.
#define MAZURKA_PASSED_ON(name, before)                                                          \
  MAZURKA_HOOK long passed_on_##name(long a, long b, long c, long d, long e, long f) asm(#name); \
  MAZURKA_HOOK long passed_on_##name(long a, long b, long c, long d, long e, long f) {           \
    before;                                                                                      \
    return natively<long>(#name, a, b, c, d, e, f);                                              \
  }
#define MAZURKA_OPEN_FILE(name, use) \
  MAZURKA_PASSED_ON(name, mazurka::threads::use_open_file(static_cast<int>(a), Use::use))
#define MAZURKA_STREAM(name, argument, use) \
  MAZURKA_PASSED_ON(name,                   \
                    mazurka::threads::use_open_file(reinterpret_cast<FILE*>(argument), Use::use))
MAZURKA_OPEN_FILE(writev, adds)
MAZURKA_OPEN_FILE(pwritev, adds)
MAZURKA_OPEN_FILE(pwrite64, adds)
MAZURKA_OPEN_FILE(readv, changes)
MAZURKA_OPEN_FILE(preadv, looks)
MAZURKA_OPEN_FILE(pread64, looks)
MAZURKA_OPEN_FILE(lseek, changes)
MAZURKA_OPEN_FILE(lseek64, changes)
MAZURKA_OPEN_FILE(ftruncate, changes)
MAZURKA_OPEN_FILE(ftruncate64, changes)
MAZURKA_OPEN_FILE(fstat, looks)
MAZURKA_STREAM(fputc, b, adds)
MAZURKA_STREAM(putc, b, adds)
MAZURKA_STREAM(ungetc, b, changes)
MAZURKA_STREAM(fflush, a, adds)
MAZURKA_STREAM(fseek, a, changes)
MAZURKA_STREAM(fseeko, a, changes)
MAZURKA_STREAM(ftell, a, looks)
MAZURKA_STREAM(ftello, a, looks)
MAZURKA_STREAM(rewind, a, changes)

#define MAZURKA_DESCRIPTORS(name) MAZURKA_PASSED_ON(name, use_descriptors(Use::changes))
MAZURKA_PASSED_ON(fileno, use_descriptors(Use::looks))
MAZURKA_PASSED_ON(dirfd, use_descriptors(Use::looks))
MAZURKA_DESCRIPTORS(open)
MAZURKA_DESCRIPTORS(open64)
MAZURKA_DESCRIPTORS(openat)
MAZURKA_DESCRIPTORS(openat64)
MAZURKA_DESCRIPTORS(creat)
MAZURKA_DESCRIPTORS(creat64)
MAZURKA_DESCRIPTORS(dup)
MAZURKA_DESCRIPTORS(dup2)
MAZURKA_DESCRIPTORS(dup3)
MAZURKA_DESCRIPTORS(close)
MAZURKA_DESCRIPTORS(close_range)
MAZURKA_DESCRIPTORS(closefrom)
MAZURKA_DESCRIPTORS(mkstemp)
MAZURKA_DESCRIPTORS(memfd_create)

MAZURKA_PASSED_ON(getcwd, use("the current folder", Use::looks))
MAZURKA_PASSED_ON(getwd, use("the current folder", Use::looks))
MAZURKA_PASSED_ON(get_current_dir_name, use("the current folder", Use::looks))
MAZURKA_PASSED_ON(realpath, use("the current folder", Use::looks))

// --- environment and locale ----------------------------------------------------------------------

namespace {

void change_environment() {
  if (!scheduled()) return;
  runtime->use_outside("the environment", Use::changes);
  surroundings.environment_changes();
}

}  // namespace

MAZURKA_HOOK char* getenv(const char* name) noexcept {
  use("the environment", Use::looks);
  return natively<char*>("getenv", name);
}
MAZURKA_HOOK char* secure_getenv(const char* name) noexcept {
  use("the environment", Use::looks);
  return natively<char*>("secure_getenv", name);
}
MAZURKA_HOOK int setenv(const char* name, const char* value, int replace) noexcept {
  change_environment();
  return natively("setenv", name, value, replace);
}
MAZURKA_HOOK int unsetenv(const char* name) noexcept {
  change_environment();
  return natively("unsetenv", name);
}
MAZURKA_HOOK int putenv(char* text) noexcept {
  change_environment();
  return natively("putenv", text);
}
MAZURKA_HOOK int clearenv() noexcept {
  change_environment();
  return natively("clearenv");
}
MAZURKA_PASSED_ON(localeconv, use("the locale", Use::looks))
MAZURKA_PASSED_ON(nl_langinfo, use("the locale", Use::looks))
MAZURKA_HOOK char* setlocale(int category, const char* name) noexcept {
  use("the locale", name != nullptr ? Use::changes : Use::looks);
  if (scheduled() && name != nullptr) {
    const EngineScope scope;
    surroundings.locale_changes();
  }
  return natively<char*>("setlocale", category, name);
}

// --- libraries -----------------------------------------------------------------------------------

namespace {

// Allocators that would keep memory of their own beside the heap. Who asks for one in this way can
// do without.
bool is_allocator(const char* path) {
  if (path == nullptr) return false;
  for (const char* name : {"libtbbmalloc", "libjemalloc", "libtcmalloc", "libmimalloc"}) {
    if (std::strstr(path, name) != nullptr) return true;
  }
  return false;
}

}  // namespace

MAZURKA_HOOK void* dlopen(const char* path, int mode) noexcept {
  if (!scheduled()) return natively<void*>("dlopen", path, mode);
  const EngineScope scope;
  if (is_allocator(path)) return nullptr;
  void* library = natively<void*>("dlopen", path, mode);
  runtime->snapshot().take_in_new_libraries();
  return library;
}
// What it has loaded is found again by the next execution.
MAZURKA_HOOK int dlclose(void* library) noexcept {
  return scheduled() ? 0 : natively("dlclose", library);
}

// --- who it is -----------------------------------------------------------------------------------

// The C library would tell all threads, of which it does not know the right ones.
#define MAZURKA_IDENTITY(name, type, current, count)                           \
  MAZURKA_HOOK int mazurka_##name(type a, type b, type c) noexcept asm(#name); \
  MAZURKA_HOOK int mazurka_##name(type a, type b, type c) noexcept {           \
    if (!scheduled()) return natively(#name, a, b, c);                         \
    const type wanted[] = {a, b, c};                                           \
    for (int at = 0; at < (count); ++at) {                                     \
      if (wanted[at] != current() && wanted[at] != static_cast<type>(-1)) {    \
        runtime->unsupported(#name "() to become somebody else");              \
      }                                                                        \
    }                                                                          \
    return 0;                                                                  \
  }
MAZURKA_IDENTITY(setuid, uid_t, geteuid, 1)
MAZURKA_IDENTITY(seteuid, uid_t, geteuid, 1)
MAZURKA_IDENTITY(setreuid, uid_t, geteuid, 2)
MAZURKA_IDENTITY(setresuid, uid_t, geteuid, 3)
MAZURKA_IDENTITY(setgid, gid_t, getegid, 1)
MAZURKA_IDENTITY(setegid, gid_t, getegid, 1)
MAZURKA_IDENTITY(setregid, gid_t, getegid, 2)
MAZURKA_IDENTITY(setresgid, gid_t, getegid, 3)

// --- other programs ------------------------------------------------------------------------------

namespace {

/// The arguments of execl and its like, up to the null pointer; what follows that stays in `rest`.
int run_list(const char* name, const char* path, const char* first, va_list rest,
             bool with_environment) {
  if (scheduled()) {
    char text[32];
    std::snprintf(text, sizeof text, "%s()", name);
    runtime->unsupported(text);
  }
  constexpr std::size_t most = 1024;
  char* arguments[most];
  std::size_t count = 0;
  for (const char* one = first; one != nullptr && count + 1 < most; one = va_arg(rest, char*)) {
    arguments[count++] = const_cast<char*>(one);
  }
  arguments[count] = nullptr;
  char** environment = with_environment ? va_arg(rest, char**) : environ;
  const bool searched = std::strcmp(name, "execlp") == 0;
  return natively(searched ? "execvpe" : "execve", path, static_cast<char**>(arguments),
                  environment);
}

}  // namespace

#define MAZURKA_RUN_LIST(name, with_environment)                             \
  MAZURKA_HOOK int name(const char* path, const char* first, ...) noexcept { \
    va_list rest;                                                            \
    va_start(rest, first);                                                   \
    const int result = run_list(#name, path, first, rest, with_environment); \
    va_end(rest);                                                            \
    return result;                                                           \
  }
MAZURKA_RUN_LIST(execl, false)
MAZURKA_RUN_LIST(execlp, false)
MAZURKA_RUN_LIST(execle, true)
