#include "programs/threads/runtime/memory_model/race_detector.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <unordered_map>
#include <utility>

#include "core/check.hpp"

namespace mazurka::threads {

namespace {

// An access of several granules may begin in the last one of a region and end beyond it.
constexpr std::size_t beyond = 3;

constexpr std::size_t slot_granules = slot_size / 4 + beyond;
constexpr std::size_t local_granules = parked_size / 4 + beyond;

}  // namespace

void RaceDetector::Unmap::operator()(Record* records) const { munmap(records, bytes); }

RaceDetector::Shadow RaceDetector::reserve(std::size_t granules) {
  const std::size_t bytes = granules * sizeof(Record);
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  return {static_cast<Record*>(memory), Unmap{bytes}};
}

void RaceDetector::add_region(std::uintptr_t begin, std::uintptr_t end) {
  MAZURKA_CHECK(begin < end, "a region has bytes");
  begin &= ~std::uintptr_t{3};
  regions_.push_back({begin, end, reserve((end - begin + 3) / 4 + beyond)});
}

void RaceDetector::clear() {
  if (++execution_ >= split_bit) {  // the numbers wrapped around: old records would look new
    execution_ = 1;
    slots_.clear();
    locals_.clear();
    for (Region& region : regions_) {
      std::memset(static_cast<void*>(region.shadow.get()), 0, region.shadow.get_deleter().bytes);
    }
  }
  used_.clear();
  packed_.clear();
  extents_.clear();
  splits_.clear();
  used_lists_ = 0;
  other_ = no_process;
}

void RaceDetector::put(std::uintptr_t address, Record record) {
  MAZURKA_CHECK(shadow(address) != nullptr, "what was used is in a region that is looked at");
  record.execution = execution_ | (record.execution & split_bit);
  *shadow(address) = record;
}

RaceDetector& RaceDetector::operator=(const RaceDetector& other) {
  if (this == &other) return *this;
  clear();
  if (other.used_.empty()) return *this;
  used_ = other.used_;
  splits_ = other.splits_;
  used_lists_ = other.used_lists_;
  if (lists_.size() < used_lists_) lists_.resize(used_lists_);
  std::copy_n(other.lists_.begin(), used_lists_, lists_.begin());
  other_ = other.other_;

  const bool pack = regions_.empty() && slots_.empty() && locals_.empty();
  if (regions_.size() < other.regions_.size() + other.extents_.size()) {
    extents_ = other.extents_;
    for (const Region& region : other.regions_) extents_.emplace_back(region.begin, region.end);
    if (!pack) take_in_regions();
  }
  if (pack) packed_.reserve(used_.size());
  for (std::size_t nth = 0; nth < used_.size(); ++nth) {
    if (pack) {
      packed_.push_back(other.record(nth));
    } else {
      put(used_[nth], other.record(nth));
    }
  }
  return *this;
}

void RaceDetector::take_in_regions() {
  for (const auto& [begin, end] : extents_) {
    if (shadow(begin) == nullptr) add_region(begin, end);
  }
  extents_.clear();
}

void RaceDetector::unpack() {
  if (packed_.empty()) return;
  MAZURKA_CHECK(packed_.size() == used_.size(), "each place that was used has its record");
  take_in_regions();
  for (std::size_t nth = 0; nth < used_.size(); ++nth) put(used_[nth], packed_[nth]);
  packed_.clear();
}

const RaceDetector::Record* RaceDetector::find(std::uintptr_t address) const {
  const Record* record = known_shadow(address);
  if (record == nullptr) record = shadow_of_local(address);
  for (const Region& region : regions_) {
    if (record != nullptr) break;
    if (address - region.begin >= region.end - region.begin) continue;
    record = region.shadow.get() + (address - region.begin) / 4;
  }
  if (record == nullptr || (record->execution & ~split_bit) != execution_) return nullptr;
  return record;
}

// But for where lists and the records of bytes are kept.
bool RaceDetector::same_past(const RaceDetector& one, const Record& of_one,
                             const RaceDetector& other, const Record& of_other) {
  const auto same_accesses = [&](std::uint16_t who, std::uint32_t when, std::uint16_t other_who,
                                 std::uint32_t other_when) {
    if (who != other_who) return false;
    return who == several ? one.lists_[when] == other.lists_[other_when] : when == other_when;
  };
  return same_accesses(of_one.writer, of_one.writer_tick, of_other.writer, of_other.writer_tick) &&
         same_accesses(of_one.reader, of_one.reader_tick, of_other.reader, of_other.reader_tick);
}

bool RaceDetector::same_past(const RaceDetector& one, std::size_t nth_of_one,
                             const RaceDetector& other, std::size_t nth_of_other) {
  const Record& here = one.record(nth_of_one);
  const Record& there = other.record(nth_of_other);
  const bool is_split = (here.execution & split_bit) != 0;
  if (is_split != ((there.execution & split_bit) != 0)) return false;
  if (!is_split) return same_past(one, here, other, there);
  for (std::size_t byte = 0; byte < 4; ++byte) {
    if (!same_past(one, one.splits_[here.writer_tick].byte[byte], other,
                   other.splits_[there.writer_tick].byte[byte])) {
      return false;
    }
  }
  return true;
}

bool operator==(const RaceDetector& one, const RaceDetector& other) {
  if (one.used_.size() != other.used_.size() || one.other_ != other.other_) return false;
  std::unordered_map<std::uintptr_t, std::size_t> numbers;
  for (std::size_t nth = 0; nth < other.used_.size(); ++nth) numbers.emplace(other.used_[nth], nth);
  for (std::size_t nth = 0; nth < one.used_.size(); ++nth) {
    const auto there = numbers.find(one.used_[nth]);
    if (there == numbers.end()) return false;
    if (!RaceDetector::same_past(one, nth, other, there->second)) return false;
  }
  return true;
}

RaceDetector::Record* RaceDetector::shadow(std::uintptr_t address) {
  if (in_zone(address)) {
    const std::size_t slot = slot_of(address);
    if (slot >= slots_.size()) slots_.resize(slot + 1);
    if (slots_[slot] == nullptr) slots_[slot] = reserve(slot_granules);
    return slots_[slot].get() + (address - slot_begin(slot)) / 4;
  }
  if (in_parked_zone(address)) {
    const std::size_t nth = parked_of(address);
    if (nth >= locals_.size()) locals_.resize(nth + 1);
    if (locals_[nth] == nullptr) locals_[nth] = reserve(local_granules);
    return shadow_of_local(address);
  }
  for (Region& region : regions_) {
    if (address - region.begin >= region.end - region.begin) continue;
    if (&region != &regions_.front()) std::swap(region, regions_.front());  // likely the next too
    const Region& found = regions_.front();
    return found.shadow.get() + (address - found.begin) / 4;
  }
  return nullptr;
}

bool RaceDetector::access_anyhow(ProcessId process, const VectorClock& clock,
                                 std::uintptr_t address, std::size_t size, AccessKind kind) {
  unpack();
  repeated_ = false;
  bool fine = true;
  std::uintptr_t at = address;
  const std::uintptr_t end = address + size;
  // Nearly all accesses are to one or two whole granules, whose records lie next to each other.
  if (size <= 16 && ((address | size) & 3U) == 0) {
    Record* record = shadow(address);
    if (record == nullptr) return true;
    for (; at + 8 <= end; at += 8, record += 2) {
      if (!check_pair(record, at, process, clock, kind)) fine = false;
    }
    if (at < end && !check_granule(*record, at, process, clock, 0xf, kind)) fine = false;
    return fine;
  }
  while (at < end) {
    Record* record = shadow(at);
    const std::size_t offset = at & 3U;
    const std::size_t length = std::min<std::size_t>(4 - offset, end - at);
    if (record != nullptr) {
      const unsigned mask = ((1U << length) - 1U) << offset;
      if (!check_granule(*record, at, process, clock, mask, kind)) fine = false;
    }
    at += length;
  }
  return fine;
}

// Two granules that have always been accessed together have the same history: checked once.
bool RaceDetector::check_pair(Record* records, std::uintptr_t address, ProcessId process,
                              const VectorClock& clock, AccessKind kind) {
  Record& one = records[0];
  Record& other = records[1];
  if ((one.execution & ~split_bit) != execution_ && (other.execution & ~split_bit) != execution_) {
    begin(one, address);
    begin(other, address + 4);
  } else if (one.execution != execution_ || one.reader == several || one.writer == several ||
             !same(one, other)) {
    const bool fine = check_granule(one, address, process, clock, 0xf, kind);
    return check_granule(other, address + 4, process, clock, 0xf, kind) && fine;
  }
  const Record before = one;
  const bool fine = check(one, process, clock, kind);
  other = one;
  if (one.reader != several && one.writer != several) return fine;
  other = before;  // with lists of its own
  return check(other, process, clock, kind) && fine;
}

bool RaceDetector::check_granule(Record& record, std::uintptr_t address, ProcessId process,
                                 const VectorClock& clock, unsigned mask, AccessKind kind) {
  if ((record.execution & ~split_bit) != execution_) begin(record, address);
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
                            const VectorClock& clock, bool atomic) {
  if (who == index(process) || clock[who] >= stamped >> 1U) return false;
  if (atomic && (stamped & 1U) != 0) return false;
  other_ = ProcessId{who};
  return true;
}

bool RaceDetector::conflicts(std::uint16_t who, std::uint32_t when, ProcessId process,
                             const VectorClock& clock, bool atomic) {
  if (who == nobody) return false;
  if (who != several) return conflict(who, when, process, clock, atomic);
  return std::any_of(lists_[when].begin(), lists_[when].end(), [&](const Past& past) {
    return conflict(past.who, past.stamped, process, clock, atomic);
  });
}

// Adds an access to the reads or writes of a record, and takes away those that it speaks for.
void RaceDetector::add(std::uint16_t& who, std::uint32_t& when, ProcessId process,
                       const VectorClock& clock, bool atomic) {
  const auto self = static_cast<std::uint16_t>(index(process));
  const std::uint32_t now = stamp(clock, process, atomic);
  MAZURKA_CHECK(self < several, "the number of a process stands for one process");
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

bool RaceDetector::check(Record& record, ProcessId process, const VectorClock& clock,
                         AccessKind kind) {
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
