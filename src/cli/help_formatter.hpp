// The help of CLI11 in the layout of help.hpp.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <utility>
#include <vector>

#include "cli/help.hpp"

namespace mazurka::cli {

class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_group(std::string group, bool is_positional,
                         std::vector<const CLI::Option*> options) const override {
    // The caller puts a blank line behind most groups, but none before the first.
    const bool first = is_positional || group == get_label("OPTIONS") || group == "Options";
    const std::string text = Formatter::make_group(group, is_positional, std::move(options));
    return first ? text : text.substr(1);
  }
  std::string make_option(const CLI::Option* option, bool is_positional) const override {
    std::string name = is_positional ? option->get_name(true) : "";
    if (!is_positional) {
      for (const std::string& letter : option->get_snames()) name += "-" + letter + ", ";
      name += "--" + option->get_lnames().front();
      const bool takes_value = option->get_items_expected_max() > 0;
      if (takes_value && !option->get_type_name().empty()) name += " " + option->get_type_name();
    }
    return entry(name, option->get_description(), indent);
  }
  std::string make_option_usage(const CLI::Option* option) const override {
    std::string name = option->get_name(true);
    if (option->get_items_expected_max() > 1) name += "...";
    return option->get_required() ? name : "[" + name + "]";
  }
  std::string make_subcommand(const CLI::App* command) const override {
    return entry(command->get_name(), command->get_description(), indent);
  }

 private:
  static constexpr std::size_t indent = 28;
};

}  // namespace mazurka::cli
