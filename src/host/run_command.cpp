#include "host/run_command.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "core/shown_text.hpp"
#include "host/files.hpp"
#include "host/interrupts.hpp"

namespace mazurka::host {

namespace fs = std::filesystem;

namespace {

/// A command under way, in a process group of its own with all that it starts: Ctrl-C reaches only
/// us.
struct Started {
  pid_t process = 0;
  int messages = -1;  // a pipe
};

Started start(const std::vector<std::string>& command, const fs::path& folder) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  int messages[2];
  if (pipe2(messages, O_CLOEXEC | O_NONBLOCK) != 0) {
    throw InputError(command[0] + " can not be started: " + std::strerror(errno));
  }
  fcntl(messages[1], F_SETFL, 0);  // the compiler may wait for us
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, messages[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, messages[1], STDERR_FILENO);
  if (!folder.empty()) posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
  sigset_t usual;
  sigemptyset(&usual);
  sigaddset(&usual, SIGPIPE);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  Started started;
  const int failure =
      posix_spawn(&started.process, arguments[0], &actions, &attributes, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  close(messages[1]);
  started.messages = messages[0];
  if (failure != 0) {
    close(messages[0]);
    throw InputError(command[0] + " can not be started: " + std::strerror(failure));
  }
  return started;
}

/// Shows what comes out of the pipe, line by line. Compilers quote names and lines of the source.
class Messages {
 public:
  explicit Messages(int pipe) : pipe_(pipe) {}
  Messages(const Messages&) = delete;
  Messages& operator=(const Messages&) = delete;
  ~Messages() {
    show(0);
    std::fputs(printable_lines(line_).c_str(), stderr);
    close(pipe_);
  }

  /// All that has come; waits up to so many milliseconds for something.
  void show(int pause) {
    pollfd ready{pipe_, POLLIN, 0};
    constexpr int short_pause = 1;  // it is about to end
    if (poll(&ready, 1, pause) > 0 && (ready.revents & POLLIN) == 0) poll(nullptr, 0, short_pause);
    char buffer[4096];
    for (ssize_t count = 0; (count = read(pipe_, buffer, sizeof buffer)) > 0;) {
      line_.append(buffer, static_cast<std::size_t>(count));
      const std::size_t end = line_.rfind('\n') + 1;  // 0 if there is none
      std::fputs(printable_lines(line_.substr(0, end)).c_str(), stderr);
      shown_ += line_.substr(0, end);
      if (shown_.size() > most_kept) shown_.erase(0, shown_.size() - most_kept);
      line_.erase(0, end);
    }
  }
  /// The last of it.
  [[nodiscard]] std::string latest() const { return shown_ + line_; }

 private:
  int pipe_;
  static constexpr std::size_t most_kept = 65'536;
  std::string line_;
  std::string shown_;
};

/// Asks the group to end, so that it removes its temporary files, and soon insists.
void end_group(pid_t child) {
  constexpr int tries = 20;
  constexpr int pause = 10;  // milliseconds
  kill(-child, SIGTERM);
  for (int i = 0; i < tries; ++i) {
    if (waitpid(child, nullptr, WNOHANG) == child) break;
    poll(nullptr, 0, pause);
  }
  kill(-child, SIGKILL);
  waitpid(child, nullptr, 0);  // fails if it has been waited for
}

}  // namespace

std::optional<Ended> run_command(const std::vector<std::string>& command, const fs::path& folder) {
  constexpr int pause = 10;  // milliseconds
  const CountInterrupts counting;
  const Started started = start(command, folder);
  Messages messages(started.messages);
  for (int status = 0;;) {
    const pid_t ended = waitpid(started.process, &status, WNOHANG);
    if (ended == started.process || (ended < 0 && errno != EINTR)) {
      messages.show(0);
      return Ended{status, messages.latest()};
    }
    if (CountInterrupts::count() > 0) {
      end_group(started.process);
      return std::nullopt;
    }
    messages.show(pause);
  }
}

}  // namespace mazurka::host
