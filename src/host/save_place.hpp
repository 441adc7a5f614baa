// Where a run saves its exploration: a place that no other run writes to.
//
// The usual file is named after the program and after all options that decide what is explored, and
// has a number where an earlier run has left one. While a run may write to its file it holds a lock
// beside it, which ends with the process, however that ends.
#pragma once

#include <filesystem>
#include <string>

#include "host/protocol.hpp"
#include "host/schedule_file.hpp"

namespace mazurka::host {

class SavePlace {
 public:
  /// The file that the user has chosen. Throws InputError when it can not be written, is something
  /// else than an exploration, or another run writes to it.
  static SavePlace chosen(const std::filesystem::path& file);

  /// A file in the work folder; `name`: of the program and the options. An absolute path.
  static SavePlace usual(const std::string& name);

  SavePlace(const SavePlace&) = delete;
  SavePlace& operator=(const SavePlace&) = delete;
  SavePlace(SavePlace&& other) noexcept;
  SavePlace& operator=(SavePlace&&) = delete;
  ~SavePlace();

  [[nodiscard]] const std::filesystem::path& file() const { return file_; }

 private:
  explicit SavePlace(std::filesystem::path file) : file_(std::move(file)) {}
  [[nodiscard]] std::filesystem::path lock_file() const { return file_.string() + ".lock"; }
  /// 0, EWOULDBLOCK when another run has it, or another errno.
  int lock();
  [[nodiscard]] bool holds_file_at(const std::filesystem::path& path) const;

  std::filesystem::path file_;
  int lock_ = -1;
};

}  // namespace mazurka::host
