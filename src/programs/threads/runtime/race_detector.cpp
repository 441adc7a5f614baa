#include "programs/threads/runtime/race_detector.hpp"

#include <sys/mman.h>

#include <cstring>
#include <new>
#include <utility>

namespace mazurka::threads {

namespace {

void* reserve(std::size_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  return memory;
}

}  // namespace

void RaceDetector::add_region(std::uintptr_t begin, std::uintptr_t end) {
  begin &= ~std::uintptr_t{3};
  const std::size_t granules = (end - begin + 3) / 4;
  regions_.push_back({begin, end, static_cast<Record*>(reserve(granules * sizeof(Record)))});
}

void RaceDetector::start_execution() {
  if (++execution_ >= split_bit) {  // the numbers wrapped around: old records would look new
    execution_ = 1;
    for (Record*& slot : slots_) {
      if (slot != nullptr) {
        munmap(slot, slot_size / 4 * sizeof(Record));
        slot = nullptr;
      }
    }
    for (Region& region : regions_) {
      std::memset(static_cast<void*>(region.shadow), 0,
                  (region.end - region.begin + 3) / 4 * sizeof(Record));
    }
  }
  splits_.clear();
  used_readers_ = 0;
}

RaceDetector::Record* RaceDetector::shadow(std::uintptr_t address) {
  if (in_zone(address)) {
    const std::size_t slot = slot_of(address);
    if (slot >= slots_.size()) slots_.resize(slot + 1, nullptr);
    if (slots_[slot] == nullptr) {
      slots_[slot] = static_cast<Record*>(reserve(slot_size / 4 * sizeof(Record)));
    }
    return slots_[slot] + (address - slot_begin(slot)) / 4;
  }
  for (Region& region : regions_) {
    if (address - region.begin >= region.end - region.begin) continue;
    if (&region != &regions_.front()) std::swap(region, regions_.front());  // likely the next too
    const Region& found = regions_.front();
    return found.shadow + (address - found.begin) / 4;
  }
  return nullptr;
}

bool RaceDetector::access_anyhow(ProcessId process, const Clock& clock, std::uintptr_t address,
                                 std::size_t size, AccessKind kind) {
  bool fine = true;
  std::uintptr_t at = address;
  const std::uintptr_t end = address + size;
  // Nearly all accesses are to one or two whole granules, whose records lie next to each other.
  if (size <= 16 && ((address | size) & 3U) == 0) {
    Record* record = shadow(address);
    if (record == nullptr) return true;
    for (; at + 8 <= end; at += 8, record += 2) {
      if (!check_pair(record[0], record[1], process, clock, kind)) fine = false;
    }
    if (at < end && !check_granule(*record, process, clock, 0xf, kind)) fine = false;
    return fine;
  }
  while (at < end) {
    Record* record = shadow(at);
    const std::size_t offset = at & 3U;
    const std::size_t length = std::min<std::size_t>(4 - offset, end - at);
    if (record != nullptr) {
      const unsigned mask = ((1U << length) - 1U) << offset;
      if (!check_granule(*record, process, clock, mask, kind)) fine = false;
    }
    at += length;
  }
  return fine;
}

// Two granules that have always been accessed together have the same history: checked once.
bool RaceDetector::check_pair(Record& one, Record& other, ProcessId process, const Clock& clock,
                              AccessKind kind) {
  if ((one.execution & ~split_bit) != execution_ && (other.execution & ~split_bit) != execution_) {
    one = Record{};
    one.execution = execution_;
  } else if (one.execution != execution_ || one.reader == several || !same(one, other)) {
    const bool fine = check_granule(one, process, clock, 0xf, kind);
    return check_granule(other, process, clock, 0xf, kind) && fine;
  }
  const Record before = one;
  const bool fine = check(one, process, clock, kind);
  other = one;
  if (one.reader != several) return fine;
  other = before;  // with a list of readers of its own
  return check(other, process, clock, kind) && fine;
}

bool RaceDetector::check_granule(Record& record, ProcessId process, const Clock& clock,
                                 unsigned mask, AccessKind kind) {
  if ((record.execution & ~split_bit) != execution_) {
    record = Record{};
    record.execution = execution_;
  }
  const bool is_split = (record.execution & split_bit) != 0;
  if (mask == 0xf && !is_split) return check(record, process, clock, kind);
  if (!is_split) split(record);
  bool fine = true;
  for (unsigned byte = 0; byte < 4; ++byte) {
    if ((mask >> byte & 1U) != 0 &&
        !check(splits_[record.writer_tick].byte[byte], process, clock, kind)) {
      fine = false;
    }
  }
  return fine;
}

void RaceDetector::split(Record& record) {
  splits_.emplace_back();
  Split& bytes = splits_.back();
  for (Record& byte : bytes.byte) {
    byte = record;
    if (record.reader == several) {  // each byte goes on with a list of its own
      const auto copy = readers_[record.reader_tick].list;
      if (used_readers_ == readers_.size()) readers_.emplace_back();
      readers_[used_readers_].list = copy;
      byte.reader_tick = static_cast<std::uint32_t>(used_readers_++);
    }
  }
  record.execution |= split_bit;
  record.writer_tick = static_cast<std::uint32_t>(splits_.size() - 1);
}

bool RaceDetector::conflict(std::uint16_t who, std::uint32_t stamped, ProcessId process,
                            const Clock& clock, bool atomic) {
  if (who == index(process) || clock[who] >= stamped >> 1U) return false;
  if (atomic && (stamped & 1U) != 0) return false;
  other_ = ProcessId{who};
  return true;
}

void RaceDetector::add_reader(Record& record, ProcessId process, const Clock& clock, bool atomic) {
  const std::uint32_t stamped = stamp(clock, process, atomic);
  if (record.reader == several) {
    auto& list = readers_[record.reader_tick].list;
    for (auto& [who, when] : list) {
      if (who == index(process)) {
        when = atomic ? std::max(when, stamped) : stamped;
        return;
      }
    }
    list.emplace_back(static_cast<std::uint16_t>(index(process)), stamped);
    return;
  }
  if (record.reader == nobody || record.reader == index(process) ||
      clock[record.reader] >= record.reader_tick >> 1U) {
    record.reader = static_cast<std::uint16_t>(index(process));
    record.reader_tick = stamped;
    return;
  }
  if (used_readers_ == readers_.size()) readers_.emplace_back();
  auto& list = readers_[used_readers_].list;
  list.clear();
  list.emplace_back(record.reader, record.reader_tick);
  list.emplace_back(static_cast<std::uint16_t>(index(process)), stamped);
  record.reader = several;
  record.reader_tick = static_cast<std::uint32_t>(used_readers_++);
}

bool RaceDetector::check(Record& record, ProcessId process, const Clock& clock, AccessKind kind) {
  const bool atomic = kind == AccessKind::atomic_read || kind == AccessKind::atomic_write;
  const bool write = kind == AccessKind::write || kind == AccessKind::atomic_write;
  bool fine = true;
  const auto self = static_cast<std::uint16_t>(index(process));
  if (record.writer != nobody && record.writer != self &&
      conflict(record.writer, record.writer_tick, process, clock, atomic)) {
    fine = false;
  }
  if (!write) {
    if (record.reader == nobody || record.reader == self) {
      record.reader = self;
      record.reader_tick = stamp(clock, process, atomic);
      return fine;
    }
    add_reader(record, process, clock, atomic);
    return fine;
  }
  if (record.reader == several) {
    for (const auto& [who, when] : readers_[record.reader_tick].list) {
      if (conflict(who, when, process, clock, atomic)) fine = false;
    }
  } else if (record.reader != nobody && record.reader != self &&
             conflict(record.reader, record.reader_tick, process, clock, atomic)) {
    fine = false;
  }
  // An atomic write does not order earlier atomic accesses of others; keep the reads for later.
  if (!atomic) {
    record.reader = nobody;
    record.reader_tick = 0;
  }
  record.writer = self;
  record.writer_tick = stamp(clock, process, atomic);
  return fine;
}

}  // namespace mazurka::threads
