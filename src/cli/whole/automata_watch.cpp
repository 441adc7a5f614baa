#include "cli/whole/automata_watch.hpp"

#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <thread>
#include <vector>

#include "core/check.hpp"

namespace mazurka::cli {

namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto patience = 400ms;  // with a check that was told to stop
constexpr auto glance = 10ms;     // how often the clock and the memory are looked at
constexpr auto between_reports = 100ms;
constexpr std::size_t reserve_bytes = std::size_t{8} << 20;

/// Notices signals without a handler: they are blocked, and looked for now and then.
class SignalWatch {
 public:
  SignalWatch() {
    sigemptyset(&wanted_);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&wanted_, signal);
    pthread_sigmask(SIG_BLOCK, &wanted_, &before_);
  }
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;
  ~SignalWatch() {
    while (came()) {  // the report comes first, whoever is impatient
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  [[nodiscard]] bool came() const {
    const timespec now{};
    return sigtimedwait(&wanted_, nullptr, &now) > 0;
  }

 private:
  sigset_t wanted_{};
  sigset_t before_{};
};

/// Bytes that this process really occupies. Without allocating: there may be nothing left.
std::uint64_t resident_memory() {
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  if (file == nullptr) return 0;
  unsigned long long whole = 0;
  unsigned long long resident = 0;
  const int read = std::fscanf(file, "%llu %llu", &whole, &resident);
  std::fclose(file);
  return read == 2 ? resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) : 0;
}

/// What both threads hold. It outlives this one if the check is abandoned.
struct Shared {
  SoFar so_far;
  std::mutex mutex;
  std::condition_variable finished;
  bool over = false;
  std::optional<AutomataOutcome> result;
  std::exception_ptr problem;
};

void run(const AutomataRequest& request, Shared& shared) {
  std::optional<AutomataOutcome> result;
  std::exception_ptr problem;
  try {
    result = check_automata(request, shared.so_far);
  } catch (const std::bad_alloc&) {
    shared.so_far.halt = Halt::no_memory;
  } catch (...) {
    problem = std::current_exception();
  }
  const std::lock_guard<std::mutex> guard(shared.mutex);
  MAZURKA_CHECK(!shared.over, "a check comes to its end once");
  shared.result = std::move(result);
  shared.problem = std::move(problem);
  shared.over = true;
  shared.finished.notify_one();
}

class Watch {
 public:
  Watch(const AutomataRequest& request, Shared& shared) : request_(request), shared_(shared) {}

  /// Whether the check came to an end by itself.
  bool wait(const std::function<void(SoFar&, double)>& on_progress) {
    std::unique_lock<std::mutex> lock(shared_.mutex);
    while (!shared_.finished.wait_for(lock, glance, [&] { return shared_.over; })) {
      lock.unlock();
      const Clock::time_point now = Clock::now();
      judge(now);
      if (told_ && now - told_at_ > patience) return false;
      if (far_beyond_) return false;
      if (now - reported_ > between_reports) {
        reported_ = now;
        on_progress(shared_.so_far, since_beginning(now));
      }
      lock.lock();
    }
    return true;
  }
  [[nodiscard]] double since_beginning(Clock::time_point now) const {
    return std::chrono::duration<double>(now - begun_).count();
  }

 private:
  void judge(Clock::time_point now) {
    if (signals_.came()) {
      if (told_) told_at_ = now - 2 * patience;  // twice: at once
      stop(Halt::user, now);
    }
    const double limit = request_.limits.max_seconds;
    if (limit > 0 && since_beginning(now) >= limit) stop(Halt::time, now);
    if (request_.max_memory == 0) return;
    const std::uint64_t used = resident_memory();
    if (used > request_.max_memory) stop(Halt::memory, now);
    far_beyond_ = used > request_.max_memory + request_.max_memory / 2;
  }
  void stop(Halt why, Clock::time_point now) {
    if (told_) return;
    told_ = true;
    told_at_ = now;
    shared_.so_far.halt = why;
  }

  const AutomataRequest& request_;
  Shared& shared_;
  const SignalWatch signals_;
  const Clock::time_point begun_ = Clock::now();
  Clock::time_point reported_ = begun_;
  Clock::time_point told_at_;
  bool told_ = false;
  bool far_beyond_ = false;
};

}  // namespace

WatchedCheck check_watched(const AutomataRequest& request,
                           const std::function<void(SoFar&, double)>& on_progress) {
  auto reserve = std::make_unique<std::vector<char>>(reserve_bytes);  // for the report
  const auto shared = std::make_shared<Shared>();
  Watch watch(request, *shared);  // before the thread, which inherits the blocked signals
  std::thread check([request, shared] { run(request, *shared); });
  const bool finished = watch.wait(on_progress);
  reserve.reset();
  if (finished) {
    check.join();
  } else {
    check.detach();
  }
  if (finished && shared->problem) std::rethrow_exception(shared->problem);
  if (finished && shared->result) return {std::move(*shared->result), false};
  AutomataOutcome result = abandoned(request, shared->so_far, shared->so_far.halt);
  result.outcome.seconds = watch.since_beginning(Clock::now());
  return {std::move(result), !finished};
}

}  // namespace mazurka::cli
