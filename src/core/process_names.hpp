// The names of processes, kept for the whole exploration.
#pragma once

#include <cstdint>
#include <vector>

#include "core/archive.hpp"
#include "core/ids.hpp"

namespace mazurka {

/// (parent, n-th child) -> dense id.
class ProcessNames {
 public:
  struct Name {
    ProcessId parent = no_process;
    std::uint32_t nth = 0;
  };

  /// Throws std::length_error past max_processes.
  ProcessId child(ProcessId parent, std::uint32_t nth);
  [[nodiscard]] const Name& operator[](ProcessId process) const { return names_[index(process)]; }
  [[nodiscard]] std::size_t size() const { return names_.size(); }
  void save(ArchiveWriter& archive) const;
  /// Only into fresh names. Throws ArchiveError.
  void load(ArchiveReader& archive);

 private:
  std::vector<Name> names_{{}};  // the first process has no parent
  std::vector<std::vector<ProcessId>> children_{{}};
};

}  // namespace mazurka
