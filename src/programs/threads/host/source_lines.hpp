// Lines of the program's source, to be shown beside what happens there.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace mazurka::threads {

/// The file as it is; empty if it is too large to be a source, or can not be read.
[[nodiscard]] std::string read_source(const std::string& file);

class SourceLines {
 public:
  /// Without blanks at both ends; empty if there is no such line, or no such file.
  [[nodiscard]] std::string find(const std::string& file, int number);

 private:
  std::map<std::string, std::vector<std::string>> files_;
};

}  // namespace mazurka::threads
