#include "programs/threads/host/launcher.hpp"

#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "core/shown_text.hpp"
#include "driver/file_bytes.hpp"
#include "programs/threads/host/files.hpp"
#include "programs/threads/host/interrupts.hpp"
#include "programs/threads/wire.hpp"

namespace mazurka::threads {

using Clock = std::chrono::steady_clock;

namespace {

[[noreturn]] void fail(const std::string& what) {
  throw InputError(what + ": " + std::strerror(errno));
}

class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { reset(); }
  void reset(int number = -1) {
    if (number_ >= 0) close(number_);
    number_ = number;
  }
  [[nodiscard]] int get() const { return number_; }

 private:
  int number_;
};

/// Anonymous memory that the child inherits as a file.
int make_memory_file(const char* name) {
  const int file = memfd_create(name, 0);
  if (file < 0) fail("no memory file for the program under test");
  return file;
}

class SharedProgress {
 public:
  SharedProgress() : file_(make_memory_file("mazurka-progress")) {
    if (ftruncate(file_.get(), sizeof(Progress)) != 0) fail("no shared memory for the progress");
    void* memory =
        mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED, file_.get(), 0);
    if (memory == MAP_FAILED) fail("no shared memory for the progress");
    // The counters begin at zero, as fresh memory does: the pages of the schedule stay untouched.
    progress_ = static_cast<Progress*>(memory);
  }
  SharedProgress(const SharedProgress&) = delete;
  SharedProgress& operator=(const SharedProgress&) = delete;
  ~SharedProgress() { munmap(progress_, sizeof(Progress)); }

  [[nodiscard]] int file() const { return file_.get(); }
  Progress& operator*() const { return *progress_; }
  Progress* operator->() const { return progress_; }

 private:
  Descriptor file_;
  Progress* progress_ = nullptr;
};

std::vector<std::string> child_environment(int request, int reply, int progress, int races = -1) {
  return {std::string(request_variable) + "=" + std::to_string(request),
          std::string(reply_variable) + "=" + std::to_string(reply),
          std::string(progress_variable) + "=" + std::to_string(progress),
          std::string(races_variable) + "=" + std::to_string(races), "LD_BIND_NOW=1"};
}

/// What else we or our callers have open is none of the program's business.
void leave_only(std::span<const int> passed_on) {
  close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
  for (const int file : passed_on) {
    if (file >= 0) fcntl(file, F_SETFD, 0);
  }
}

/// Two ends of a line on which the child asks about races; none if nobody would answer.
struct RaceLine {
  Descriptor own;
  Descriptor childs;
  explicit RaceLine(bool wanted) {
    int ends[2];
    if (!wanted) return;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) fail("no socket");
    own.reset(ends[0]);
    childs.reset(ends[1]);
  }
};

/// Between fork and exec. Reports a failed exec through `failure`, which exec closes.
[[noreturn]] void become_program(const Launch& launch, std::span<char* const> arguments,
                                 std::span<char* const> environment, pid_t parent, int failure,
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
  execve(launch.binary.c_str(), arguments.data(), environment.data());
  const int error = errno;
  [[maybe_unused]] const ssize_t written = write(failure, &error, sizeof error);
  _exit(127);
}

std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> result;
  for (const std::string& word : words) result.push_back(const_cast<char*>(word.c_str()));
  result.push_back(nullptr);
  return result;
}

std::vector<std::string> with_environment(const std::vector<std::string>& added) {
  std::vector<std::string> all = added;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view variable = *entry;
    const auto name = variable.substr(0, variable.find('=') + 1);
    if (std::none_of(added.begin(), added.end(),
                     [&](const std::string& own) { return own.starts_with(name); })) {
      all.emplace_back(variable);
    }
  }
  return all;
}

pid_t start(const Launch& launch, const std::vector<std::string>& environment,
            std::span<const int> passed_on) {
  int failure[2];
  if (pipe2(failure, O_CLOEXEC) != 0) fail("no pipe");
  const Descriptor failure_read(failure[0]);
  Descriptor failure_write(failure[1]);

  std::vector<std::string> words{launch.binary.string()};
  words.insert(words.end(), launch.arguments.begin(), launch.arguments.end());
  const std::vector<char*> arguments = pointers(words);
  const std::vector<std::string> variables = with_environment(environment);
  const std::vector<char*> variable_pointers = pointers(variables);

  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) fail("the program under test can not be started");
  if (child == 0) {
    become_program(launch, arguments, variable_pointers, parent, failure_write.get(), passed_on);
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
    fail(launch.binary.string() + " can not be started");
  }
  return child;
}

