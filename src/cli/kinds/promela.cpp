// Promela models: they are read from a file and explored in this process.
#include "cli/kinds/promela.hpp"

#include <CLI/CLI.hpp>

#include "cli/declare.hpp"
#include "cli/settle.hpp"
#include "host/schedule_file.hpp"

namespace mazurka::cli {

bool is_promela(const std::string& program) {
  return program.ends_with(".pml") || program.ends_with(".promela");
}

bool is_promela_schedule(const std::string& file) {
  return is_promela(host::load_schedule(file).target.binary.string());
}

std::span<const Refusal> refused_by_promela() {
  static constexpr std::string_view no_memory = "nothing in it is a plain access to memory";
  static constexpr std::string_view not_saved = "a search in a Promela model can not be saved";
  static constexpr Refusal refusals[] = {
      {"--racy", no_memory},
      {"--races", no_memory},
      {"--suppress", no_memory},
      {"--suppressions", no_memory},
      {"--volatile", no_memory},
      {"--memory", no_memory},
      {"--all-rows", "no step of it is left out of the table"},
      {"--heap", "it has no heap"},
      {"--uninitialised", "it has no memory of that kind"},
      {"--leaks", "it has no heap"},
      {"--spurious", "it has no condition variables"},
      {"--exit-code", "it does not end with an exit code"},
      {"--liveness", "a process that waits for ever is in a deadlock"},
      {"--sleep-sets", "they are left out in programs of actors only"},
      {"--max-stall", "nothing in it can compute without end"},
      {"--measure-replay", "there is no program to be run again"},
      {"--shorten", "its counter-examples are shown as they were found"},
      {"--stacks", "its steps have no stacks"},
      {"--compiler", "it is not compiled"},
      {"--function", "it has no functions"},
      {"--alternatives", "the technique unfolding is not for Promela models"},
      {"--save", not_saved},
      {"--save-every", not_saved},
      {"--resume", not_saved},
      {"--preemptions", "a stateful search has no bound on them"},
      {"--tree", "a search that remembers states has no tree of executions"},
      {"--reach", "write an assertion into the model"},
  };
  return refusals;
}

void refuse_order_of_exploration(const Options& options);  // automata.cpp

void settle_promela(const CLI::App& check, const Options& options, const Technique& technique) {
  if (technique.needs != Needs::a_network) {
    refuse("--technique",
           std::string(technique.name) +
               " is not for Promela models: their states are remembered, by stateful");
  }
  if (given(check, "--max-executions")) {
    refuse("--max-executions", "the stateful search has no executions; --max-nodes bounds it");
  }
  if (options.jobs > 1) refuse("--jobs", "a Promela model is explored by one thread");
  const std::string& variant = options.network.variant;
  if (!options.order.empty() &&
      (variant == "auto" || variant == "reach" || variant == local_first)) {
    refuse("--order", "it needs a --variant that is a reduction");
  }
  refuse_order_of_exploration(options);
  if (options.limits.seed != 0 && options.order != "shuffled") {
    refuse("--seed", "it needs --order shuffled");
  }
}

}  // namespace mazurka::cli
