#include "cli/settle.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "cli/command_line.hpp"
#include "cli/suggest.hpp"
#include "cli/values.hpp"
#include "core/check.hpp"
#include "explorers/table.hpp"
#include "host/compiler.hpp"
#include "report/formats.hpp"

namespace mazurka::cli {

namespace {

constexpr double usual_budget = 10;  // seconds, for techniques that would go on for ever

/// The program as the user knows it.
const std::string& named(const Options& options) {
  return options.program.empty() ? options.resume : options.program;
}

bool contains(std::span<const std::string_view> words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Which programs take this option of `owner`.
std::string takers(const Kind& owner, std::string_view option) {
  std::string all(owner.programs);
  for (const Kind& kind : kinds()) {
    if (contains(kind.takes, option)) all += fmt::format(" and {}", kind.programs);
  }
  return all;
}

/// Arguments of a program can not be told to its compiler. What follows a flag may belong to it.
void refuse_arguments(const Kind& kind, const Options& options) {
  const std::filesystem::path program = options.program;
  if (!host::is_source(program) || !std::filesystem::exists(program)) return;
  bool follows_flag = false;
  for (const std::string& word : options.extra) {
    const bool is_flag = word.starts_with("-") || word.starts_with("@");
    if (!is_flag && !follows_flag && !std::filesystem::exists(word)) {
      const bool is_c = program.extension() == ".c" || program.extension() == ".i";
      const bool is_of_mpi = kind.name == "mpi";
      const std::string_view compiler = is_of_mpi ? (is_c ? "mazurka-mpicc" : "mazurka-mpicxx")
                                                  : (is_c ? "mazurka-cc" : "mazurka-c++");
      refuse(word, fmt::format("it is neither a flag of the compiler nor a file. If it is for the "
                               "program, build that first: {} -g {} -o program; mazurka check "
                               "./program{} -- {}",
                               compiler, options.program, is_of_mpi ? " --ranks N" : "", word));
    }
    follows_flag = is_flag;
  }
}

void refuse_what_is_not_its(const CommandLine& line, const Kind& kind, const Options& options) {
  const std::string is_one = fmt::format("{} is {}: ", named(options), kind.one);
  const std::span<const Refusal> refusals =
      kind.refuses == nullptr ? std::span<const Refusal>() : kind.refuses();
  for (const Refusal& refusal : refusals) {
    if (given(*line.check, refusal.option)) {
      refuse(std::string(refusal.option), is_one + std::string(refusal.why));
    }
  }
  for (const CLI::Option* option : line.check->get_options()) {
    const auto owner = line.declared.owners.find(option);
    if (option->count() == 0 || owner == line.declared.owners.end()) continue;
    const std::string name = option->get_name();
    if (owner->second == &kind || contains(kind.takes, name)) continue;
    refuse(name, fmt::format("it is for {}, and {} is none", takers(*owner->second, name),
                             named(options)));
  }
  if (!options.extra.empty() && !kind.why_no_extra.empty()) {
    refuse(options.extra.front(), is_one + std::string(kind.why_no_extra));
  }
  refuse_arguments(kind, options);
}

const Technique& find(const std::string& name) {
  if (const Technique* const technique = find_technique(name)) return *technique;
  std::vector<std::string_view> names;
  for (const Technique& technique : techniques()) names.push_back(technique.name);
  const std::string_view close = nearest(name, names);
  refuse("--technique", fmt::format("there is no technique '{}'{} The techniques are: {}", name,
                                    close.empty() ? "." : fmt::format("; did you mean {}?", close),
                                    listed(names)));
}

/// The usual technique of those who bound the preemptions.
std::string_view bounded_technique() {
  for (const Technique& technique : techniques()) {
    if (technique.takes_preemptions) return technique.name;
  }
  return {};
}

void settle_jobs(const Options& options, const Technique& technique) {
  constexpr std::uint32_t most = 256;
  if (options.jobs > most) refuse("--jobs", fmt::format("at most {} at once", most));
  // Threads of a search in a network share what they know; of a saved exploration, the file has the
  // technique.
  const bool shared = technique.needs == Needs::a_network;
  if (options.slice != 0 && (options.jobs <= 1 || shared)) {
    refuse("--slice", "it is about the processes of --jobs");
  }
  if (options.jobs <= 1 || technique.divisible || shared || !options.resume.empty()) return;
  refuse("--jobs", fmt::format("what technique {} knows can not be divided among processes; use "
                               "--technique reverse",
                               technique.name));
}

void settle_order(const Kind& kind, const Options& options) {
  if (options.order.empty()) return;
  std::vector<std::string_view> all;
  std::string owners;
  for (const Kind& one : kinds()) {
    if (one.orders == nullptr) continue;
    const std::vector<std::string_view> orders = one.orders();
    all.insert(all.end(), orders.begin(), orders.end());
    owners += fmt::format("{}{}", owners.empty() ? "" : " and ", one.programs);
  }
  if (kind.orders == nullptr) {
    if (!contains(all, options.order)) refuse("--order", none_of(options.order, all));
    refuse("--order", fmt::format("it is for {}, and {} is none", owners, named(options)));
  }
  const std::vector<std::string_view> orders = kind.orders();
  if (contains(orders, options.order)) return;
  refuse("--order", fmt::format("{} (for {})", none_of(options.order, orders), kind.programs));
}

/// The technique with its options, as the runtime reads it.
std::string whole_name(const Options& options, const Technique& technique) {
  if (technique.needs == Needs::a_network) {
    if (options.technique == technique.name) return options.technique;
    refuse("--technique", fmt::format("{} has no options; see --variant", technique.name));
  }
  if (const std::string wrong = parse_technique(options.technique).error; !wrong.empty()) {
    refuse("--technique", wrong);
  }
  if (options.alternatives.empty()) return options.technique;
  if (!technique.takes_a_number() || options.technique != technique.name) {
    refuse("--alternatives", "it goes with --technique unfolding, not with " + options.technique);
  }
  MAZURKA_CHECK(parse_technique(options.technique).error.empty(), "the technique is known by now");
  const std::string whole = options.technique + ":" + options.alternatives;
  if (!parse_technique(whole).error.empty()) {
    refuse("--alternatives",
           fmt::format("it is optimal or a number from 1 on, not '{}'", options.alternatives));
  }
  return whole;
}

void refuse_beside_comparison(const CLI::App& check, const Options& options) {
  if (options.compare.find_first_not_of(',') == std::string::npos) {
    refuse("--compare", "it wants names of techniques, with commas between them");
  }
  for (const char* const option :
       {"--technique", "--alternatives", "--save", "--resume", "--jobs", "--slice"}) {
    if (given(check, option)) {
      refuse("--compare", std::string(option) + " is about one technique, and it tries several");
    }
  }
}

/// Whether a report is wanted that shows the tree of the search.
bool shows_tree(const Options& options) {
  const std::span<const report::Format> formats = report::formats();
  for (std::size_t at = 0; at < options.reports.size(); ++at) {
    MAZURKA_CHECK(at < formats.size(), "each report has a form");
    if (!options.reports[at].empty() && formats[at].shows_tree) return true;
  }
  return false;
}

[[noreturn]] void refuse_no_program() {
  std::vector<std::string_view> all;
  for (const Kind& kind : kinds()) all.push_back(kind.one);
  throw CLI::ValidationError("PROGRAM", "missing: what is to be checked; one of " + listed(all));
}

}  // namespace

void refuse(const std::string& option, const std::string& why) {
  throw CLI::ValidationError(option, why);
}

bool given(const CLI::App& check, std::string_view option) {
  return check.get_option(std::string(option))->count() > 0;
}

void settle(const CommandLine& line, const Kind& kind, Options& options) {
  const CLI::App& check = *line.check;
  if (named(options).empty()) refuse_no_program();
  options.kind = &kind;
  options.bound_is_default = !given(check, "--max-events");
  refuse_what_is_not_its(line, kind, options);

  const bool chosen = given(check, "--technique");
  if (given(check, "--compare")) {
    refuse_beside_comparison(check, options);
    options.jobs = 1;  // what is compared is what the techniques take
  }
  const bool bounded = given(check, "--preemptions");
  if (!chosen) options.technique = bounded ? bounded_technique() : kind.usual_technique;
  MAZURKA_CHECK(chosen || find_technique(options.technique) != nullptr,
                "what is used where nothing is said is a technique");
  options.technique_is_default = !chosen && !bounded;
  const Technique& technique = find(options.technique.substr(0, options.technique.find(':')));
  if (!kind.takes_technique(technique)) {
    refuse("--technique", fmt::format("{} is for {}, and {} is {}", technique.name,
                                      technique.programs, named(options), kind.one));
  }
  if (kind.settle != nullptr) kind.settle(check, options, technique);
  settle_jobs(options, technique);
  options.technique = whole_name(options, technique);
  settle_order(kind, options);
  if (bounded && !technique.takes_preemptions) {
    refuse("--preemptions", fmt::format("the technique {} knows no such bound; use bounded or pct",
                                        options.technique));
  }
  options.tree = options.tree || shows_tree(options);
  if (technique.is_sample() && options.limits.max_executions == 0 &&
      options.limits.max_seconds == 0) {
    options.limits.max_seconds = usual_budget;
  }
}

}  // namespace mazurka::cli
