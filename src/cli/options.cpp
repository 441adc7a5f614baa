#include "cli/options.hpp"

#include <CLI/CLI.hpp>
#include <array>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <map>

#include "cli/suggest.hpp"

namespace mazurka::cli {

namespace {

const std::map<std::string, report::When> when_names{{"auto", report::When::automatic},
                                                     {"always", report::When::always},
                                                     {"never", report::When::never}};
const std::map<std::string, threads::Compiler> compiler_names{{"gcc", threads::Compiler::gcc},
                                                              {"clang", threads::Compiler::clang}};

const std::map<std::string, bool> switch_names{{"on", true}, {"off", false}};

constexpr const char* footer = R"(Exit codes:
  0  verified: everything was explored, under the assumptions that are listed
  1  a finding: the program can fail, and the table shows how
  2  Mazurka or its input is wrong; the message says what to do
  3  inconclusive: a limit or an interruption cut the search)";

constexpr const char* check_footer = R"(Examples:
  mazurka check bank.cpp
  mazurka check queue.c -DN=3 -Iinclude --technique source
  mazurka check ./server -- --workers 2     (built with mazurka-c++))";

CLI::Option* add_time(CLI::App& app, const std::string& name, double& value,
                      const std::string& help) {
  return app
      .add_option_function<std::string>(
          name,
          [name, &value](const std::string& text) {
            const std::optional<double> seconds = parse_seconds(text);
            if (!seconds) {
              throw CLI::ValidationError(name, "'" + text + "' is no time; write 10s, 5m or 1h");
            }
            value = *seconds;
          },
          help)
      ->type_name("TIME");
}

void add_output_options(CLI::App& app, Options& options) {
  app.add_option("--json", options.json, "Write the outcome as JSON to FILE (- for stdout)")
      ->type_name("FILE");
  app.add_option("--color", options.color, "Colours: auto (on a terminal), always, never")
      ->transform(CLI::CheckedTransformer(when_names).description(""))
      ->type_name("WHEN");
  app.add_option("--progress", options.progress,
                 "Progress line: auto (redrawn on a terminal), always, never")
      ->transform(CLI::CheckedTransformer(when_names).description(""))
      ->type_name("WHEN");
  add_time(app, "--max-stall", options.stall_seconds,
           "How long a process may compute without a visible operation (default 2s)");
}

CLI::App* add_check(CLI::App& app, Options& options) {
  CLI::App* check =
      app.add_subcommand("check", "Explore every behaviour of a program that scheduling can cause");
  check->allow_extras();
  check
      ->add_option("PROGRAM", options.program,
                   "C or C++ source file, or a binary built with mazurka-cc or mazurka-c++.\n"
                   "What else stands here or after -- goes to the compiler or to the binary")
      ->required()
      ->type_name("");
  check
      ->add_option("--technique", options.technique,
                   "How to explore (default optimal); see: mazurka techniques")
      ->type_name("NAME");
  check
      ->add_option("--alternatives", options.alternatives,
                   "With --technique unfolding: optimal (default: every trace exactly once),\n"
                   "or K: alternatives to the latest K events only")
      ->type_name("optimal|K");
  check->add_flag("--racy", options.racy,
                  "Plain accesses are scheduling points too, and data races no findings");
  check
      ->add_option("--max-executions", options.limits.max_executions,
                   "Stop after N executions (default: no limit)")
      ->type_name("N");
  add_time(*check, "--max-time", options.limits.max_seconds,
           "Stop after this time: 10s, 5m, 1h (default: no limit)");
  check
      ->add_option("--max-events", options.limits.max_events,
                   "Cut an execution after N events (default 100000)")
      ->check(CLI::PositiveNumber.description(""))
      ->type_name("N");
  check->add_flag("--keep-going", options.limits.keep_going,
                  "Go on after a finding and report all of them");
  check
      ->add_option("--seed", options.limits.seed,
                   "Order of exploration: 0 fixed (default), else pseudo-random")
      ->type_name("N");
  check->add_flag("--measure-replay", options.measure_replay,
                  "Afterwards, time the same executions without analysis (see the JSON)");
  check
      ->add_option("--order", options.order,
                   "Actors: which message comes next where the search does not care:\n"
                   "fifo (default), eca or lca (earliest or latest created actor)")
      ->check(CLI::IsMember({"fifo", "eca", "lca"}).description(""))
      ->type_name("NAME");
  check
      ->add_option("--sleep-sets", options.limits.sleep_sets,
                   "Actors, with dpor or trans: on (default) or off")
      ->transform(CLI::CheckedTransformer(switch_names).description(""))
      ->type_name("WHEN");
  check->add_option("--compiler", options.compiler, "gcc (default) or clang, for a source file")
      ->transform(CLI::CheckedTransformer(compiler_names).description(""))
      ->type_name("NAME");
  add_output_options(*check, options);
  check->footer(check_footer);
  return check;
}