/// Bytes of memory that the process really occupies; 0 if that is not known.
std::uint64_t resident_memory(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/statm");
  std::uint64_t whole = 0;
  std::uint64_t resident = 0;
  if (!(file >> whole >> resident)) return 0;
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

/// Waits for the child, advises it to stop when the user or its time demands so, and kills it when
/// it does not listen.
class Watch {
 public:
  Watch(const Launch& launch, std::optional<Clock::time_point> deadline, pid_t child,
        Progress& progress, int races)
      : launch_(launch), deadline_(deadline), child_(child), progress_(progress), races_(races) {
#ifdef SYS_pidfd_open
    pidfd_.reset(static_cast<int>(syscall(SYS_pidfd_open, child, 0)));
#endif
  }

  /// Returns the child's wait status.
  int wait() {
    int status = 0;
    while (true) {
      const pid_t ended = waitpid(child_, &status, WNOHANG);
      if (ended == child_) return status;
      if (ended < 0 && errno != EINTR) fail("the program under test is lost");
      const Clock::time_point now = Clock::now();
      judge(now);
      if (launch_.on_progress && now >= next_progress_) {
        launch_.on_progress(progress_);
        next_progress_ = now + std::chrono::milliseconds(200);
      }
      doze();
    }
  }

  [[nodiscard]] bool killed() const { return killed_; }
  [[nodiscard]] Fate killed_as() const { return killed_as_; }
  [[nodiscard]] bool by_user() const { return by_user_; }
  [[nodiscard]] bool by_memory() const { return by_memory_; }
  [[nodiscard]] bool by_time() const { return by_time_; }

 private:
  void judge(Clock::time_point now) {
    if (CountInterrupts::count() >= 1) {
      by_user_ = true;
      ask_to_stop(now);
    }
    if (CountInterrupts::count() >= 2) end_child(Fate::interrupted);
    if (launch_.max_memory > 0) judge_memory(now);
    if (deadline_ && now > *deadline_) {  // the child knows it, too; it may not come to look
      by_time_ = true;
      ask_to_stop(now);
      if (now > *deadline_ + launch_.grace) end_child(Fate::unresponsive);
    }
    const std::uint64_t sign = progress_.executions + progress_.asleep + progress_.events +
                               progress_.position + progress_.schedule_size;
    if (sign != last_sign_) {
      last_sign_ = sign;
      last_advance_ = now;
    }
    const std::chrono::duration<double> stall(launch_.request.stall_seconds);
    if (now - last_advance_ > launch_.silence + stall) ask_to_stop(now);
    if (asked_ && now - asked_at_ > launch_.patience) end_child(Fate::unresponsive);
  }

  /// The search itself may have grown: it can be asked to stop. One execution that takes more and
  /// more is not listening.
  void judge_memory(Clock::time_point now) {
    const std::uint64_t used = resident_memory(child_);
    if (used <= launch_.max_memory) return;
    by_memory_ = true;
    ask_to_stop(now);
    const bool far_beyond = used > launch_.max_memory + launch_.max_memory / 2;
    if (far_beyond || now - asked_at_ > std::chrono::seconds(1)) end_child(Fate::out_of_memory);
  }

  void ask_to_stop(Clock::time_point now) {
    if (asked_) return;
    asked_ = true;
    asked_at_ = now;
    progress_.interrupt = 1;
  }

  void end_child(Fate fate) {
    if (killed_) return;
    killed_ = true;
    killed_as_ = fate;
    kill(child_, SIGKILL);
  }

  /// Until the child ends, a signal arrives, or it is time to look again.
  void doze() {
    int pause = launch_.on_progress || asked_ || deadline_ ? 50 : 100;
    if (launch_.max_memory > 0) pause = 10;
    if (pidfd_.get() < 0) pause = 5;
    pollfd events[2] = {{pidfd_.get(), POLLIN, 0}, {races_, POLLIN, 0}};  // negative: none
    if (poll(events, 2, pause) > 0 && events[1].revents != 0) answer_question();
  }

  void answer_question() {
    const auto question = receive_message(races_);
    if (!question) {  // the child is gone
      races_ = -1;
      return;
    }
    (void)send_message(races_, encode(launch_.on_race(decode_question(*question))));
  }

  const Launch& launch_;
  std::optional<Clock::time_point> deadline_;
  pid_t child_;
  Progress& progress_;
  int races_;
  Descriptor pidfd_;
  Clock::time_point begun_ = Clock::now();
  Clock::time_point next_progress_ = begun_ + std::chrono::milliseconds(200);
  Clock::time_point last_advance_ = begun_;
  std::uint64_t last_sign_ = 0;
  bool asked_ = false;
  Clock::time_point asked_at_;
  bool killed_ = false;
  Fate killed_as_ = Fate::unresponsive;
  bool by_user_ = false;
  bool by_memory_ = false;
  bool by_time_ = false;
};

void read_progress(const Progress& progress, LaunchResult& result) {
  result.statistics.executions = progress.executions;
  result.statistics.asleep = progress.asleep;
  result.statistics.events = progress.events;
  result.statistics.deepest = progress.depth;
  result.statistics.explored = progress.explored;
  const std::uint32_t known = std::max(progress.schedule_size.load(), progress.position.load());
  const std::uint32_t size = std::min(known, Progress::max_schedule);
  result.saves = progress.saves;
  result.telling = progress.telling != 0;
  result.walking = progress.walking != 0;
  result.schedule.assign(progress.schedule, progress.schedule + size);
}

std::optional<Clock::time_point> deadline_of(const Launch& launch, Clock::time_point begun) {
  if (launch.deadline || launch.request.limits.max_seconds <= 0) return launch.deadline;
  return begun + std::chrono::duration_cast<Clock::duration>(
                     std::chrono::duration<double>(launch.request.limits.max_seconds));
}

}  // namespace

