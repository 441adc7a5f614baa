#include "programs/threads/runtime/memory_model/race_ledger.hpp"

#include <algorithm>

#include "core/check.hpp"

namespace mazurka::threads {

namespace {

constexpr std::uintptr_t granule = 8;
constexpr std::size_t widest = 64;  // bytes; what is larger is not listed by its granules

}  // namespace

void RaceLedger::clear() {
  places_.clear();
  wide_.clear();
  racing_.clear();
}

const std::vector<NotedAccess>& RaceLedger::add(const NotedAccess& access,
                                                const VectorClock& clock) {
  MAZURKA_CHECK(access.size > 0, "an access touches bytes");
  racing_.clear();
  compare(wide_, access, clock);
  if (access.size > widest) {
    for (const auto& [place, accesses] : places_) compare(accesses, access, clock);
    put(wide_, access);
    return racing_;
  }
  const std::uintptr_t last = (access.address + access.size - 1) / granule;
  for (std::uintptr_t at = access.address / granule; at <= last; ++at) {
    Accesses& there = places_[at];
    compare(there, access, clock);
    put(there, access);
  }
  return racing_;
}

void RaceLedger::compare(const Accesses& earlier, const NotedAccess& access,
                         const VectorClock& clock) {
  for (const NotedAccess& one : earlier) {
    if (one.process == access.process || clock[index(one.process)] >= one.tick) continue;
    if (!is_write(one.kind) && !is_write(access.kind)) continue;
    if (is_atomic(one.kind) && is_atomic(access.kind)) continue;
    if (one.overlaps(access)) racing_.push_back(one);
  }
}

void RaceLedger::put(Accesses& accesses, const NotedAccess& access) {
  const auto known = std::find_if(accesses.begin(), accesses.end(), [&](const NotedAccess& one) {
    return one.process == access.process && one.stack == access.stack && one.kind == access.kind &&
           one.address == access.address && one.size == access.size &&
           one.primitive == access.primitive;
  });
  if (known == accesses.end()) {
    accesses.push_back(access);
  } else {
    known->tick = access.tick;
  }
}

std::uint32_t StackNumbers::number_of(const std::vector<std::uint64_t>& stack) {
  const auto [known, is_new] =
      numbers_.try_emplace(stack, static_cast<std::uint32_t>(stacks_.size()));
  if (is_new) stacks_.push_back(&known->first);
  return known->second;
}

}  // namespace mazurka::threads