CLI::App* add_replay(CLI::App& app, Options& options) {
  CLI::App* replay =
      app.add_subcommand("replay", "Perform the schedule of a finding once, and show it");
  replay->add_option("SCHEDULE", options.schedule, "A .schedule file that mazurka check wrote")
      ->required()
      ->type_name("");
  replay
      ->add_option("PROGRAM", options.program,
                   "The program, where it is no longer at its place; must be the same one")
      ->type_name("");
  CLI::Option* gdb = replay->add_flag("--gdb", options.gdb, "Run it under gdb");
  replay->add_flag("--print", options.print_only, "With --gdb: print the command, do not run it")
      ->needs(gdb);
  add_output_options(*replay, options);
  return replay;
}

/// A misspelt option of ours must not reach the compiler or the program unnoticed.
void refuse_misspelt(const CLI::App& check, const std::vector<std::string>& extra) {
  std::vector<std::string> known;
  for (const CLI::Option* option : check.get_options()) {
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  }
  const std::vector<std::string_view> words(known.begin(), known.end());
  for (const std::string& word : extra) {
    if (!word.starts_with("--")) continue;
    const std::string_view name = std::string_view(word).substr(0, word.find('='));
    for (const std::string_view option : words) {
      if (edit_distance(name, option) <= 2) {
        throw CLI::ExtrasError(
            {word + " (did you mean " + std::string(option) +
             "? what is meant for the compiler or the program can stand after --)"});
      }
    }
  }
}

}  // namespace

std::optional<double> parse_seconds(const std::string& text) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || !std::isfinite(number) || number < 0) return std::nullopt;
  constexpr std::array<std::pair<std::string_view, double>, 5> units{
      {{"", 1}, {"s", 1}, {"ms", 0.001}, {"m", 60}, {"h", 3600}}};
  for (const auto& [unit, factor] : units) {
    if (unit == end) return number * factor;
  }
  return std::nullopt;
}

std::optional<int> parse(int argc, const char* const* argv, Options& options) {
  const char* shown_command = std::getenv("MAZURKA_COMMAND");
  if (shown_command != nullptr && *shown_command != '\0') {
    options.called_as = shown_command;
  } else if (argc > 0) {
    options.called_as = argv[0];
  }

  CLI::App app{
      "Mazurka runs a concurrent program under its own scheduler until every behaviour\n"
      "that scheduling can cause has been seen.",
      "mazurka"};
  app.require_subcommand(1);
  app.footer(footer);
  app.set_version_flag("--version", "mazurka " MAZURKA_VERSION);
  CLI::App* check = add_check(app, options);
  CLI::App* replay = add_replay(app, options);
  CLI::App* techniques = app.add_subcommand("techniques", "List the ways to explore");
  app.add_subcommand("generate", "Write a network of automata; see: mazurka generate --help");
  app.add_subcommand("convert", "Read and write a network; see: mazurka convert --help");
  app.add_subcommand("version", "Print the version");

  // What follows -- is not ours.
  std::vector<std::string> ours;
  std::vector<std::string> theirs;
  bool divided = false;
  for (int i = 1; i < argc; ++i) {
    if (!divided && std::string_view(argv[i]) == "--") {
      divided = true;
    } else {
      (divided ? theirs : ours).emplace_back(argv[i]);
    }
  }
  try {
    app.parse(std::vector<std::string>(ours.rbegin(), ours.rend()));
    if (check->parsed()) {
      options.extra = check->remaining();
      refuse_misspelt(*check, options.extra);
      options.extra.insert(options.extra.end(), theirs.begin(), theirs.end());
    } else if (!theirs.empty()) {
      throw CLI::ExtrasError(theirs);
    }
  } catch (const CLI::Success& success) {
    return app.exit(success, std::cout, std::cerr);
  } catch (const CLI::ParseError& error) {
    std::cerr << "mazurka: error: " << error.what() << "\n"
              << "See: " << options.called_as
              << (check->parsed()    ? " check"
                  : replay->parsed() ? " replay"
                                     : "")
              << " --help\n";
    return 2;
  }
  options.command = check->parsed()        ? Command::check
                    : replay->parsed()     ? Command::replay
                    : techniques->parsed() ? Command::techniques
                                           : Command::version;
  return std::nullopt;
}

}  // namespace mazurka::cli
