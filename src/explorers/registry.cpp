// Adding a technique: its file, its make function here, its line in the table.
#include "explorers/registry.hpp"

#include <algorithm>
#include <array>

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
std::unique_ptr<Explorer> make_trans(const TechniqueOptions&);
std::unique_ptr<Explorer> make_unfolding(const TechniqueOptions&);

namespace {

std::span<const Technique> table() {
  static constexpr std::array<TechniqueOption, 2> source_context_options{{
      {"cut", "end an execution as soon as nothing can keep a sleep sequence from completing"},
      {"guide", "take steps that may complete a sleep sequence first"},
  }};
  static const std::array<Technique, 9> techniques{{
      {"exhaustive", "every interleaving", make_exhaustive, {}},
      {"sleep", "sleep sets alone: every trace once, many executions abandoned", make_sleep, {}},
      {"dpor",
       "classic dynamic partial order reduction with persistent sets and sleep sets",
       make_dpor,
       {}},
      {"source", "source sets with sleep sets: fewer executions are abandoned", make_source, {}},
      {"source-context", "source, and one order of steps that commute where they meet",
       make_source_context, source_context_options, true},
      {"optimal", "every trace exactly once, no execution is abandoned", make_optimal, {}},
      {"optimal-observers",
       "the same, where the order of writes counts only if it is observed",
       make_optimal_observers,
       {}},
      {"optimal-context",
       "optimal, and one order of steps that commute where they meet",
       make_optimal_context,
       {},
       true},
      {"optimal-context-observers",
       "optimal-context and optimal-observers together",
       make_optimal_context_observers,
       {},
       true},
  }};
  return techniques;
}

std::span<const Technique> message_table() {
  static const std::array<Technique, 1> techniques{{
      {"trans",
       "for actors: TransDPOR, which tries one of several racing messages at a time",
       make_trans,
       {}},
  }};
  return techniques;
}

std::span<const Technique> persistent_table() {
  static constexpr std::array<TechniqueOption, 2> alternatives{{
      {"optimal", "full alternatives: every trace exactly once (default)"},
      {"K", "alternatives to the latest K events only: faster to find, may be in vain", true},
  }};
  static const std::array<Technique, 1> techniques{{
      {"unfolding", "for persistent operations (message passing): the unfolding, by alternatives",
       make_unfolding, alternatives},
  }};
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

std::span<const Technique> message_techniques() { return message_table(); }

std::span<const Technique> persistent_techniques() { return persistent_table(); }

const Technique* find_technique(std::string_view name) {
  for (const std::span<const Technique> group : {table(), message_table(), persistent_table()}) {
    for (const Technique& technique : group) {
      if (technique.name == name) return &technique;
    }
  }
  return nullptr;
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
  request.options = TechniqueOptions(std::move(chosen));
  return request;
}

}  // namespace mazurka
