#include "host/slice.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <system_error>

#include "core/check.hpp"
#include "driver/explored.hpp"
#include "host/files.hpp"
#include "host/ownership.hpp"

namespace mazurka::host {

namespace fs = std::filesystem;

namespace {

// A process is asked to stop when its slice is over, and does so after the execution under way.
constexpr std::chrono::seconds long_execution{60};
constexpr const char* folder_prefix = "mazurka-jobs-";
constexpr const char* lock_name = "lock";

/// -1: somebody has it, or it is not there.
int lock_of(const fs::path& file, int flags) {
  const int lock = open(file.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | flags, 0600);
  if (lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0) return lock;
  if (lock >= 0) close(lock);
  return -1;
}

/// Nobody ever sees the lock of a folder in use open: it has its name when it is held.
int hold(const fs::path& folder) {
  const fs::path unnamed = folder / "lock.new";
  const int lock = lock_of(unnamed, O_CREAT | O_EXCL);
  if (lock < 0) fail_with_errno("no lock in " + folder.string());
  fs::rename(unnamed, folder / lock_name);
  return lock;
}

void remove_abandoned(const fs::path& parent) {
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(parent, ignored)) {
    const fs::path& folder = entry.path();
    if (!folder.filename().string().starts_with(folder_prefix)) continue;
    if (!why_foreign(folder).empty()) continue;
    const int lock = lock_of(folder / lock_name, 0);
    if (lock < 0) continue;  // in use; or made a moment ago, and without a lock yet
    fs::remove_all(folder, ignored);
    close(lock);
  }
}

}  // namespace

SliceFolder::SliceFolder() {
  const fs::path parent = fs::temp_directory_path();
  remove_abandoned(parent);
  std::string name = (parent / (std::string(folder_prefix) + "XXXXXX")).string();
  if (mkdtemp(name.data()) == nullptr) fail_with_errno("no folder for the parts of the search");
  folder_ = name;
  lock_ = hold(folder_);
}

SliceFolder::~SliceFolder() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
  if (lock_ >= 0) close(lock_);
}

bool is_rest_lost(const Reply& reply) {
  return !reply.complete && could_go_on(reply.stopped) && reply.rest.tasks == 0 &&
         !reply.must_begin_anew && reply.error.empty() && reply.divergence.empty();
}

std::chrono::milliseconds after_losses(std::chrono::milliseconds time, unsigned losses) {
  constexpr std::chrono::milliseconds longest = std::chrono::minutes(1);
  while (losses-- > 0 && time < longest) time *= 4;
  return time;
}

Launch launch_of(const Slice& slice, const Launch& whole) {
  Launch launch = whole;
  Request& request = launch.request;
  request.save_file = slice.to.string();
  request.save_about = slice.to.string();
  request.resume_file = slice.from.string();
  request.part = slice.part;
  request.parts = slice.parts;
  request.shared = !slice.from.empty();
  request.probes = false;
  MAZURKA_CHECK(!slice.to.empty() && (slice.parts == 0 || slice.part < slice.parts),
                "a slice is one of so many parts, and leaves its rest in a file");
  request.limits.max_executions = slice.budget;
  request.limits.reserved_seconds = 0;
  launch.slice = slice.time;
  const auto end = std::chrono::steady_clock::now() + slice.time;
  if (!launch.deadline || end < *launch.deadline) {
    launch.grace = launch.patience = long_execution;
  }
  return launch;
}

}  // namespace mazurka::host
