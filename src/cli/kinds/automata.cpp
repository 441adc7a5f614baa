// Networks of automata: they are read from a file and explored in this process.
#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "cli/declare.hpp"
#include "cli/settle.hpp"
#include "explorers/stateful/variant.hpp"

namespace mazurka::cli {

bool is_network(const std::string& program) { return program.ends_with(".tck"); }

void declare_networks(Declare& declare, Options& options) {
  declare.group("Networks of automata");
  std::vector<std::string> variants{"auto"};
  std::string help = "stateful: auto (default, tries several), or";
  for (const stateful::Variant& variant : stateful::variants()) {
    help += (variants.size() == 1 ? " " : ", ") + std::string(variant.name);
    variants.emplace_back(variant.name);
  }
  help += "; Promela models: also local-first";
  variants.emplace_back(local_first);
  declare.word(declare.text("--variant", options.network.variant, "NAME", help), variants);
  declare.text("--reach", options.network.reach, "STATE",
               "Report a state as a finding: \"P0=eats & P1=eats | x>=2\"");
  declare.flag("--allow-deadlock", options.network.allow_deadlock, "A deadlock is no finding");
  declare.flag("--certify", options.network.certify,
               "Prove the explored graph complete (small systems only)");
  declare.flag("--paths", options.network.paths, "Count the paths of the explored graph");
  declare.file("--state-graph", options.network.dot,
               "Draw the explored graph into FILE, in the DOT language");
  declare.number("--max-nodes", options.network.max_nodes, 0, "stateful: stop after N nodes");
}

std::span<const Refusal> refused_by_networks() {
  static constexpr std::string_view no_memory = "nothing in it is a plain access to memory";
  static constexpr std::string_view not_saved =
      "a search in a network of automata can not be saved and resumed";
  static constexpr Refusal refusals[] = {
      {"--racy", no_memory},
      {"--races", no_memory},
      {"--suppress", no_memory},
      {"--suppressions", no_memory},
      {"--volatile", no_memory},
      {"--all-rows", "no step of it is left out of the table"},
      {"--memory", no_memory},
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
      {"--alternatives", "the technique unfolding is not for networks"},
      {"--save", not_saved},
      {"--save-every", not_saved},
      {"--resume", not_saved},
  };
  return refusals;
}

void refuse_order_of_exploration(const Options& options) {
  const auto entry = stateful::find_entry(options.network.variant, options.order);
  if (!entry || entry->exploration == stateful::Exploration::depth_first) return;
  if (const std::string_view why = stateful::why_not(*entry->variant, entry->exploration);
      !why.empty()) {
    refuse("--order", options.order + " is not for --variant " + options.network.variant + ": " +
                          std::string(why));
  }
  if (options.jobs > 1 && entry->variant->reduced) {
    refuse("--jobs", "several threads have an order of their own; leave out --order " +
                         options.order + ", or use --jobs 1");
  }
}

void settle_network(const CLI::App& check, const Options& options, const Technique& technique) {
  if (technique.needs != Needs::a_network) {
    for (const char* option :
         {"--variant", "--certify", "--paths", "--state-graph", "--max-nodes"}) {
      if (given(check, option)) {
        refuse(option, "it needs --technique stateful, not " + std::string(technique.name));
      }
    }
    if (options.jobs > 1) {
      refuse("--jobs", "a network is explored by several threads with --technique stateful, not " +
                           std::string(technique.name));
    }
    if (!options.order.empty()) {
      refuse("--order", "it needs --technique stateful; with " + std::string(technique.name) +
                            ", --seed changes the order");
    }
    return;
  }
  if (options.network.variant == local_first) {
    refuse("--variant", "local-first is for Promela models; for networks, closure is the like");
  }
  if (given(check, "--max-executions")) {
    refuse("--max-executions", "the stateful search has no executions; --max-nodes bounds it");
  }
  if (options.jobs > 1 && given(check, "--max-events") && options.network.variant != "reach") {
    refuse("--max-events",
           "with --jobs, how far a node is from the initial one depends on who comes there first; "
           "use --variant reach, which goes level by level, or --jobs 1");
  }
  if (!options.order.empty() && options.network.variant == "auto") {
    refuse("--order", "it needs a --variant: auto has orders of its own");
  }
  refuse_order_of_exploration(options);
  if (options.limits.seed != 0 && options.order != "shuffled") {
    refuse("--seed", "it needs --order shuffled in a stateful search");
  }
}

}  // namespace mazurka::cli
