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

#include "programs/threads/runtime/hooks/hooks.hpp"
#include "programs/threads/runtime/machine/call_site.hpp"
#include "programs/threads/runtime/surroundings/late_libraries.hpp"
#include "programs/threads/runtime/surroundings/library_calls.hpp"
#include "programs/threads/runtime/surroundings/surroundings.hpp"
#include "programs/threads/runtime/surroundings/text_streams.hpp"

using mazurka::threads::EngineScope;
using mazurka::threads::HiddenNumbers;
using mazurka::threads::is_standard;
using mazurka::threads::natively;
using mazurka::threads::runtime;
using mazurka::threads::scheduled;
using mazurka::threads::surroundings;
using mazurka::threads::Use;

namespace {

void use(const char* what, Use use) {
  if (scheduled()) runtime->use_outside(what, use);
}

// Of streams and folders that it opens the program does not see the numbers, unless it asks.
template <typename Handle, typename... Arguments>
Handle* open_by(const char* function, Arguments... arguments) {
  if (!scheduled()) return natively<Handle*>(function, arguments...);
  const HiddenNumbers hidden;
  auto* const handle = natively<Handle*>(function, arguments...);
  const EngineScope scope;
  if (handle != nullptr) surroundings.opened(handle);
  return handle;
}

template <typename Handle>
int close_by(const char* function, Handle* handle) {
  if (!scheduled()) return natively(function, handle);
  mazurka::threads::note_handle(handle, Use::changes);
  surroundings.closed(handle);
  const HiddenNumbers hidden;
  return natively(function, handle);
}

}  // namespace

// --- streams and folders -------------------------------------------------------------------------

MAZURKA_HOOK FILE* fopen(const char* path, const char* mode) {
  return open_by<FILE>("fopen", path, mode);
}
MAZURKA_HOOK FILE* fopen64(const char* path, const char* mode) {
  return open_by<FILE>("fopen64", path, mode);
}
MAZURKA_HOOK FILE* fdopen(int file, const char* mode) noexcept {
  return open_by<FILE>("fdopen", file, mode);
}
MAZURKA_HOOK FILE* freopen(const char* path, const char* mode, FILE* stream) {
  if (scheduled() && is_standard(stream)) {
    surroundings.standard_streams_change();
    return natively<FILE*>("freopen", path, mode, stream);
  }
  if (scheduled()) surroundings.closed(stream);
  return open_by<FILE>("freopen", path, mode, stream);
}
MAZURKA_HOOK FILE* tmpfile() { return open_by<FILE>("tmpfile"); }
MAZURKA_HOOK FILE* fmemopen(void* buffer, std::size_t size, const char* mode) noexcept {
  return open_by<FILE>("fmemopen", buffer, size, mode);
}
MAZURKA_HOOK FILE* open_memstream(char** buffer, std::size_t* size) noexcept {
  if (!scheduled()) return natively<FILE*>("open_memstream", buffer, size);
  FILE* const stream = mazurka::threads::text_streams.open(buffer, size);
  const EngineScope scope;
  if (stream != nullptr) surroundings.opened(stream);
  return stream;
}
MAZURKA_HOOK int fclose(FILE* stream) {
  if (scheduled() && is_standard(stream)) return natively("fflush", stream);  // it is needed again
  const bool of_program = scheduled();
  const int result = close_by("fclose", stream);
  if (of_program) mazurka::threads::text_streams.closed(stream, __builtin_return_address(0));
  return result;
}
MAZURKA_HOOK int fflush(FILE* stream) {
  if (!scheduled()) return natively("fflush", stream);
  if (stream != nullptr) mazurka::threads::use_open_file(stream, Use::adds);
  const int result = natively("fflush", stream);
  mazurka::threads::text_streams.show(stream, __builtin_return_address(0));
  return result;
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
MAZURKA_HOOK DIR* opendir(const char* path) { return open_by<DIR>("opendir", path); }
MAZURKA_HOOK DIR* fdopendir(int file) { return open_by<DIR>("fdopendir", file); }
MAZURKA_HOOK int closedir(DIR* folder) { return close_by("closedir", folder); }

// --- environment and locale ----------------------------------------------------------------------

namespace {

void change_environment(const void* code) {
  if (!scheduled()) return;
  runtime->use_outside("the environment", Use::changes);
  mazurka_call_site.stack_pointer = 0;  // these hooks do not note it
  runtime->accesses.plain(reinterpret_cast<std::uintptr_t>(&environ), sizeof environ, true, code);
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
  change_environment(__builtin_return_address(0));
  return natively("setenv", name, value, replace);
}
MAZURKA_HOOK int unsetenv(const char* name) noexcept {
  change_environment(__builtin_return_address(0));
  return natively("unsetenv", name);
}
MAZURKA_HOOK int putenv(char* text) noexcept {
  change_environment(__builtin_return_address(0));
  return natively("putenv", text);
}
MAZURKA_HOOK int clearenv() noexcept {
  change_environment(__builtin_return_address(0));
  return natively("clearenv");
}
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
  runtime->state().went_outside = true;
  const mazurka::threads::LateLibraries late;
  void* library = natively<void*>("dlopen", path, mode);
  mazurka::threads::watch_library_calls();
  for (const auto& [begin, end] : runtime->snapshot().take_in_new_libraries()) {
    runtime->state().races.add_region(begin, end);
  }
  if (const std::string name = late.with_constructors(); !name.empty()) {
    runtime->grounds().unexplored = "what " + name +
                                    " does when dlopen loads it is done only once (link the "
                                    "program with it, so that it is a part of every execution)";
  }
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

// Without a command it asks whether there is a shell.
MAZURKA_HOOK int system(const char* command) {
  if (!scheduled()) return natively("system", command);
  if (command != nullptr) runtime->unsupported("system()");
  return 1;
}

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
