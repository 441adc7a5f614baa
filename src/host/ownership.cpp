#include "host/ownership.hpp"

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "host/files.hpp"

namespace mazurka::host {

namespace fs = std::filesystem;

namespace {

std::string user_name(uid_t user) {
  const passwd* entry = getpwuid(user);
  return entry == nullptr ? std::to_string(user) : entry->pw_name;
}

std::string why_of_others(const struct stat& about) {
  if (about.st_uid != geteuid() && about.st_uid != 0) {
    return "belongs to the user " + user_name(about.st_uid);
  }
  if ((about.st_mode & S_IWOTH) != 0) return "can be written by everybody";
  return {};
}

/// A folder in the user's own project. A link that the user has made may lead elsewhere.
bool usable_here(const fs::path& folder) {
  mkdir(folder.c_str(), 0755);
  struct stat link {};
  struct stat about {};
  if (lstat(folder.c_str(), &link) != 0 || stat(folder.c_str(), &about) != 0) return false;
  if (S_ISLNK(link.st_mode) && link.st_uid != geteuid() && link.st_uid != 0) return false;
  return S_ISDIR(about.st_mode) && why_of_others(about).empty() &&
         access(folder.c_str(), W_OK | X_OK) == 0;
}

/// A folder where everybody can make folders: this one must be nobody else's.
void require_private(const fs::path& folder) {
  const std::string advice =
      ": whoever made it could change what is run; remove it, or set TMPDIR to a folder of yours";
  const bool made = mkdir(folder.c_str(), 0700) == 0;
  const int failure = errno;
  struct stat about {};
  if (lstat(folder.c_str(), &about) != 0) {
    throw InputError("neither ./.mazurka nor " + folder.string() +
                     " can be written; binaries and schedules need a place (" +
                     std::strerror(failure) + ")");
  }
  if (made) return;
  if (!S_ISDIR(about.st_mode)) throw InputError(folder.string() + " is not a folder" + advice);
  if (about.st_uid != geteuid()) {
    throw InputError(folder.string() + " belongs to the user " + user_name(about.st_uid) + advice);
  }
  if ((about.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
    throw InputError(folder.string() + " can be written by others" + advice);
  }
  if ((about.st_mode & 077U) != 0) chmod(folder.c_str(), 0700);
}

}  // namespace

std::string why_foreign(const fs::path& file) {
  struct stat about {};
  if (stat(file.c_str(), &about) != 0) return std::strerror(errno);
  return why_of_others(about);
}

bool lies_in(const fs::path& file, const fs::path& folder) {
  std::error_code failure;
  const fs::path inner = fs::weakly_canonical(fs::absolute(file), failure);
  if (failure) return false;
  const fs::path outer = fs::weakly_canonical(fs::absolute(folder), failure);
  if (failure) return false;
  return std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end()).first == outer.end();
}

fs::path work_folder() {
  const fs::path here = ".mazurka";
  if (usable_here(here)) return here;
  std::error_code failure;
  fs::path shared = fs::temp_directory_path(failure);
  if (failure) {
    throw InputError(
        "./.mazurka can not be written, and TMPDIR names no folder; binaries and schedules need a "
        "place");
  }
  const fs::path elsewhere = shared / ("mazurka-" + std::to_string(geteuid()));
  require_private(elsewhere);
  if (access(elsewhere.c_str(), W_OK | X_OK) != 0) {
    throw InputError("neither ./.mazurka nor " + elsewhere.string() +
                     " can be written; binaries and schedules need a place");
  }
  return elsewhere;
}

}  // namespace mazurka::host
