#include "programs/threads/runtime/memory_model/firm_order.hpp"

#include <algorithm>
#include <utility>

#include "core/check.hpp"

namespace mazurka::threads {

namespace {

constexpr std::uintptr_t granule_size = 8;

/// The bytes of a granule that an access of [begin, end) touches.
std::uint8_t bytes_of(std::uintptr_t granule, std::uintptr_t begin, std::uintptr_t end) {
  const std::uintptr_t base = granule * granule_size;
  const auto from = static_cast<unsigned>(begin > base ? begin - base : 0);
  const auto to = static_cast<unsigned>(std::min(end - base, granule_size));
  return static_cast<std::uint8_t>((1U << to) - (1U << from));
}

}  // namespace

void FirmOrder::take(ProcessId process, ObjectId lock) {
  Locks locks = sets_[held_[process]];
  const auto place = std::lower_bound(locks.begin(), locks.end(), lock);
  MAZURKA_CHECK(std::is_sorted(locks.begin(), locks.end()), "the locks of a set are in order");
  locks.insert(place, lock);
  hold(process, std::move(locks));
}

void FirmOrder::give_back(ProcessId process, ObjectId lock) {
  Locks locks = sets_[held_[process]];
  const auto found = std::lower_bound(locks.begin(), locks.end(), lock);
  if (found == locks.end() || *found != lock) return;
  locks.erase(found);
  hold(process, std::move(locks));
}

void FirmOrder::hold(ProcessId process, Locks locks) {
  const auto [known, fresh] = numbers_.try_emplace(locks, static_cast<std::uint32_t>(sets_.size()));
  if (fresh) sets_.push_back(std::move(locks));
  held_[process] = known->second;
}

bool FirmOrder::access(ProcessId process, std::uint32_t tick, const VectorClock& firm,
                       std::uintptr_t address, std::size_t size, AccessKind kind) {
  if (size == 0) return true;
  Past access{process, kind, 0, held_[process], tick};
  const std::uintptr_t end = address + size;
  bool apart = true;
  for (std::uintptr_t at = address / granule_size; at <= (end - 1) / granule_size; ++at) {
    access.bytes = bytes_of(at, address, end);
    apart = access_granule(access, firm, at) && apart;
  }
  return apart;
}

bool FirmOrder::access_granule(const Past& access, const VectorClock& firm,
                               std::uintptr_t granule) {
  std::vector<Past>& all = places_[granule];
  Past* same = nullptr;
  bool apart = true;
  for (Past& one : all) {
    if (one.process == access.process) {
      const bool alike =
          one.kind == access.kind && one.locks == access.locks && one.bytes == access.bytes;
      if (alike) same = &one;
    } else if (firm[index(one.process)] < one.tick && !kept_apart(one, access)) {
      apart = false;
    }
  }
  if (same != nullptr) {
    same->tick = access.tick;
  } else {
    all.push_back(access);
  }
  return apart;
}

bool FirmOrder::kept_apart(const Past& one, const Past& other) const {
  if ((one.bytes & other.bytes) == 0) return true;
  if (!is_write(one.kind) && !is_write(other.kind)) return true;
  if (is_atomic(one.kind) && is_atomic(other.kind)) return true;
  MAZURKA_CHECK(one.locks < sets_.size() && other.locks < sets_.size(),
                "an access has a set of locks");
  const Locks& these = sets_[one.locks];
  return std::any_of(these.begin(), these.end(), [&](ObjectId lock) {
    const Locks& those = sets_[other.locks];
    return std::binary_search(those.begin(), those.end(), lock);
  });
}

}  // namespace mazurka::threads
