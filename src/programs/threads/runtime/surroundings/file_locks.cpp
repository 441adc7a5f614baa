#include "programs/threads/runtime/surroundings/file_locks.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <algorithm>
#include <cerrno>

#include "programs/threads/runtime/machine/kernel.hpp"

namespace mazurka::threads {

namespace {

long status_of(int descriptor, struct stat& status) {
  return call_kernel(SYS_fstat, descriptor, as_argument(&status));
}

long flags_of(int descriptor) { return call_kernel(SYS_fcntl, descriptor, F_GETFL); }

/// Whether both are of one opening: then they have their flags in common.
bool are_one_opening(int left, int right) {
  if (left == right) return true;
  const long flags = flags_of(left);
  if (flags != flags_of(right)) return false;
  call_kernel(SYS_fcntl, left, F_SETFL, flags ^ O_NONBLOCK);
  const bool one = flags_of(right) != flags;
  call_kernel(SYS_fcntl, left, F_SETFL, flags);
  return one;
}

}  // namespace

long FileLocks::lock(int descriptor, int operation) {
  struct stat status {};
  if (const long looked = status_of(descriptor, status); looked < 0) return looked;
  const int wanted = operation & ~LOCK_NB;
  if (wanted != LOCK_SH && wanted != LOCK_EX && wanted != LOCK_UN) return -EINVAL;
  std::erase_if(locks_, [&](const Lock& one) {  // to change a lock is to take it anew
    return one.device == status.st_dev && one.file == status.st_ino &&
           are_one_opening(one.descriptor, descriptor);
  });
  if (wanted == LOCK_UN) return 0;
  const bool exclusive = wanted == LOCK_EX;
  const bool is_free = std::none_of(locks_.begin(), locks_.end(), [&](const Lock& one) {
    return one.device == status.st_dev && one.file == status.st_ino && (exclusive || one.exclusive);
  });
  if (!is_free) return (operation & LOCK_NB) != 0 ? -EWOULDBLOCK : waits_for_itself;
  locks_.push_back({status.st_dev, status.st_ino, descriptor, exclusive});
  return 0;
}

long FileLocks::may_have(int descriptor, short type) {
  const long flags = flags_of(descriptor);
  if (flags < 0) return flags;
  const long access = flags & O_ACCMODE;
  switch (type) {
    case F_UNLCK: return 0;
    case F_RDLCK: return access == O_WRONLY ? -EBADF : 0;
    case F_WRLCK: return access == O_RDONLY ? -EBADF : 0;
    default: return -EINVAL;
  }
}

void FileLocks::closing(unsigned first, unsigned last) {
  constexpr int most = 1024;  // numbers beyond that are the runtime's
  std::erase_if(locks_, [&](Lock& one) {
    const auto number = static_cast<unsigned>(one.descriptor);
    if (number < first || number > last) return false;
    for (int other = 0; other < most; ++other) {
      const auto other_number = static_cast<unsigned>(other);
      if (other_number >= first && other_number <= last) continue;
      struct stat status {};
      if (status_of(other, status) < 0 || status.st_dev != one.device ||
          status.st_ino != one.file || !are_one_opening(one.descriptor, other)) {
        continue;
      }
      one.descriptor = other;
      return false;
    }
    return true;
  });
}

}  // namespace mazurka::threads
