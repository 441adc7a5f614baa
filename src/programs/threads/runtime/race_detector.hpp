// Finds conflicting accesses that nothing orders.
//
// Every four bytes of the program's memory have a shadow record: the last write and the last read
// (or a list of reads that do not order each other), each as process and clock tick. An access
// races with a recorded one if the process does not know of that tick. Bytes that are accessed
// one or two at a time get records of their own, so neighbours in one word never race.
// Records carry the number of the execution they belong to; older ones count as empty, so nothing
// has to be cleared.
#pragma once

#include <cstdint>
#include <vector>

#include "core/ids.hpp"
#include "programs/threads/runtime/clocks.hpp"
#include "programs/threads/runtime/memory.hpp"

namespace mazurka::threads {

enum class AccessKind : std::uint8_t { read, write, atomic_read, atomic_write };

class RaceDetector {
 public:
  /// Static data that the program may share.
  void add_region(std::uintptr_t begin, std::uintptr_t end);

  void start_execution();

  /// Records the access; returns false if it races with an earlier one of another process.
  bool access(ProcessId process, const Clock& clock, std::uintptr_t address, std::size_t size,
              AccessKind kind);

  /// After a race: who made the other access.
  [[nodiscard]] ProcessId other() const { return other_; }

 private:
  static constexpr std::uint16_t nobody = 0xffff;
  static constexpr std::uint16_t several = 0xfffe;
  static constexpr std::uint32_t split_bit = 0x80000000;

  struct Record {
    std::uint32_t execution = 0;    // | split_bit: writer_tick is an index into splits_
    std::uint32_t writer_tick = 0;  // ticks are stamped: times two, plus one for an atomic access
    std::uint32_t reader_tick = 0;  // reader == several: an index into readers_
    std::uint16_t writer = nobody;
    std::uint16_t reader = nobody;
  };
  struct Region {
    std::uintptr_t begin = 0, end = 0;
    Record* shadow = nullptr;
  };

  [[nodiscard]] Record* shadow(std::uintptr_t address);
  bool check_pair(Record& one, Record& other, ProcessId process, const Clock& clock,
                  AccessKind kind);
  bool check_granule(Record& record, ProcessId process, const Clock& clock, unsigned mask,
                     AccessKind kind);
  bool check(Record& record, ProcessId process, const Clock& clock, AccessKind kind);
  void split(Record& record);
  void add_reader(Record& record, ProcessId process, const Clock& clock, bool atomic);
  [[nodiscard]] static std::uint32_t stamp(const Clock& clock, ProcessId process, bool atomic) {
    return clock[index(process)] << 1U | (atomic ? 1U : 0U);
  }
  bool conflict(std::uint16_t who, std::uint32_t stamped, ProcessId process, const Clock& clock,
                bool atomic);

  std::uint32_t execution_ = 0;
  ProcessId other_ = no_process;
  std::vector<Region> regions_;
  std::vector<Record*> slots_;
  struct Split {
    Record byte[4];
  };
  std::vector<Split> splits_;
  struct Readers {
    std::vector<std::pair<std::uint16_t, std::uint32_t>> list;
  };
  std::vector<Readers> readers_;
  std::size_t used_readers_ = 0;
};

}  // namespace mazurka::threads
