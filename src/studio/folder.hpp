// The programs that can be chosen: those of one folder, and the examples that are built in. Nothing
// else can be read, whatever is asked for.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mazurka::studio {

struct Example {
  std::string_view name;  // "threads/bank.cpp"
  std::string_view text;
};
/// Made at build time from examples/.
[[nodiscard]] std::span<const Example> examples();

class Folder {
 public:
  /// Throws std::filesystem::filesystem_error if it is no folder.
  explicit Folder(const std::filesystem::path& root);

  [[nodiscard]] const std::filesystem::path& root() const { return root_; }
  /// Names of its programs and of those in folders below, sorted; the first thousand.
  [[nodiscard]] std::vector<std::string> programs() const;
  /// The text of one of them; nothing if it is none, or lies elsewhere in truth (a link).
  [[nodiscard]] std::optional<std::string> read(const std::string& name) const;

 private:
  /// A program that lies in the folder in truth, whatever links there are.
  [[nodiscard]] bool is_ours(const std::filesystem::path& path) const;

  std::filesystem::path root_;
};

/// By its name: something that can be checked from its source.
[[nodiscard]] bool is_program(const std::filesystem::path& file);

/// "folder:src/a.c" or "example:threads/bank.cpp".
[[nodiscard]] std::optional<std::string> text_of(const Folder& folder, std::string_view name);

}  // namespace mazurka::studio
