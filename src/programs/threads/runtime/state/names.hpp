// The names of objects, which last for the whole exploration.
//
// Addresses are the same in every run of the program, but objects are numbered in the order in
// which an exploration first meets them, and which bytes make one variable is decided by the first
// access to them (cells.hpp). So an exploration that another process goes on with takes them along.
#pragma once

#include <array>
#include <cstdint>

#include "core/archive.hpp"
#include "core/ids.hpp"
#include "programs/threads/runtime/primitives/operations.hpp"
#include "programs/threads/runtime/state/cells.hpp"
#include "programs/threads/runtime/state/learned.hpp"

namespace mazurka::threads {

class Names {
 public:
  [[nodiscard]] const Objects& objects() const { return objects_; }
  [[nodiscard]] const Objects::Origin& operator[](ObjectId object) const {
    return objects_[object];
  }
  [[nodiscard]] Cells& cells() { return cells_; }

  /// The object of this kind at this address.
  [[nodiscard]] ObjectId object_for(std::uintptr_t address, std::uint8_t kind) {
    std::uint32_t& known = named_[kind][address];
    if (known == 0) known = static_cast<std::uint32_t>(index(objects_.add(address, kind))) + 1;
    return ObjectId{known - 1};
  }

  void save(ArchiveWriter& archive) const;
  /// Only into fresh names. Throws ArchiveError.
  void load(ArchiveReader& archive);
  /// What was learned must be about objects that there are. Throws ArchiveError.
  void check(const Learned& learned) const;

 private:
  Objects objects_;
  Cells cells_{objects_, kind::memory};
  std::array<AddressMap<std::uint32_t>, max_kinds> named_;  // per kind: object id + 1
};

}  // namespace mazurka::threads
