// A copy of pieces of the program's memory, and what puts them back.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "core/check.hpp"

namespace mazurka::threads {

class MemoryImage {
 public:
  void clear() {
    pieces_.clear();
    size_ = 0;
  }

  /// `ours`: it belongs to the runtime, and need not be the same in every execution.
  void add(const void* where, std::size_t size, bool ours = false) {
    if (size_ + size > capacity_) grow(size_ + size);
    MAZURKA_CHECK(size_ + size <= capacity_, "there is room for the copy");
    pieces_.push_back({reinterpret_cast<std::uintptr_t>(where), size, ours});
    std::memcpy(bytes_.get() + size_, where, size);
    size_ += size;
  }
  void add(std::uintptr_t where, std::size_t size, bool ours = false) {
    add(reinterpret_cast<const void*>(where), size, ours);
  }

  void put_back() const {
    const std::byte* from = bytes_.get();
    for (const Piece& piece : pieces_) {
      std::memcpy(reinterpret_cast<void*>(piece.address), from, piece.size);
      from += piece.size;
    }
  }

  [[nodiscard]] std::size_t size() const { return size_; }

  /// Where the first difference is; 0: there is none.
  [[nodiscard]] std::uintptr_t difference(const MemoryImage& other) const {
    const std::byte* here = bytes_.get();
    const std::byte* there = other.bytes_.get();
    for (std::size_t nth = 0; nth < std::min(pieces_.size(), other.pieces_.size()); ++nth) {
      const Piece& piece = pieces_[nth];
      const Piece& counterpart = other.pieces_[nth];
      if (piece.ours != counterpart.ours) return piece.address;
      if (!piece.ours) {
        if (!(piece == counterpart)) return piece.address;
        const auto* differs = std::mismatch(here, here + piece.size, there).first;
        if (differs != here + piece.size) {
          return piece.address + static_cast<std::uintptr_t>(differs - here);
        }
      }
      here += piece.size;
      there += counterpart.size;
    }
    if (pieces_.size() == other.pieces_.size()) return 0;
    const auto& longer = pieces_.size() > other.pieces_.size() ? pieces_ : other.pieces_;
    return longer[std::min(pieces_.size(), other.pieces_.size())].address;
  }

 private:
  struct Piece {
    std::uintptr_t address;
    std::size_t size;
    bool ours;
    friend bool operator==(const Piece&, const Piece&) = default;
  };
  void grow(std::size_t needed) {
    capacity_ = std::max(needed, 2 * capacity_);
    std::unique_ptr<std::byte[]> more(new std::byte[capacity_]);
    if (size_ != 0) std::memcpy(more.get(), bytes_.get(), size_);
    bytes_ = std::move(more);
  }

  std::vector<Piece> pieces_;
  std::unique_ptr<std::byte[]> bytes_;  // of one after the other
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace mazurka::threads
