// Errors with heap blocks: used after they were freed, freed twice, left and right of their bounds,
// and, if asked for, never freed and lost.
#include "programs/threads/runtime/memory_model/heap_checks.hpp"

#include <algorithm>
#include <cstring>

#include "programs/threads/runtime/memory_model/accesses.hpp"
#include "programs/threads/runtime/memory_model/races.hpp"

namespace mazurka::threads {

namespace {

constexpr std::size_t most_checked_on_free = std::size_t{64} << 10;
constexpr std::size_t most_noted_on_allocation = std::size_t{4} << 10;

std::string bytes(std::uint64_t count) {
  return std::to_string(count) + (count == 1 ? " byte" : " bytes");
}

std::string owner_name(std::uintptr_t block) {
  const std::size_t slot = slot_of(block);
  return slot == 0 ? "main" : "T" + std::to_string(slot);
}

std::string describe_fault(HeapFault fault, std::uintptr_t address, std::size_t size, bool write) {
  std::string text = std::string(write ? "writes " : "reads ") + bytes(size);
  void* block = heaps.block_near(address);
  if (block == nullptr) return text + " in front of the heap's first block";
  const std::uintptr_t begin = address_of(block);
  const std::uint64_t length = Heaps::header(block).size;
  const std::string what =
      "a heap block of " + bytes(length) + " that " + owner_name(begin) + " allocated";
  if (fault == HeapFault::freed) return text + " of " + what + " and that was freed";
  if (address < begin) return text + ", " + bytes(begin - address) + " in front of " + what;
  if (address < begin + length) return text + " across the end of " + what;
  return text + ", " + bytes(address - begin - length) + " behind the end of " + what;
}

}  // namespace

void HeapChecks::note_allocation(void* block) {
  EngineScope scope;
  const BlockHeader& header = Heaps::header(block);
  if (scheduler_.judges_races()) {
    state_.allocations[address_of(block)] = {header.nth,
                                             races_.stack_numbers().number_of(capture_stack())};
  }
  if (recorder() == nullptr) return;
  recorder()->allocations.push_back(
      {address_of(block), header.size, self().id, header.nth, capture_stack()});
  record(Action::allocate, address_of(block), 1)->flags |= flag_plain;
}

// A report of an error with the block shows who allocated and who freed it, with stacks.
void HeapChecks::point_at_block(const void* block) {
  if (recorder() == nullptr || block == nullptr) return;
  for (RawEvent& event : recorder()->story.events) {
    if (event.address == address_of(block) &&
        (event.action == Action::allocate || event.action == Action::release)) {
      event.flags |= flag_racing;
    }
  }
}

void HeapChecks::fault(std::uintptr_t address, std::size_t size, bool write, HeapFault fault,
                       const void* code) {
  EngineScope scope;
  point_at_block(heaps.block_near(address));
  if (RawEvent* event =
          record(write ? Action::write : Action::read, address, std::min<std::size_t>(size, 255))) {
    event->flags |= flag_plain | flag_racing | flag_not_done;
  }
  fail(FindingKind::memory_error, describe_fault(fault, address, size, write),
       "memory " + std::to_string(address_of(code)));
}

// For the memory of a block that was freed it would be too much: a library may have freed that one,
// after others who have synchronised unseen.
void HeapChecks::after_allocation(void* block, const void* caller) {
  EngineScope scope;
  const std::size_t size = Heaps::header(block).size;
  if (racy() || alone() || in_section() || size == 0 || heaps.used_again()) return;
  races_.check(address_of(block), std::min(size, most_noted_on_allocation), AccessKind::write,
               caller);
}

void HeapChecks::forget_objects(const void* block, std::size_t size) {
  const std::uintptr_t begin = address_of(block);
  const auto forget = [&](ObjectId object) {
    state_.mutexes.erase(object);
    state_.conditions.erase(object);
    state_.gates.erase(object);
    state_.barriers.erase(object);
    if (Latch* latch = state_.latches.find(object)) latch->end();
    if (PhasedBarrier* barrier = state_.phased_barriers.find(object)) barrier->end();
    state_.atomics.erase(object);
    if (History* history = state_.histories.find(object)) history->end();
  };
  for (std::size_t at = 0; at < names_.objects().size(); ++at) {
    const auto object = static_cast<ObjectId>(at);
    if (names_[object].address - begin < size) forget(object);
  }
}

void HeapChecks::run_out_of_memory() {
  learned_.short_of_memory = true;
  run().cut();
  leave();
}

// Operations of MPI that are under way, and windows, have memory of the rank.
void HeapChecks::require_not_used_by_mpi(const void* block, std::size_t size) {
  if (self().rank < 0) return;
  const std::string use = state_.mpi.use_of(self().rank, address_of(block), size);
  if (use.empty()) return;
  const std::string message = "frees " + use;
  fail(FindingKind::memory_error, message, message);
}

void HeapChecks::before_free(void* block, const void* caller) {
  EngineScope scope;
  const std::uintptr_t address = address_of(block);
  self().watch.progress();
  void* known = heaps.block_near(address);
  if (known != block) {
    fail(FindingKind::memory_error, "frees an address at which no heap block begins",
         "bad free " + std::to_string(address));
  }
  const BlockHeader& header = Heaps::header(block);
  if (in_section()) return;
  if (racy() && !alone() && header.size != 0) {
    accesses_.visit(address, std::min<std::size_t>(header.size, 256), memory_mode::end,
                    Action::release);
    commit();
  }
  const std::size_t checked = std::min<std::size_t>(header.size, most_checked_on_free);
  if (!racy() && !alone() && races_.is_exposed(address, checked))
    accesses_.visit_exposed(address, checked);
  if (RawEvent* event = record(Action::release, address, std::min<std::size_t>(header.size, 255))) {
    event->flags |= flag_plain;
  }
  if (header.freed != 0) {
    point_at_block(block);
    fail(FindingKind::memory_error,
         "frees a heap block of " + bytes(header.size) + " a second time",
         "double free " + std::to_string(address));
  }
  require_not_used_by_mpi(block, header.size);
  if (caller == nullptr || racy() || alone() || header.size == 0) return;
  races_.check(address, checked, AccessKind::write, caller);
}

// A block is lost if no pointer into it is found in static data, on a stack, or in a block that is
// not lost itself.
void HeapChecks::look_for_leaks() {
  if (!request_.checks.leaks) return;
  struct Block {
    std::uintptr_t begin;
    std::size_t size;
    bool found;
  };
  std::vector<Block> blocks;
  heaps.for_each_block([&](std::size_t, void* block) {
    blocks.push_back({address_of(block), Heaps::header(block).size, false});
  });
  std::vector<std::pair<std::uintptr_t, std::uintptr_t>> open;
  for (const Snapshot::Region& region : snapshot_.regions())
    open.emplace_back(region.begin, region.end);
  while (!open.empty()) {
    const auto [begin, end] = open.back();
    open.pop_back();
    for (std::uintptr_t at = (begin + 7) & ~std::uintptr_t{7}; at + 8 <= end; at += 8) {
      std::uintptr_t word = 0;
      std::memcpy(&word, reinterpret_cast<const void*>(at), sizeof word);
      if (!in_zone(word)) continue;
      const auto next = std::upper_bound(
          blocks.begin(), blocks.end(), word,
          [](std::uintptr_t address, const Block& block) { return address < block.begin; });
      if (next == blocks.begin()) continue;
      Block& block = *std::prev(next);
      if (block.found || word > block.begin + block.size) continue;
      block.found = true;
      open.emplace_back(block.begin, block.begin + block.size);
    }
  }
  for (const Block& block : blocks) {
    if (block.found) continue;
    point_at_block(reinterpret_cast<const void*>(block.begin));
    if (RawEvent* event = record(Action::leak, block.begin, 1)) event->flags |= flag_plain;
    fail(FindingKind::leak,
         "a heap block of " + bytes(block.size) + " that " + owner_name(block.begin) +
             " allocated is never freed and can no longer be reached",
         "leak " + std::to_string(block.begin));
  }
}

}  // namespace mazurka::threads
