#include "programs/threads/runtime/machine/stack_reserve.hpp"

#include <sys/mman.h>

#include "core/check.hpp"
#include "programs/threads/runtime/machine/memory.hpp"

namespace mazurka::threads {

bool stack_reserve_is_open = false;

namespace {

// Below it there is always something that nobody can write to.
constexpr std::size_t reserve_size = guard_size / 4 * 3;
void* reserve = nullptr;

}  // namespace

bool open_stack_reserve(std::uintptr_t address) {
  if (stack_reserve_is_open || !in_zone(address)) return false;
  const std::uintptr_t end = slot_begin(slot_of(address)) + guard_size;
  if (address >= end || address < end - reserve_size) return false;
  void* const wanted = reinterpret_cast<void*>(end - reserve_size);
  reserve = mmap(wanted, reserve_size, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  stack_reserve_is_open = reserve == wanted;
  return stack_reserve_is_open;
}

void close_stack_reserve() {
  if (!stack_reserve_is_open) return;
  MAZURKA_CHECK(reserve != nullptr, "what is open is closed");
  munmap(reserve, reserve_size);
  stack_reserve_is_open = false;
}

}  // namespace mazurka::threads
