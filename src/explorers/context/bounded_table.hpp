// A table that does not grow for ever.
//
// An entry has its place in a small group of slots that its hash tells. A table in which a group is
// full doubles, which makes two of each group; past its limit a new entry takes the place of an old
// one. So what was put in may be forgotten: only for what can be found out again.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/check.hpp"

namespace mazurka {

/// How many slots the table has at first and at most, and how many make a group: powers of two.
struct TableSize {
  std::size_t first;
  std::size_t last;
  std::size_t group;
};

/// `HashOf`: std::uint64_t for a Key, in whose lowest bits different keys differ.
template <typename Key, typename Value, typename HashOf, TableSize size>
class BoundedTable {
 public:
  /// In place of what was there for the key.
  void insert(const Key& key, const Value& value) {
    if (slots_.empty()) slots_.resize(size.first);
    const Slot fresh{key, value, true};
    while (!place(fresh)) {
      if (slots_.size() >= size.last) {
        *group_of(key) = fresh;
        return;
      }
      grow();
    }
  }
  /// Null if it is not known (any more).
  [[nodiscard]] const Value* find(const Key& key) const {
    if (slots_.empty()) return nullptr;
    const Slot* const group = slots_.data() + first_slot(key);
    for (const Slot* slot = group; slot != group + size.group && slot->used; ++slot) {
      if (slot->key == key) return &slot->value;
    }
    return nullptr;
  }

 private:
  static_assert(size.first % size.group == 0 && size.last % size.first == 0);
  struct Slot {
    Key key{};
    Value value{};
    bool used = false;
  };

  [[nodiscard]] std::size_t first_slot(const Key& key) const {
    return HashOf{}(key) % slots_.size() / size.group * size.group;
  }
  [[nodiscard]] Slot* group_of(const Key& key) { return slots_.data() + first_slot(key); }
  bool place(const Slot& fresh) {
    Slot* const group = group_of(fresh.key);
    for (Slot* slot = group; slot != group + size.group; ++slot) {
      if (slot->used && slot->key != fresh.key) continue;
      *slot = fresh;
      return true;
    }
    return false;
  }
  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    std::swap(old, slots_);
    for (const Slot& slot : old) {
      const bool placed = !slot.used || place(slot);
      MAZURKA_CHECK(placed, "there is room, since a group becomes two");
    }
  }

  std::vector<Slot> slots_;
};

}  // namespace mazurka
