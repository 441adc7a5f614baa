#include "programs/threads/runtime/memory_model/written_bytes.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <string>

#include "programs/threads/runtime/machine/heaps.hpp"
#include "programs/threads/runtime/machine/memory.hpp"
#include "programs/threads/runtime/machine/native.hpp"

namespace mazurka::threads {

bool watches_written_bytes = false;

namespace {

// The compiler's, of local variables.
constexpr std::uint8_t fresh_local = 0xfe;
constexpr std::size_t least_of_local = 4;  // bytes: fewer may well have the pattern

void set(std::uint8_t* bits, std::size_t from, std::size_t to, bool value) {
  const auto one = [&](std::size_t at) {
    const auto bit = static_cast<std::uint8_t>(1U << at % 8);
    bits[at / 8] = static_cast<std::uint8_t>(value ? bits[at / 8] | bit : bits[at / 8] & ~bit);
  };
  for (; from < to && from % 8 != 0; ++from) one(from);
  for (; from < to && to % 8 != 0; --to) one(to - 1);
  if (from < to) std::memset(bits + from / 8, value ? 0xff : 0, (to - from) / 8);
}

}  // namespace

std::uint8_t* WrittenBytes::bits_at(std::uintptr_t address) {
  const std::size_t slot = slot_of(address);
  if (bits_.size() <= slot) bits_.resize(slot + 1, nullptr);
  if (bits_[slot] == nullptr) {
    void* bits = native().mmap(nullptr, slot_size / 8, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (bits == MAP_FAILED) throw std::bad_alloc();
    bits_[slot] = static_cast<std::uint8_t*>(bits);
  }
  return bits_[slot];
}

void WrittenBytes::begin(std::uintptr_t address, std::size_t size) {
  EngineScope scope;
  const std::size_t from = address - slot_begin(slot_of(address));
  set(bits_at(address), from, from + size, false);
}

void WrittenBytes::write(std::uintptr_t address, std::size_t size) {
  if (!in_zone(address) || in_stack_of(slot_of(address), address)) return;
  const std::size_t from = address - slot_begin(slot_of(address));
  set(bits_at(address), from, std::min(from + size, slot_size), true);
}

void WrittenBytes::read(std::uintptr_t address, std::size_t size, const void* code) {
  EngineScope scope;
  if (!in_zone(address)) return;
  const std::size_t slot = slot_of(address);
  const bool local = in_stack_of(slot, address);
  if (local && size < least_of_local) return;
  const std::uint8_t* const bits = bits_at(address);
  const std::uint8_t pattern = local ? fresh_local : fresh_memory;
  for (std::size_t at = 0; at < size; ++at) {
    const std::size_t place = address + at - slot_begin(slot);
    if (!local && (bits[place / 8] >> place % 8 & 1U) != 0) return;
    if (reinterpret_cast<const std::uint8_t*>(address)[at] != pattern) return;
  }
  if (RawEvent* event = record(Action::read, address, size)) {
    event->flags |= flag_plain | flag_racing | flag_not_done;
  }
  fail(FindingKind::memory_error,
       "reads " + std::to_string(size) + (size == 1 ? " byte" : " bytes") +
           (local ? " of a local variable" : " of a heap block") + " that nobody has written",
       "uninitialised " + std::to_string(address_of(code)));
}

}  // namespace mazurka::threads
