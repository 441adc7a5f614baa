// What the program under test gets to hear when it asks the kernel for something that is not
// harmless (confinement.hpp): the part that knows the call says it, and what none of them knows is
// refused.
#include <optional>
#include <utility>

#include "programs/threads/runtime/machine/confinement.hpp"
#include "programs/threads/runtime/runtime.hpp"
#include "programs/threads/runtime/surroundings/answers.hpp"

namespace mazurka::threads {

Answer answer(const SystemCall& call) {
  runtime->state().went_outside = true;
  for (const auto about : {answers::about_descriptors, answers::about_files, answers::about_process,
                           answers::about_limits, answers::about_time}) {
    if (std::optional<Answer> known = about(call)) return *std::move(known);
  }
  return answers::refused();
}

}  // namespace mazurka::threads
