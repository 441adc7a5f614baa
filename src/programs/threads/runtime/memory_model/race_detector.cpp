#include "programs/threads/runtime/memory_model/race_detector.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace mazurka::threads {

namespace {

// An access of several granules may begin in the last one of a region and end beyond it.
constexpr std::size_t beyond = 3;

void* reserve(std::size_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  return memory;
}

}  // namespace

void RaceDetector::add_region(std::uintptr_t begin, std::uintptr_t end) {
  begin &= ~std::uintptr_t{3};
  const std::size_t granules = (end - begin + 3) / 4 + beyond;
  regions_.push_back({begin, end, static_cast<Record*>(reserve(granules * sizeof(Record)))});
}

void RaceDetector::start_execution() {
  if (++execution_ >= split_bit) {  // the numbers wrapped around: old records would look new
    execution_ = 1;
    for (Record*& slot : slots_) {
      if (slot != nullptr) {
        munmap(slot, (slot_size / 4 + beyond) * sizeof(Record));
        slot = nullptr;
      }
    }
    for (Region& region : regions_) {
      std::memset(static_cast<void*>(region.shadow), 0,
                  ((region.end - region.begin + 3) / 4 + beyond) * sizeof(Record));
    }
  }
  splits_.clear();
  used_lists_ = 0;
}

RaceDetector::Record* RaceDetector::shadow(std::uintptr_t address) {
  if (in_zone(address)) {
    const std::size_t slot = slot_of(address);
    if (slot >= slots_.size()) slots_.resize(slot + 1, nullptr);
    if (slots_[slot] == nullptr) {
      slots_[slot] = static_cast<Record*>(reserve((slot_size / 4 + beyond) * sizeof(Record)));
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
  } else if (one.execution != execution_ || one.reader == several || one.writer == several ||
             !same(one, other)) {
    const bool fine = check_granule(one, process, clock, 0xf, kind);
    return check_granule(other, process, clock, 0xf, kind) && fine;
  }
  const Record before = one;
  const bool fine = check(one, process, clock, kind);
  other = one;
  if (one.reader != several && one.writer != several) return fine;
  other = before;  // with lists of its own
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
    copy_lists(byte);  // each byte goes on with its own
  }
  record.execution |= split_bit;
  record.writer_tick = static_cast<std::uint32_t>(splits_.size() - 1);
}

std::uint32_t RaceDetector::new_list() {
  if (used_lists_ == lists_.size()) lists_.emplace_back();
  lists_[used_lists_].clear();
  return static_cast<std::uint32_t>(used_lists_++);
}

void RaceDetector::copy_lists(Record& record) {
  const auto copy = [this](std::uint16_t who, std::uint32_t& list) {
    if (who != several) return;
    const std::uint32_t original = std::exchange(list, new_list());
    lists_[list] = lists_[original];
  };
  copy(record.writer, record.writer_tick);
  copy(record.reader, record.reader_tick);
}

bool RaceDetector::conflict(std::uint16_t who, std::uint32_t stamped, ProcessId process,
                            const Clock& clock, bool atomic) {
  if (who == index(process) || clock[who] >= stamped >> 1U) return false;
  if (atomic && (stamped & 1U) != 0) return false;
  other_ = ProcessId{who};
  return true;
}

bool RaceDetector::conflicts(std::uint16_t who, std::uint32_t when, ProcessId process,
                             const Clock& clock, bool atomic) {
  if (who == nobody) return false;
  if (who != several) return conflict(who, when, process, clock, atomic);
  return std::any_of(lists_[when].begin(), lists_[when].end(), [&](const Past& past) {
    return conflict(past.who, past.stamped, process, clock, atomic);
  });
}

// Adds an access to the reads or writes of a record, and takes away those that it speaks for.
void RaceDetector::add(std::uint16_t& who, std::uint32_t& when, ProcessId process,
                       const Clock& clock, bool atomic) {
  const auto self = static_cast<std::uint16_t>(index(process));
  const std::uint32_t now = stamp(clock, process, atomic);
  const auto spoken_for = [&](const Past& past) {
    return (!atomic || (past.stamped & 1U) != 0) &&
           (past.who == self || clock[past.who] >= past.stamped >> 1U);
  };
  const auto speaks_for_it = [&](const Past& past) {
    return past.who == self && (past.stamped & 1U) == 0 && past.stamped >> 1U == now >> 1U;
  };
  if (who != several) {
    const Past only{who, when};
    if (who == nobody || spoken_for(only)) {
      who = self;
      when = now;
      return;
    }
    if (speaks_for_it(only)) return;
    who = several;
    when = new_list();
    lists_[when].push_back(only);
  }
  std::vector<Past>& list = lists_[when];
  if (std::any_of(list.begin(), list.end(), speaks_for_it)) return;
  std::erase_if(list, spoken_for);
  list.push_back({self, now});
}

bool RaceDetector::check(Record& record, ProcessId process, const Clock& clock, AccessKind kind) {
  const bool atomic = kind == AccessKind::atomic_read || kind == AccessKind::atomic_write;
  const bool write = kind == AccessKind::write || kind == AccessKind::atomic_write;
  bool fine = !conflicts(record.writer, record.writer_tick, process, clock, atomic);
  if (!write) {
    add(record.reader, record.reader_tick, process, clock, atomic);
    return fine;
  }
  if (conflicts(record.reader, record.reader_tick, process, clock, atomic)) fine = false;
  if (atomic) {  // it does not order the atomic accesses of others: all are kept
    add(record.writer, record.writer_tick, process, clock, atomic);
    return fine;
  }
  record.reader = nobody;
  record.reader_tick = 0;
  record.writer = static_cast<std::uint16_t>(index(process));
  record.writer_tick = stamp(clock, process, atomic);
  return fine;
}

}  // namespace mazurka::threads
