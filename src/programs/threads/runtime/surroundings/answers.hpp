// What the program hears in the kernel's place, by what it asks about.
//
// Each part is a table, one row per system call, in a file of its own; a part that does not know
// the call says nothing. All of it runs in a signal handler, in the middle of whatever asked:
// nothing in here may let another process of the program run.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "programs/threads/runtime/machine/confinement.hpp"
#include "programs/threads/runtime/machine/kernel.hpp"
#include "programs/threads/runtime/surroundings/execution_files.hpp"

namespace mazurka::threads::answers {

// --- the parts -----------------------------------------------------------------------------------

[[nodiscard]] std::optional<Answer> about_descriptors(const SystemCall& call);
[[nodiscard]] std::optional<Answer> about_files(const SystemCall& call);
[[nodiscard]] std::optional<Answer> about_process(const SystemCall& call);
[[nodiscard]] std::optional<Answer> about_limits(const SystemCall& call);
[[nodiscard]] std::optional<Answer> about_time(const SystemCall& call);
/// prctl
[[nodiscard]] Answer process_option(const SystemCall& call);

// --- what rows are made of -----------------------------------------------------------------------

/// Without a reason: the name of the call says it all.
[[nodiscard]] inline Answer refused(std::string reason = {}) {
  return {Answer::Kind::refused, 0, std::move(reason)};
}

[[nodiscard]] inline Answer result(long value) {
  if (const char* why = ExecutionFiles::words(value)) return refused(why);
  return {Answer::Kind::result, value};
}

[[nodiscard]] inline Answer passed_on(const SystemCall& call) {
  const auto& [a, b, c, d, e, f] = call.arguments;
  return result(call_kernel(call.number, a, b, c, d, e));
}

[[nodiscard]] inline const char* text(long argument) {
  return reinterpret_cast<const char*>(argument);
}

/// Whether this is a number of the program or of one of its threads.
[[nodiscard]] bool is_program(long number);

/// Notes the descriptor that a call has made, if it has made one.
[[nodiscard]] Answer opened(Answer answer);

}  // namespace mazurka::threads::answers
