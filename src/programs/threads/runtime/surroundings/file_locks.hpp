// Locks on files, among the program itself.
//
// A lock on a file outside would keep others out, or wait for them. So none is ever taken: who
// holds what is written down here, as if nobody else had locks. The process is one owner of the
// locks that `fcntl` takes, so these never stand in its way. Those of `flock` belong to what was
// opened, however many descriptors there are of it.
#pragma once

#include <sys/types.h>

#include <vector>

namespace mazurka::threads {

class FileLocks {
 public:
  /// Nobody would ever let go of the lock: there is one flow of control in here.
  static constexpr long waits_for_itself = -200'000;

  /// As the system call, and returns its result.
  long lock(int descriptor, int operation);
  /// For `fcntl`: whether the descriptor may have a lock of this type. 0, or an error.
  [[nodiscard]] static long may_have(int descriptor, short type);

  /// These descriptors are about to be closed.
  void closing(unsigned first, unsigned last);
  void closing(int descriptor) {
    closing(static_cast<unsigned>(descriptor), static_cast<unsigned>(descriptor));
  }

  [[nodiscard]] bool any() const { return !locks_.empty(); }
  void forget() { locks_.clear(); }

 private:
  struct Lock {
    dev_t device;
    ino_t file;
    int descriptor;  // one of those that there are of it
    bool exclusive;
  };
  std::vector<Lock> locks_;
};

}  // namespace mazurka::threads
