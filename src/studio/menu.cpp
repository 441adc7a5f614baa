#include "studio/menu.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <string_view>

#include "cli/command_line.hpp"
#include "cli/kind.hpp"
#include "explorers/table.hpp"

namespace mazurka::studio {

namespace {

using Json = nlohmann::json;

/// Of `check`, those that are neither about files nor about how the outcome is told.
bool is_offered(const CLI::Option& option) {
  if (option.get_lnames().empty() || option.get_type_name() == "FILE") return false;
  static constexpr std::string_view others[] = {"help", "technique", "compare", "suppressions"};
  const std::string& name = option.get_lnames().front();
  return option.get_group() != "Output" &&
         std::find(std::begin(others), std::end(others), name) == std::end(others);
}

Json option_json(const cli::CommandLine& line, const CLI::Option& option) {
  Json words = Json::array();
  if (const auto known = line.declared.words.find(&option); known != line.declared.words.end()) {
    words = known->second;
  }
  const auto owner = line.declared.owners.find(&option);
  const bool owned = owner != line.declared.owners.end() && owner->second != nullptr;
  return {{"name", "--" + option.get_lnames().front()},
          {"flag", option.get_expected_max() == 0},
          {"type", option.get_type_name()},
          {"help", option.get_description()},
          {"group", option.get_group()},
          {"words", words},
          {"kind", owned ? Json(owner->second->name) : Json(nullptr)}};
}

Json techniques_json() {
  Json list = Json::array();
  for (const Technique& technique : techniques()) {
    Json kinds = Json::array();
    for (const cli::Kind& kind : cli::kinds()) {
      if (kind.takes_technique(technique)) kinds.push_back(kind.name);
    }
    list.push_back({{"name", technique.name}, {"summary", technique.summary}, {"kinds", kinds}});
  }
  return list;
}

bool is_for_the_compiler(std::string_view word) {
  static constexpr std::string_view beginnings[] = {"-D", "-U", "-O", "-std=", "-f"};
  return std::any_of(std::begin(beginnings), std::end(beginnings),
                     [&](std::string_view one) { return word.starts_with(one); });
}

}  // namespace

Json menu(const Folder& folder) {
  cli::Options filled;
  const cli::CommandLine line(filled);
  Json options = Json::array();
  for (const CLI::Option* option : line.check->get_options()) {
    if (is_offered(*option)) options.push_back(option_json(line, *option));
  }
  Json kinds = Json::array();
  for (const cli::Kind& kind : cli::kinds()) {
    kinds.push_back({{"name", kind.name}, {"technique", kind.usual_technique}});
  }
  Json built_in = Json::array();
  for (const Example& example : examples()) built_in.push_back(example.name);
  return {{"folder", folder.root().filename().string()},
          {"programs", folder.programs()},
          {"examples", built_in},
          {"kinds", kinds},
          {"techniques", techniques_json()},
          {"options", options}};
}

std::string refusal(const std::vector<std::string>& options) {
  cli::Options filled;
  const cli::CommandLine line(filled);
  for (std::size_t at = 0; at < options.size(); ++at) {
    const std::string& word = options[at];
    if (is_for_the_compiler(word)) continue;
    const std::string name = word.substr(0, word.find('='));
    const CLI::Option* option =
        name.starts_with("--") ? line.check->get_option_no_throw(name) : nullptr;
    const bool known = option != nullptr && (is_offered(*option) || name == "--technique");
    if (!known) return fmt::format("{}: the studio does not pass that on", word);
    const bool takes_word = option->get_expected_max() > 0 && name == word;
    if (takes_word && ++at == options.size()) return fmt::format("{}: a value is missing", word);
  }
  return {};
}

}  // namespace mazurka::studio
