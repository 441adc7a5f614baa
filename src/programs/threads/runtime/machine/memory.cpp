#include "programs/threads/runtime/machine/memory.hpp"

#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "programs/threads/protocol.hpp"

namespace mazurka::threads {

std::size_t page_size() {
  static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

namespace {

// Of 4 to 64 KB. Asked for early: a handler of a write fault needs it.
const std::size_t page = page_size();
constexpr std::size_t behind = 16;           // bytes after a block that belong to none
constexpr std::uint8_t fresh_memory = 0xa5;  // what an uninitialised heap byte reads as
// The program's own segments are copied whole up to this size: a system call may write into them,
// and the kernel would refuse to write into a protected page.
constexpr std::size_t small_program_segment = std::size_t{32} << 10;

[[noreturn]] void no_room() {
  constexpr std::string_view text = "mazurka: cannot reserve address space for a process\n";
  (void)!write(2, text.data(), text.size());
  _exit(exit_out_of_reach);
}

constexpr std::uintptr_t round_up(std::uintptr_t value, std::size_t to) {
  return (value + to - 1) / to * to;
}
constexpr std::uintptr_t round_down(std::uintptr_t value, std::size_t to) {
  return value / to * to;
}

enum class Module : std::uint8_t { program, library, c_library, runtime };

Module classify(const dl_phdr_info& info) {
  const std::string_view path = info.dlpi_name == nullptr ? "" : info.dlpi_name;
  const std::string_view name = path.substr(path.rfind('/') + 1);
  if (name.empty()) return Module::program;
  if (name.starts_with("libmazurka")) return Module::runtime;
  for (const std::string_view prefix : {"libc.so", "libc-", "ld-", "ld.so", "libpthread", "libdl.",
                                        "linux-vdso", "libm.so", "librt."}) {
    if (name.starts_with(prefix)) return Module::c_library;
  }
  return Module::library;
}

Extent c_library;
Extent program;
Extent code_of_program;

}  // namespace

bool is_of_program(const dl_phdr_info& module) {
  const Module kind = classify(module);
  return kind == Module::program || kind == Module::library;
}
bool in_c_library(const void* code) { return c_library.contains(code); }
Extent extent_of_c_library() { return c_library; }
bool in_program(const void* address) { return program.contains(address); }

bool in_code_of_program(std::uintptr_t address) {
  return code_of_program.contains(reinterpret_cast<const void*>(address));
}

void learn_modules() {
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void*) {
        const std::string_view path = info->dlpi_name == nullptr ? "" : info->dlpi_name;
        const std::string_view name = path.substr(path.rfind('/') + 1);
        if (!name.empty() && !name.starts_with("libc.so")) return 0;
        Extent& extent = name.empty() ? program : c_library;
        for (int at = 0; at < info->dlpi_phnum; ++at) {
          const ElfW(Phdr)& header = info->dlpi_phdr[at];
          if (header.p_type != PT_LOAD) continue;
          const std::uintptr_t begin = info->dlpi_addr + header.p_vaddr;
          if (extent.end == 0) extent.begin = begin;
          extent.end = begin + header.p_memsz;
          if (name.empty() && (header.p_flags & PF_X) != 0) {
            code_of_program = {begin, begin + header.p_memsz};
          }
        }
        return 0;
      },
      nullptr);
}

// --- heaps ---------------------------------------------------------------------------------------

Heaps::Heap& Heaps::heap(std::size_t slot) {
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
  void* wanted = reinterpret_cast<void*>(slot_begin(slot));
  void* memory = mmap(wanted, slot_size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (memory != wanted) no_room();
  mprotect(wanted, guard_size, PROT_NONE);
  void* marks = mmap(nullptr, heap_size / 8, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (marks == MAP_FAILED) no_room();
  own.marks = static_cast<std::uint8_t*>(marks);
  own.next = stack_top(slot);
  highest_ = std::max(highest_, slot);
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
  if (own.marks == nullptr) return;
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
  first.next = round_up(first.next, page);
  initial_end_ = first.next;
  initial_blocks_ = first.blocks;
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
    const std::uintptr_t begin = slot == 0 ? initial_end_ : stack_top(slot);
    if (own.marks != nullptr) {
      std::memset(own.marks + (begin - stack_top(slot)) / 8, 0, (own.next - begin) / 8 + 1);
    }
    own.next = begin;
    own.blocks = slot == 0 ? initial_blocks_ : 0;
  }
  if (initial_released_) {
    std::memcpy(heaps_[0].marks, initial_marks_, (initial_end_ - stack_top(0)) / 8);
    initial_released_ = false;
  }
}

// --- static data ---------------------------------------------------------------------------------

void Snapshot::add(std::uintptr_t begin, std::uintptr_t end, std::size_t copy_whole_up_to) {
  if (begin >= end) return;
  Region region{begin, end, nullptr, end - begin > copy_whole_up_to};
  if (region.track) {
    region.begin = round_down(begin, page);
    region.end = round_up(end, page);
  }
  region.copy = new std::byte[region.end - region.begin];
  std::memcpy(region.copy, reinterpret_cast<const void*>(region.begin), region.end - region.begin);
  regions_.push_back(region);
}

namespace {

struct Segment {
  std::uintptr_t begin, end;
  Module module;
};

/// Of everything but the C library and ourselves, what can be written.
std::vector<Segment> static_data() {
  std::vector<Segment> found;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* out) {
        const Module module = classify(*info);
        if (module == Module::c_library || module == Module::runtime) return 0;
        std::uintptr_t read_only_end = 0;
        for (int at = 0; at < info->dlpi_phnum; ++at) {
          const ElfW(Phdr)& header = info->dlpi_phdr[at];
          if (header.p_type == PT_GNU_RELRO) {
            read_only_end = round_down(info->dlpi_addr + header.p_vaddr + header.p_memsz, page);
          }
        }
        for (int at = 0; at < info->dlpi_phnum; ++at) {
          const ElfW(Phdr)& header = info->dlpi_phdr[at];
          if (header.p_type != PT_LOAD || (header.p_flags & PF_W) == 0) continue;
          const std::uintptr_t begin = std::max(info->dlpi_addr + header.p_vaddr, read_only_end);
          const std::uintptr_t end = info->dlpi_addr + header.p_vaddr + header.p_memsz;
          if (begin < end) static_cast<std::vector<Segment>*>(out)->push_back({begin, end, module});
        }
        return 0;
      },
      &found);
  return found;
}

}  // namespace

