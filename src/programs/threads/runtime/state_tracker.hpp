// The fingerprint of the program's state, kept up to date while it runs.
//
// Two parts make a state: the contents of memory and of synchronisation objects, and what each
// process has been told so far (values read, results of calls, choices). A process is
// deterministic, so what it was told decides where it is and what its local variables hold.
// Memory counts in eight-byte granules: a write remembers the old contents, and the new ones are
// read when the step is over, because instrumentation reports a write before it happens.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "core/ids.hpp"

namespace mazurka::threads {

class StateTracker {
 public:
  void start_execution() {
    told_.clear();
    written_.clear();
    change_ = {};
  }

  void tell(ProcessId process, std::uint64_t value) {
    if (told_.size() <= index(process)) told_.resize(index(process) + 1, 0);
    std::uint64_t& digest = told_[index(process)];
    const std::uint64_t name = process_name | index(process);
    change_ ^= fingerprint_of(name, digest);
    digest = fingerprint_of(digest, value).low;
    change_ ^= fingerprint_of(name, digest);
  }

  void tell_memory(ProcessId process, std::uintptr_t address, std::size_t size) {
    std::uint64_t value = size;
    for (std::size_t at = 0; at < size; at += 8) {
      std::uint64_t part = 0;
      std::memcpy(&part, reinterpret_cast<const void*>(address + at),
                  size - at < 8 ? size - at : 8);
      value = fingerprint_of(value, part).low;
    }
    tell(process, value);
  }

  void will_write(std::uintptr_t address, std::size_t size) {
    for (std::uintptr_t at = address & ~std::uintptr_t{7}; at < address + size; at += 8) {
      written_.push_back({at, contents(at)});
    }
  }

  /// A part of the state other than memory changes its value.
  void change(std::uint64_t name, std::uint64_t from, std::uint64_t to) {
    change_ ^= fingerprint_of(object_name | name, from) ^ fingerprint_of(object_name | name, to);
  }

  /// What has changed since the last call.
  [[nodiscard]] Fingerprint settle() {
    for (const Written& one : written_) {
      const std::uint64_t now = contents(one.address);
      if (now == one.before) continue;
      change_ ^= fingerprint_of(one.address, one.before) ^ fingerprint_of(one.address, now);
      // A later entry for the same granule saw `before` or a value in between: make it see `now`.
      for (Written& other : written_) {
        if (other.address == one.address) other.before = now;
      }
    }
    written_.clear();
    const Fingerprint change = change_;
    change_ = {};
    return change;
  }

 private:
  static constexpr std::uint64_t process_name = std::uint64_t{1} << 63;
  static constexpr std::uint64_t object_name = std::uint64_t{1} << 62;

  struct Written {
    std::uintptr_t address = 0;
    std::uint64_t before = 0;
  };
  static std::uint64_t contents(std::uintptr_t address) {
    std::uint64_t value = 0;
    std::memcpy(&value, reinterpret_cast<const void*>(address), sizeof value);
    return value;
  }

  std::vector<std::uint64_t> told_;  // per process: a digest of all it was told
  std::vector<Written> written_;     // since the last settle()
  Fingerprint change_;
};

}  // namespace mazurka::threads
