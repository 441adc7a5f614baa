// Finds conflicting accesses that nothing orders.
//
// Every four bytes of the program's memory have a shadow record: the last write and the last read,
// each as process and clock tick, or a list where one does not speak for all. An access races with
// a recorded one if the process does not know of that tick, unless both are atomic. So a later
// access speaks for an earlier one that it knows of, but an atomic one does not speak for a plain
// one: to another atomic access only the plain one matters. Bytes that are accessed one or two at a
// time get records of their own, so neighbours in one word never race. Records carry the number of
// the execution they belong to; older ones count as empty, so nothing has to be cleared.
//
// A detector is a value: a copy of it knows of the same accesses, and finds the same races from
// there on. To be copied in the time that was used, it knows which records there are. A copy is
// packed: it has these records alone, and room for others when it is first asked about an access.
//
// Nearly every access is a plain one to one or two whole granules by a process that knows of
// everything recorded there. That case is decided in this header, without a call; all others go to
// race_detector.cpp, which decides every case.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "core/ids.hpp"
#include "native/memory_model/clocks.hpp"
#include "programs/threads/runtime/machine/memory.hpp"

namespace mazurka::threads {
using namespace native;

enum class AccessKind : std::uint8_t { read, write, atomic_read, atomic_write };
[[nodiscard]] inline bool is_write(AccessKind kind) {
  return kind == AccessKind::write || kind == AccessKind::atomic_write;
}
[[nodiscard]] inline bool is_atomic(AccessKind kind) {
  return kind == AccessKind::atomic_read || kind == AccessKind::atomic_write;
}

class RaceDetector {
 public:
  RaceDetector() = default;
  RaceDetector(const RaceDetector& other) { *this = other; }
  RaceDetector& operator=(const RaceDetector& other);
  ~RaceDetector() = default;
  /// Whether both know of the same accesses.
  friend bool operator==(const RaceDetector& one, const RaceDetector& other);

  /// Static data that the program may share.
  void add_region(std::uintptr_t begin, std::uintptr_t end);

  /// Knows of no access any more.
  void clear();

  /// Records the access; returns false if it races with an earlier one of another process.
  bool access(ProcessId process, const VectorClock& clock, std::uintptr_t address, std::size_t size,
              AccessKind kind) {
    return access_in_order(process, clock, address, size, kind) ||
           access_anyhow(process, clock, address, size, kind);
  }

  /// Whether accesses to this address are looked at at all.
  [[nodiscard]] bool watches(std::uintptr_t address) {
    unpack();
    return shadow(address) != nullptr;
  }

  /// Whether the latest access was noted already: by the same process, of the same kind, and it has
  /// released nothing since.
  [[nodiscard]] bool repeated() const { return repeated_; }

  /// After a race: who made the other access.
  [[nodiscard]] ProcessId other() const { return other_; }

 private:
  static constexpr std::uint16_t nobody = 0xffff;
  static constexpr std::uint16_t several = 0xfffe;
  static constexpr std::uint32_t split_bit = 0x80000000;

  struct Record {                   // nobody's ticks are 0: everybody knows of them
    std::uint32_t execution = 0;    // | split_bit: writer_tick is an index into splits_
    std::uint32_t writer_tick = 0;  // ticks are stamped: times two, plus one for an atomic access
    std::uint32_t reader_tick = 0;  // of `several`: an index into lists_
    std::uint16_t writer = nobody;
    std::uint16_t reader = nobody;
  };
  struct Unmap {
    std::size_t bytes;
    void operator()(Record* records) const;
  };
  using Shadow = std::unique_ptr<Record[], Unmap>;
  struct Region {
    std::uintptr_t begin = 0, end = 0;
    Shadow shadow;
  };

  /// Decides the usual case. False: it is not that case, and nothing was recorded.
  bool access_in_order(ProcessId process, const VectorClock& clock, std::uintptr_t address,
                       std::size_t size, AccessKind kind) {
    const bool two = size == 8;
    if ((size != 4 && !two) || (address & 3U) != 0 || kind > AccessKind::write) return false;
    Record* record = known_shadow(address);
    if (record == nullptr || (two && !same(record[0], record[1]))) return false;
    Record next = *record;
    if (next.execution != execution_) {
      if (next.execution == (execution_ | split_bit)) return false;
      next = Record{};
      next.execution = execution_;
      used_.push_back(address);
      if (two) used_.push_back(address + 4);
    } else if (next.reader == several || next.writer == several ||
               clock[next.writer] < next.writer_tick >> 1U ||
               clock[next.reader] < next.reader_tick >> 1U) {
      return false;
    }
    const auto self = static_cast<std::uint16_t>(index(process));
    const std::uint32_t now = stamp(clock, process, false);
    if (kind == AccessKind::read) {
      next.reader = self;
      next.reader_tick = now;
    } else {
      next.reader = nobody;
      next.reader_tick = 0;
      next.writer = self;
      next.writer_tick = now;
    }
    repeated_ = same(*record, next);
    record[0] = next;
    if (two) record[1] = next;
    return true;
  }
  bool access_anyhow(ProcessId process, const VectorClock& clock, std::uintptr_t address,
                     std::size_t size, AccessKind kind);

