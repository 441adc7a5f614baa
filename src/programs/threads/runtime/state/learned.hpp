// What the runtime learns of the program for a whole exploration.
//
// Some of it decides what the steps are: which local variables are shared, which sections touch
// what. The rest are the reservations that the verdict will come with. An exploration that is saved
// must carry all of it, or what goes on with it would be another exploration, or would forget to
// mention something. So it is one structure, and members() names each of its members: one that is
// added here does not compile until it is there, too.
#pragma once

#include <cstdint>
#include <vector>

#include "core/archive.hpp"
#include "core/ids.hpp"
#include "host/protocol.hpp"
#include "programs/threads/runtime/memory_model/contention.hpp"
#include "programs/threads/runtime/state/cells.hpp"

namespace mazurka::threads {
using namespace host;

/// An object that an indivisible section touches.
struct Touched {
  ObjectId object{};
  std::uint8_t mode = 0;
  friend bool operator==(const Touched&, const Touched&) = default;
};
template <typename Archive>
void members(Archive& archive, Same<Touched> auto& v) {
  archive(v.object, v.mode);
}

/// What sections with this code were surprised to touch, whichever of the process's it was.
struct Surprise {
  ProcessId process{};
  std::uintptr_t body = 0;
  std::vector<Touched> touched;
  friend bool operator==(const Surprise&, const Surprise&) = default;
};
template <typename Archive>
void members(Archive& archive, Same<Surprise> auto& v) {
  archive(v.process, v.body, v.touched);
}

struct Learned {
  AddressSet escaped;             // eight-byte granules of stacks that another process has touched
  std::vector<ObjectId> crowded;  // barriers that more use than they let through at once
  AddressSet ordered;             // std::barrier: it matters who comes first
  bool has_blocks = false;        // the program has atomic blocks: other accesses heed them
  std::vector<std::vector<std::vector<Touched>>> widest;  // [process][n-th section]: its footprint
  std::vector<Surprise> surprises;
  AddressSet exposed;                    // eight-byte granules in which there are accepted races
  bool updates_in_order = false;         // also of those whose results nobody uses
  MemoryModel memory = MemoryModel::sc;  // never automatic
  AddressSet guards;                     // flags that code reads atomically and a call sets
  bool order_matters = false;            // equal states do not mean equal data races (FirmOrder)
  bool latches_by_library = false;       // somebody looks at one, and may not see what is newest
  bool fences_everybody = false;         // a process makes all of them pass a fence
  Contention contention;                 // of accesses in rounds that are left out

  std::vector<AcceptedRace> accepted;
  Grounds grounds;
  bool gave_up_rounds = false;  // of a waiting loop that others have noticed, after a few
  bool had_too_many_threads = false;
  bool short_of_memory = false;  // an execution was cut where it needed more than there is
  bool ended_with_locks = false;
  bool loops_for_ever = false;
  ProcessId stalled_process = no_process;
  std::vector<std::uint64_t> stalled_at;
  std::vector<Decision> left_waiting;  // an execution that ends while others wait for ever
  friend bool operator==(const Learned&, const Learned&) = default;
};

template <typename Archive>
void members(Archive& archive, Same<Learned> auto& v) {
  auto& [escaped, crowded, ordered, has_blocks, widest, surprises, exposed, updates_in_order,
         memory, guards, order_matters, latches_by_library, fences_everybody, contention, accepted,
         grounds, gave_up_rounds, had_too_many_threads, short_of_memory, ended_with_locks,
         loops_for_ever, stalled_process, stalled_at, left_waiting] = v;
  archive(escaped, crowded, ordered, has_blocks, widest, surprises, exposed, updates_in_order,
          memory, guards, order_matters, latches_by_library, fences_everybody, contention, accepted,
          grounds, gave_up_rounds, had_too_many_threads, short_of_memory, ended_with_locks,
          loops_for_ever, stalled_process, stalled_at, left_waiting);
}

}  // namespace mazurka::threads
