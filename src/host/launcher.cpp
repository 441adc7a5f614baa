#include "host/launcher.hpp"

#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "core/check.hpp"
#include "driver/file_bytes.hpp"
#include "host/child.hpp"
#include "host/descriptor.hpp"
#include "host/files.hpp"
#include "host/interrupts.hpp"
#include "host/watch.hpp"
#include "host/wire.hpp"

namespace mazurka::host {

using Clock = std::chrono::steady_clock;

namespace {

/// Anonymous memory that the child inherits as a file.
int make_memory_file(const char* name) {
  const int file = memfd_create(name, 0);
  if (file < 0) fail_with_errno("no memory file for the program under test");
  return file;
}

class SharedProgress {
 public:
  SharedProgress() : file_(make_memory_file("mazurka-progress")) {
    if (ftruncate(file_.get(), sizeof(Progress)) != 0)
      fail_with_errno("no shared memory for the progress");
    void* memory =
        mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED, file_.get(), 0);
    if (memory == MAP_FAILED) fail_with_errno("no shared memory for the progress");
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

/// Two ends of a line on which the child asks and tells; none if nobody would answer.
struct Line {
  Descriptor own;
  Descriptor childs;
  explicit Line(bool wanted) {
    int ends[2];
    if (!wanted) return;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) fail_with_errno("no socket");
    constexpr timeval long_enough{10, 0};  // for the rest of what it has begun to say
    setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &long_enough, sizeof long_enough);
    own.reset(ends[0]);
    childs.reset(ends[1]);
  }
};

void read_progress(const Progress& progress, LaunchResult& result) {
  result.statistics.executions = progress.executions;
  result.statistics.asleep = progress.asleep;
  result.statistics.events = progress.events;
  result.statistics.deepest = progress.depth;
  result.statistics.explored = progress.explored;
  const std::uint32_t known = std::max(progress.schedule_size.load(), progress.position.load());
  const std::uint32_t size = std::min(known, Progress::max_schedule);
  static_assert(
      std::atomic<std::uint64_t>::is_always_lock_free && std::atomic<double>::is_always_lock_free,
      "counters in shared memory are read without a lock of one process");
  result.saves = progress.saves;
  result.telling = progress.telling != 0;
  result.walking = progress.walking != 0;
  result.confined = progress.confined != 0;
  result.schedule.assign(progress.schedule, progress.schedule + size);
}

std::optional<Clock::time_point> deadline_of(const Launch& launch, Clock::time_point begun) {
  if (launch.slice.count() > 0) {
    const Clock::time_point end = begun + launch.slice;
    return launch.deadline ? std::min(*launch.deadline, end) : end;
  }
  if (launch.deadline || launch.request.limits.max_seconds <= 0) return launch.deadline;
  return begun + std::chrono::duration_cast<Clock::duration>(
                     std::chrono::duration<double>(launch.request.limits.max_seconds));
}

/// Whether the child has told all that it had to tell.
bool take_reply(const Launch& launch, const std::vector<std::byte>& bytes, int status,
                LaunchResult& result) {
  if (bytes.empty()) return false;
  MAZURKA_CHECK(WIFEXITED(status) || WIFSIGNALED(status), "a reply is taken of a child that ended");
  try {
    result.reply = decode_last_reply(bytes);
  } catch (const WireError& error) {
    if (WIFSIGNALED(status)) return false;
    throw InputError(launch.binary.string() + " answered, but " + error.what());
  }
  // It was told to stop, and not why.
  const bool late = result.by_time && !result.by_user;
  if (late && result.reply.stopped == Stop::interrupted) result.reply.stopped = Stop::max_seconds;
  return !WIFSIGNALED(status) && !result.reply.draft;
}

/// A check of the process that explores has failed: nothing else that it has said counts.
bool take_failed_check(const Progress& progress, LaunchResult& result) {
  if (progress.failed_check == 0) return false;
  const std::string text(progress.failed_check_text,
                         strnlen(progress.failed_check_text, failed_check_text_size));
  result.reply = {};
  result.reply.error = text.empty() ? "internal error: a check failed" : text;
  return true;
}

void tell_fate(const Watch& watch, int status, LaunchResult& result) {
  if (watch.killed()) {
    result.fate = watch.killed_as();
  } else if (WIFSIGNALED(status)) {
    result.fate = Fate::killed;
    result.signal = WTERMSIG(status);
  } else {
    result.fate = Fate::exited;
    result.exit_code = WEXITSTATUS(status);
  }
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
  if (!write_bytes(request.get(), encode(asked))) fail_with_errno("the request can not be written");
  lseek(request.get(), 0, SEEK_SET);

  Line races(asks(launch.request.checks) && launch.on_race != nullptr);
  Line files(sends_files(launch.request));
  const std::array passed_on{request.get(), reply.get(), progress.file(), races.childs.get(),
                             files.childs.get()};
  const std::vector<std::string> environment =
      child_environment(passed_on[0], passed_on[1], passed_on[2], passed_on[3], passed_on[4]);
  const pid_t child = start_child(launch, environment, passed_on);
  races.childs.reset();  // so that its end is noticed
  files.childs.reset();
  Watch watch(launch, deadline, child, *progress, {races.own.get(), files.own.get()});
  const int status = watch.wait();

  LaunchResult result;
  result.seconds = std::chrono::duration<double>(Clock::now() - begun).count();
  result.by_user = watch.by_user();
  result.by_memory = watch.by_memory();
  result.by_time = watch.by_time();
  read_progress(*progress, result);
  if (take_failed_check(*progress, result)) return result;
  if (!take_reply(launch, read_bytes(reply.get()), status, result))
    tell_fate(watch, status, result);
  return result;
}

}  // namespace mazurka::host
