// Programs of actors. They hold the same conversation as programs with threads, so they are checked
// by the same function; what they do not share with them is refused here.
#include <string>
#include <string_view>
#include <vector>

#include "cli/declare.hpp"
#include "host/compiler.hpp"

namespace mazurka::cli {

bool is_of_actors(const std::string& program) { return host::uses_actors(program); }

std::vector<std::string_view> actor_orders() { return {"fifo", "eca", "lca", "urgent"}; }

void declare_actors(Declare& declare, Options& options) {
  declare.group(help_group::exploring);
  declare.choice("--sleep-sets", options.limits.sleep_sets, switch_names,
                 "Actors, with dpor or trans (default on)");
}

std::span<const Refusal> refused_by_actors() {
  static constexpr std::string_view nothing_shared = "actors share nothing, so there are no races";
  static constexpr std::string_view not_saved = "its search can not be saved and resumed";
  static constexpr std::string_view shown_as_chart = "its counter-examples are charts";
  static constexpr Refusal refusals[] = {
      {"--racy", nothing_shared},
      {"--races", nothing_shared},
      {"--suppress", nothing_shared},
      {"--suppressions", nothing_shared},
      {"--volatile", nothing_shared},
      {"--memory", nothing_shared},
      {"--heap", "its heap is not watched"},
      {"--uninitialised", "its memory is not watched"},
      {"--leaks", "its heap is not watched"},
      {"--spurious", "it has no condition variables"},
      {"--exit-code", "it ends when no message is left, not with an exit code"},
      {"--liveness", "it ends when no message is left"},
      {"--max-stall", "its handlers are not watched"},
      {"--checkpoints", "its executions always begin at the beginning"},
      {"--shorten", "its counter-examples are shown as they were found"},
      {"--function", "what is explored is its call of mazurka::run"},
      {"--save", not_saved},
      {"--save-every", not_saved},
      {"--resume", not_saved},
      {"--stacks", shown_as_chart},
      {"--all-rows", shown_as_chart},
  };
  return refusals;
}

}  // namespace mazurka::cli
