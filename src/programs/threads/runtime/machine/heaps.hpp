// The heaps of the processes: blocks are cut off one after the other.
//
// A slot's heap is reset by resetting one pointer. Within an execution a block is not used again
// until its process has cut off a good deal of memory: an address then names one block, which keeps
// reports honest. From there on, those blocks are used again that the process has itself freed, the
// one that has been free longest first. What other processes have freed is not: when they did that
// depends on the schedule.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "programs/threads/runtime/machine/memory.hpp"
#include "programs/threads/runtime/machine/memory_image.hpp"

namespace mazurka::threads {

inline constexpr std::uint8_t fresh_memory = 0xa5;  // what an uninitialised heap byte reads as

/// One heap block. The header lies just before the address that the program sees.
struct BlockHeader {
  std::uint64_t size = 0;
  std::uint32_t nth = 0;    // n-th allocation of its owner
  std::uint32_t freed = 0;  // by the process with this number, from 1; 0: it is in use
};

/// What is wrong with an access to a heap.
enum class HeapFault : std::uint8_t { none, freed, outside };

/// The blocks that a process has freed, by how much room there is in them.
struct FreeBlocks;

/// The heaps of all processes.
///
/// Each eight bytes of a heap have a mark: how many of them belong to a block, or that the block
/// was freed, or that the block's header lies there. Between blocks there are always bytes that
/// belong to none.
class Heaps {
 public:
  /// Null when the slot is full.
  void* allocate(std::size_t slot, std::size_t size, std::size_t alignment);
  static BlockHeader& header(void* block) { return static_cast<BlockHeader*>(block)[-1]; }

  /// Whether the block that was allocated last has the memory of one that was freed.
  [[nodiscard]] bool used_again() const { return used_again_; }

  /// The block's memory must not be touched any more; a process with this number has freed it.
  void release(void* block, std::size_t slot);

  /// Whether an access to heap memory is to a block that is in use.
  [[nodiscard]] HeapFault look(std::uintptr_t address, std::size_t size) const {
    const std::size_t slot = slot_of(address);
    const std::uint8_t* marks = heaps_[slot].marks;
    std::size_t at = (address - stack_top(slot)) / 8;
    std::size_t offset = address & 7U;
    while (marks != nullptr) {
      if (offset + (size < 8 - offset ? size : 8 - offset) > marks[at] || marks[at] > 8) {
        return marks[at] == freed_mark ? HeapFault::freed : HeapFault::outside;
      }
      if (size <= 8 - offset) return HeapFault::none;
      size -= 8 - offset;
      offset = 0;
      ++at;
    }
    return HeapFault::outside;
  }
  /// The block that the address lies in or just behind; null if there is none.
  [[nodiscard]] void* block_near(std::uintptr_t address) const;
  /// Calls visit(block) for every block of this execution that is in use.
  template <typename Visit>
  void for_each_block(Visit&& visit) const {
    for (std::size_t slot = 0; slot <= highest_; ++slot) {
      const Heap& own = heaps_[slot];
      if (own.marks == nullptr) continue;
      const std::uintptr_t begin = slot == 0 ? initial_end_ : stack_top(slot);
      for (std::uintptr_t at = begin; at < own.next; at += 8) {
        if (own.marks[(at - stack_top(slot)) / 8] != header_mark) continue;
        void* block = reinterpret_cast<void*>(at + sizeof(BlockHeader));
        if (header(block).freed == 0) visit(slot, block);
        at += 8;
      }
    }
  }

  /// Whether the address lies in what was allocated before executions begin.
  [[nodiscard]] bool is_initial(std::uintptr_t address) const {
    return address >= stack_top(0) && address < initial_end_;
  }
  /// What was allocated so far belongs to the initial state. More may be added to it later.
  void keep_initial();
  /// Whether the slot's process uses blocks again that it has freed.
  [[nodiscard]] bool uses_again(std::size_t slot) const {
    return heaps_ != nullptr && heaps_[slot].uses_again;
  }
  void reset();
  /// What is allocated now, without its contents, which copy_into() adds to a copy.
  struct Extent {
    std::size_t slot = 0;
    std::uintptr_t next = 0;
    std::uint32_t blocks = 0;
    friend bool operator==(const Extent&, const Extent&) = default;
  };
  struct Extents {
    std::vector<Extent> heaps;
    bool initial_released = false;
    friend bool operator==(const Extents&, const Extents&) = default;
  };
  /// False: there is a heap that can not be copied, because blocks are used again.
  [[nodiscard]] bool copy_into(MemoryImage& image, Extents& extents) const;
  /// Before the contents are put back.
  void reset_to(const Extents& extents);
  /// The part of slot 0 that belongs to the initial state.
  [[nodiscard]] std::span<std::byte> initial() const;
  /// Maps the slot's memory if that was not done yet.
  void ensure_slot(std::size_t slot);

 private:
  struct Heap {
    std::uintptr_t next = 0;        // 0: the slot is not mapped
    std::uint8_t* marks = nullptr;  // null: nothing was ever allocated there
    std::uint32_t blocks = 0;
    bool used = false;
    bool uses_again = false;
    FreeBlocks* free = nullptr;
  };
  static constexpr std::uint8_t header_mark = 0xfe;
  static constexpr std::uint8_t freed_mark = 0xfd;
  static constexpr std::size_t heap_size = slot_size - stack_size;

  Heap& heap(std::size_t slot);
  static void make_marks(Heap& own);
  /// Where what an execution allocates begins.
  [[nodiscard]] std::uintptr_t begin(std::size_t slot) const {
    return slot == 0 ? initial_end_ : stack_top(slot);
  }
  void mark(const Heap& own, std::size_t slot, std::uintptr_t block, std::size_t size) const;
  void find_free_blocks(Heap& own, std::size_t slot);
  void* allocate_again(Heap& own, std::size_t slot, std::size_t size, std::size_t alignment);
  // Plain memory, not a container: allocation works before any constructor has run.
  Heap* heaps_ = nullptr;
  std::size_t highest_ = 0;
  std::uintptr_t initial_end_ = 0;
  std::uint32_t initial_blocks_ = 0;
  std::uint8_t* initial_marks_ = nullptr;  // a copy
  bool initial_released_ = false;
  bool used_again_ = false;
};

}  // namespace mazurka::threads
