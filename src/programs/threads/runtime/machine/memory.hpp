// The memory of the program under test, and how it is put back before every execution.
//
// Addresses must not depend on the schedule, or the same variable would have two names. So every
// process owns a fixed slot of address space: its stack and a heap from which blocks are cut one
// after the other. A slot's heap is reset by resetting one pointer. Within an execution a block is
// not used again until its process has cut off a good deal of memory: an address then names one
// block, which keeps reports honest. From there on, those blocks are used again that the process
// has itself freed, the one that has been free longest first. What other processes have freed is
// not: when they did that depends on the schedule.
//
//   slot:  | guard | stack ........ | heap .......................... |
//
// Static data is put back from a copy taken when `main` is entered. Small segments are copied
// whole; in large ones a page is write-protected until its first write, and copied from then on.
#pragma once

#include <link.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/ids.hpp"

namespace mazurka::threads {

inline constexpr std::uintptr_t zone_base = 0x1000'0000'0000;
inline constexpr std::size_t slot_size = std::size_t{512} << 20;
inline constexpr std::size_t guard_size = std::size_t{64} << 10;
inline constexpr std::size_t stack_size = std::size_t{8} << 20;  // guard included
inline constexpr std::size_t zone_size = slot_size * (max_processes + 1);

/// Of the system's memory. Not the same on all machines.
[[nodiscard]] std::size_t page_size();

[[nodiscard]] constexpr bool in_zone(std::uintptr_t address) {
  return address - zone_base < zone_size;
}
[[nodiscard]] constexpr std::size_t slot_of(std::uintptr_t address) {
  return (address - zone_base) / slot_size;
}
[[nodiscard]] constexpr std::uintptr_t slot_begin(std::size_t slot) {
  return zone_base + slot * slot_size;
}
[[nodiscard]] constexpr bool in_stack_of(std::size_t slot, std::uintptr_t address) {
  return address - slot_begin(slot) < stack_size;
}
[[nodiscard]] constexpr std::uintptr_t stack_top(std::size_t slot) {
  return slot_begin(slot) + stack_size;
}

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

  /// What was allocated so far (before main) belongs to the initial state.
  void keep_initial();
  void reset();
  /// The part of slot 0 that belongs to the initial state.
  [[nodiscard]] std::span<std::byte> initial() const;
  /// Maps the slot's memory if that was not done yet.
  void ensure_slot(std::size_t slot);

 private:
  struct Heap {
    std::uintptr_t next = 0;  // 0: the slot is not mapped
    std::uint8_t* marks = nullptr;
    std::uint32_t blocks = 0;
    bool used = false;
    bool uses_again = false;
    FreeBlocks* free = nullptr;
  };
  static constexpr std::uint8_t header_mark = 0xfe;
  static constexpr std::uint8_t freed_mark = 0xfd;
  static constexpr std::size_t heap_size = slot_size - stack_size;

  Heap& heap(std::size_t slot);
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

/// The static data of the program and of the libraries it uses, as it was when main was entered.
class Snapshot {
 public:
  struct Region {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    std::byte* copy = nullptr;
    bool track = false;  // copy only pages that were written
  };

  /// Copies the regions. With `protect`, large regions are write-protected to learn which of
  /// their pages the program writes.
  void take(std::span<std::byte> initial_heap, bool protect);
  /// Of libraries that have been loaded since: the next execution finds them as they are now.
  void take_in_new_libraries();
  /// Memory that is put back too, and of which we can not be sure to see every write.
  void include(std::span<std::byte> memory) {
    const auto begin = reinterpret_cast<std::uintptr_t>(memory.data());
    add(begin, begin + memory.size(), memory.size());
  }
  void restore() const;

  /// The system is about to write there on the program's behalf.
  void expect_write(const void* where, std::size_t size);
  /// A write to a protected page: makes it writable and remembers it. False: not one of ours.
  bool handle_write_fault(std::uintptr_t address);

  [[nodiscard]] std::span<const Region> regions() const { return regions_; }

 private:
  void add(std::uintptr_t begin, std::uintptr_t end, std::size_t copy_whole_up_to);
  std::vector<Region> regions_;
  std::vector<std::pair<std::uintptr_t, const std::byte*>> dirty_;
};

/// The thread-local variables of the program and its libraries (not of the C library): where they
/// lie relative to a thread pointer and what they start out as.
class ThreadLocals {
 public:
  struct Block {
    std::ptrdiff_t offset = 0;
    std::size_t size = 0;
    std::vector<std::byte> initial;  // for a new thread
    std::vector<std::byte> main;     // for the first process
    [[nodiscard]] void* in(std::uintptr_t thread_pointer) const {
      return reinterpret_cast<void*>(thread_pointer + static_cast<std::uintptr_t>(offset));
    }
  };

  /// Reads the layout; the calling thread's current values become the first process's initial ones.
  void learn();
  void reset(std::uintptr_t thread_pointer, bool first_process) const;
  [[nodiscard]] std::span<const Block> blocks() const { return blocks_; }
  /// Of all blocks together.
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  std::vector<Block> blocks_;
  std::size_t size_ = 0;
};

struct Extent {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  [[nodiscard]] bool contains(const void* address) const {
    return reinterpret_cast<std::uintptr_t>(address) - begin < end - begin;
  }
};
/// Where the C library is, with its data.
[[nodiscard]] Extent extent_of_c_library();
/// Whether the address lies in the C library's code (whose allocations are its own business).
[[nodiscard]] bool in_c_library(const void* code);
/// Whether it is the program or a library that is neither the C library nor this one.
[[nodiscard]] bool is_of_program(const dl_phdr_info& module);
/// Whether the address lies in the program itself, not in a library.
[[nodiscard]] bool in_program(const void* address);
/// Whether it is the address of an instruction there.
[[nodiscard]] bool in_code_of_program(std::uintptr_t address);
void learn_modules();

}  // namespace mazurka::threads
