#include "programs/threads/runtime/machine/traps.hpp"

#include <sys/mman.h>
#include <sys/syscall.h>

#include <algorithm>

#include "programs/threads/runtime/machine/kernel.hpp"

namespace mazurka::threads {

Traps traps;

#if defined(__x86_64__)

namespace {

constexpr std::uint8_t trap_instruction = 0xcc;
constexpr greg_t step_flag = 0x100;
constexpr std::uintptr_t page_of_code = 4096;

void put(std::uintptr_t place, std::uint8_t byte) {
  *reinterpret_cast<volatile std::uint8_t*>(place) = byte;
}

bool make_code_writable(std::uintptr_t place) {
  return call_kernel(SYS_mprotect, static_cast<long>(place & ~(page_of_code - 1)), page_of_code,
                     PROT_READ | PROT_WRITE | PROT_EXEC) == 0;
}

}  // namespace

bool Traps::set(const std::vector<std::uintptr_t>& places, Tell tell) {
  tell_ = tell;
  std::uintptr_t writable = 0;
  for (const std::uintptr_t place : places) {
    if (place / page_of_code != writable / page_of_code && !make_code_writable(place)) continue;
    writable = place;
    traps_.push_back({place, *reinterpret_cast<const std::uint8_t*>(place)});
  }
  std::sort(traps_.begin(), traps_.end(),
            [](const Trap& one, const Trap& other) { return one.place < other.place; });
  for (const Trap& one : traps_) put(one.place, trap_instruction);
  return traps_.size() == places.size();
}

const Traps::Trap* Traps::at(std::uintptr_t place) const {
  const auto found =
      std::lower_bound(traps_.begin(), traps_.end(), place,
                       [](const Trap& one, std::uintptr_t wanted) { return one.place < wanted; });
  return found == traps_.end() || found->place != place ? nullptr : &*found;
}

bool Traps::handle(ucontext_t& context) {
  if (traps_.empty()) return false;
  greg_t* registers = context.uc_mcontext.gregs;
  const bool stepped = stepping_ != 0;
  if (stepped) {
    put(stepping_, trap_instruction);
    stepping_ = 0;
    registers[REG_EFL] &= ~step_flag;
  }
  const auto behind = static_cast<std::uintptr_t>(registers[REG_RIP]);
  const Trap* here = context.uc_mcontext.gregs[REG_TRAPNO] == 3 ? at(behind - 1) : nullptr;
  if (here == nullptr) return stepped;
  const Next next = tell_(here->place);
  put(here->place, here->instruction);
  registers[REG_RIP] = static_cast<greg_t>(here->place);
  if (next == Next::again) {
    stepping_ = here->place;
    registers[REG_EFL] |= step_flag;
  } else if (next == Next::later) {
    resting_.push_back(here->place);
  } else {
    for (const Trap& one : traps_) put(one.place, one.instruction);
    traps_.clear();
    resting_.clear();
  }
  return true;
}

void Traps::set_again() {
  for (const std::uintptr_t place : resting_) put(place, trap_instruction);
  resting_.clear();
}

std::uint8_t Traps::byte_at(std::uintptr_t place) const {
  const Trap* here = at(place);
  return here != nullptr ? here->instruction : *reinterpret_cast<const std::uint8_t*>(place);
}

#else

bool Traps::set(const std::vector<std::uintptr_t>& places, Tell) { return places.empty(); }
void Traps::set_again() {}
std::uint8_t Traps::byte_at(std::uintptr_t) const { return 0; }
const Traps::Trap* Traps::at(std::uintptr_t) const { return nullptr; }
bool Traps::handle(ucontext_t&) { return false; }

#endif

}  // namespace mazurka::threads
