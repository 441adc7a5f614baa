#include "programs/threads/runtime/machine/snapshot.hpp"

#include <link.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "core/check.hpp"
#include "programs/threads/runtime/machine/images.hpp"
#include "programs/threads/runtime/machine/memory.hpp"

namespace mazurka::threads {

namespace {

// Of 4 to 64 KB. Asked for early: a handler of a write fault needs it.
const std::size_t page = page_size();
// The program's own segments are copied whole up to this size: a system call may write into them,
// and the kernel would refuse to write into a protected page.
constexpr std::size_t small_program_segment = std::size_t{32} << 10;

}  // namespace

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
        const Module module = module_of(*info);
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

std::vector<std::pair<std::uintptr_t, std::uintptr_t>> Snapshot::take_in_new_libraries() {
  std::vector<std::pair<std::uintptr_t, std::uintptr_t>> taken;
  for (const Segment& one : static_data()) {
    const bool known = std::any_of(regions_.begin(), regions_.end(), [&](const Region& region) {
      return region.begin < one.end && one.begin < region.end;
    });
    if (known) continue;
    add(one.begin, one.end, one.end - one.begin);
    taken.emplace_back(one.begin, one.end);
  }
  return taken;
}

void Snapshot::take(std::span<std::byte> initial_heap, bool protect_pages) {
  for (const Segment& one : static_data()) {
    add(one.begin, one.end, one.module == Module::program ? small_program_segment : 0);
  }
  const auto heap = reinterpret_cast<std::uintptr_t>(initial_heap.data());
  add(heap, heap + initial_heap.size(), 0);

  heap_end_ = heap + initial_heap.size();
  make_room_for_pages();
  protects_ = protect_pages;
  for (const Region& region : regions_) protect(region);
}

// It grows in a signal handler: must not allocate there.
void Snapshot::make_room_for_pages() {
  std::size_t pages = 0;
  for (const Region& region : regions_) pages += (region.end - region.begin) / page + 1;
  dirty_.reserve(pages);
}

void Snapshot::protect(const Region& region) const {
  if (!protects_ || !region.track) return;
  mprotect(reinterpret_cast<void*>(region.begin), region.end - region.begin, PROT_READ);
}

void Snapshot::rebase(std::span<std::byte> initial_heap) {
  for (const auto& [address, copy] : dirty_) {
    std::memcpy(copy, reinterpret_cast<const void*>(address), page);
    mprotect(reinterpret_cast<void*>(address), page, PROT_READ);
  }
  dirty_.clear();
  for (const Region& region : regions_) {
    if (region.track) continue;
    std::memcpy(region.copy, reinterpret_cast<const void*>(region.begin),
                region.end - region.begin);
  }
  const std::uintptr_t end =
      reinterpret_cast<std::uintptr_t>(initial_heap.data()) + initial_heap.size();
  if (end == heap_end_) return;
  MAZURKA_CHECK(end > heap_end_, "the initial heap grows");
  add(heap_end_, end, 0);
  heap_end_ = end;
  make_room_for_pages();
  protect(regions_.back());
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

void Snapshot::copy_into(MemoryImage& image) const {
  for (const Region& region : regions_) {
    if (!region.track) image.add(region.begin, region.end - region.begin);
  }
  for (const auto& [address, copy] : dirty_) image.add(address, page);
}

void Snapshot::expect_write(const void* where, std::size_t size) {
  const auto begin = reinterpret_cast<std::uintptr_t>(where);
  for (std::uintptr_t at = round_down(begin, page); size != 0 && at < begin + size; at += page) {
    (void)handle_write_fault(std::max(at, begin));
  }
}

bool Snapshot::contains(std::uintptr_t begin, std::size_t size) const {
  return std::any_of(regions_.begin(), regions_.end(), [&](const Region& region) {
    return round_down(region.begin, page) <= begin && begin + size <= round_up(region.end, page);
  });
}

bool Snapshot::handle_write_fault(std::uintptr_t address) {
  for (const Region& region : regions_) {
    if (!region.track || address < region.begin || address >= region.end) continue;
    const std::uintptr_t start = round_down(address, page);
    for (const auto& [known, copy] : dirty_) {
      if (known == start) return false;  // writable already: a fault of another kind
    }
    if (mprotect(reinterpret_cast<void*>(start), page, PROT_READ | PROT_WRITE) != 0) return false;
    MAZURKA_CHECK(dirty_.size() < dirty_.capacity(), "a signal handler does not allocate");
    dirty_.emplace_back(start, region.copy + (start - region.begin));
    return true;
  }
  return false;
}

void ThreadLocals::learn() {
  std::uintptr_t pointer = 0;
#if defined(__aarch64__)
  asm volatile("mrs %0, tpidr_el0" : "=r"(pointer));
#else
  asm volatile("movq %%fs:0, %0" : "=r"(pointer));
#endif
  errno_offset_ = reinterpret_cast<std::uintptr_t>(&errno) - pointer;
  struct Walk {
    std::vector<Block>* blocks;
    std::uintptr_t pointer;
  } walk{&blocks_, pointer};
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* out) {
        const auto& [blocks, pointer_now] = *static_cast<Walk*>(out);
        const Module module = module_of(*info);
        if (module == Module::c_library || module == Module::runtime) return 0;
        if (info->dlpi_tls_data == nullptr || is_copy_of_program(*info)) return 0;
        for (int at = 0; at < info->dlpi_phnum; ++at) {
          const ElfW(Phdr)& header = info->dlpi_phdr[at];
          if (header.p_type != PT_TLS || header.p_memsz == 0) continue;
          Block block;
          const auto* now = static_cast<const std::byte*>(info->dlpi_tls_data);
          block.offset = static_cast<std::ptrdiff_t>(
              reinterpret_cast<std::uintptr_t>(info->dlpi_tls_data) - pointer_now);
          block.size = header.p_memsz;
          block.program = module == Module::program;
          block.main.assign(now, now + header.p_memsz);
          const auto* image = reinterpret_cast<const std::byte*>(info->dlpi_addr + header.p_vaddr);
          block.initial.assign(image, image + header.p_filesz);
          block.initial.resize(header.p_memsz);
          blocks->push_back(std::move(block));
        }
        return 0;
      },
      &walk);
  const std::uintptr_t of_errno = pointer + errno_offset_;
  of_first_ = {of_errno, of_errno + sizeof errno};
  for (const Block& block : blocks_) {
    size_ += block.size;
    const auto begin = reinterpret_cast<std::uintptr_t>(block.in(pointer));
    of_first_.first = std::min(of_first_.first, begin);
    of_first_.second = std::max(of_first_.second, begin + block.size);
  }
}

