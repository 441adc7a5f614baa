// The fingerprint of the program's state, kept up to date while it runs.
//
// Two parts make a state: the contents of memory and of synchronisation objects, and what each
// process has been told so far (values read, results of calls, choices). A process is
// deterministic, so what it was told decides where it is and what its local variables hold.
// A write remembers the old contents, eight bytes at a time, and the new ones are read when the
// step is over, because instrumentation reports a write before it happens. But each byte counts by
// itself: neighbours must not tell in which order they were written.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <unordered_map>
#include <vector>

#include "core/check.hpp"
#include "core/ids.hpp"
#include "programs/threads/runtime/surroundings/use.hpp"

namespace mazurka::threads {

class StateTracker {
 public:
  /// From now on changes are found by comparing the whole state with what it was, as a check
  /// without the idea of looking at what was touched has to. For measurements.
  void go_through_everything(bool wanted) { everything_ = wanted; }

  /// Whether changes are wanted: those of repeated steps are known. What was noted before is
  /// dropped: it has what was on stacks by chance, which is no part of a state.
  void watch(bool wanted) {
    if (wanted == watching_) return;
    clear();
    if (wanted && everything_) before_ = everything();
    watching_ = wanted;
  }

  void tell(ProcessId process, std::uint64_t value) {
    if (digests_.size() <= index(process)) digests_.resize(index(process) + 1, 0);
    std::uint64_t& digest = digests_[index(process)];
    if (watching_ && !told_since(process)) told_.push_back({process, digest});
    digest = fingerprint_of(digest, value).low;
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

  /// `lasting`: nobody else makes use of the memory later, as they do of stacks.
  void will_write(std::uintptr_t address, std::size_t size, bool lasting) {
    if (everything_ && lasting) return remember(address, size);
    if (!watching_) return;
    for (std::uintptr_t at = address & ~std::uintptr_t{7}; at < address + size; at += 8) {
      written_.push_back({at, written_.size(), contents(at)});
    }
  }

  /// A part of the state other than memory changes its value.
  void change(std::uint64_t name, std::uint64_t from, std::uint64_t to) {
    MAZURKA_CHECK((name & (process_name | object_name)) == 0,
                  "parts of the state have different names");
    if (!watching_) return;
    change_ ^= fingerprint_of(object_name | name, from) ^ fingerprint_of(object_name | name, to);
  }

  /// The process uses something that is neither memory nor an object: a file, the environment. What
  /// has become of it follows from who has changed it, in which order, and from what they were
  /// told; that is its part of the state. Who does more than add to it is told.
  void use(ProcessId process, std::uint64_t key, Use use) {
    std::uint64_t& history = histories_[key];
    if (use != Use::adds) tell(process, history);
    if (use == Use::looks) return;
    const std::uint64_t digest = index(process) < digests_.size() ? digests_[index(process)] : 0;
    const std::uint64_t now = use == Use::adds
                                  ? history + fingerprint_of(index(process), digest).low
                                  : fingerprint_of(history + index(process), digest).low;
    change(outside_name | key >> 3U, history, now);
    outside_ ^= fingerprint_of(key, history).low ^ fingerprint_of(key, now).low;
    history = now;
  }
  /// The process may look at all of these.
  void tell_outside(ProcessId process) { tell(process, outside_); }

  /// What has changed since the last call.
  [[nodiscard]] Fingerprint settle() {
    keep_first_of_each();
    for (const Written& one : written_) {
      change_ ^= difference(one.address, one.before, contents(one.address));
    }
    if (everything_) told_.clear();
    for (const Told& one : told_) {
      MAZURKA_CHECK(index(one.process) < digests_.size(),
                    "of who was told something there is a digest");
      const std::uint64_t name = process_name | index(one.process);
      change_ ^= fingerprint_of(name, one.before);
      change_ ^= fingerprint_of(name, digests_[index(one.process)]);
    }
    if (everything_) {
      const Fingerprint whole = everything();
      change_ ^= whole ^ before_;
      before_ = whole;
    }
    const Fingerprint change = change_;
    clear();
    return change;
  }

  friend bool operator==(const StateTracker&, const StateTracker&) = default;

 private:
  static constexpr std::uint64_t process_name = std::uint64_t{1} << 63;
  static constexpr std::uint64_t object_name = std::uint64_t{1} << 62;
  static constexpr std::uint64_t outside_name = std::uint64_t{1} << 61;

  struct Written {
    std::uintptr_t address = 0;
    std::size_t number = 0;  // in the order in which they were written
    std::uint64_t before = 0;
    friend bool operator==(const Written&, const Written&) = default;
  };
  // What was there before a step is what its first write has seen. What later ones to the same
  // place saw is neither before nor after the step, and must not count, not even where the first
  // value is back in the end.
  void keep_first_of_each() {
    if (written_.size() < 2) return;
    std::sort(written_.begin(), written_.end(), [](const Written& one, const Written& other) {
      return one.address != other.address ? one.address < other.address : one.number < other.number;
    });
    const auto same = [](const Written& one, const Written& other) {
      return one.address == other.address;
    };
    written_.erase(std::unique(written_.begin(), written_.end(), same), written_.end());
  }
  static std::uint64_t contents(std::uintptr_t address) {
    std::uint64_t value = 0;
    std::memcpy(&value, reinterpret_cast<const void*>(address), sizeof value);
    return value;
  }

  struct Told {
    ProcessId process;
    std::uint64_t before;  // its digest until then
    friend bool operator==(const Told&, const Told&) = default;
  };
  static Fingerprint difference(std::uintptr_t address, std::uint64_t before, std::uint64_t now) {
    Fingerprint found;
    for (unsigned byte = 0; byte < 8; ++byte) {
      const std::uint64_t from = before >> (8 * byte) & 0xffU;
      const std::uint64_t to = now >> (8 * byte) & 0xffU;
      if (from == to) continue;
      found ^= fingerprint_of(address + byte, from) ^ fingerprint_of(address + byte, to);
    }
    return found;
  }

  // Everything that was ever written in this execution belongs to the whole state.
  void remember(std::uintptr_t address, std::size_t size) {
    for (std::uintptr_t at = address & ~std::uintptr_t{7}; at < address + size; at += 8) {
      all_.try_emplace(at, contents(at));
    }
  }
  [[nodiscard]] Fingerprint everything() const {
    Fingerprint whole;
    for (const auto& [address, initially] : all_) {
      whole ^= difference(address, initially, contents(address));
    }
    for (std::size_t process = 0; process < digests_.size(); ++process) {
      const std::uint64_t name = process_name | process;
      whole ^= fingerprint_of(name, 0) ^ fingerprint_of(name, digests_[process]);
    }
    return whole;
  }

  [[nodiscard]] bool told_since(ProcessId process) const {
    for (const Told& one : told_) {
      if (one.process == process) return true;
    }
    return false;
  }
  void clear() {
    told_.clear();
    written_.clear();
    change_ = {};
  }

  std::vector<std::uint64_t> digests_;  // per process: of all it was told
  std::vector<Told> told_;              // since the last settle(), like the following
  std::vector<Written> written_;
  Fingerprint change_;
  bool watching_ = true;
  bool everything_ = false;
  std::unordered_map<std::uintptr_t, std::uint64_t> all_;  // what was written, and what was there
  Fingerprint before_;                                     // the whole state, when last looked at
  std::unordered_map<std::uint64_t, std::uint64_t> histories_;  // of what is not memory
  std::uint64_t outside_ = 0;                                   // all of these, mixed
};

}  // namespace mazurka::threads
