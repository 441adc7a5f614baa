// A kind of program as a row of a table (kinds.cpp): how it is known, which options and techniques
// it takes, how it is checked. Whoever treats kinds differently asks for such a property, never for
// a name.
//
// An option that a kind declares is its own: others refuse it, unless they take it as well. What
// makes no sense is refused with the reason, not ignored: an option without effect would let the
// user believe in something that was not done.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options.hpp"
#include "core/technique.hpp"
#include "report/model/outcome.hpp"

namespace CLI {
class App;
}

namespace mazurka::cli {

class Declare;

/// Why an option does not go with a kind of program.
struct Refusal {
  std::string_view option;
  std::string_view why;
};

/// Says how a check ended, in every form that was asked for; answers with the exit code.
using Tell = std::function<int(const Outcome& outcome)>;

struct Kind {
  std::string_view name;
  std::string_view one;       // "a network of automata"
  std::string_view programs;  // all of them: "networks of automata (.tck)"
  std::string_view help;      // one line: what such a program is on the command line

  /// Looks at the file, which need not exist. Null: takes what no other kind recognises.
  bool (*recognises)(const std::string& program) = nullptr;
  /// Such programs are checked by a part that not every program of ours has (parts.hpp).
  bool is_a_part = false;
  /// Prepares the program, explores it as the options say, tells the outcome, and returns the
  /// answer. Throws what is wrong with the input.
  int (*check)(const Options& options, const Tell& tell) = nullptr;

  std::span<const Needs> offers = {};  // to techniques
  std::string_view usual_technique = "optimal";
  std::string_view why_no_extra = {};  // words for a compiler or the program; empty: takes them

  /// The names that --order takes, and what it means.
  std::vector<std::string_view> (*orders)() = nullptr;
  std::string_view order_help = {};

  /// Its own options, and what it has instead of those of others.
  void (*declare)(Declare& declare, Options& options) = nullptr;
  std::span<const std::string_view> takes = {};     // of the options of another kind
  std::span<const Refusal> (*refuses)() = nullptr;  // where there is more to say than whose it is

  /// The last word on what was given. Throws CLI::ValidationError: see refuse().
  void (*settle)(const CLI::App& check, const Options& options,
                 const Technique& technique) = nullptr;

  [[nodiscard]] bool takes_technique(const Technique& technique) const;
};

/// All of them, one row each.
[[nodiscard]] std::span<const Kind> kinds();

/// The kind of this name; null if there is none.
[[nodiscard]] const Kind* kind_named(std::string_view name);

/// The kind of the program that the user names; an empty name is that of a program that a saved
/// exploration names.
[[nodiscard]] const Kind& kind_of(const std::string& program);

}  // namespace mazurka::cli