void Snapshot::take_in_new_libraries() {
  for (const Segment& one : static_data()) {
    const bool known = std::any_of(regions_.begin(), regions_.end(), [&](const Region& region) {
      return region.begin < one.end && one.begin < region.end;
    });
    if (!known) add(one.begin, one.end, one.end - one.begin);
  }
}

void Snapshot::take(std::span<std::byte> initial_heap, bool protect) {
  for (const Segment& one : static_data()) {
    add(one.begin, one.end, one.module == Module::program ? small_program_segment : 0);
  }
  const auto heap = reinterpret_cast<std::uintptr_t>(initial_heap.data());
  add(heap, heap + initial_heap.size(), 0);

  std::size_t pages = 0;
  for (const Region& region : regions_) pages += (region.end - region.begin) / page + 1;
  dirty_.reserve(pages);  // grows in a signal handler: must not allocate there
  if (!protect) return;
  for (const Region& region : regions_) {
    if (region.track) {
      mprotect(reinterpret_cast<void*>(region.begin), region.end - region.begin, PROT_READ);
    }
  }
}

void Snapshot::restore() const {
  for (const Region& region : regions_) {
    if (!region.track) {
      std::memcpy(reinterpret_cast<void*>(region.begin), region.copy, region.end - region.begin);
    }
  }
  for (const auto& [address, copy] : dirty_) {
    std::memcpy(reinterpret_cast<void*>(address), copy, page);
  }
}

void Snapshot::expect_write(const void* where, std::size_t size) {
  const auto begin = reinterpret_cast<std::uintptr_t>(where);
  for (std::uintptr_t at = round_down(begin, page); size != 0 && at < begin + size; at += page) {
    (void)handle_write_fault(std::max(at, begin));
  }
}

bool Snapshot::handle_write_fault(std::uintptr_t address) {
  for (const Region& region : regions_) {
    if (!region.track || address < region.begin || address >= region.end) continue;
    const std::uintptr_t start = round_down(address, page);
    for (const auto& [known, copy] : dirty_) {
      if (known == start) return false;  // writable already: a fault of another kind
    }
    if (mprotect(reinterpret_cast<void*>(start), page, PROT_READ | PROT_WRITE) != 0) return false;
    dirty_.emplace_back(start, region.copy + (start - region.begin));
    return true;
  }
  return false;
}

// --- thread-local data ---------------------------------------------------------------------------

void ThreadLocals::learn() {
  std::uintptr_t pointer = 0;
#if defined(__aarch64__)
  asm volatile("mrs %0, tpidr_el0" : "=r"(pointer));
#else
  asm volatile("movq %%fs:0, %0" : "=r"(pointer));
#endif
  struct Walk {
    std::vector<Block>* blocks;
    std::uintptr_t pointer;
  } walk{&blocks_, pointer};
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* out) {
        const auto& [blocks, pointer_now] = *static_cast<Walk*>(out);
        const Module module = classify(*info);
        if (module == Module::c_library || module == Module::runtime) return 0;
        if (info->dlpi_tls_data == nullptr) return 0;
        for (int at = 0; at < info->dlpi_phnum; ++at) {
          const ElfW(Phdr)& header = info->dlpi_phdr[at];
          if (header.p_type != PT_TLS || header.p_memsz == 0) continue;
          Block block;
          const auto* now = static_cast<const std::byte*>(info->dlpi_tls_data);
          block.offset = static_cast<std::ptrdiff_t>(
              reinterpret_cast<std::uintptr_t>(info->dlpi_tls_data) - pointer_now);
          block.size = header.p_memsz;
          block.main.assign(now, now + header.p_memsz);
          const auto* image = reinterpret_cast<const std::byte*>(info->dlpi_addr + header.p_vaddr);
          block.initial.assign(image, image + header.p_filesz);
          block.initial.resize(header.p_memsz);
          blocks->push_back(std::move(block));
        }
        return 0;
      },
      &walk);
  for (const Block& block : blocks_) size_ += block.size;
}

void ThreadLocals::reset(std::uintptr_t thread_pointer, bool first_process) const {
  for (const Block& block : blocks_) {
    std::memcpy(block.in(thread_pointer), first_process ? block.main.data() : block.initial.data(),
                block.size);
  }
}

}  // namespace mazurka::threads
