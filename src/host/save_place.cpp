#include "host/save_place.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>
#include <system_error>

#include "driver/exploration_file.hpp"
#include "host/files.hpp"
#include "host/ownership.hpp"

namespace mazurka::host {

namespace fs = std::filesystem;

namespace {

constexpr int most_kept = 9;  // explorations of one program with the same options

/// What the user has written must not be lost because of a slip in a file name.
void require_replaceable(const fs::path& file) {
  std::error_code ignored;
  if (!fs::exists(file, ignored)) return;
  try {
    (void)read_exploration(file.string());
  } catch (const ArchiveError& error) {
    throw InputError(file.string() + " is there already and would be lost: " + error.what() +
                     "; remove it, or save the exploration elsewhere (--save)");
  }
}

}  // namespace

SavePlace::SavePlace(SavePlace&& other) noexcept
    : file_(std::move(other.file_)), lock_(other.lock_) {
  other.lock_ = -1;
}

SavePlace::~SavePlace() {
  if (lock_ < 0) return;
  if (holds_file_at(lock_file())) unlink(lock_file().c_str());
  close(lock_);
}

bool SavePlace::holds_file_at(const fs::path& path) const {
  struct stat held {};
  struct stat there {};
  return fstat(lock_, &held) == 0 && lstat(path.c_str(), &there) == 0 &&
         held.st_ino == there.st_ino && held.st_dev == there.st_dev;
}

int SavePlace::lock() {
  for (;;) {
    lock_ = open(lock_file().c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (lock_ < 0) return errno;
    // Some file systems know no locks: then the names have to do.
    const bool busy = flock(lock_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    // Whoever held it before us removes the file at the end.
    if (!busy && holds_file_at(lock_file())) return 0;
    close(lock_);
    lock_ = -1;
    if (busy) return EWOULDBLOCK;
  }
}

SavePlace SavePlace::chosen(const fs::path& file) {
  require_replaceable(file);
  SavePlace place(fs::absolute(file));
  const int failure = place.lock();
  if (failure == EWOULDBLOCK) {
    throw InputError("another run saves its exploration in " + file.string() +
                     " at this moment; wait for it, or give this one another file (--save)");
  }
  if (failure != 0) {
    throw InputError("the exploration can not be saved in " + file.string() + ": " +
                     std::strerror(failure) + "; give another file (--save)");
  }
  return place;
}

SavePlace SavePlace::usual(const std::string& name) {
  const fs::path folder = fs::absolute(work_folder());
  const auto numbered = [&](int number) {
    return folder / (name + (number == 1 ? "" : "-" + std::to_string(number)) + ".exploration");
  };
  std::error_code ignored;
  for (int number = 1; number <= most_kept; ++number) {
    SavePlace place(numbered(number));
    if (fs::exists(place.file(), ignored)) continue;
    const int failure = place.lock();
    if (failure == EWOULDBLOCK || fs::exists(place.file(), ignored)) continue;
    if (failure == 0) return place;
    throw InputError("the exploration can not be saved in " + place.file().string() + ": " +
                     std::strerror(failure) + "; give another file (--save)");
  }
  // So many that nobody has asked for: the oldest one goes.
  std::optional<fs::path> oldest;
  for (int number = 1; number <= most_kept; ++number) {
    const fs::path file = numbered(number);
    if (!fs::exists(file, ignored)) continue;
    if (!oldest || fs::last_write_time(file, ignored) < fs::last_write_time(*oldest, ignored)) {
      oldest = file;
    }
  }
  return chosen(oldest.value_or(numbered(1)));
}

}  // namespace mazurka::host
