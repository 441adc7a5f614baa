// Names for memory: from an address and a size to the objects that an access touches.
//
// An object should be exactly what the program treats as one variable, or independent accesses
// would look dependent. So the first access to some bytes makes them one cell, and later accesses
// touch the cells that their bytes belong to: an 8-byte access over two known 4-byte cells touches
// both, a 1-byte access inside a known 4-byte cell touches that cell. A byte never changes its
// cell, so an access has the same footprint for the whole exploration.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/archive.hpp"
#include "core/check.hpp"
#include "core/ids.hpp"

namespace mazurka::threads {

/// Hands out object ids; remembers what each one is, for messages.
class Objects {
 public:
  struct Origin {
    std::uintptr_t address = 0;
    std::uint8_t kind = 0;
    std::uint8_t size = 0;  // of a memory cell, in bytes
  };
  ObjectId add(std::uintptr_t address, std::uint8_t kind, std::size_t size = 0) {
    MAZURKA_CHECK(kind < max_kinds && size <= 0xff, "an object is of a kind, a cell of few bytes");
    origins_.push_back({address, kind, static_cast<std::uint8_t>(size)});
    return static_cast<ObjectId>(origins_.size() - 1);
  }
  [[nodiscard]] const Origin& operator[](ObjectId object) const { return origins_[index(object)]; }
  [[nodiscard]] std::size_t size() const { return origins_.size(); }

 private:
  std::vector<Origin> origins_;
};

/// An open-addressing map from addresses (never 0) to small values; entries are never removed.
template <typename Value>
class AddressMap {
 public:
  AddressMap() : slots_(1024) {}

  /// The value, or null if there is none yet.
  [[nodiscard]] const Value* look(std::uintptr_t key) const {
    const Slot& slot = slots_[find(key)];
    return slot.key == key ? &slot.value : nullptr;
  }

  Value& operator[](std::uintptr_t key) {
    std::size_t at = find(key);
    if (slots_[at].key == key) return slots_[at].value;
    MAZURKA_CHECK(key != 0, "no address is 0");
    if (++used_ * 2 > slots_.size()) {
      grow();
      at = find(key);
    }
    slots_[at].key = key;
    return slots_[at].value;
  }

  /// Calls `visit(key, value)` for every entry, in no particular order.
  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (const Slot& slot : slots_) {
      if (slot.key != 0) visit(slot.key, slot.value);
    }
  }

 private:
  struct Slot {
    std::uintptr_t key = 0;
    Value value{};
  };
  [[nodiscard]] std::size_t find(std::uintptr_t key) const {
    std::size_t at = (key * 0x9e3779b97f4a7c15U) >> shift_;
    while (slots_[at].key != key && slots_[at].key != 0) at = (at + 1) & (slots_.size() - 1);
    return at;
  }
  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    --shift_;
    for (Slot& slot : old) {
      if (slot.key != 0) slots_[find(slot.key)] = std::move(slot);
    }
  }
  std::vector<Slot> slots_;
  std::size_t used_ = 0;
  unsigned shift_ = 64 - 10;
};

/// A set of addresses (never 0) that only grows.
class AddressSet {
 public:
  /// True: it was not there before.
  bool insert(std::uintptr_t address) {
    bool& known = known_[address];
    if (std::exchange(known, true)) return false;
    ++size_;
    return true;
  }
  [[nodiscard]] bool contains(std::uintptr_t address) const {
    return size_ != 0 && known_.look(address) != nullptr;
  }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::vector<std::uint64_t> all() const {
    std::vector<std::uint64_t> addresses;
    known_.for_each([&](std::uintptr_t address, bool) { addresses.push_back(address); });
    return addresses;
  }
  friend bool operator==(const AddressSet& one, const AddressSet& other) {
    const std::vector<std::uint64_t> addresses = one.all();
    return addresses.size() == other.all().size() &&
           std::all_of(addresses.begin(), addresses.end(),
                       [&](std::uint64_t address) { return other.contains(address); });
  }

 private:
  AddressMap<bool> known_;
  std::size_t size_ = 0;
};
inline void members(ArchiveWriter& archive, const AddressSet& set) { archive(set.all()); }
inline void members(ArchiveReader& archive, AddressSet& set) {
  std::vector<std::uint64_t> addresses;
  archive(addresses);
  for (const std::uint64_t address : addresses) {
    if (address == 0) throw ArchiveError("an address is 0");
    set.insert(address);
  }
}

class Cells {
 public:
  Cells(Objects& objects, std::uint8_t kind) : objects_(objects), kind_(kind) {}

  /// Whether the access touches a cell that is known already.
  [[nodiscard]] bool knows(std::uintptr_t address, std::size_t size) const {
    for (std::uintptr_t at = address; at < address + size; ++at) {
      const Granule* granule = granules_.look(at | 7U);
      if (granule != nullptr && granule->cell[at & 7U] != 0) return true;
    }
    return false;
  }

  /// Calls `visit(ObjectId)` once for every cell that the access touches.
  template <typename Visit>
  void for_each(std::uintptr_t address, std::size_t size, Visit&& visit) {
    std::uintptr_t at = address;
    const std::uintptr_t end = address + size;
    std::uint32_t previous = none;
    while (at < end) {
      Granule& granule = granules_[(at | 7U)];
      const std::size_t offset = at & 7U;
      const std::size_t length = std::min<std::size_t>(8 - offset, end - at);
      for (std::size_t byte = offset; byte < offset + length; ++byte) {
        if (granule.cell[byte] == 0) {
          std::size_t stop = byte;
          while (stop < offset + length && granule.cell[stop] == 0) ++stop;
          const std::uintptr_t begin = at - offset + byte;
          const auto fresh =
              static_cast<std::uint32_t>(index(objects_.add(begin, kind_, stop - byte)));
          for (std::size_t more = byte; more < stop; ++more) granule.cell[more] = fresh + 1;
        }
        const std::uint32_t cell = granule.cell[byte] - 1;
        if (cell != previous) visit(ObjectId{cell});
        previous = cell;
      }
      at += length;
    }
  }

 private:
  static constexpr std::uint32_t none = 0xffffffff;
  struct Granule {  // eight aligned bytes; each has its object's id + 1, or 0
    std::array<std::uint32_t, 8> cell{};
  };
  Objects& objects_;
  std::uint8_t kind_;
  AddressMap<Granule> granules_;  // keyed by the address of a granule's last byte
};

}  // namespace mazurka::threads