void ThreadLocals::reset(std::uintptr_t thread_pointer, bool first_process) const {
  for (const Block& block : blocks_) {
    std::memcpy(block.in(thread_pointer), first_process ? block.main.data() : block.initial.data(),
                block.size);
  }
  *reinterpret_cast<int*>(thread_pointer + errno_offset_) = first_process ? first_errno_ : 0;
}

void ThreadLocals::keep(std::uintptr_t thread_pointer) {
  MAZURKA_CHECK(errno_offset_ != 0 || !blocks_.empty(),
                "thread-local variables are kept once known");
  for (Block& block : blocks_) std::memcpy(block.main.data(), block.in(thread_pointer), block.size);
  first_errno_ = *reinterpret_cast<const int*>(thread_pointer + errno_offset_);
}

void ThreadLocals::reset_program(std::uintptr_t thread_pointer,
                                 std::span<const std::byte> initial) const {
  for (const Block& block : blocks_) {
    if (!block.program) continue;
    auto* begin = static_cast<std::byte*>(block.in(thread_pointer));
    const std::size_t known = std::min(initial.size(), block.size);
    std::memcpy(begin, initial.data(), known);
    std::memset(begin + known, 0, block.size - known);
  }
}

void ThreadLocals::copy_into(MemoryImage& image, std::uintptr_t thread_pointer) const {
  for (const Block& block : blocks_) image.add(block.in(thread_pointer), block.size);
  image.add(thread_pointer + errno_offset_, sizeof errno);
}

}  // namespace mazurka::threads
