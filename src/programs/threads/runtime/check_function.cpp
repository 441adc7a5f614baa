// A call of mazurka::check (include/mazurka/check.hpp).
//
// In an ordinary run of the program it asks the checker, `mazurka check --function NAME`, to start
// the program once more; in that process the call of the same name is the one that explores, and
// all others do nothing.
#include "programs/threads/runtime/check_function.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "mazurka/check.hpp"
#include "programs/threads/runtime/hooks/hooks.hpp"

namespace mazurka::threads {

namespace {

constexpr int verified = 0;
constexpr int error = 2;

/// Beside the library: ../bin/mazurka. MAZURKA_CHECKER names another.
std::string checker_path() {
  if (const char* named = getenv("MAZURKA_CHECKER"); named != nullptr && *named != '\0')
    return named;
  Dl_info info{};
  std::string library = "lib/libmazurka-threads.so";
  if (dladdr(reinterpret_cast<const void*>(&__mazurka_check), &info) != 0) library = info.dli_fname;
  char real[4096];
  if (realpath(library.c_str(), real) != nullptr) library = real;
  std::string folder = library.substr(0, library.rfind('/'));
  while (true) {  // lib, or lib/aarch64-linux-gnu
    const std::size_t slash = folder.rfind('/');
    if (slash == std::string::npos) return "mazurka";
    folder = folder.substr(0, slash);
    const std::string candidate = folder + "/bin/mazurka";
    if (access(candidate.c_str(), X_OK) == 0) return candidate;
  }
}

std::string own_path() {
  char own[4096];
  const ssize_t length = readlink("/proc/self/exe", own, sizeof own);
  return length > 0 ? std::string(own, static_cast<std::size_t>(length)) : std::string();
}

std::vector<std::string> own_arguments() {
  std::vector<std::string> all;
  const int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  std::string bytes;
  char buffer[4096];
  for (ssize_t count = 0; (count = read(file, buffer, sizeof buffer)) > 0;) {
    bytes.append(buffer, static_cast<std::size_t>(count));
  }
  close(file);
  for (std::size_t at = 0; at < bytes.size(); at = bytes.find('\0', at) + 1) {
    all.emplace_back(bytes.c_str() + at);
    if (bytes.find('\0', at) == std::string::npos) break;
  }
  if (!all.empty()) all.erase(all.begin());
  return all;
}

std::vector<std::string> command_of(const mazurka_check_call& call) {
  std::vector<std::string> words{checker_path(), "check", "--function", call.name,
                                 "--color",      "never", "--progress", "never"};
  for (const char* const* option = call.options; *option != nullptr; ++option) {
    words.emplace_back(*option);
  }
  words.push_back(own_path());
  words.emplace_back("--");
  if (call.arguments == nullptr) {
    for (std::string& word : own_arguments()) words.push_back(std::move(word));
  } else {
    for (const char* const* word = call.arguments; *word != nullptr; ++word) {
      words.emplace_back(*word);
    }
  }
  return words;
}

int ask_checker(const mazurka_check_call& call) {
  const std::vector<std::string> words = command_of(call);
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const auto say = [&](const std::string& text) {
    call.take_text(call.text, text.data(), text.size());
  };

  int output[2];
  if (pipe2(output, O_CLOEXEC) != 0) return error;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, output[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output[1], STDERR_FILENO);
  pid_t child = 0;
  const int failure =
      posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(output[1]);
  if (failure != 0) {
    close(output[0]);
    say("mazurka: error: " + words[0] + " can not be started; set MAZURKA_CHECKER to its path\n");
    return error;
  }
  char buffer[4096];
  for (ssize_t count = 0; (count = read(output[0], buffer, sizeof buffer)) > 0;) {
    call.take_text(call.text, buffer, static_cast<unsigned long>(count));
  }
  close(output[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : error;
}

}  // namespace

void perform_checked(void (*body)(void*), void* argument) noexcept { body(argument); }

bool performs_checked(_Unwind_Context* frame) {
  return _Unwind_GetRegionStart(frame) == reinterpret_cast<std::uintptr_t>(perform_checked);
}

}  // namespace mazurka::threads

MAZURKA_HOOK int __mazurka_check(const mazurka_check_call* call) {
  using namespace mazurka::threads;
  if (!scheduled()) return ask_checker(*call);
  runtime->come_to_check(call->name, call->body, call->argument);
  return verified;
}

MAZURKA_HOOK const char* __mazurka_awaited_check() {
  using namespace mazurka::threads;
  if (!scheduled() || runtime->request().check.empty()) return nullptr;
  return runtime->request().check.c_str();
}

MAZURKA_HOOK void __mazurka_fail(const char* message) {
  using namespace mazurka::threads;
  if (!scheduled()) return;
  inside_engine = true;
  runtime->fail(mazurka::FindingKind::assertion, message, message);
}
