// What the search is told of accesses for the sake of rounds that are left out (contention.hpp).
#include "programs/threads/runtime/memory_model/races.hpp"

namespace mazurka::threads {

// Those whose accesses may come at the same time: they have begun, and are not known to have ended.
std::uint64_t Races::others_at_it() {
  const Process& own = self();
  const std::uint64_t moment = scheduler_.progress_mark();
  const std::size_t begun = state_.processes.end();
  if (others_.process == own.id && others_.moment == moment && others_.begun == begun) {
    return others_.mask;
  }
  others_ = {own.id, moment, begun, 0};
  for (std::size_t at = 0; at < state_.processes.end(); ++at) {
    const Process* one = state_.processes.find(static_cast<ProcessId>(at));
    if (one == nullptr || one == &own) continue;
    if (one->finished && own.knowledge.now[at] >= one->knowledge.now[at]) continue;
    others_.mask |= Contention::bit_of(static_cast<std::uint16_t>(at));
  }
  return others_.mask;
}

void Races::note_use(std::uintptr_t address, std::size_t size, AccessKind kind, const void* code,
                     bool known) {
  SpinWatch& watch = self().watch;
  if (!state_.races.watches(address)) return;
  Contention::Use use;
  use.address = address;
  use.size = size;
  use.code = address_of(code);
  use.mutexes = watch.mutexes;
  use.process = static_cast<std::uint16_t>(index(self().id));
  use.rank = self().rank;
  use.writes = is_write(kind);
  use.atomic = is_atomic(kind);
  if (watch.lists_uses()) watch.uses.push_back(use);
  if (known || !learned_.contention.make(use, others_at_it()) || is_tolerated(address, size))
    return;
  scheduler_.restart();
  leave();
}

void Races::begin(const Process& process) {
  if (racy() || !looks()) return;
  bool more = false;
  for (std::size_t at = 0; at < state_.processes.end(); ++at) {
    const Process* one = state_.processes.find(static_cast<ProcessId>(at));
    if (one == nullptr || one == &process || one->id == process.creator) continue;
    if (one->finished && process.knowledge.now[at] >= one->knowledge.now[at]) continue;
    if (learned_.contention.begin_late(static_cast<std::uint16_t>(index(process.id)),
                                       static_cast<std::uint16_t>(at))) {
      more = true;
    }
  }
  if (!more) return;
  scheduler_.restart();
  leave();
}

}  // namespace mazurka::threads
