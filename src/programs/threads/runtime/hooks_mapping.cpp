// Memory from the system.
//
// Memory that no file stands behind comes from the heap: it has the same address in every execution
// and is gone when the next one begins.
#include <stdlib.h>
#include <sys/mman.h>

#include <cstring>

#include "programs/threads/runtime/hooks.hpp"
#include "programs/threads/runtime/surroundings.hpp"

using mazurka::threads::in_program;
using mazurka::threads::in_zone;
using mazurka::threads::native;
using mazurka::threads::scheduled;

static bool is_mapped_here(const void* block, const void* caller) {
  return scheduled() && in_program(caller) && in_zone(reinterpret_cast<std::uintptr_t>(block));
}

MAZURKA_HOOK void* mmap(void* wanted, std::size_t size, int protection, int flags, int file,
                        off_t offset) noexcept {
  if (!scheduled() || !in_program(__builtin_return_address(0)) || wanted != nullptr ||
      (flags & MAP_ANONYMOUS) == 0) {
    void* memory = native().mmap(wanted, size, protection, flags, file, offset);
    if (memory != MAP_FAILED && scheduled()) {
      const mazurka::threads::EngineScope scope;
      mazurka::threads::surroundings.mapped(memory, size);
    }
    return memory;
  }
  const std::size_t page = mazurka::threads::page_size();
  void* block = nullptr;
  if (posix_memalign(&block, page, (size + page - 1) / page * page) != 0) return MAP_FAILED;
  const mazurka::threads::EngineScope scope;
  std::memset(block, 0, size);
  return block;
}
MAZURKA_HOOK int munmap(void* block, std::size_t size) noexcept {
  if (is_mapped_here(block, __builtin_return_address(0))) {
    if (mazurka::threads::heaps.block_near(reinterpret_cast<std::uintptr_t>(block)) == block) {
      free(block);
    }
    return 0;
  }
  if (scheduled()) {
    const mazurka::threads::EngineScope scope;
    if (!mazurka::threads::surroundings.has_mapped(block, size)) {
      mazurka::threads::runtime->unsupported("munmap() of what this execution has not mapped");
    }
    mazurka::threads::surroundings.unmapped(block, size);
  }
  return native().munmap(block, size);
}
MAZURKA_HOOK int mprotect(void* block, std::size_t size, int protection) noexcept {
  if (is_mapped_here(block, __builtin_return_address(0))) return 0;
  return native().mprotect(block, size, protection);
}
