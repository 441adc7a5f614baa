// A list whose elements keep their memory when it is emptied.
//
// What belongs to one execution is emptied and filled again for the next one. If the elements own
// memory themselves (clocks, lists), most of the time would go into giving it back and asking for
// it again. Here an element that is taken out stays where it is, and is assigned to when it is used
// again.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "core/check.hpp"

namespace mazurka {

template <typename T>
class ReusedList {
 public:
  ReusedList() = default;
  ReusedList(const ReusedList& other) { copy(other); }
  ReusedList& operator=(const ReusedList& other) {
    if (this != &other) copy(other);
    return *this;
  }
  ~ReusedList() = default;

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] T& operator[](std::size_t at) { return all_[at]; }
  [[nodiscard]] const T& operator[](std::size_t at) const { return all_[at]; }
  /// Requires: it is not empty.
  [[nodiscard]] T& back() {
    MAZURKA_CHECK(size_ > 0, "an empty list has no last element");
    return all_[size_ - 1];
  }
  [[nodiscard]] const T& back() const {
    MAZURKA_CHECK(size_ > 0, "an empty list has no last element");
    return all_[size_ - 1];
  }
  [[nodiscard]] auto begin() const { return all_.begin(); }
  [[nodiscard]] auto end() const { return all_.begin() + static_cast<std::ptrdiff_t>(size_); }

  T& push_back(const T& value) {
    if (size_ == all_.size()) {
      all_.push_back(value);
    } else {
      all_[size_] = value;
    }
    return all_[size_++];
  }
  T& add_blank() { return push_back(blank); }
  /// At least so many, the new ones blank.
  void grow(std::size_t size) {
    while (size_ < size) add_blank();
  }

  friend bool operator==(const ReusedList& one, const ReusedList& other) {
    return std::equal(one.begin(), one.end(), other.begin(), other.end());
  }

 private:
  inline static const T blank{};

  void copy(const ReusedList& other) {
    size_ = 0;
    for (const T& value : other) push_back(value);
  }
  std::vector<T> all_;
  std::size_t size_ = 0;
};

}  // namespace mazurka
