// Which accesses to memory nothing orders.
//
// Of every eight bytes the accesses are kept that a later one could conflict with: per process the
// latest of its kind to these bytes. An access that its process knows of everything before it takes
// the place of those it covers. Two conflict if they touch the same byte, one of them writes, and
// the later one's process does not know of the earlier. If both are atomic they are no race, but
// the order still matters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "programs/caf/knowledge.hpp"

namespace mazurka::caf {

class SharedMemory {
 public:
  enum class Kind : std::uint8_t { read, write, atomic_read, atomic_write };
  [[nodiscard]] static bool writes(Kind kind) {
    return kind == Kind::write || kind == Kind::atomic_write;
  }
  [[nodiscard]] static bool atomic(Kind kind) { return kind >= Kind::atomic_read; }

  /// An access as it is remembered.
  struct Past {
    std::uintptr_t code = 0;
    std::uint32_t process = 0;
    Kind kind{};
  };

  void clear();
  /// Records it. Returns whether it conflicts with an earlier one, which is then in `other`.
  bool access(const Knowledge& knowledge, std::uintptr_t address, std::size_t size, Kind kind,
              std::uintptr_t code, Past& other);
  /// The memory is given back: whoever gets it next has nothing to do with what was there.
  void forget(std::uintptr_t address, std::size_t size);

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  struct Cell {
    Past past;
    std::uint32_t tick = 0;
    std::uint32_t next = none;
    std::uint8_t bytes = 0;  // a bit for each
  };
  struct Slot {
    std::uintptr_t granule = 0;
    std::uint32_t execution = 0;
    std::uint32_t first = none;  // cell
  };

  [[nodiscard]] std::size_t place_of(std::uintptr_t granule) const;
  [[nodiscard]] Slot& slot(std::uintptr_t granule);
  void grow();
  bool access_granule(const Knowledge& knowledge, std::uintptr_t granule, std::uint8_t bytes,
                      const Past& now, Past& other);
  void release(std::uint32_t cell);
  void empty(Slot& slot);

  std::uint32_t execution_ = 1;
  std::size_t used_ = 0;
  std::vector<Slot> slots_ = std::vector<Slot>(1024);
  std::vector<Cell> cells_;
  std::uint32_t free_ = none;
};

}  // namespace mazurka::caf
