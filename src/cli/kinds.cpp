#include "cli/kinds.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>
#include <vector>

#include "cli/suggest.hpp"
#include "cli/values.hpp"
#include "explorers/stateful/variant.hpp"
#include "explorers/table.hpp"

namespace mazurka::cli {

namespace {

constexpr double usual_budget = 10;  // seconds, for techniques that would go on for ever

struct NotForNetworks {
  const char* option;
  const char* why;
};
constexpr std::array<NotForNetworks, 21> not_for_networks{{
    {"--racy", "nothing in it is a plain access to memory"},
    {"--races", "nothing in it is a plain access to memory"},
    {"--suppress", "nothing in it is a plain access to memory"},
    {"--suppressions", "nothing in it is a plain access to memory"},
    {"--volatile", "nothing in it is a plain access to memory"},
    {"--all-rows", "no step of it is left out of the table"},
    {"--memory", "it has no heap"},
    {"--leaks", "it has no heap"},
    {"--spurious", "it has no condition variables"},
    {"--exit-code", "it does not end with an exit code"},
    {"--sleep-sets", "they are left out in programs of actors only"},
    {"--max-stall", "nothing in it can compute without end"},
    {"--measure-replay", "there is no program to be run again"},
    {"--shorten", "its counter-examples are shown as they were found"},
    {"--stacks", "its steps have no stacks"},
    {"--compiler", "it is not compiled"},
    {"--function", "it has no functions"},
    {"--alternatives", "the technique unfolding is not for networks"},
    {"--save", "a search in a network of automata can not be saved and resumed"},
    {"--save-every", "a search in a network of automata can not be saved and resumed"},
    {"--resume", "a search in a network of automata can not be saved and resumed"},
}};

constexpr std::array<const char*, 7> only_for_networks{
    "--variant", "--reach", "--allow-deadlock", "--certify", "--paths", "--dot", "--max-nodes"};

/// Of a saved exploration, the file says these.
constexpr std::array<const char*, 19> decided_by_the_file{
    "--technique", "--racy",        "--max-events",   "--keep-going", "--seed",
    "--compiler",  "--preemptions", "--alternatives", "--order",      "--sleep-sets",
    "--spurious",  "--leaks",       "--memory",       "--races",      "--exit-code",
    "--function",  "--suppress",    "--suppressions", "--volatile"};

constexpr std::array<const char*, 5> about_graphs{"--variant", "--certify", "--paths", "--dot",
                                                  "--max-nodes"};

[[noreturn]] void refuse(const std::string& option, const std::string& why) {
  throw CLI::ValidationError(option, why);
}

bool given(const CLI::App& check, const std::string& option) {
  return check.get_option(option)->count() > 0;
}

const Technique& find(const std::string& name) {
  std::vector<std::string_view> names;
  for (const Technique& technique : techniques()) {
    if (technique.name == name) return technique;
    names.push_back(technique.name);
  }
  const std::string_view close = nearest(name, names);
  refuse("--technique", "there is no technique '" + name + "'" +
                            (close.empty() ? "." : "; did you mean " + std::string(close) + "?") +
                            " The techniques are: " + listed(names));
}

void settle_order(Options& options, bool network) {
  if (options.order.empty()) return;
  const std::vector<std::string_view> orders =
      network ? stateful::order_names()
              : std::vector<std::string_view>(actor_orders.begin(), actor_orders.end());
  if (std::find(orders.begin(), orders.end(), options.order) == orders.end()) {
    refuse("--order", none_of(options.order, orders) +
                          (network ? " (for networks of automata)" : " (for programs of actors)"));
  }
}

void settle_network(const CLI::App& check, const Options& options, const Technique& technique) {
  const std::string file = options.program + " is a network of automata: ";
  for (const NotForNetworks& one : not_for_networks) {
    if (given(check, one.option)) refuse(one.option, file + one.why);
  }
  if (!options.extra.empty()) {
    refuse(options.extra.front(), file + "it is not compiled, and takes no arguments");
  }
  const std::string name(technique.name);
  if (!technique.on_networks) {
    refuse("--technique", file + name + " is for " + std::string(technique.programs));
  }
  if (technique.create != nullptr) {
    for (const char* option : about_graphs) {
      if (given(check, option)) refuse(option, "it needs --technique stateful, not " + name);
    }
    if (!options.order.empty()) {
      refuse("--order",
             "it needs --technique stateful; with " + name + ", --seed changes the order");
    }
    return;
  }
  if (given(check, "--max-executions")) {
    refuse("--max-executions", "the stateful search has no executions; --max-nodes bounds it");
  }
  const bool automatic = options.network.variant == "auto";
  if (!automatic && stateful::find_variant(options.network.variant) == nullptr) {
    std::vector<std::string_view> names{"auto"};
    for (const stateful::Variant& variant : stateful::variants()) names.push_back(variant.name);
    refuse("--variant", none_of(options.network.variant, names));
  }
  if (!options.order.empty() && automatic) {
    refuse("--order", "it needs a --variant: auto has orders of its own");
  }
  if (options.limits.seed != 0 && options.order != "shuffled") {
    refuse("--seed", "it needs --order shuffled in a stateful search");
  }
}

void settle_program(const CLI::App& check, const Options& options, const Technique& technique) {
  for (const char* option : only_for_networks) {
    if (given(check, option)) {
      refuse(option, "it is for networks of automata (.tck), and " + options.program + " is none");
    }
  }
  for (const char* option : {"--suppress", "--suppressions"}) {
    if (options.racy && given(check, option)) {
      refuse(option, "with --racy no data race is a finding");
    }
  }
  if (technique.create == nullptr) {
    refuse("--technique", std::string(technique.name) + " is for " +
                              std::string(technique.programs) + " (.tck), and " + options.program +
                              " is none");
  }
}

/// The technique with its options, as the runtime reads it.
std::string whole_name(const Options& options, const Technique& technique) {
  if (technique.create == nullptr) {
    if (options.technique == technique.name) return options.technique;
    refuse("--technique", std::string(technique.name) + " has no options; see --variant");
  }
  if (const std::string wrong = parse_technique(options.technique).error; !wrong.empty()) {
    refuse("--technique", wrong);
  }
  if (options.alternatives.empty()) return options.technique;
  if (!technique.takes_a_number() || options.technique != technique.name) {
    refuse("--alternatives", "it goes with --technique unfolding, not with " + options.technique);
  }
  const std::string whole = options.technique + ":" + options.alternatives;
  if (!parse_technique(whole).error.empty()) {
    refuse("--alternatives",
           "it is optimal or a number from 1 on, not '" + options.alternatives + "'");
  }
  return whole;
}

}  // namespace

bool is_network(std::string_view program) { return program.ends_with(".tck"); }

void settle(const CLI::App& check, Options& options) {
  if (options.program.empty() && options.resume.empty()) {
    throw CLI::ValidationError("PROGRAM",
                               "missing: a source file, a binary, or a network of automata (.tck)");
  }
  options.bound_is_default = !given(check, "--max-events");
  const bool network = is_network(options.program);
  if (!options.resume.empty() && !network) {
    for (const char* option : decided_by_the_file) {
      if (given(check, option)) {
        refuse(option,
               "it can not be changed with --resume: what is explored is decided by the file");
      }
    }
    if (!options.extra.empty()) {
      refuse(options.extra.front(),
             "it can not be added with --resume: what is explored is decided by the file");
    }
  }
  const bool chosen = given(check, "--technique");
  const bool bounded = given(check, "--preemptions");
  if (!chosen) options.technique = bounded ? "bounded" : network ? "stateful" : "optimal";
  options.technique_is_default = !chosen && !bounded;
  const Technique& technique = find(options.technique.substr(0, options.technique.find(':')));
  options.technique = whole_name(options, technique);
  settle_order(options, network);
  if (network) {
    settle_network(check, options, technique);
  } else {
    settle_program(check, options, technique);
  }
  if (bounded && !technique.takes_preemptions) {
    refuse("--preemptions",
           "the technique " + options.technique + " knows no such bound; use bounded or pct");
  }
  if (technique.coverage == Coverage::a_sample && options.limits.max_executions == 0 &&
      options.limits.max_seconds == 0) {
    options.limits.max_seconds = usual_budget;
  }
}

}  // namespace mazurka::cli
