// Adding a technique: its file, its make function here, its line in the table.
#include "explorers/table.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "explorers/papers.hpp"

namespace mazurka {

std::unique_ptr<Explorer> make_exhaustive(const TechniqueOptions&);
std::unique_ptr<Explorer> make_sleep(const TechniqueOptions&);
std::unique_ptr<Explorer> make_dpor(const TechniqueOptions&);
std::unique_ptr<Explorer> make_source(const TechniqueOptions&);
std::unique_ptr<Explorer> make_source_context(const TechniqueOptions&);
std::unique_ptr<Explorer> make_optimal(const TechniqueOptions&);
std::unique_ptr<Explorer> make_optimal_observers(const TechniqueOptions&);
std::unique_ptr<Explorer> make_optimal_context(const TechniqueOptions&);
std::unique_ptr<Explorer> make_optimal_context_observers(const TechniqueOptions&);
std::unique_ptr<Explorer> make_reverse(const TechniqueOptions&);
std::unique_ptr<Explorer> make_graphs(const TechniqueOptions&);
std::unique_ptr<Explorer> make_trans(const TechniqueOptions&);
std::unique_ptr<Explorer> make_unfolding(const TechniqueOptions&);
std::unique_ptr<Explorer> make_bounded(const TechniqueOptions&);
std::unique_ptr<Explorer> make_random(const TechniqueOptions&);
std::unique_ptr<Explorer> make_pct(const TechniqueOptions&);

namespace {

std::span<const Technique> table() {
  static constexpr std::array<TechniqueOption, 3> source_context_options{{
      {"cut", "end an execution as soon as nothing can keep a sleep sequence from completing"},
      {"guide", "take steps that may complete a sleep sequence first"},
      {"chains", "end an execution in any state that is known to be explored from", false, true},
  }};
  static constexpr std::array<TechniqueOption, 1> optimal_context_options{{
      {"whole-states", "compare whole states, not only what two steps touch: to measure the cost",
       false, true, true},
  }};
  static constexpr std::array<TechniqueOption, 2> alternatives{{
      {"optimal", "full alternatives: every trace exactly once (default)"},
      {.name = "K",
       .help = "alternatives to the latest K events only: faster to find, may be in vain",
       .number = true,
       .may_sleep = true},
  }};
  static constexpr std::string_view comparable = "threads and actors whose states can be compared";
  static constexpr Promises once{.each_trace_once = true};
  static constexpr Promises once_and_awake{.each_trace_once = true, .never_asleep = true};
  // From the plainest to the best, then those that see a part, then those for certain programs.
  static const Technique techniques[] = {
      {.name = "exhaustive",
       .summary = "every interleaving",
       .create = make_exhaustive,
       .promises = {.every_interleaving = true},
       .size = Size::interleavings,
       .resumable = true,
       .weak_memory = true},
      {.name = "sleep",
       .summary = "sleep sets alone: every trace once, many executions abandoned",
       .create = make_sleep,
       .promises = once,
       .size = Size::traces,
       .resumable = true,
       .weak_memory = true,
       .source = papers::sleep_sets},
      {.name = "dpor",
       .summary = "classic dynamic partial order reduction with persistent sets and sleep sets",
       .create = make_dpor,
       .promises = once,
       .size = Size::traces,
       .resumable = true,
       .weak_memory = true,
       .does_without_sleep = true,
       .source = papers::dpor},
      {.name = "source",
       .summary = "source sets with sleep sets: fewer executions are abandoned",
       .create = make_source,
       .promises = once,
       .size = Size::traces,
       .resumable = true,
       .weak_memory = true,
       .source = papers::optimal},
      {.name = "source-context",
       .summary = "source, and one order of steps that commute where they meet",
       .create = make_source_context,
       .options = source_context_options,
       .needs = Needs::states,
       .promises = {.seen = Promises::Seen::final_states},
       .programs = comparable,
       .source = papers::context},
      {.name = "optimal",
       .summary = "every trace exactly once, no execution is abandoned",
       .create = make_optimal,
       .promises = once_and_awake,
       .size = Size::traces,
       .resumable = true,
       .weak_memory = true,
       .source = papers::optimal},
      {.name = "reverse",
       .summary = "every trace exactly once, from executions that know nothing of each other",
       .create = make_reverse,
       .promises = once_and_awake,
       .size = Size::traces,
       .resumable = true,
       .divisible = true,
       .why_strong =
           "has rules for steps with several outcomes that are known to be right only in a "
           "sequentially consistent memory",
       .source = papers::reverse},
      {.name = "graphs",
       .summary = "every execution graph exactly once, under any memory model",
       .create = make_graphs,
       .needs = Needs::graphs,
       .promises = once_and_awake,
       .resumable = true,
       .divisible = true,
       .weak_memory = true,
       .programs = "threads",
       .source = papers::graphs},
      {.name = "optimal-observers",
       .summary = "the same, where the order of writes counts only if it is observed",
       .create = make_optimal_observers,
       .promises = {.seen = Promises::Seen::observed_traces,
                    .each_trace_once = true,
                    .never_asleep = true},
       .source = papers::observers},
      {.name = "optimal-context",
       .summary = "optimal, and one order of steps that commute where they meet",
       .create = make_optimal_context,
       .options = optimal_context_options,
       .needs = Needs::states,
       .promises = {.seen = Promises::Seen::final_states},
       .programs = comparable,
       .source = papers::optimal_context},
      {.name = "optimal-context-observers",
       .summary = "optimal-context and optimal-observers together",
       .create = make_optimal_context_observers,
       .options = optimal_context_options,
       .needs = Needs::states,
       .promises = {.seen = Promises::Seen::observed_states},
       .programs = comparable,
       .source = papers::optimal_context},
      {.name = "bounded",
       .summary = "every schedule with at most --preemptions N (default 2) preemptions",
       .create = make_bounded,
       .coverage = Coverage::up_to_a_bound,
       .size = Size::bounded_interleavings,
       .resumable = true,
       .takes_preemptions = true,
       .weak_memory = true,
       .source = papers::bounded},
      {.name = "random",
       .summary = "random schedules, until a budget is spent",
       .create = make_random,
       .coverage = Coverage::a_sample,
       .weak_memory = true},
      {.name = "pct",
       .summary = "random priorities that change at --preemptions N (default 2) random points",
       .create = make_pct,
       .coverage = Coverage::a_sample,
       .takes_preemptions = true,
       .weak_memory = true,
       .source = papers::pct},
      {.name = "trans",
       .summary = "TransDPOR, which tries one of several racing messages at a time",
       .create = make_trans,
       .needs = Needs::messages,
       .does_without_sleep = true,
       .programs = "actors",
       .source = papers::trans},
      {.name = "unfolding",
       .summary = "the unfolding, by alternatives",
       .create = make_unfolding,
       .options = alternatives,
       .needs = Needs::persistence,
       .promises = once_and_awake,
       .programs = "persistent operations (message passing, actors)",
       .source = papers::unfolding},
      {.name = "stateful",
       .summary = "states instead of executions, each reduced once; see --variant",
       .create = nullptr,  // whoever has a network makes it, with its variant
       .needs = Needs::a_network,
       .programs = "networks of automata",
       .source = papers::stateful},
  };
  return techniques;
}

// Whether the text is this option: its name, or a number where one is meant.
bool is_option(const TechniqueOption& option, std::string_view text) {
  if (!option.number) return option.name == text;
  return !text.empty() && text.size() <= 9 && text.front() != '0' &&
         text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::string known_options(const Technique& technique) {
  if (technique.options.empty()) return "it has none";
  std::string text = "it has";
  const char* separator = " ";
  for (const TechniqueOption& option : technique.options) {
    text += separator + std::string(option.name);
    separator = ", ";
  }
  return text;
}

}  // namespace

std::span<const Technique> techniques() { return table(); }

std::vector<const Technique*> general_techniques() {
  std::vector<const Technique*> general;
  for (const Technique& technique : table()) {
    const bool anywhere = technique.needs == Needs::nothing || technique.needs == Needs::states;
    if (anywhere && technique.coverage == Coverage::everything) general.push_back(&technique);
  }
  return general;
}

const Technique* find_technique(std::string_view name) {
  const std::span<const Technique> all = table();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Technique& one) { return one.name == name; });
  return found == all.end() ? nullptr : &*found;
}

