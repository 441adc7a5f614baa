// Adding a technique: its file, its make function here, its line in the table.
#include "explorers/registry.hpp"

#include <algorithm>
#include <array>

namespace mazurka {

std::unique_ptr<Explorer> make_exhaustive(const TechniqueOptions&);
std::unique_ptr<Explorer> make_sleep(const TechniqueOptions&);
std::unique_ptr<Explorer> make_dpor(const TechniqueOptions&);
std::unique_ptr<Explorer> make_source(const TechniqueOptions&);
std::unique_ptr<Explorer> make_optimal(const TechniqueOptions&);

namespace {

std::span<const Technique> table() {
  static const std::array<Technique, 5> techniques{{
      {"exhaustive", "every interleaving", make_exhaustive, {}},
      {"sleep", "sleep sets alone: every trace once, many executions abandoned", make_sleep, {}},
      {"dpor",
       "classic dynamic partial order reduction with persistent sets and sleep sets",
       make_dpor,
       {}},
      {"source", "source sets with sleep sets: fewer executions are abandoned", make_source, {}},
      {"optimal", "every trace exactly once, no execution is abandoned", make_optimal, {}},
  }};
  return techniques;
}

std::span<const Technique> message_table() { return {}; }

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

const Technique* find_technique(std::string_view name) {
  for (const std::span<const Technique> group : {table(), message_table()}) {
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
                     [&](const TechniqueOption& other) { return other.name == option; })) {
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