LaunchResult launch(const Launch& launch) {
  const Descriptor request(make_memory_file("mazurka-request"));
  const Descriptor reply(make_memory_file("mazurka-reply"));
  const SharedProgress progress;
  const CountInterrupts counting;
  const Clock::time_point begun = Clock::now();
  Request asked = launch.request;
  const std::optional<Clock::time_point> deadline = deadline_of(launch, begun);
  if (deadline) {
    constexpr double next_to_nothing = 0.001;  // 0 would be no limit
    const std::chrono::duration<double> left = *deadline - begun;
    asked.limits.max_seconds = std::max(left.count(), next_to_nothing);
  }
  if (!write_bytes(request.get(), encode(asked))) fail("the request can not be written");
  lseek(request.get(), 0, SEEK_SET);

  RaceLine races(!launch.request.checks.suppressions.empty() && launch.on_race != nullptr);
  const std::array passed_on{request.get(), reply.get(), progress.file(), races.childs.get()};
  const std::vector<std::string> environment =
      child_environment(passed_on[0], passed_on[1], passed_on[2], passed_on[3]);
  const pid_t child = start(launch, environment, passed_on);
  races.childs.reset();  // so that its end is noticed
  Watch watch(launch, deadline, child, *progress, races.own.get());
  const int status = watch.wait();

  LaunchResult result;
  result.seconds = std::chrono::duration<double>(Clock::now() - begun).count();
  result.by_user = watch.by_user();
  result.by_memory = watch.by_memory();
  result.by_time = watch.by_time();
  read_progress(*progress, result);
  const std::vector<std::byte> bytes = read_bytes(reply.get());
  if (!bytes.empty()) {
    try {
      result.reply = decode_last_reply(bytes);
      // It was told to stop, and not why.
      const bool late = result.by_time && !result.by_user;
      if (late && result.reply.stopped == Stop::interrupted) {
        result.reply.stopped = Stop::max_seconds;
      }
      if (!WIFSIGNALED(status) && !result.reply.draft) return result;
    } catch (const WireError& error) {
      if (!WIFSIGNALED(status)) {
        throw InputError(launch.binary.string() + " answered, but " + error.what());
      }
    }
  }
  if (watch.killed()) {
    result.fate = watch.killed_as();
  } else if (WIFSIGNALED(status)) {
    result.fate = Fate::killed;
    result.signal = WTERMSIG(status);
  } else {
    result.fate = Fate::exited;
    result.exit_code = WEXITSTATUS(status);
  }
  return result;
}

// ------------------------------------------------------------------------------------------------

DebugCommand debug_command(const Launch& launch, const std::filesystem::path& folder,
                           const std::string& name) {
  DebugCommand debug;
  debug.request = folder / (name + ".request");
  debug.progress = folder / (name + ".progress");
  const std::vector<std::byte> bytes = encode(launch.request);
  write_text(debug.request, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  write_text(debug.progress, "");
  std::filesystem::resize_file(debug.progress, sizeof(Progress));  // sparse

  debug.environment = child_environment(3, 4, 5);
  // Without a shell in between, the program inherits the files and gets the same addresses.
  debug.command = {"gdb", "-q"};
  const std::vector<std::string> commands{"set startup-with-shell off",
                                          "set breakpoint pending on",
                                          "break mazurka_failure",
                                          "break mazurka_waits",
                                          "run",
                                          "backtrace"};
  for (const std::string& one : commands) {
    debug.command.insert(debug.command.end(), {"-ex", one});
  }
  debug.command.insert(debug.command.end(), {"--args", launch.binary.string()});
  debug.command.insert(debug.command.end(), launch.arguments.begin(), launch.arguments.end());
  return debug;
}

std::string DebugCommand::text() const {
  std::string line;
  for (const std::string& variable : environment) line += variable + " ";
  for (const std::string& word : command) line += shell_word(word) + " ";
  return line + "3<" + shell_word(request.string()) + " 4>/dev/null 5<>" +
         shell_word(progress.string());
}

void DebugCommand::run() const {
  const int files[3] = {open(request.c_str(), O_RDONLY), open("/dev/null", O_WRONLY),
                        open(progress.c_str(), O_RDWR)};
  // First out of the way, then to the numbers that the environment names.
  int moved[3];
  for (int i = 0; i < 3; ++i) {
    if (files[i] < 0) fail("the debugger's files can not be opened");
    moved[i] = fcntl(files[i], F_DUPFD, 10);
    close(files[i]);
  }
  for (int i = 0; i < 3; ++i) {
    dup2(moved[i], 3 + i);
    close(moved[i]);
  }
  const std::vector<std::string> variables = with_environment(environment);
  const std::vector<char*> variable_pointers = pointers(variables);
  const std::vector<char*> arguments = pointers(command);
  execvpe(arguments[0], arguments.data(), variable_pointers.data());
  fail("gdb can not be started (install gdb, or see the command with --print)");
}

}  // namespace mazurka::threads
