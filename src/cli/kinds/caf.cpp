// Programs of the C++ Actor Framework. They hold the same conversation as programs with threads, so
// they are checked by the same function.
#include <string>
#include <string_view>
#include <vector>

#include "cli/declare.hpp"
#include "host/compiler.hpp"

namespace mazurka::cli {

bool is_of_caf(const std::string& program) { return host::uses_caf(program); }

void declare_caf(Declare& declare, Options& options) {
  declare.group(help_group::exploring);
  declare.word(declare.text("--kind", options.caf.kind, "caf",
                            "The source is a program of CAF, though it has no CAF_MAIN"),
               {"caf"});
  declare.word(
      declare.text("--channels", options.caf.channels, "mailbox|fifo|none",
                   "CAF: no message overtakes one that its sender has sent earlier, to "
                   "whomever (mailbox, default) or to the same receiver (fifo), or any may"),
      {"mailbox", "fifo", "none"});
  declare.word(declare.text("--timeouts", options.caf.timeouts, "idle|any|never",
                            "CAF: timeouts and delayed messages come when nothing else is left "
                            "(default), at any time, or never"),
               {"idle", "any", "never"});
  declare.group(help_group::judging);
  declare.word(declare.list("--allow", options.caf.allow, "WHAT",
                            "CAF: no finding are unhandled messages, unanswered requests, errors "
                            "with which actors end, or actors that go on running"),
               {"unhandled", "unanswered", "errors", "running"});
  declare.flag("--left", options.caf.left, "CAF: messages that are skipped for ever are findings");
}

std::span<const Refusal> refused_by_caf() {
  static constexpr std::string_view not_watched = "what its actors share is a finding";
  static constexpr std::string_view not_saved = "its search can not be saved and resumed";
  static constexpr std::string_view shown_as_chart = "its counter-examples are charts";
  static constexpr Refusal refusals[] = {
      {"--racy", not_watched},
      {"--suppress", not_watched},
      {"--suppressions", not_watched},
      {"--volatile", not_watched},
      {"--memory", not_watched},
      {"--heap", "its heap is not watched"},
      {"--uninitialised", "its memory is not watched"},
      {"--leaks", "its heap is not watched"},
      {"--spurious", "it has no condition variables"},
      {"--exit-code", "it ends when no message is left, not with an exit code"},
      {"--liveness", "it ends when no message is left"},
      {"--max-stall", "its handlers are not watched"},
      {"--checkpoints", "its executions always begin at the beginning"},
      {"--shorten", "its counter-examples are shown as they were found"},
      {"--function", "what is explored is its caf_main"},
      {"--measure-replay", "its handlers are not timed by themselves"},
      {"--tree", "its tree is not told"},
      {"--save", not_saved},
      {"--save-every", not_saved},
      {"--resume", not_saved},
      {"--stacks", shown_as_chart},
      {"--all-rows", shown_as_chart},
  };
  return refusals;
}

}  // namespace mazurka::cli
