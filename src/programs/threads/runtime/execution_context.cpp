// The values of objects, before and after the steps that touch them.
#include "programs/threads/runtime/execution_context.hpp"

#include "core/check.hpp"

namespace mazurka::threads {

std::uint64_t ExecutionContext::value_of(ObjectId object) const {
  const auto value_in = [&](const auto& table, std::uint64_t otherwise) {
    const auto* found = table.find(object);
    return found == nullptr ? otherwise : found->value();
  };
  const Objects::Origin& origin = names_[object];
  switch (origin.kind) {
    case kind::memory: return load_value(origin.address, origin.size);
    case kind::mutex: return value_in(state_.mutexes, mutex_free);
    case kind::condition: return value_in(state_.conditions, 0);
    case kind::gate:
    case kind::read_write_lock: return value_in(state_.gates, 0);
    case kind::barrier: return value_in(state_.barriers, 0);
    case kind::latch: return value_in(state_.latches, 0);
    case kind::phased_barrier: return value_in(state_.phased_barriers, 0);
    default: break;
  }
  MAZURKA_CHECK(origin.kind == kind::variable || origin.kind >= kind::count, "each has its value");
  if (origin.kind >= first_mpi_kind_) {
    const std::uint64_t* changes = state_.mpi.versions.find(object);
    return changes == nullptr ? 0 : *changes;
  }
  return origin.kind >= first_message_kind_ ? state_.exchange.digest(object) : 0;
}

void ExecutionContext::values_of_step(std::vector<std::uint64_t>& values) const {
  values.clear();
  for (const Access& access : state_.committed) values.push_back(value_of(access.object));
}

void ExecutionContext::note_values(std::vector<std::uint64_t>& values) {
  const Footprint footprint = run_->footprint(current_->id);
  state_.committed.assign(footprint.begin(), footprint.end());
  values_of_step(values);
}

}  // namespace mazurka::threads
