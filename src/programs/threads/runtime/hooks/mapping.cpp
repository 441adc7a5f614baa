// Memory from the system.
//
// Memory that no file stands behind comes from the heap: it has the same address in every execution
// and is gone when the next one begins.
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include <cstring>

#include "programs/threads/runtime/hooks/hooks.hpp"
#include "programs/threads/runtime/machine/kernel.hpp"
#include "programs/threads/runtime/surroundings/surroundings.hpp"

using mazurka::threads::Dispositions;
using mazurka::threads::EngineScope;
using mazurka::threads::ExecutionFiles;
using mazurka::threads::in_program;
using mazurka::threads::in_zone;
using mazurka::threads::native;
using mazurka::threads::runtime;
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

/// Memory of the heap can not be taken away: a program that waits for the signal would not get it.
void give_up_protection(int protection) {
  if ((protection & PROT_READ) != 0 && (protection & PROT_WRITE) != 0) return;
  surroundings.memory_is_protected();
  for (const int signal : {SIGSEGV, SIGBUS}) {
    if (surroundings.dispositions().effect(signal) == Dispositions::Effect::calls) {
      runtime->unsupported("memory that is protected so that a signal comes");
    }
  }
}

/// Memory of the program gets to be code. It can still be written, and is no code in the next
/// execution.
int make_executable(void* memory, std::size_t size) {
  const EngineScope scope;
  if (native().mprotect(memory, size, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) return -1;
  surroundings.made_executable(memory, size);
  return 0;
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
  if ((flags & MAP_ANONYMOUS) != 0) {
    if ((protection & PROT_EXEC) == 0) give_up_protection(protection);
    void* pages = new_pages(size);
    if (pages == MAP_FAILED || (protection & PROT_EXEC) == 0) return pages;
    return make_executable(pages, size) == 0 ? pages : MAP_FAILED;
  }
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
      runtime->unsupported("munmap() of what this execution has not mapped");
    }
    surroundings.unmapped(block, size);
  }
  return native().munmap(block, size);
}
MAZURKA_HOOK int mprotect(void* block, std::size_t size, int protection) noexcept {
  const auto begin = reinterpret_cast<std::uintptr_t>(block);
  if (!scheduled() || !in_program(__builtin_return_address(0))) {
    return native().mprotect(block, size, protection);
  }
  const bool is_data = runtime->snapshot().contains(begin, size);
  if (!in_zone(begin) && !is_data) {
    if ((protection & PROT_WRITE) != 0 && !surroundings.has_mapped(block, size)) {
      runtime->unsupported("mprotect() to change the program's code");
    }
    return native().mprotect(block, size, protection);
  }
  if ((protection & PROT_EXEC) == 0) {
    give_up_protection(protection);
    return 0;
  }
  if (is_data) runtime->snapshot().expect_write(block, size);
  return make_executable(block, size);
}
