// The files that an execution makes, changes and removes.
//
// What a program under test does to files must neither be seen outside nor by its next execution.
// So nothing that exists is ever opened for writing: the program gets a copy of it in memory
// instead, or an empty file if it makes a new one, and finds that under the same name until the
// execution ends. What it removes only looks as if it were gone.
#pragma once

#include <fcntl.h>

#include <optional>
#include <string>
#include <unordered_map>

#include "programs/threads/runtime/surroundings/file_facts.hpp"
#include "programs/threads/runtime/surroundings/use.hpp"

namespace mazurka::threads {

class ExecutionFiles {
 public:
  /// No results of the kernel's: this can not be done in here.
  enum Refusal : long { a_folder = -100'000, a_device, a_large_file, a_pipe, no_regular_file };
  [[nodiscard]] static const char* words(long refusal);

  /// Each takes the arguments of the system call that is named like it, and returns its result.
  long open(int folder, const char* path, int flags, mode_t mode);
  long unlink(int folder, const char* path, int flags);
  long rename(int from_folder, const char* from, int to_folder, const char* to);
  long make_folder(int folder, const char* path, mode_t mode);
  long change_mode(int folder, const char* path, mode_t mode);
  long change_owner(int folder, const char* path, uid_t owner, gid_t group, int flags);

  /// For calls that only look at a file: where it is.
  enum class Where { outside, in_memory, made_folder };
  struct Found {
    Where where = Where::outside;
    int file = -1;
    long error = 0;
    std::optional<FileFacts> facts{};
  };
  Found find(int folder, const char* path);
  /// Modes and owners of files in memory, whether they have a name or not.
  FactsOfFiles& facts() { return facts_; }

  /// Whether the descriptor is of such a file.
  [[nodiscard]] static bool is_in_memory(int descriptor);

  [[nodiscard]] bool any() const { return !entries_.empty(); }
  /// The execution is over.
  void forget();

 private:
  struct Entry {
    int file = -1;  // in memory; below 0: none
    bool folder = false;
    FileFacts facts{};  // of a folder
    [[nodiscard]] bool removed() const { return file < 0 && !folder; }
  };
  struct Name {
    std::string text;
    long error = 0;  // below 0: nothing can be there
  };
  /// `use`: what the caller is going to do with what has this name.
  [[nodiscard]] Name resolve(int folder, const char* path, Use use) const;
  [[nodiscard]] Name find_name(int folder, const char* path) const;
  [[nodiscard]] const Entry* entry(const std::string& name) const;
  /// Whether it is a folder outside in which the program has made or removed something.
  [[nodiscard]] bool lists_otherwise(const std::string& folder) const;
  long open_to_write(const std::string& name, int flags, mode_t mode);
  long open_known(int file, int flags);
  /// A copy of the file outside takes its place. Returns the file, or what is wrong.
  long take_in(const std::string& name, const struct stat& status, bool with_contents);
  /// Those of the file or folder of this name, to be changed. 0, or what is wrong.
  long facts_to_change(int folder, const char* path, FileFacts*& facts);
  void put(const std::string& name, Entry entry);

  std::unordered_map<std::string, Entry> entries_;
  FactsOfFiles facts_;
};

}  // namespace mazurka::threads
