// The C preprocessor, as a program of its own: what Promela means by #define, #include and #if is
// what the C preprocessor does.
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <vector>

#include "programs/promela/lexer.hpp"

namespace mazurka::promela {

namespace {

struct Pipe {
  Pipe() {
    if (pipe2(ends.data(), O_CLOEXEC) != 0) throw NetworkError("there are no more descriptors");
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    close(ends[0]);
    close_writing();
  }
  void close_writing() {
    if (ends[1] >= 0) close(ends[1]);
    ends[1] = -1;
  }
  std::array<int, 2> ends{-1, -1};
};

/// What comes out of both pipes until they are closed.
void drain(Pipe& output, std::string& text, Pipe& errors, std::string& complaints) {
  std::array<pollfd, 2> waiting{{{.fd = output.ends[0], .events = POLLIN, .revents = 0},
                                 {.fd = errors.ends[0], .events = POLLIN, .revents = 0}}};
  std::array<char, 4096> buffer{};
  while (waiting[0].fd >= 0 || waiting[1].fd >= 0) {
    if (poll(waiting.data(), waiting.size(), -1) < 0 && errno != EINTR) return;
    for (std::size_t at = 0; at < waiting.size(); ++at) {
      if (waiting[at].fd < 0 || waiting[at].revents == 0) continue;
      const ssize_t size = read(waiting[at].fd, buffer.data(), buffer.size());
      if (size <= 0) waiting[at].fd = -1;
      if (size > 0) (at == 0 ? text : complaints).append(buffer.data(), std::size_t(size));
    }
  }
}

std::string run_preprocessor(const std::string& file) {
  Pipe output;
  Pipe errors;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, output.ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, errors.ends[1], STDERR_FILENO);
  const std::string source = file.starts_with('-') ? "./" + file : file;
  std::vector<std::string> words{"cpp", "-xc", "-undef", "-nostdinc", "-w", source};
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t process = -1;
  const int failure = posix_spawnp(&process, "cpp", &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failure != 0) {
    throw NetworkError(file + " has preprocessor directives, and cpp can not be started (" +
                       std::strerror(failure) + "): install a C compiler");
  }
  output.close_writing();
  errors.close_writing();
  std::string text;
  std::string complaints;
  drain(output, text, errors, complaints);
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  if (status != 0) throw NetworkError("the C preprocessor refuses " + file + ":\n" + complaints);
  return text;
}

bool has_directives(const std::string& text) {
  for (std::size_t at = text.find('#'); at != std::string::npos; at = text.find('#', at + 1)) {
    const std::size_t begin = text.find_last_of('\n', at) + 1;
    if (text.find_first_not_of(" \t", begin) == at) return true;
  }
  return false;
}

}  // namespace

std::string preprocessed(const std::string& file) {
  std::ifstream input(file, std::ios::binary);
  if (!input) throw NetworkError(file + " can not be read: " + std::strerror(errno));
  std::ostringstream text;
  text << input.rdbuf();
  if (!has_directives(text.str())) return text.str();
  return run_preprocessor(file);
}

}  // namespace mazurka::promela
