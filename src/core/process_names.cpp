#include "core/process_names.hpp"

#include <stdexcept>

#include "core/check.hpp"

namespace mazurka {

ProcessId ProcessNames::child(ProcessId parent, std::uint32_t nth) {
  MAZURKA_CHECK(index(parent) < names_.size(), "a parent is named before its children");
  MAZURKA_CHECK(children_.size() == names_.size(), "each process has a list of its children");
  if (children_[index(parent)].size() <= nth) {
    children_[index(parent)].resize(nth + 1, no_process);
  }
  ProcessId known = children_[index(parent)][nth];
  if (known != no_process) return known;
  if (names_.size() >= max_processes) {
    throw std::length_error("the program creates more than 65534 processes");
  }
  known = static_cast<ProcessId>(names_.size());
  names_.push_back({parent, nth});
  children_.emplace_back();
  children_[index(parent)][nth] = known;
  return known;
}

void ProcessNames::save(ArchiveWriter& archive) const {
  archive(static_cast<std::uint64_t>(names_.size()));
  for (const Name& name : names_) archive(name.parent, name.nth);
}

void ProcessNames::load(ArchiveReader& archive) {
  MAZURKA_CHECK(names_.size() == 1, "names are loaded before any process is named");
  std::uint64_t count = 0;
  archive(count);
  for (std::uint64_t at = 0; at < count; ++at) {
    Name name;
    archive(name.parent, name.nth);
    if (at == 0) continue;  // the first process has no parent
    if (index(name.parent) >= at || name.nth > max_processes ||
        index(child(name.parent, name.nth)) != at) {
      throw ArchiveError("the names of the processes contradict each other");
    }
  }
}

}  // namespace mazurka
