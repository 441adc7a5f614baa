// What a process has done since it last changed anything, to notice that it goes round in circles.
//
// The idea is in runtime_spins.cpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "core/ids.hpp"

namespace mazurka::threads {

struct SpinWatch {
  /// The process was here since it last changed something, and in this state.
  struct Place {
    std::uintptr_t code = 0;
    std::uintptr_t stack = 0;
    std::uint64_t digest = 0;  // of stack and registers; 0: not known
    std::uint64_t held = 0;
    std::uint32_t reads = 0;   // how many it had made
    std::uint32_t rounds = 0;  // how often it came back, and others had noticed
    std::uint32_t observations = 0;
    std::uint32_t fewest = 0;  // locks that it has held since then, at the least
    std::uintptr_t what = 0;   // the operation that it came to, or 0
    std::uint64_t history = 0;
    std::uint64_t callers = 0;
  };
  /// A value that it read: of memory, or of another object if `size` is 0.
  struct Read {
    std::uintptr_t address = 0;
    std::uint64_t value = 0;
    ObjectId object{};
    std::uint8_t size = 0;
  };
  /// A plain write outside its own stack, told before it happens.
  struct Write {
    std::uintptr_t address = 0;
    std::uint64_t old = 0;
    std::uint8_t size = 0;
  };
  static constexpr std::size_t max_places = 64;
  static constexpr std::uint32_t max_rounds = 2;
  static constexpr std::size_t max_reads = 1U << 14;

  std::vector<Place> places;
  std::vector<Read> reads;
  std::vector<Write> writes;
  std::uint64_t held = 0;          // the locks that the process holds, mixed
  std::uint32_t locks = 0;         // ... and their number
  std::uint64_t plain = 0;         // plain reads since the last step
  std::uint64_t naps = 0;          // ... and how often it has slept
  std::uint64_t next_look = 0;     // so many of them are no ordinary computation any more
  bool active = false;             // one of the places has a digest: reads and writes count
  std::uint32_t observations = 0;  // how often another process has found a lock held by this one
  bool stuck = false;              // it spins; `reads` are those of one round
  bool spared = false;             // or it went round and is where it would have been anyway
  bool assumed = false;            // or it has found that an assumption does not hold

  void start() {
    progress();
    held = locks = 0;
    observations = 0;
    step();
    stuck = assumed = spared = false;
  }
  void step() {
    plain = naps = 0;
    next_look = first_look;
  }
  void progress() {
    if (places.empty() && !active) return;
    places.clear();
    reads.clear();
    writes.clear();
    active = false;
  }
  void take_lock(std::uint64_t name) {
    held += name;
    ++locks;
  }
  void give_back_lock(std::uint64_t name) {
    held -= name;
    --locks;
    for (Place& one : places) one.fewest = std::min(one.fewest, locks);
  }
  /// Whether a plain write has really changed something.
  [[nodiscard]] bool wrote() const {
    for (const Write& one : writes) {
      std::uint64_t now = 0;
      std::memcpy(&now, reinterpret_cast<const void*>(one.address), one.size);
      if (now != one.old) return true;
    }
    return false;
  }

  static constexpr std::uint64_t most_naps = 100'000;  // more, and nothing else: it only sleeps
  static constexpr std::uint64_t first_look = 20'000;
  static constexpr std::uint64_t look = 4'096;  // for so many reads from then on
};

}  // namespace mazurka::threads
