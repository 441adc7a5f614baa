// A search by several processes: the parts that are left, and all of them on disk.
//
// What is left and what was counted is the whole state of such a search. So an exploration that is
// saved holds those, and any number of processes can go on with it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "host/protocol.hpp"
#include "host/slice.hpp"

namespace mazurka::host {

/// What a process has left to do; removed when nobody needs it any more.
class SavedRest {
 public:
  enum Fate : bool { removed, kept };
  explicit SavedRest(std::filesystem::path file, Fate fate = removed)
      : file_(std::move(file)), fate_(fate) {}
  SavedRest(const SavedRest&) = delete;
  SavedRest& operator=(const SavedRest&) = delete;
  ~SavedRest() {
    if (fate_ == kept) return;
    std::error_code ignored;
    std::filesystem::remove(file_, ignored);
    std::filesystem::remove(file_.string() + ".new", ignored);
  }
  [[nodiscard]] const std::filesystem::path& file() const { return file_; }

 private:
  std::filesystem::path file_;
  Fate fate_;
};

/// A part of the search.
struct Part {
  std::shared_ptr<const SavedRest> rest;  // none: all of it
  std::uint32_t number = 0;
  std::uint32_t parts = 0;  // 0: all of the rest, and what was counted with it
  unsigned losses = 0;
  std::uint64_t budget = 0;  // executions; 0: as many as it likes

  [[nodiscard]] bool is_whole() const { return parts == 0; }
};

struct DividedExploration {
  Reply reply;  // what was counted and found so far
  std::vector<std::string> notes;
  std::vector<Part> parts;
};

/// Not before the first process has told what is left.
[[nodiscard]] bool can_be_saved(const std::vector<Part>& parts);
/// 0, or errno when it can not be written.
[[nodiscard]] int save_divided(const std::string& file, const std::string& about,
                               const DividedExploration& exploration);

/// Whether the file was saved by several processes. Throws ArchiveError.
[[nodiscard]] bool is_divided(const std::string& file);
/// The rests are written to the folder. Throws ArchiveError and WireError.
[[nodiscard]] DividedExploration load_divided(const std::string& file, const SliceFolder& folder);

}  // namespace mazurka::host
