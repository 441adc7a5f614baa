// Whether a program that was compiled before is what compiling it would make again.
//
// Beside the binary lies a record of all that it was made of: the command, the folder and the
// environment it was called in, the compiler, every file that was included, and the names of the
// headers in the folders that were searched (a new one may come before one that was found). Files
// of the user are compared by what is in them, those of the system by when they were written. If
// anything is not as it was, or can not be told, the program is compiled.
//
// There is no record where something else may have had a part in it: flags that name files or
// libraries, messages of the compiler (which are shown again), files that changed meanwhile.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace mazurka::host {

class BuildRecord {
 public:
  /// `folder`: the one that the command is run in. `flags`: those of the user.
  BuildRecord(const std::filesystem::path& binary, std::vector<std::string> command,
              const std::filesystem::path& folder, const std::vector<std::string>& flags);

  /// The binary is there, and all that it was made of is as it was.
  [[nodiscard]] bool holds() const;

  /// What the compiler is told besides, so that it says what it reads. Empty: no record is kept.
  [[nodiscard]] std::vector<std::string> flags() const;
  /// The compiler begins now.
  void begin();
  /// It has ended. `silently`: it has made the binary, without a word; else nothing is kept.
  void keep(bool silently) const;

 private:
  [[nodiscard]] std::filesystem::path list_of_inputs() const;
  [[nodiscard]] std::string contents(const std::vector<std::string>& inputs) const;

  std::filesystem::path binary_;
  std::filesystem::path file_;
  std::vector<std::string> command_;
  std::filesystem::path folder_;
  std::vector<std::string> searched_;  // folders
  bool possible_;
  std::filesystem::file_time_type begun_{};
};

/// The files in a rule of a makefile, as compilers write it.
[[nodiscard]] std::vector<std::string> prerequisites(const std::string& rule);

}  // namespace mazurka::host
