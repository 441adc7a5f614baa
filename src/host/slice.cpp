#include "host/slice.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <system_error>

#include "driver/explored.hpp"
#include "host/files.hpp"
#include "host/ownership.hpp"

namespace mazurka::threads {

namespace fs = std::filesystem;

namespace {

// A process is asked to stop when its slice is over, and does so after the execution under way.
constexpr std::chrono::seconds long_execution{60};
constexpr const char* folder_prefix = "mazurka-jobs-";
constexpr const char* lock_name = "lock";

/// -1: somebody has it, or it can not be made.
int lock_in(const fs::path& folder) {
  const int file =
      open((folder / lock_name).c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file >= 0 && flock(file, LOCK_EX | LOCK_NB) == 0) return file;
  if (file >= 0) close(file);
  return -1;
}

void remove_abandoned(const fs::path& parent) {
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(parent, ignored)) {
    const fs::path& folder = entry.path();
    if (!folder.filename().string().starts_with(folder_prefix)) continue;
    // One that was made a moment ago may have no lock yet.
    if (!fs::exists(folder / lock_name, ignored) || !why_foreign(folder).empty()) continue;
    const int lock = lock_in(folder);
    if (lock < 0) continue;
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
  lock_ = lock_in(folder_);
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
  request.limits.max_executions = slice.budget;
  request.limits.reserved_seconds = 0;
  launch.slice = slice.time;
  const auto end = std::chrono::steady_clock::now() + slice.time;
  if (!launch.deadline || end < *launch.deadline) {
    launch.grace = launch.patience = long_execution;
  }
  return launch;
}

}  // namespace mazurka::threads
