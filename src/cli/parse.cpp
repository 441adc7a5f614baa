// From the words of the command line, and of MAZURKA_OPTIONS, to Options.
//
// The environment holds what every check shall use, so it gives way: an option that the command
// line has too, or that does not go with what is there (another kind of program, a technique that
// does not know it, --resume), is left out. What would be wrong with any command line is an error.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <iostream>

#include "cli/command_line.hpp"
#include "cli/manual.hpp"
#include "cli/settle.hpp"
#include "cli/suggest.hpp"
#include "cli/values.hpp"
#include "core/check.hpp"
#include "core/shown_text.hpp"

namespace mazurka::cli {

namespace {

using Words = std::vector<std::string>;

struct Given {
  Words ours;    // the command and its options
  Words theirs;  // what follows --
  Words shared;  // from the environment: for the compiler or the program
};

Given divide(int argc, const char* const* argv) {
  Given given;
  bool divided = false;
  for (int at = 1; at < argc; ++at) {
    if (!divided && std::string_view(argv[at]) == "--") {
      divided = true;
    } else {
      (divided ? given.theirs : given.ours).emplace_back(argv[at]);
    }
  }
  return given;
}

void append(Words& to, const Words& more) { to.insert(to.end(), more.begin(), more.end()); }

/// A misspelt option of ours must not reach the compiler or the program unnoticed.
void refuse_misspelt(const CLI::App& check, const Words& extra) {
  Words known;
  for (const CLI::Option* option : check.get_options()) {
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  }
  for (const std::string& word : extra) {
    if (!word.starts_with("--")) continue;
    const std::string_view name = std::string_view(word).substr(0, word.find('='));
    for (const std::string& option : known) {
      if (edit_distance(name, option) <= 2) {
        throw CLI::ValidationError(
            std::string(name),
            fmt::format("there is no such option; did you mean {}? What is meant "
                        "for the compiler or the program can stand after --",
                        option));
      }
    }
  }
}

void refuse_unknown_command(const CLI::App& app, const Words& words) {
  Words known;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (!command->get_group().empty() || (!words.empty() && command->get_name() == words.front())) {
      known.push_back(command->get_name());
    }
  }
  const std::vector<std::string_view> names(known.begin(), known.end());
  const std::string list = " The commands are: " + listed(names);
  if (words.empty()) throw CLI::ValidationError("a command is missing." + list);
  const std::string& first = words.front();
  if (first.starts_with("-") || std::find(names.begin(), names.end(), first) != names.end()) return;
  const std::string_view close = nearest(first, names);
  std::string hint = close.empty() ? "." : fmt::format("; did you mean {}?", close);
  if (first.find_first_of("./") != std::string::npos) {
    hint = fmt::format("; did you mean: mazurka check {}?", first);
  }
  throw CLI::ValidationError(fmt::format("there is no command '{}'{}{}", first, hint, list));
}

/// `kind`: of the program; null: as its file says. Throws CLI::Error.
void read(CommandLine& line, Options& options, const Given& given, const Kind* kind = nullptr) {
  refuse_unknown_command(line.app, given.ours);
  line.app.parse(Words(given.ours.rbegin(), given.ours.rend()));
  if (line.check->parsed()) {
    options.extra = given.shared;
    append(options.extra, line.check->remaining());
    refuse_misspelt(*line.check, options.extra);
    append(options.extra, given.theirs);
    if (kind == nullptr) kind = kind_named(options.caf.kind);
    if (kind == nullptr && options.checks.ranks > 0) kind = kind_named("mpi");
    MAZURKA_CHECK(kind == nullptr || kind->check != nullptr, "a kind of program can be checked");
    settle(line, kind == nullptr ? kind_of(options.program) : *kind, options);
  } else if (!given.theirs.empty()) {
    throw CLI::ExtrasError(given.theirs);
  }
}

// --- the environment
// --------------------------------------------------------------------------------

/// What is wrong with these words; empty if nothing is, or help is asked for.
std::string wrong_with(const Given& given, const Kind* kind = nullptr) {
  Options options;
  CommandLine line(options);
  try {
    read(line, options, given, kind);
  } catch (const CLI::Success&) {
    return {};
  } catch (const CLI::ParseError& error) {
    return error.what();
  }
  return {};
}

/// The words of one option and its value, or one word that is no option of ours.
struct Piece {
  std::string option;
  Words words;
};

std::vector<Piece> pieces_of(const CLI::App& check, const Words& words) {
  std::vector<Piece> pieces;
  for (std::size_t at = 0; at < words.size(); ++at) {
    Piece piece{"", {words[at]}};
    const std::size_t equals = words[at].find('=');
    const std::string name = words[at].substr(0, equals);
    const CLI::Option* option =
        name.starts_with("--") && name.size() > 2 ? check.get_option_no_throw(name) : nullptr;
    if (option != nullptr) {
      piece.option = name;
      const bool takes_next = option->get_items_expected_max() > 0 && equals == std::string::npos;
      if (takes_next && at + 1 < words.size()) piece.words.push_back(words[++at]);
    }
    pieces.push_back(std::move(piece));
  }
  std::size_t words_in_pieces = 0;
  for (const Piece& piece : pieces) words_in_pieces += piece.words.size();
  MAZURKA_CHECK(words_in_pieces == words.size(), "each word is part of one piece");
  // First what the others depend on.
  std::stable_partition(pieces.begin(), pieces.end(),
                        [](const Piece& piece) { return piece.option == "--technique"; });
  return pieces;
}

Given with(Given given, const Piece& piece) {
  append(piece.option.empty() ? given.shared : given.ours, piece.words);
  return given;
}

/// What is wrong with these words, whatever the program is; empty if some kind takes them.
std::string wrong_with_every_kind(const Given& given) {
  std::string wrong;
  for (const Kind& kind : kinds()) {
    const std::string with_this = wrong_with(given, &kind);
    if (with_this.empty()) return {};
    if (wrong.empty()) wrong = with_this;
  }
  return wrong;
}

/// Adds what goes with the command line. Throws CLI::ValidationError for what goes with none.
void add_shared_options(const Words& words, Given& given) {
  Options options;
  const CommandLine line(options);
  const std::vector<Piece> named = pieces_of(*line.check, given.ours);
  const auto is_given = [&](const Piece& piece) {
    return !piece.option.empty() && std::any_of(named.begin(), named.end(), [&](const Piece& one) {
      return one.option == piece.option;
    });
  };
  Given alone{{"check", "program"}, {}, {}};
  for (const Piece& piece : pieces_of(*line.check, words)) {
    const std::string wrong = wrong_with_every_kind(with(alone, piece));
    if (!wrong.empty()) throw CLI::ValidationError("in MAZURKA_OPTIONS", wrong);
    // Whether the others are accepted depends on it.
    if (piece.option == "--technique") alone = with(alone, piece);
    if (is_given(piece)) continue;
    Given more = with(given, piece);
    if (wrong_with(more).empty()) given = std::move(more);
  }
}

std::string shown_name(int argc, const char* const* argv) {
  const char* shown_command = std::getenv("MAZURKA_COMMAND");
  if (shown_command != nullptr && *shown_command != '\0') return shown_command;
  return argc > 0 ? shell_word(argv[0]) : "mazurka";
}

Command command_of(const CommandLine& line) {
  if (line.check->parsed()) return Command::check;
  if (line.replay->parsed()) return Command::replay;
  if (line.techniques->parsed()) return Command::techniques;
  if (line.generate->parsed()) return Command::generate;
  if (line.convert->parsed()) return Command::convert;
  if (line.studio->parsed()) return Command::studio;
  if (line.work->parsed()) return Command::work;
  if (line.status->parsed()) return Command::status;
  if (line.cancel->parsed()) return Command::cancel;
  return Command::version;
}

}  // namespace

