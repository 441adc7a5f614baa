#include "host/watch.hpp"

#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <fstream>
#include <iterator>
#include <string>

#include "core/check.hpp"
#include "driver/file_bytes.hpp"
#include "host/files.hpp"
#include "host/interrupts.hpp"
#include "host/wire.hpp"

namespace mazurka::host {

namespace {

/// Bytes of memory that the process really occupies; 0 if that is not known.
std::uint64_t resident_memory(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/statm");
  std::uint64_t whole = 0;
  std::uint64_t resident = 0;
  if (!(file >> whole >> resident)) return 0;
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace

Watch::Watch(const Launch& launch, std::optional<Clock::time_point> deadline, pid_t child,
             Progress& progress, Lines lines)
    : launch_(launch),
      deadline_(deadline),
      child_(child),
      progress_(progress),
      lines_(lines),
      files_(launch.request) {
#ifdef SYS_pidfd_open
  pidfd_.reset(static_cast<int>(syscall(SYS_pidfd_open, child, 0)));
#endif
}

int Watch::wait() {
  int status = 0;
  while (true) {
    const pid_t ended = waitpid(child_, &status, WNOHANG);
    if (ended == child_) return status;
    if (ended < 0 && errno != EINTR) fail_with_errno("the program under test is lost");
    const Clock::time_point now = Clock::now();
    judge(now);
    if (launch_.on_progress && now >= next_progress_) {
      launch_.on_progress(progress_);
      next_progress_ = now + std::chrono::milliseconds(200);
    }
    doze();
  }
}

void Watch::judge(Clock::time_point now) {
  if (CountInterrupts::count() >= 1) {
    by_user_ = true;
    ask_to_stop(now);
  }
  if (CountInterrupts::count() >= 2) end_child(Fate::interrupted);
  if (launch_.wants_end && launch_.wants_end(progress_)) ask_to_stop(now);
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

// The search itself may have grown: it can be asked to stop. One execution that takes more and
// more is not listening.
void Watch::judge_memory(Clock::time_point now) {
  const std::uint64_t used = resident_memory(child_);
  if (used <= launch_.max_memory) return;
  by_memory_ = true;
  ask_to_stop(now);
  const bool far_beyond = used > launch_.max_memory + launch_.max_memory / 2;
  if (far_beyond || now - asked_at_ > std::chrono::seconds(1)) end_child(Fate::out_of_memory);
}

void Watch::ask_to_stop(Clock::time_point now) {
  if (asked_) return;
  MAZURKA_CHECK(!killed_, "who was killed is not asked any more");
  asked_ = true;
  asked_at_ = now;
  progress_.interrupt = 1;
}

void Watch::end_child(Fate fate) {
  MAZURKA_CHECK(child_ > 0 && fate != Fate::replied && fate != Fate::exited,
                "only a child is killed, and has not ended by itself");
  if (killed_) return;
  killed_ = true;
  killed_as_ = fate;
  kill(child_, SIGKILL);
}

// Until the child ends, a signal arrives, or it is time to look again.
void Watch::doze() {
  int pause = launch_.on_progress || launch_.wants_end || asked_ || deadline_ ? 50 : 100;
  if (launch_.max_memory > 0) pause = 10;
  if (pidfd_.get() < 0) pause = 5;
  pollfd events[] = {
      {pidfd_.get(), POLLIN, 0}, {lines_.races, POLLIN, 0}, {lines_.files, POLLIN, 0}};
  if (poll(events, std::size(events), pause) <= 0) return;
  if (events[1].revents != 0) answer_question();
  if (events[2].revents != 0 && !files_.receive(lines_.files)) lines_.files = -1;
}

void Watch::answer_question() {
  const auto question = receive_message(lines_.races);
  if (!question) {  // the child is gone
    lines_.races = -1;
    return;
  }
  (void)send_message(lines_.races, encode(launch_.on_race(decode_question(*question))));
}

}  // namespace mazurka::host
