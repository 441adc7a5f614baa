#include "programs/caf/shared_memory.hpp"

#include <algorithm>
#include <utility>

#include "core/check.hpp"

namespace mazurka::caf {

namespace {

constexpr unsigned granule_bits = 3;
constexpr std::size_t granule_size = std::size_t{1} << granule_bits;

}  // namespace

void SharedMemory::clear() {
  if (used_ > 0 && ++execution_ == 0) {  // the numbers wrapped around: old slots would look new
    execution_ = 1;
    std::fill(slots_.begin(), slots_.end(), Slot{});
  }
  used_ = 0;
  cells_.clear();
  free_ = none;
}

// Where the granule is, or where it belongs.
std::size_t SharedMemory::place_of(std::uintptr_t granule) const {
  constexpr std::uint64_t golden = 0x9e3779b97f4a7c15U;
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = (granule * golden >> 32U) & mask;
  while (slots_[at].execution == execution_ && slots_[at].granule != granule) at = (at + 1) & mask;
  return at;
}

SharedMemory::Slot& SharedMemory::slot(std::uintptr_t granule) {
  std::size_t at = place_of(granule);
  if (slots_[at].execution == execution_) return slots_[at];
  if (2 * ++used_ > slots_.size()) {
    grow();
    at = place_of(granule);
  }
  // Ensures: there is always a free slot, at which a search ends.
  MAZURKA_CHECK(used_ < slots_.size(), "a table of accesses has free slots");
  slots_[at] = {granule, execution_, none};
  return slots_[at];
}

void SharedMemory::grow() {
  std::vector<Slot> old(2 * slots_.size());
  std::swap(old, slots_);
  for (const Slot& one : old) {
    if (one.execution == execution_) slots_[place_of(one.granule)] = one;
  }
}

void SharedMemory::release(std::uint32_t cell) {
  MAZURKA_CHECK(cell < cells_.size() && cell != free_, "a cell is given back once");
  cells_[cell].next = std::exchange(free_, cell);
}

void SharedMemory::empty(Slot& slot) {
  while (slot.first != none) {
    const std::uint32_t cell = slot.first;
    slot.first = cells_[cell].next;
    release(cell);
  }
}

bool SharedMemory::access(const Knowledge& knowledge, std::uintptr_t address, std::size_t size,
                          Kind kind, std::uintptr_t code, Past& other) {
  const Past now{code, knowledge.current(), kind};
  bool conflicts = false;
  for (std::uintptr_t at = address; at < address + size;) {
    const std::uintptr_t granule = at >> granule_bits;
    const std::size_t first = at % granule_size;
    const std::size_t count = std::min(granule_size - first, address + size - at);
    const auto bytes = static_cast<std::uint8_t>(((1U << count) - 1U) << first);
    Past found;
    if (access_granule(knowledge, granule, bytes, now, found) && !std::exchange(conflicts, true)) {
      other = found;
    }
    at += count;
  }
  return conflicts;
}

bool SharedMemory::access_granule(const Knowledge& knowledge, std::uintptr_t granule,
                                  std::uint8_t bytes, const Past& now, Past& other) {
  MAZURKA_CHECK(bytes != 0, "an access touches a byte of each of its granules");
  Slot& here = slot(granule);
  bool conflicts = false;
  for (std::uint32_t* link = &here.first; *link != none;) {
    Cell& cell = cells_[*link];
    const bool known = knowledge.now()[cell.past.process] >= cell.tick;
    const bool touches = (cell.bytes & bytes) != 0;
    if (touches && !known && (writes(cell.past.kind) || writes(now.kind))) {
      // A race says more than a pair of atomic accesses.
      if (!conflicts || (atomic(other.kind) && !atomic(cell.past.kind))) other = cell.past;
      conflicts = true;
    }
    // A later access speaks for what it knows of, unless it conflicts with less.
    const bool covered = known && (cell.bytes & ~bytes) == 0 &&
                         (writes(now.kind) || !writes(cell.past.kind)) &&
                         (!atomic(now.kind) || atomic(cell.past.kind));
    if (covered) {
      const std::uint32_t gone = *link;
      *link = cell.next;
      release(gone);
    } else {
      link = &cell.next;
    }
  }
  std::uint32_t fresh = free_;
  if (fresh == none) {
    fresh = static_cast<std::uint32_t>(cells_.size());
    cells_.emplace_back();
  } else {
    free_ = cells_[fresh].next;
  }
  cells_[fresh] = {now, knowledge.tick(), here.first, bytes};
  here.first = fresh;
  return conflicts;
}

void SharedMemory::forget(std::uintptr_t address, std::size_t size) {
  if (used_ == 0 || size == 0) return;
  const std::uintptr_t first = address >> granule_bits;
  const std::uintptr_t last = (address + size - 1) >> granule_bits;
  if (last - first > slots_.size()) {
    for (Slot& one : slots_) {
      if (one.execution == execution_ && one.granule >= first && one.granule <= last) empty(one);
    }
    return;
  }
  for (std::uintptr_t granule = first; granule <= last; ++granule) {
    Slot& one = slots_[place_of(granule)];
    if (one.execution == execution_) empty(one);
  }
}

}  // namespace mazurka::caf
