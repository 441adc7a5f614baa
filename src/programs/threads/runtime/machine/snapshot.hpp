// Static data of the program, and how it is put back before every execution.
//
// It is put back from a copy taken before the program begins. Small segments are copied whole; in
// large ones a page is write-protected until its first write, and copied from then on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/ids.hpp"
#include "programs/threads/runtime/machine/memory.hpp"
#include "programs/threads/runtime/machine/memory_image.hpp"

namespace mazurka::threads {

/// The static data of the program and of the libraries it uses, as executions find it.
class Snapshot {
 public:
  struct Region {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    std::byte* copy = nullptr;
    bool track = false;  // copy only pages that were written
  };

  /// Copies the regions. With `protect_pages`, large regions are write-protected to learn which of
  /// their pages the program writes.
  void take(std::span<std::byte> initial_heap, bool protect_pages);
  /// Of libraries that have been loaded since: the next execution finds them as they are now.
  /// Returns where that is.
  std::vector<std::pair<std::uintptr_t, std::uintptr_t>> take_in_new_libraries();
  /// Memory that is put back too, and of which we can not be sure to see every write.
  void include(std::span<std::byte> memory) {
    const auto begin = reinterpret_cast<std::uintptr_t>(memory.data());
    add(begin, begin + memory.size(), memory.size());
  }
  void restore() const;
  /// From now on it is put back to what it is now. `initial_heap` may have grown at its end.
  void rebase(std::span<std::byte> initial_heap);
  /// As it is now, as far as it was ever written.
  void copy_into(MemoryImage& image) const;
  /// So many protected pages were ever written.
  [[nodiscard]] std::size_t pages() const { return dirty_.size(); }

  /// The system is about to write there on the program's behalf.
  void expect_write(const void* where, std::size_t size);
  /// Whether all of it is static data that is put back.
  [[nodiscard]] bool contains(std::uintptr_t begin, std::size_t size) const;
  /// A write to a protected page: makes it writable and remembers it. False: not one of ours.
  bool handle_write_fault(std::uintptr_t address);

  [[nodiscard]] std::span<const Region> regions() const { return regions_; }

 private:
  void add(std::uintptr_t begin, std::uintptr_t end, std::size_t copy_whole_up_to);
  void make_room_for_pages();
  void protect(const Region& region) const;
  std::vector<Region> regions_;
  std::vector<std::pair<std::uintptr_t, std::byte*>> dirty_;  // pages, and their copies
  std::uintptr_t heap_end_ = 0;                               // of the initial one
  bool protects_ = false;
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
    bool program = false;            // of the program itself
    [[nodiscard]] void* in(std::uintptr_t thread_pointer) const {
      return reinterpret_cast<void*>(thread_pointer + static_cast<std::uintptr_t>(offset));
    }
  };

  /// Reads the layout; the calling thread's current values become the first process's initial ones.
  void learn();
  void reset(std::uintptr_t thread_pointer, bool first_process) const;
  /// The values there become the first process's initial ones.
  void keep(std::uintptr_t thread_pointer);
  /// The program's own begin as these, in the process of a rank (rank_images.hpp).
  void reset_program(std::uintptr_t thread_pointer, std::span<const std::byte> initial) const;
  void copy_into(MemoryImage& image, std::uintptr_t thread_pointer) const;
  [[nodiscard]] std::span<const Block> blocks() const { return blocks_; }
  /// Where those of the first process lie, and others of the C library between them.
  [[nodiscard]] std::pair<std::uintptr_t, std::uintptr_t> of_first() const { return of_first_; }
  /// Whose variable lies there, if one does.
  [[nodiscard]] std::optional<ProcessId> owner_of(std::uintptr_t address) const {
    if (in_parked_zone(address)) return static_cast<ProcessId>(parked_of(address) + 1);
    if (address - of_first_.first < of_first_.second - of_first_.first) return ProcessId{};
    return std::nullopt;
  }
  /// Of all blocks together.
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  std::vector<Block> blocks_;
  std::size_t size_ = 0;
  std::pair<std::uintptr_t, std::uintptr_t> of_first_;
  std::uintptr_t errno_offset_ = 0;  // of the C library's own only this one is the program's
  int first_errno_ = 0;
};

}  // namespace mazurka::threads
