// How the options of a command are declared: a name, what it fills in, what it takes, what it is
// for. Help, manual, completion and the refusal of wrong values are made from that.
//
// Values are checked and translated by validators of CLI11, with words of our own. Those that it
// brings along say less ("could not be converted to FLOAT"), take "m" for a minute and the number
// behind an enumerator for its name, and know no half gigabyte.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/kind.hpp"

namespace mazurka::cli {

/// The headings in the help under which the options of several kinds of programs stand.
namespace help_group {
inline constexpr const char* exploring = "How to explore";
inline constexpr const char* judging = "What is a finding";
inline constexpr const char* limiting = "Limits";
}  // namespace help_group

/// What CLI11 does not know of an option.
struct Declared {
  std::map<const CLI::Option*, std::vector<std::string>> words;  // that it takes
  std::map<const CLI::Option*, const Kind*> owners;              // the kind that it belongs to
};

/// Words, and what each of them means.
template <typename Value>
using Names = std::vector<std::pair<std::string_view, Value>>;

inline const Names<bool> switch_names{{"on", true}, {"off", false}};

class Declare {
 public:
  Declare(CLI::App& app, Declared& declared) : app_(app), declared_(declared) {}

  /// Where the options that follow stand in the help. Of one that is given twice the last counts.
  void group(const char* title);
  /// The options that follow belong to this kind of program; null: to all.
  void belongs_to(const Kind* kind) { owner_ = kind; }

  CLI::Option* argument(const std::string& name, std::string& value, const std::string& help);
  CLI::Option* flag(const std::string& name, bool& value, const std::string& help);
  CLI::Option* text(const std::string& name, std::string& value, const std::string& type,
                    const std::string& help);
  CLI::Option* file(const std::string& name, std::string& value, const std::string& help);
  /// May be given several times.
  CLI::Option* list(const std::string& name, std::vector<std::string>& value,
                    const std::string& type, const std::string& help);
  /// "10s", "5m", in seconds.
  CLI::Option* time(const std::string& name, double& value, const std::string& help);
  /// "500M", "2G", in bytes.
  CLI::Option* size(const std::string& name, std::uint64_t& value, const std::string& help);
  /// From `smallest` on.
  template <typename Number>
  CLI::Option* number(const std::string& name, Number& value, std::uint64_t smallest,
                      const std::string& help) {
    constexpr auto largest = static_cast<std::uint64_t>(std::numeric_limits<Number>::max());
    return note(
        app_.add_option(name, value, help)->transform(within(smallest, largest))->type_name("N"));
  }
  /// One of some words, each with its meaning.
  template <typename Value>
  CLI::Option* choice(const std::string& name, Value& value, const Names<Value>& names,
                      const std::string& help) {
    Translations translations;
    for (const auto& [word, meaning] : names) {
      translations.emplace_back(word, std::to_string(static_cast<int>(meaning)));
    }
    CLI::Option* const option = note(app_.add_option(name, value, help));
    return translated(option->type_name(shown(translations)), translations);
  }
  /// One of these words, as it is.
  CLI::Option* word(CLI::Option* option, const std::vector<std::string>& words);
  /// Completion offers these words; whether one of them is meant is found out later.
  CLI::Option* completed(CLI::Option* option, const std::vector<std::string>& words);

 private:
  using Translations = std::vector<std::pair<std::string, std::string>>;  // for CLI11 to read

  CLI::Option* note(CLI::Option* option);
  CLI::Option* translated(CLI::Option* option, const Translations& translations);
  static CLI::Validator within(std::uint64_t smallest, std::uint64_t largest);
  static std::string shown(const Translations& translations);  // "gcc|clang"

  CLI::App& app_;
  Declared& declared_;
  const Kind* owner_ = nullptr;
};

/// `check` and `replay` have it.
void declare_stall(Declare& declare, Options& options);

}  // namespace mazurka::cli