const Technique& technique_of(std::string_view request) {
  static constexpr Technique unknown{};
  const Technique* const found = find_technique(request.substr(0, request.find(':')));
  return found == nullptr ? unknown : *found;
}

std::vector<std::string> variants_of(const Technique& technique) {
  const std::string name(technique.name);
  std::vector<std::string> variants{name};
  std::string together;
  std::size_t count = 0;
  for (const TechniqueOption& option : technique.options) {
    if (option.number || option.costs) continue;
    variants.push_back(name + ':' + std::string(option.name));
    if (option.alone) continue;
    together += together.empty() ? ':' : ',';
    together += option.name;
    ++count;
  }
  if (count > 1) variants.push_back(name + together);
  return variants;
}

TechniqueRequest parse_technique(std::string_view text) {
  TechniqueRequest request;
  const std::size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  request.technique = find_technique(name);
  if (request.technique == nullptr) {
    request.error = "unknown technique `" + std::string(name) + "`";
    return request;
  }
  std::vector<std::string> chosen;
  std::string_view rest = colon == std::string_view::npos ? "" : text.substr(colon + 1);
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    const std::string_view option = rest.substr(0, comma);
    rest = comma == std::string_view::npos ? "" : rest.substr(comma + 1);
    const auto& known = request.technique->options;
    if (std::none_of(known.begin(), known.end(),
                     [&](const TechniqueOption& other) { return is_option(other, option); })) {
      request.error = "technique " + std::string(name) + " has no option `" + std::string(option) +
                      "`; " + known_options(*request.technique);
      return request;
    }
    chosen.emplace_back(option);
  }
  for (const TechniqueOption& option : request.technique->options) {
    const bool taken = std::find(chosen.begin(), chosen.end(), option.name) != chosen.end();
    if (option.alone && taken && chosen.size() > 1) {
      request.error = "option `" + std::string(option.name) + "` of technique " +
                      std::string(name) + " cannot be combined with others";
      return request;
    }
  }
  request.options = TechniqueOptions(std::move(chosen));
  return request;
}

Promises TechniqueRequest::promises() const {
  Promises promised = technique->promises;
  for (const TechniqueOption& option : technique->options) {
    const bool taken =
        std::any_of(options.names().begin(), options.names().end(),
                    [&](const std::string& name) { return is_option(option, name); });
    if (taken && option.may_sleep) promised.never_asleep = false;
  }
  return promised;
}

}  // namespace mazurka
