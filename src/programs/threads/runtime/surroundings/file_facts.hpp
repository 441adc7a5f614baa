// Modes and owners of the files of an execution.
//
// They are written down here and not in the file system: no process in which a program under test
// runs may change modes or owners at all (host/forbidden_calls.hpp).
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <unordered_map>

namespace mazurka::threads {

struct FileFacts {
  mode_t mode = 0;  // permissions
  uid_t owner = 0;
  gid_t group = 0;

  /// Of a file that the program makes.
  static FileFacts of_new(mode_t mode);
  static FileFacts of(const struct stat& status);

  /// As the kernel would answer: 0 or an error. `wanted`: bits as in a mode, of one class.
  [[nodiscard]] long allow(mode_t wanted) const;
  long change_mode(mode_t to);
  /// -1: stays.
  long change_owner(uid_t to_owner, gid_t to_group);

  void tell(struct stat& status) const;
  void tell(struct statx& status) const;
};

/// Of files in memory.
class FactsOfFiles {
 public:
  /// Those of the file that has this descriptor; null if it is none of these.
  [[nodiscard]] FileFacts* find(int file);
  [[nodiscard]] const FileFacts* find(const struct stat& status) const;
  /// The same; they begin as the kernel has them. `file`: in memory.
  [[nodiscard]] FileFacts& of(int file);
  void forget() { known_.clear(); }

 private:
  std::unordered_map<ino_t, FileFacts> known_;  // all of them are on one device ...
  dev_t device_ = 0;                            // ... which is this
};

}  // namespace mazurka::threads