  [[nodiscard]] static bool same(const Record& one, const Record& other) {
    return std::memcmp(&one, &other, sizeof one) == 0;
  }

  /// The record, if it is found at once.
  [[nodiscard]] Record* known_shadow(std::uintptr_t address) const {
    if (in_zone(address)) {
      const std::size_t slot = slot_of(address);
      if (slot >= slots_.size() || slots_[slot] == nullptr) return nullptr;
      return slots_[slot].get() + (address - slot_begin(slot)) / 4;
    }
    if (regions_.empty()) return nullptr;
    const Region& region = regions_.front();
    // As the search for it leaves the latest in front.
    if (address - region.begin >= region.end - region.begin) return nullptr;
    return region.shadow.get() + (address - region.begin) / 4;
  }
  [[nodiscard]] Record* shadow(std::uintptr_t address);
  /// Of a thread-local variable, if there is room for its records.
  [[nodiscard]] Record* shadow_of_local(std::uintptr_t address) const {
    const std::size_t nth = in_parked_zone(address) ? parked_of(address) : ~std::size_t{0};
    if (nth >= locals_.size() || locals_[nth] == nullptr) return nullptr;
    return locals_[nth].get() + (address - parked_zone - nth * parked_size) / 4;
  }
  [[nodiscard]] static Shadow reserve(std::size_t bytes);
  /// Of this execution, or null.
  [[nodiscard]] const Record* find(std::uintptr_t address) const;
  /// Of the granule that is number `nth` of those used.
  [[nodiscard]] const Record& record(std::size_t nth) const {
    return packed_.empty() ? *find(used_[nth]) : packed_[nth];
  }
  void put(std::uintptr_t address, Record record);
  void unpack();
  void take_in_regions();
  [[nodiscard]] static bool same_past(const RaceDetector& one, std::size_t nth_of_one,
                                      const RaceDetector& other, std::size_t nth_of_other);
  void begin(Record& record, std::uintptr_t address) {
    record = Record{};
    record.execution = execution_;
    used_.push_back(address & ~std::uintptr_t{3});
  }
  bool check_pair(Record* records, std::uintptr_t address, ProcessId process,
                  const VectorClock& clock, AccessKind kind);
  bool check_granule(Record& record, std::uintptr_t address, ProcessId process,
                     const VectorClock& clock, unsigned mask, AccessKind kind);
  bool check(Record& record, ProcessId process, const VectorClock& clock, AccessKind kind);
  void split(Record& record);
  void add(std::uint16_t& who, std::uint32_t& when, ProcessId process, const VectorClock& clock,
           bool atomic);
  std::uint32_t new_list();
  void copy_lists(Record& record);
  [[nodiscard]] static std::uint32_t stamp(const VectorClock& clock, ProcessId process,
                                           bool atomic) {
    return clock[index(process)] << 1U | (atomic ? 1U : 0U);
  }
  bool conflict(std::uint16_t who, std::uint32_t stamped, ProcessId process,
                const VectorClock& clock, bool atomic);
  bool conflicts(std::uint16_t who, std::uint32_t when, ProcessId process, const VectorClock& clock,
                 bool atomic);

  std::uint32_t execution_ = 1;  // not 0: what was never written is no record
  ProcessId other_ = no_process;
  bool repeated_ = false;
  std::vector<Region> regions_;
  std::vector<Shadow> slots_;
  std::vector<Shadow> locals_;        // of thread-local variables, by parked thread
  std::vector<std::uintptr_t> used_;  // the granules that have a record of this execution
  std::vector<Record> packed_;        // these records, if they are in no shadow
  std::vector<std::pair<std::uintptr_t, std::uintptr_t>> extents_;  // of the regions to come
  struct Split {
    Record byte[4];
  };
  std::vector<Split> splits_;
  struct Past {
    std::uint16_t who;
    std::uint32_t stamped;
    friend bool operator==(const Past&, const Past&) = default;
  };
  [[nodiscard]] static bool same_past(const RaceDetector& one, const Record& of_one,
                                      const RaceDetector& other, const Record& of_other);
  std::vector<std::vector<Past>> lists_;
  std::size_t used_lists_ = 0;
};

}  // namespace mazurka::threads
