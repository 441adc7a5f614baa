// What an execution changes outside of the program's memory, and how it is taken back.
//
// Descriptors, streams, the current folder, the file mode mask, the environment, the locale, limits
// and mappings are as they were when the next execution begins; files are never changed at all
// (execution_files.hpp). Whatever can change them is noted by a hook or by who answers the system
// call (system_calls.cpp), so that an execution that does nothing of the kind costs nothing.
//
// The descriptors that the runtime itself has stay out of the program's reach.
#pragma once

#include <dirent.h>
#include <sys/resource.h>
#include <sys/types.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "programs/threads/runtime/surroundings/dispositions.hpp"
#include "programs/threads/runtime/surroundings/execution_files.hpp"
#include "programs/threads/runtime/surroundings/file_locks.hpp"
#include "programs/threads/runtime/surroundings/use.hpp"

namespace mazurka::threads {

class Surroundings {
 public:
  /// How everything is now is how each execution will find it. `own`: descriptors of ours.
  void keep(std::initializer_list<int> own);
  void restore();
  /// Whether the execution under way has changed anything.
  [[nodiscard]] bool changed() const { return dispositions_.changed() || changed_but_handlers(); }
  [[nodiscard]] bool changed_but_handlers() const;

  /// What the program prints meanwhile is shown in the end, or not at all.
  void hold_output();
  void let_go_of_output(bool shown);

  ExecutionFiles& files() { return files_; }
  FileLocks& locks() { return locks_; }
  Dispositions& dispositions() { return dispositions_; }

  // Descriptors
  [[nodiscard]] bool is_own(int descriptor) const;
  /// Gives the descriptor a number that the program will not meet, as one of ours.
  long move_away(int descriptor);
  void close_own(int descriptor);
  void descriptors_change() { descriptors_changed_ = true; }
  long close_range(unsigned first, unsigned last, unsigned flags);

  // Streams and folders that are being read
  void opened(std::FILE* stream);
  void closed(std::FILE* stream) { std::erase(streams_, stream); }
  void opened(DIR* folder);
  void closed(DIR* folder) { std::erase(folders_, folder); }

  // A number and an address may come to mean something else: what tells it from what it was.
  void opened(int descriptor);
  [[nodiscard]] std::uint64_t key_of(int descriptor) const;
  [[nodiscard]] std::uint64_t key_of(const void* handle) const;

  void standard_streams_change() { standard_streams_changed_ = true; }

  // The rest
  void folder_changes() { folder_changed_ = true; }
  void mode_mask_changes(mode_t before);
  void environment_changes() { environment_changed_ = true; }
  void locale_changes();
  void mapped(void* memory, std::size_t size);
  [[nodiscard]] bool has_mapped(const void* memory, std::size_t size) const;
  void unmapped(const void* memory, std::size_t size);
  /// A file that the program can write to is mapped, so that what one writes another may read.
  void file_becomes_memory() { file_in_memory_ = true; }
  [[nodiscard]] bool has_file_in_memory() const { return file_in_memory_; }
  /// Memory of the program that is code for a while.
  void made_executable(const void* memory, std::size_t size);
  /// The program has asked for memory that it may not read or write, and did not get it.
  void memory_is_protected() { memory_protected_ = true; }
  [[nodiscard]] bool is_memory_protected() const { return memory_protected_; }
  /// Limits and priorities that the program sets for itself are remembered for it, and have no
  /// effect.
  std::optional<rlimit64>& limit(unsigned resource);
  int& priority() { return priority_; }
  /// What it has set with prctl; nothing: as it was.
  std::optional<long>& option(int number) { return options_of_process_[number]; }

 private:
  struct Known {
    int number;
    int copy;
    off_t position;  // below 0: it has none
  };
  struct Range {
    std::uintptr_t begin, end;
  };
  void restore_descriptors();
  void restore_environment();
  void close_all_between(unsigned first, unsigned last, unsigned flags) const;

  std::vector<Known> known_;
  long held_output_ = -1;  // a file in memory
  std::vector<int> own_;
  int folder_ = -1;
  std::vector<char*> environment_;
  char** environment_begin_ = nullptr;
  std::array<int, 3> options_{};  // of getopt
  bool descriptors_changed_ = false;
  bool folder_changed_ = false;
  bool standard_streams_changed_ = false;
  bool environment_changed_ = false;
  std::optional<mode_t> mode_mask_;
  std::string locale_;  // not empty: to be set again
  std::vector<std::FILE*> streams_;
  std::vector<DIR*> folders_;
  std::unordered_map<std::uint64_t, std::uint64_t> opened_;  // how often, of what can be opened
  std::vector<Range> mappings_;
  std::vector<Range> executable_;
  bool memory_protected_ = false;
  std::array<std::optional<rlimit64>, RLIM_NLIMITS> limits_;
  bool limits_changed_ = false;
  bool file_in_memory_ = false;
  int priority_ = 0;
  std::unordered_map<int, std::optional<long>> options_of_process_;
  ExecutionFiles files_;
  FileLocks locks_;
  Dispositions dispositions_;
};

extern Surroundings surroundings;

// What is used by whom, for who must be ordered (outside_uses.hpp). Within hooks: does nothing
// while the runtime itself is at work. What the program prints to its standard streams nobody
// reads.
void use_open_file(int descriptor, Use use);
void use_open_file(std::FILE* stream, Use use);

/// Handlers of signals: Surroundings::changed() tells whether they have been changed.
void use_handlers(Use use);

// The same on the program's behalf.
/// A stream, or a folder that is listed.
void note_handle(const void* handle, Use use);
void note_open_file(int descriptor, Use use);
/// What the descriptor stands for is the same as long as nobody closes or replaces it.
void note_descriptor(int descriptor, Use use);
/// Which numbers descriptors get is a matter of order.
void note_numbers(Use use);

[[nodiscard]] inline bool is_standard(const std::FILE* stream) {
  return stream == stdin || stream == stdout || stream == stderr;
}

/// While there is one, the program does not get to know the numbers of descriptors that are made.
class HiddenNumbers {
 public:
  HiddenNumbers() { ++count; }
  ~HiddenNumbers() { --count; }
  HiddenNumbers(const HiddenNumbers&) = delete;
  HiddenNumbers& operator=(const HiddenNumbers&) = delete;
  [[nodiscard]] static bool any() { return count > 0; }

 private:
  static inline int count = 0;
};

}  // namespace mazurka::threads
