#include "host/channel.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <utility>

#include "core/check.hpp"
#include "driver/file_bytes.hpp"
#include "host/wire.hpp"

namespace mazurka::host {

namespace {

int descriptor(const char* variable) {
  const char* text = std::getenv(variable);
  return text == nullptr ? -1 : static_cast<int>(std::strtol(text, nullptr, 10));
}

Progress* told_of_failed_checks = nullptr;

}  // namespace

// The first check that fails counts: what other threads notice follows from it.
void hand_on_failed_check(const char* text) {
  Progress& progress = *told_of_failed_checks;
  std::uint32_t none = 0;
  if (progress.failed_check.compare_exchange_strong(none, 1)) {
    std::size_t at = 0;
    for (; at + 1 < failed_check_text_size && text[at] != '\0'; ++at) {
      progress.failed_check_text[at] = text[at];
    }
    progress.failed_check_text[at] = '\0';
    progress.failed_check = 2;
  }
}

std::optional<Channel> inherited_channel() {
  const Channel channel{descriptor(request_variable), descriptor(reply_variable),
                        descriptor(progress_variable), descriptor(races_variable),
                        descriptor(files_variable)};
  if (channel.request < 0 || channel.reply < 0) return std::nullopt;
  return channel;
}

void forget_channel() {
  for (const char* variable :
       {request_variable, reply_variable, progress_variable, races_variable, files_variable}) {
    unsetenv(variable);
  }
}

Request Channel::receive() const {
  Request received = decode_request(read_bytes(request));
  lseek(request, 0, SEEK_SET);  // a file, not a pipe: a debugger may run the program again
  return received;
}

Progress& Channel::map_progress() const {
  constexpr int access = PROT_READ | PROT_WRITE;
  void* memory = MAP_FAILED;
  if (progress >= 0) memory = mmap(nullptr, sizeof(Progress), access, MAP_SHARED, progress, 0);
  if (memory == MAP_FAILED) {
    memory = mmap(nullptr, sizeof(Progress), access, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  }
  return *static_cast<Progress*>(memory);
}

void Channel::withdraw() {
  constexpr int far_away = 800;
  close(request);
  if (progress >= 0) close(progress);
  request = progress = -1;
  for (int* kept : {&reply, &races, &files}) {
    const int moved = fcntl(*kept, F_DUPFD_CLOEXEC, far_away);
    if (moved < 0) continue;  // there is none, or there is a limit
    close(*kept);
    *kept = moved;
  }
}

/// Requires: somebody asks (inherited_channel).
void Channel::send(const Reply& answer) const {
  MAZURKA_CHECK(reply >= 0, "there is a place for the reply");
  std::fflush(nullptr);
  (void)!ftruncate(reply, sent);  // whatever the program may have written there
  lseek(reply, sent, SEEK_SET);
  const std::vector<std::byte> bytes = encode(answer);
  // The front process notices if nothing comes.
  if (write_bytes(reply, bytes)) sent += static_cast<off_t>(bytes.size());
}

void silence_program() {
  const int nowhere = open("/dev/null", O_WRONLY);
  if (nowhere < 0) return;
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  close(nowhere);
}

void hand_on_failed_checks(Progress& progress) {
  told_of_failed_checks = &progress;
  on_failed_check(hand_on_failed_check);
}

bool FrontProcess::wants_end() const {
  return progress_.interrupt.load(std::memory_order_relaxed) != 0;
}

void FrontProcess::performed(const Session& session, const Execution& execution) {
  const Statistics& now = session.statistics();
  progress_.executions.store(now.executions, std::memory_order_relaxed);
  progress_.asleep.store(now.asleep, std::memory_order_relaxed);
  progress_.events.store(now.events, std::memory_order_relaxed);
  progress_.depth.store(execution.size(), std::memory_order_relaxed);
  progress_.explored.store(now.explored, std::memory_order_relaxed);
  const std::uint64_t begun = progress_.begun.load(std::memory_order_relaxed);
  Progress::Latest& latest = progress_.latest[begun % Progress::most_latest];
  MAZURKA_CHECK(now.transitions >= transitions_, "what was performed stays counted");
  const std::uint64_t fresh = now.transitions - std::exchange(transitions_, now.transitions);
  latest.shared.store(static_cast<std::uint32_t>(execution.size() - fresh),
                      std::memory_order_relaxed);
  latest.events.store(static_cast<std::uint32_t>(execution.size()), std::memory_order_relaxed);
  latest.ending.store(execution.ending, std::memory_order_relaxed);
  progress_.begun.store(begun + 1, std::memory_order_release);
  performed_beside();
}

// No execution is under way now.
void FrontProcess::performed_beside() { progress_.position.store(0, std::memory_order_relaxed); }

void FrontProcess::walks(bool walking) {
  progress_.walking.store(walking ? 1 : 0, std::memory_order_relaxed);
  if (!walking) performed_beside();
}

void FrontProcess::expects(double executions) {
  progress_.at_least.store(executions, std::memory_order_relaxed);
}

void FrontProcess::saved() { progress_.saves.fetch_add(1, std::memory_order_relaxed); }

std::uint64_t peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

}  // namespace mazurka::host
