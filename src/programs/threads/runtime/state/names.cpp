#include "programs/threads/runtime/state/names.hpp"

#include <algorithm>

namespace mazurka::threads {

void Names::save(ArchiveWriter& archive) const {
  archive(static_cast<std::uint64_t>(objects_.size()));
  for (std::size_t at = 0; at < objects_.size(); ++at) {
    const Objects::Origin& origin = objects_[static_cast<ObjectId>(at)];
    archive(origin.address, origin.kind, origin.size);
  }
}

void Names::load(ArchiveReader& archive) {
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
      (void)object_for(origin.address, origin.kind);
    }
    if (objects_.size() != at + 1) throw ArchiveError("the names of the objects overlap");
  }
}

void Names::check(const Learned& learned) const {
  const auto known = [&](ObjectId object) { return index(object) < objects_.size(); };
  const auto all_known = [&](const std::vector<Touched>& footprint) {
    return std::all_of(footprint.begin(), footprint.end(),
                       [&](const Touched& one) { return known(one.object); });
  };
  if (!std::all_of(learned.crowded.begin(), learned.crowded.end(), known)) {
    throw ArchiveError("a barrier is not among the objects");
  }
  bool sound = true;
  for (const auto& sections : learned.widest) {
    for (const std::vector<Touched>& footprint : sections) sound = sound && all_known(footprint);
  }
  for (const Surprise& one : learned.surprises) sound = sound && all_known(one.touched);
  if (!sound) throw ArchiveError("a section touches what is not among the objects");
}

}  // namespace mazurka::threads
