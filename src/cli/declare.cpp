#include "cli/declare.hpp"

#include <fmt/format.h>

#include "cli/values.hpp"
#include "core/check.hpp"

namespace mazurka::cli {

namespace {

CLI::Validator a_time() {
  return {[](std::string& text) {
            const std::optional<double> seconds = parse_seconds(text);
            if (!seconds) return fmt::format("'{}' is no time; write 10s, 5m or 1h", text);
            text = fmt::to_string(*seconds);
            return std::string();
          },
          ""};
}

CLI::Validator a_size() {
  return {[](std::string& text) {
            const std::optional<std::uint64_t> bytes = parse_bytes(text);
            if (!bytes) return fmt::format("'{}' is no size; write 500M or 2G", text);
            text = fmt::to_string(*bytes);
            return std::string();
          },
          ""};
}

}  // namespace

void Declare::group(const char* title) {
  app_.option_defaults()->group(title)->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

CLI::Option* Declare::argument(const std::string& name, std::string& value,
                               const std::string& help) {
  return note(app_.add_option(name, value, help)->type_name(""));
}

CLI::Option* Declare::flag(const std::string& name, bool& value, const std::string& help) {
  return note(app_.add_flag(name, value, help));
}

CLI::Option* Declare::text(const std::string& name, std::string& value, const std::string& type,
                           const std::string& help) {
  return note(app_.add_option(name, value, help)->type_name(type));
}

CLI::Option* Declare::file(const std::string& name, std::string& value, const std::string& help) {
  return text(name, value, "FILE", help);
}

CLI::Option* Declare::list(const std::string& name, std::vector<std::string>& value,
                           const std::string& type, const std::string& help) {
  return note(app_.add_option(name, value, help)->type_name(type)->expected(1)->take_all());
}

CLI::Option* Declare::time(const std::string& name, double& value, const std::string& help) {
  return note(app_.add_option(name, value, help)->transform(a_time())->type_name("TIME"));
}

CLI::Option* Declare::size(const std::string& name, std::uint64_t& value, const std::string& help) {
  return note(app_.add_option(name, value, help)->transform(a_size())->type_name("SIZE"));
}

CLI::Option* Declare::word(CLI::Option* option, const std::vector<std::string>& words) {
  Translations themselves;
  for (const std::string& word : words) themselves.emplace_back(word, word);
  return translated(option, themselves);
}

CLI::Option* Declare::completed(CLI::Option* option, const std::vector<std::string>& words) {
  MAZURKA_CHECK(option != nullptr && !words.empty(), "an option is completed with words");
  declared_.words[option] = words;
  return option;
}

CLI::Option* Declare::note(CLI::Option* option) {
  MAZURKA_CHECK(!declared_.owners.contains(option), "an option is declared by one kind");
  if (owner_ != nullptr) declared_.owners[option] = owner_;
  return option;
}

CLI::Option* Declare::translated(CLI::Option* option, const Translations& translations) {
  std::vector<std::string> words;
  for (const auto& [word, meaning] : translations) words.push_back(word);
  option->transform(CLI::Validator(
      [translations](std::string& text) {
        std::vector<std::string_view> known;
        for (const auto& [word, meaning] : translations) {
          if (word == text) {
            text = meaning;
            return std::string();
          }
          known.push_back(word);
        }
        return none_of(text, known);
      },
      ""));
  return completed(option, words);
}

CLI::Validator Declare::within(std::uint64_t smallest, std::uint64_t largest) {
  return {[smallest, largest](std::string& text) {
            const std::optional<std::uint64_t> number = parse_number(text);
            const bool fits = number && *number >= smallest && *number <= largest;
            if (fits) {
              text =
                  fmt::to_string(*number);  // without zeros before it, which CLI11 reads as octal
              return std::string();
            }
            return fmt::format("'{}' is no number from {} to {}", text, smallest, largest);
          },
          ""};
}

std::string Declare::shown(const Translations& translations) {
  std::string text;
  for (const auto& [word, meaning] : translations) {
    if (!text.empty()) text += '|';
    text += word;
  }
  return text;
}

void declare_stall(Declare& declare, Options& options) {
  declare.time("--max-stall", options.stall_seconds,
               "How long a process may compute without a visible operation (default 2s)");
}

}  // namespace mazurka::cli
