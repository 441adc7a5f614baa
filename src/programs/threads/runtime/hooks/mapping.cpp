// Memory from the system.
//
// Memory that no file stands behind comes from the heap: it has the same address in every execution
// and is gone when the next one begins.
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include <cstring>

#include "programs/threads/runtime/hooks/hooks.hpp"
#include "programs/threads/runtime/machine/kernel.hpp"
#include "programs/threads/runtime/surroundings/surroundings.hpp"

using mazurka::threads::EngineScope;
using mazurka::threads::ExecutionFiles;
using mazurka::threads::in_program;
using mazurka::threads::in_zone;
using mazurka::threads::native;
using mazurka::threads::scheduled;
using mazurka::threads::surroundings;

static bool is_mapped_here(const void* block, const void* caller) {
  return scheduled() && in_program(caller) && in_zone(reinterpret_cast<std::uintptr_t>(block));
}

namespace {

/// Memory of the heap, filled with zeros.
void* new_pages(std::size_t size) {
  const std::size_t page = mazurka::threads::page_size();
  void* block = nullptr;
  if (posix_memalign(&block, page, (size + page - 1) / page * page) != 0) return MAP_FAILED;
  const EngineScope scope;
  std::memset(block, 0, size);
  return block;
}

void* map_file(void* wanted, std::size_t size, int protection, int flags, int file, off_t offset) {
  void* memory = native().mmap(wanted, size, protection, flags, file, offset);
  if (memory == MAP_FAILED || !scheduled()) return memory;
  const EngineScope scope;
  surroundings.mapped(memory, size);
  if ((flags & MAP_ANONYMOUS) != 0) return memory;
  const bool shared = (flags & MAP_TYPE) != MAP_PRIVATE;
  if (shared && ExecutionFiles::is_in_memory(file)) surroundings.file_becomes_memory();
  return memory;
}

}  // namespace

// Who maps a file to write to a copy of it gets the copy at once.
MAZURKA_HOOK void* mmap(void* wanted, std::size_t size, int protection, int flags, int file,
                        off_t offset) noexcept {
  if (!scheduled() || !in_program(__builtin_return_address(0)) || wanted != nullptr) {
    return map_file(wanted, size, protection, flags, file, offset);
  }
  if ((flags & MAP_ANONYMOUS) != 0) return new_pages(size);
  void* memory = map_file(wanted, size, protection, flags, file, offset);
  if (memory == MAP_FAILED || (flags & MAP_TYPE) != MAP_PRIVATE || (protection & PROT_WRITE) == 0) {
    return memory;
  }
  munmap(memory, size);
  void* copy = new_pages(size);
  if (copy != MAP_FAILED) {
    mazurka::threads::call_kernel(SYS_pread64, file, mazurka::threads::as_argument(copy),
                                  static_cast<long>(size), offset);
  }
  return copy;
}
MAZURKA_HOOK int munmap(void* block, std::size_t size) noexcept {
  if (is_mapped_here(block, __builtin_return_address(0))) {
    if (mazurka::threads::heaps.block_near(reinterpret_cast<std::uintptr_t>(block)) == block) {
      free(block);
    }
    return 0;
  }
  if (scheduled()) {
    const EngineScope scope;
    if (!surroundings.has_mapped(block, size)) {
      mazurka::threads::runtime->unsupported("munmap() of what this execution has not mapped");
    }
    surroundings.unmapped(block, size);
  }
  return native().munmap(block, size);
}
MAZURKA_HOOK int mprotect(void* block, std::size_t size, int protection) noexcept {
  if (is_mapped_here(block, __builtin_return_address(0))) return 0;
  return native().mprotect(block, size, protection);
}
