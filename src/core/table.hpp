// Values by number that come into being when they are first asked for, and are all gone at once.
//
// What belongs to one execution is kept in such tables: by process, by object, by event. Emptying a
// table costs as much as was used of it, not as much as there ever was. A value that is used again
// is made blank by assignment, so vectors within it keep their memory: executions that are like
// each other allocate nothing. References to values stay good as long as these are in the table.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace mazurka {

/// `Key`: an enum or a number; `Value`: what can be copied and compared.
template <typename Key, typename Value>
class Table {
 public:
  Table() = default;
  Table(const Table& other) { copy(other); }
  Table& operator=(const Table& other) {
    const bool nothing = used_.empty() && other.used_.empty();  // as in most tables, mostly
    if (this != &other && !nothing) copy(other);
    return *this;
  }
  ~Table() = default;

  /// The value of this number; a blank one if there was none.
  Value& operator[](Key key) {
    Slot& slot = slot_of(key);
    if (!slot.used) [[unlikely]] {
      slot.value = blank;
      use(key, slot);
    }
    return slot.value;
  }

  /// The value of this number, or null.
  [[nodiscard]] Value* find(Key key) {
    const auto at = static_cast<std::size_t>(key);
    return at < slots_.size() && slots_[at].used ? &slots_[at].value : nullptr;
  }
  [[nodiscard]] const Value* find(Key key) const {
    const auto at = static_cast<std::size_t>(key);
    return at < slots_.size() && slots_[at].used ? &slots_[at].value : nullptr;
  }

  /// All the numbers in use are smaller.
  [[nodiscard]] std::size_t end() const { return end_; }
  [[nodiscard]] std::size_t size() const { return used_.size(); }
  [[nodiscard]] bool empty() const { return used_.empty(); }

  /// Calls `visit(value)` for each of them, the smallest number first.
  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (std::size_t at = 0; at < end_; ++at) {
      if (slots_[at].used) visit(slots_[at].value);
    }
  }

  void erase(Key key) {
    if (find(key) == nullptr) return;
    slots_[static_cast<std::size_t>(key)].used = false;
    std::erase(used_, key);
  }
  void clear() {
    for (const Key key : used_) slots_[static_cast<std::size_t>(key)].used = false;
    used_.clear();
    end_ = 0;
  }

  friend bool operator==(const Table& one, const Table& other) {
    return one.size() == other.size() &&
           std::all_of(one.used_.begin(), one.used_.end(), [&](Key key) {
             const Value* there = other.find(key);
             return there != nullptr && *there == *one.find(key);
           });
  }

 private:
  struct Slot {
    Value value{};
    bool used = false;
  };
  inline static const Value blank{};

  Slot& slot_of(Key key) {
    const auto at = static_cast<std::size_t>(key);
    while (slots_.size() <= at) slots_.emplace_back();
    return slots_[at];
  }
  void use(Key key, Slot& slot) {
    slot.used = true;
    used_.push_back(key);
    end_ = std::max(end_, static_cast<std::size_t>(key) + 1);
  }
  void copy(const Table& other) {
    clear();
    for (const Key key : other.used_) {
      Slot& slot = slot_of(key);
      slot.value = *other.find(key);
      use(key, slot);
    }
  }

  std::deque<Slot> slots_;
  std::vector<Key> used_;  // in the order of their first use
  std::size_t end_ = 0;
};

}  // namespace mazurka