std::optional<int> parse(int argc, const char* const* argv, Options& options,
                         std::string* mistake) {
  options.called_as = shown_name(argc, argv);
  options.command_line = options.called_as;
  for (int at = 1; at < argc; ++at) options.command_line += " " + shell_word(argv[at]);
  CommandLine line(options);
  Given given = divide(argc, argv);
  try {
    const char* shared = std::getenv("MAZURKA_OPTIONS");
    const bool checks = !given.ours.empty() && given.ours.front() == "check";
    if (shared != nullptr && checks && wrong_with(given).empty()) {
      add_shared_options(split_words(shared), given);
    }
    read(line, options, given);
  } catch (const CLI::Success& success) {
    return line.app.exit(success, std::cout, std::cerr);
  } catch (const CLI::ParseError& error) {
    if (mistake != nullptr) *mistake = error.what();
    const auto parsed = line.app.get_subcommands();
    std::cerr << "mazurka: error: " << printable_lines(error.what()) << "\n"
              << "See: " << options.called_as
              << (parsed.empty() ? "" : " " + parsed.front()->get_name()) << " --help\n";
    return 2;
  }
  if (line.manual->parsed()) {
    std::cout << (line.form == "man"    ? man_page(line, MAZURKA_VERSION)
                  : line.form == "bash" ? bash_completion(line)
                                        : zsh_completion(line));
    return 0;
  }
  options.command = command_of(line);
  return std::nullopt;
}

}  // namespace mazurka::cli
