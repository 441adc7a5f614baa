// What the runtime has learned about the program's memory, for an exploration that another process
// goes on with.
//
// Addresses are the same in every run of the program, but objects are numbered in the order in
// which an exploration first meets them, which bytes make one variable is decided by the first
// access to them, and which local variables are shared, which places in the code belong to loops
// that wait and which barriers are crowded is learned on the way. So are the reservations that the
// verdict will come with. Whoever adds to what the runtime learns for the whole exploration adds it
// here too.
#include "programs/threads/runtime/call_site.hpp"
#include "programs/threads/runtime/runtime.hpp"

namespace mazurka::threads {

namespace {

std::vector<std::uint64_t> addresses_in(const AddressMap<bool>& set) {
  std::vector<std::uint64_t> addresses;
  set.for_each([&](std::uintptr_t address, bool present) {
    if (present) addresses.push_back(address);
  });
  return addresses;
}

}  // namespace

void Runtime::save_names(ArchiveWriter& archive) const {
  archive(static_cast<std::uint64_t>(objects_.size()));
  for (std::size_t at = 0; at < objects_.size(); ++at) {
    const Objects::Origin& origin = objects_[static_cast<ObjectId>(at)];
    archive(origin.address, origin.kind, origin.size);
  }
  std::vector<std::uint64_t> crowded;
  for (std::size_t at = 0; at < barriers_.size(); ++at) {
    if (barriers_[at].crowded) crowded.push_back(at);
  }
  archive(addresses_in(escaped_), crowded);
  archive(grounds_, gave_up_rounds_, ended_with_locks_);
  archive(static_cast<std::uint64_t>(widest_.size()));
  for (const auto& sections : widest_) {
    archive(static_cast<std::uint64_t>(sections.size()));
    for (const std::vector<Touched>& footprint : sections) {
      archive(static_cast<std::uint64_t>(footprint.size()));
      for (const Touched& one : footprint) archive(one.object, one.mode);
    }
  }
}

void Runtime::load_names(ArchiveReader& archive) {
  const auto read_size = [&] {
    std::uint64_t size = 0;
    archive(size);
    return size;
  };
  const std::uint64_t objects = read_size();
  for (std::uint64_t at = 0; at < objects; ++at) {
    Objects::Origin origin;
    archive(origin.address, origin.kind, origin.size);
    if (origin.kind == kind::memory) {
      cells_.for_each(origin.address, origin.size, [](ObjectId) {});
    } else if (origin.kind < named_.size() && origin.address != 0) {
      object_for(origin.address, origin.kind);
    }
    if (objects_.size() != at + 1) throw ArchiveError("the names of the objects overlap");
  }
  std::vector<std::uint64_t> shared;
  std::vector<std::uint64_t> crowded;
  archive(shared, crowded);
  archive(grounds_, gave_up_rounds_, ended_with_locks_);
  for (const std::uint64_t address : shared) escaped_[address] = true;
  any_escaped_ = !shared.empty();
  for (const std::uint64_t object : crowded) {
    if (object >= objects_.size()) throw ArchiveError("a barrier is not among the objects");
    if (barriers_.size() <= object) barriers_.resize(object + 1);
    barriers_[object].crowded = true;
  }
  for (std::uint64_t process = read_size(); process > 0; --process) {
    auto& sections = widest_.emplace_back();
    for (std::uint64_t nth = read_size(); nth > 0; --nth) {
      std::vector<Touched>& footprint = sections.emplace_back();
      for (std::uint64_t count = read_size(); count > 0; --count) {
        Touched one{};
        archive(one.object, one.mode);
        if (index(one.object) >= objects_.size()) {
          throw ArchiveError("a section touches what is not among the objects");
        }
        footprint.push_back(one);
      }
    }
  }
}

}  // namespace mazurka::threads
