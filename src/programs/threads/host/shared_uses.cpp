// One part may leave out a round of a waiting loop with an access that races with one in another
// part (runtime/memory_model/contention.hpp).
#include <memory>

#include "programs/threads/host/suppressions.hpp"
#include "programs/threads/runtime/memory_model/contention.hpp"

namespace mazurka::threads {

std::function<bool(const std::vector<std::uint64_t>&)> compare_uses() {
  return [all = std::make_shared<Contention>()](const std::vector<std::uint64_t>& uses) {
    if (uses.empty()) return false;
    all->add_all(uses);
    return all->compare();
  };
}

}  // namespace mazurka::threads
