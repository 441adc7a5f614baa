#include "host/child.hpp"

#include <fcntl.h>
#include <linux/close_range.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <string_view>

#include "core/check.hpp"
#include "host/authority.hpp"
#include "host/descriptor.hpp"
#include "host/files.hpp"

namespace mazurka::host {

namespace {

/// What else we or our callers have open is none of the program's business.
void leave_only(std::span<const int> passed_on) {
  close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
  for (const int file : passed_on) {
    if (file >= 0) fcntl(file, F_SETFD, 0);
  }
}

/// Between vfork and exec: changes nothing in memory but what was made for it. Reports a failed
/// exec through `failure`, which exec closes.
[[noreturn]] void become_program(const Launch& launch, const OnlyProgram& program,
                                 Authority& authority, pid_t parent, int failure,
                                 std::span<const int> passed_on) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  // Whoever reads what is replayed may stop reading; that is none of the program's failures.
  signal(SIGPIPE, launch.request.task == Task::replay ? SIG_IGN : SIG_DFL);
  const int persona = personality(0xffffffff);
  if (persona >= 0) personality(static_cast<unsigned long>(persona) | ADDR_NO_RANDOMIZE);
  // Input would be consumed by the first execution and missing in the next.
  const int empty = open("/dev/null", O_RDONLY);
  if (empty >= 0) dup2(empty, STDIN_FILENO);
  if (launch.output_to_stderr) dup2(STDERR_FILENO, STDOUT_FILENO);
  if (launch.discard_output) {
    const int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
  }
  leave_only(passed_on);
  authority.give_up();
  execve(program.path, program.arguments, program.environment);
  const int error = errno;
  [[maybe_unused]] const ssize_t written = write(failure, &error, sizeof error);
  _exit(127);
}

/// The libraries are found where Mazurka is here, not where it was when the program was linked.
std::string library_folders(const Launch& launch) {
  const Installation installed = find_installation();
  const std::string usual = installed.runtime.parent_path().string();
  // The runtime of programs of MPI has the name of the usual one.
  const bool of_mpi = launch.request.checks.ranks > 0;
  return of_mpi ? installed.mpi.parent_path().string() + ":" + usual : usual;
}

std::vector<std::string> bare_environment(const Launch& launch, std::vector<std::string> added) {
  added.emplace_back("PATH=/usr/local/bin:/usr/bin:/bin");
  added.emplace_back("LANG=C.UTF-8");
  added.push_back("LD_LIBRARY_PATH=" + library_folders(launch));
  return added;
}

}  // namespace

std::vector<std::string> child_environment(int request, int reply, int progress, int races,
                                           int files) {
  return {std::string(request_variable) + "=" + std::to_string(request),
          std::string(reply_variable) + "=" + std::to_string(reply),
          std::string(progress_variable) + "=" + std::to_string(progress),
          std::string(races_variable) + "=" + std::to_string(races),
          std::string(files_variable) + "=" + std::to_string(files),
          "LD_BIND_NOW=1"};
}

namespace {

/// Names a file that GoogleTest writes at the beginning: it means the run that the user has begun.
bool is_about_a_run(std::string_view variable) {
  return variable == "TEST_PREMATURE_EXIT_FILE=" || variable == "GTEST_SHARD_STATUS_FILE=";
}

}  // namespace

std::vector<std::string> with_environment(const std::vector<std::string>& added) {
  std::vector<std::string> all = added;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view variable = *entry;
    const auto name = variable.substr(0, variable.find('=') + 1);
    if (is_about_a_run(name)) continue;
    if (std::none_of(added.begin(), added.end(),
                     [&](const std::string& own) { return own.starts_with(name); })) {
      all.emplace_back(variable);
    }
  }
  return all;
}

std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> result;
  for (const std::string& word : words) result.push_back(const_cast<char*>(word.c_str()));
  result.push_back(nullptr);
  MAZURKA_CHECK(result.size() == words.size() + 1, "a null pointer follows the last word");
  return result;
}

pid_t start_child(const Launch& launch, const std::vector<std::string>& environment,
                  std::span<const int> passed_on) {
  int failure[2];
  if (pipe2(failure, O_CLOEXEC) != 0) fail_with_errno("no pipe");
  const Descriptor failure_read(failure[0]);
  Descriptor failure_write(failure[1]);

  MAZURKA_CHECK(!launch.binary.empty(), "a program is started that has a name");
  std::vector<std::string> words{launch.binary.string()};
  words.insert(words.end(), launch.arguments.begin(), launch.arguments.end());
  const std::vector<char*> arguments = pointers(words);
  const std::vector<std::string> variables =
      launch.bare ? bare_environment(launch, environment) : with_environment(environment);
  const std::vector<char*> variable_pointers = pointers(variables);

  const OnlyProgram program{launch.binary.c_str(), arguments.data(), variable_pointers.data()};
  Authority authority(program);
  const pid_t parent = getpid();
  const pid_t child = vfork();  // NOLINT: nothing that we have is copied only to be thrown away
  if (child < 0) fail_with_errno("the program under test can not be started");
  if (child == 0) {
    become_program(launch, program, authority, parent, failure_write.get(), passed_on);
  }
  setpgid(child, child);
  failure_write.reset();
  int error = 0;
  ssize_t count = 0;
  while ((count = read(failure_read.get(), &error, sizeof error)) < 0 && errno == EINTR) {
  }
  if (count > 0) {
    waitpid(child, nullptr, 0);
    errno = error;
    fail_with_errno(launch.binary.string() + " can not be started");
  }
  return child;
}

}  // namespace mazurka::host
