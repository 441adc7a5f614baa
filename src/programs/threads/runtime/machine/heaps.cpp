#include "programs/threads/runtime/machine/heaps.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/check.hpp"
#include "host/protocol.hpp"
#include "programs/threads/runtime/machine/images.hpp"

namespace mazurka::threads {
using namespace host;

namespace {

constexpr std::size_t behind = 16;  // bytes after a block that belong to none

[[noreturn]] void no_room() {
  constexpr std::string_view text = "mazurka: cannot reserve address space for a process\n";
  (void)!write(2, text.data(), text.size());
  _exit(exit_out_of_reach);
}

}  // namespace

std::size_t page_size() {
  static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

Heaps::Heap& Heaps::heap(std::size_t slot) {
  MAZURKA_CHECK(slot <= max_processes, "each process has a heap");
  if (heaps_ == nullptr) {
    void* memory = mmap(nullptr, sizeof(Heap) * (max_processes + 1), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) no_room();
    heaps_ = static_cast<Heap*>(memory);
  }
  return heaps_[slot];
}

void Heaps::ensure_slot(std::size_t slot) {
  Heap& own = heap(slot);
  if (own.next != 0) return;
  // Nothing is mapped where the guard is.
  void* wanted = reinterpret_cast<void*>(slot_begin(slot) + guard_size);
  void* memory = mmap(wanted, slot_size - guard_size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (memory != wanted) no_room();
  if (stacks_are_executable()) {
    mprotect(memory, stack_size - guard_size, PROT_READ | PROT_WRITE | PROT_EXEC);
  }
  own.next = stack_top(slot);
  highest_ = std::max(highest_, slot);
}

void Heaps::make_marks(Heap& own) {
  void* marks = mmap(nullptr, heap_size / 8, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (marks == MAP_FAILED) no_room();
  own.marks = static_cast<std::uint8_t*>(marks);
}

struct FreeBlocks {
  struct Queue {
    std::vector<std::uintptr_t> blocks;
    std::size_t first = 0;
  };
  std::unordered_map<std::size_t, Queue> by_room;
};

namespace {

// A process that has cut off so much memory uses again what it has freed.
constexpr std::size_t cut_off_before = std::size_t{64} << 20;

// Blocks of as many of these have the same room.
std::size_t room_for(std::size_t size) { return (std::max<std::size_t>(size, 1) + 15) / 16; }

}  // namespace

void Heaps::mark(const Heap& own, std::size_t slot, std::uintptr_t block, std::size_t size) const {
  MAZURKA_CHECK(own.marks != nullptr && block > stack_top(slot) && block % 8 == 0,
                "a block is marked in its own heap");
  std::uint8_t* marks = own.marks + (block - stack_top(slot)) / 8;
  marks[-1] = marks[-2] = header_mark;
  std::memset(marks, 8, size / 8);
  std::memset(marks + size / 8, 0, room_for(size) * 2 - size / 8);
  if (size % 8 != 0) marks[size / 8] = static_cast<std::uint8_t>(size % 8);
}

// All that the process has freed so far, in the order in which it was allocated.
void Heaps::find_free_blocks(Heap& own, std::size_t slot) {
  own.uses_again = true;
  if (own.free == nullptr) own.free = new FreeBlocks;
  const std::uintptr_t begin = std::max(slot == 0 ? initial_end_ : 0, stack_top(slot));
  for (std::uintptr_t at = begin; own.marks != nullptr && at < own.next; at += 8) {
    if (own.marks[(at - stack_top(slot)) / 8] != header_mark) continue;
    auto* block = reinterpret_cast<void*>(at + sizeof(BlockHeader));
    if (header(block).freed == slot + 1) {
      own.free->by_room[room_for(header(block).size)].blocks.push_back(at + sizeof(BlockHeader));
    }
    at += 8;
  }
}

void* Heaps::allocate_again(Heap& own, std::size_t slot, std::size_t size, std::size_t alignment) {
  const auto found = own.free->by_room.find(room_for(size));
  if (found == own.free->by_room.end()) return nullptr;
  FreeBlocks::Queue& queue = found->second;
  if (queue.first == queue.blocks.size()) return nullptr;
  const std::uintptr_t block = queue.blocks[queue.first];
  if (block % alignment != 0) return nullptr;
  ++queue.first;
  if (queue.first * 2 > queue.blocks.size() + 64) {
    queue.blocks.erase(queue.blocks.begin(),
                       queue.blocks.begin() + static_cast<std::ptrdiff_t>(queue.first));
    queue.first = 0;
  }
  auto* memory = reinterpret_cast<void*>(block);
  header(memory) = {size, own.blocks++, 0};
  std::memset(memory, fresh_memory, size);
  mark(own, slot, block, size);
  used_again_ = true;
  return memory;
}

void* Heaps::allocate(std::size_t slot, std::size_t size, std::size_t alignment) {
  ensure_slot(slot);
  Heap& own = heap(slot);
  if (own.marks == nullptr) make_marks(own);
  used_again_ = false;
  if (size > slot_size) return nullptr;
  alignment = std::max<std::size_t>(alignment, 16);
  const std::uintptr_t begin = std::max(slot == 0 ? initial_end_ : 0, stack_top(slot));
  if (!own.uses_again && own.used && own.next - begin > cut_off_before) {
    find_free_blocks(own, slot);
  }
  if (own.uses_again) {
    if (void* again = allocate_again(own, slot, size, alignment)) return again;
  }
  const std::uintptr_t block = round_up(own.next + sizeof(BlockHeader), alignment);
  if (block + size + 2 * behind > slot_begin(slot) + slot_size) return nullptr;
  own.next = block + std::max<std::size_t>(size, 1) + behind;
  own.used = true;
  auto* memory = reinterpret_cast<void*>(block);
  header(memory) = {size, own.blocks++, 0};
  std::memset(memory, fresh_memory, size);
  mark(own, slot, block, size);
  return memory;
}

void Heaps::release(void* block, std::size_t by) {
  BlockHeader& own = header(block);
  const bool again = own.freed != 0;
  own.freed = static_cast<std::uint32_t>(by + 1);
  const auto address = reinterpret_cast<std::uintptr_t>(block);
  const std::size_t slot = slot_of(address);
  if (heaps_[slot].marks == nullptr) return;
  std::memset(heaps_[slot].marks + (address - stack_top(slot)) / 8, freed_mark, (own.size + 7) / 8);
  if (slot == 0 && address < initial_end_) {
    initial_released_ = true;
  } else if (heaps_[slot].uses_again && slot == by && !again) {
    heaps_[slot].free->by_room[room_for(own.size)].blocks.push_back(address);
  }
}

void* Heaps::block_near(std::uintptr_t address) const {
  const std::size_t slot = slot_of(address);
  const std::uint8_t* marks = heaps_[slot].marks;
  if (marks == nullptr || address < stack_top(slot)) return nullptr;
  for (std::size_t at = (address - stack_top(slot)) / 8 + 1; at-- > 0;) {
    if (marks[at] == header_mark) {
      return reinterpret_cast<void*>(round_down(stack_top(slot) + at * 8, 16) +
                                     sizeof(BlockHeader));
    }
  }
  return nullptr;
}

void Heaps::keep_initial() {
  ensure_slot(0);
  Heap& first = heap(0);
  if (initial_marks_ != nullptr) munmap(initial_marks_, (initial_end_ - stack_top(0)) / 8 + 1);
  first.next = round_up(first.next, page_size());
  initial_end_ = first.next;
  initial_blocks_ = first.blocks;
  initial_released_ = false;
  if (first.marks == nullptr) return;
  const std::size_t size = (initial_end_ - stack_top(0)) / 8;
  initial_marks_ = static_cast<std::uint8_t*>(
      mmap(nullptr, size + 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  std::memcpy(initial_marks_, first.marks, size);
}

std::span<std::byte> Heaps::initial() const {
  return {reinterpret_cast<std::byte*>(stack_top(0)), initial_end_ - stack_top(0)};
}

void Heaps::reset() {
  for (std::size_t slot = 0; slot <= highest_; ++slot) {
    Heap& own = heaps_[slot];
    if (!own.used) continue;
    own.used = false;
    if (own.uses_again) own.free->by_room.clear();
    own.uses_again = false;
    const std::uintptr_t from = begin(slot);
    if (own.marks != nullptr) {
      std::memset(own.marks + (from - stack_top(slot)) / 8, 0, (own.next - from) / 8 + 1);
    }
    own.next = from;
    own.blocks = slot == 0 ? initial_blocks_ : 0;
  }
  if (initial_released_) {
    std::memcpy(heaps_[0].marks, initial_marks_, (initial_end_ - stack_top(0)) / 8);
    initial_released_ = false;
  }
}

bool Heaps::copy_into(MemoryImage& image, Extents& extents) const {
  extents.heaps.clear();
  for (std::size_t slot = 0; slot <= highest_; ++slot) {
    const Heap& own = heaps_[slot];
    if (!own.used) continue;
    if (own.uses_again) return false;
    const std::uintptr_t from = begin(slot);
    extents.heaps.push_back({slot, own.next, own.blocks});
    image.add(from, own.next - from);
    if (own.marks != nullptr) {
      image.add(own.marks + (from - stack_top(slot)) / 8, (own.next - from) / 8 + 1);
    }
  }
  extents.initial_released = initial_released_;
  if (initial_released_) image.add(heaps_[0].marks, (initial_end_ - stack_top(0)) / 8);
  return true;
}

void Heaps::reset_to(const Extents& extents) {
  reset();
  for (const Extent& extent : extents.heaps) {
    Heap& own = heaps_[extent.slot];
    own.next = extent.next;
    own.blocks = extent.blocks;
    own.used = true;
  }
  initial_released_ = extents.initial_released;
}

}  // namespace mazurka::threads
