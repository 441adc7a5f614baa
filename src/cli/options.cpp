#include "cli/options.hpp"

#include <CLI/CLI.hpp>
#include <array>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <map>

#include "cli/manual.hpp"
#include "cli/suggest.hpp"

namespace mazurka::cli {

namespace {

const std::map<std::string, report::When> when_names{{"auto", report::When::automatic},
                                                     {"always", report::When::always},
                                                     {"never", report::When::never}};
const std::map<std::string, threads::Compiler> compiler_names{{"gcc", threads::Compiler::gcc},
                                                              {"clang", threads::Compiler::clang}};

const std::map<std::string, bool> exit_code_names{{"note", false}, {"finding", true}};
const std::map<std::string, bool> volatile_names{{"plain", false}, {"atomic", true}};
const std::map<std::string, bool> switch_names{{"on", true}, {"off", false}};

constexpr double usual_budget = 10;  // seconds, for techniques that would go on for ever

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
  app.add_option("--junit", options.junit, "Write the outcome as a JUnit report to FILE")
      ->type_name("FILE");
  app.add_option("--sarif", options.sarif, "Write the findings as SARIF 2.1.0 to FILE")
      ->type_name("FILE");
  app.add_flag("--stacks", options.stacks, "Show the stack of every row of the table");
  app.add_flag("--all-rows", options.all_rows,
               "Show the rows of the table that are folded: set-up, insides of libraries, rounds");
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

void add_saving(CLI::App& check, Options& options) {
  check
      .add_option_function<std::string>(
          "--max-memory",
          [&options](const std::string& text) {
            const std::optional<std::uint64_t> bytes = parse_bytes(text);
            if (!bytes) {
              throw CLI::ValidationError("--max-memory",
                                         "'" + text + "' is no size; write 500M or 2G");
            }
            options.max_memory = *bytes;
          },
          "Stop when the program and the search need more: 500M, 2G (default: no limit)")
      ->type_name("SIZE");
  CLI::Option* resume =
      check
          .add_option("--resume", options.resume,
                      "Go on with the exploration saved in FILE; the program and all options\n"
                      "that decide what is explored are in there")
          ->type_name("FILE");
  for (const char* decides :
       {"--technique", "--racy", "--max-events", "--keep-going", "--seed", "--compiler",
        "--preemptions", "--alternatives", "--order", "--sleep-sets", "--spurious", "--leaks",
        "--memory", "--races", "--exit-code", "--function", "--suppress", "--suppressions",
        "--volatile"}) {
    resume->excludes(check.get_option(decides));
  }
  check
      .add_option("--save", options.save,
                  "Where to save the exploration now and then (default: in .mazurka)")
      ->type_name("FILE");
  add_time(check, "--save-every", options.save_seconds, "How often to save it (default 5s)");
}

CLI::App* add_check(CLI::App& app, Options& options) {
  CLI::App* check =
      app.add_subcommand("check", "Explore every behaviour of a program that scheduling can cause");
  check->allow_extras();
  check
      ->add_option("PROGRAM", options.program,
                   "C or C++ source file, or a binary built with mazurka-cc or mazurka-c++.\n"
                   "What else stands here or after -- goes to the compiler or to the binary")
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
  check
      ->add_option("--preemptions", options.limits.preemptions,
                   "Explore only schedules that interrupt a process at most N times where it\n"
                   "could go on")
      ->check(CLI::NonNegativeNumber.description(""))
      ->type_name("N");
  check->add_flag("--measure-replay", options.measure_replay,
                  "Afterwards, time the same executions without analysis (see the JSON)");
  check
      ->add_option("--shorten", options.shorten,
                   "Look for the smallest schedule that fails in the same way: on (default), off")
      ->transform(CLI::CheckedTransformer(switch_names).description(""))
      ->type_name("WHEN");
  check
      ->add_option("--function", options.check,
                   "Explore the call of mazurka::check that has this name, instead of main")
      ->type_name("NAME");
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
  check
      ->add_option("--spurious", options.checks.spurious,
                   "A wait on a condition variable may end without a signal, N times per thread")
      ->type_name("N");
  check->add_flag("--leaks", options.checks.leaks,
                  "Heap blocks that are not freed when the program ends are findings");
  check->add_option("--memory", options.checks.memory, "Check heap accesses: on (default) or off")
      ->transform(CLI::CheckedTransformer(switch_names).description(""))
      ->type_name("WHEN");
  check->add_option("--races", options.checks.races, "Look for data races: on (default) or off")
      ->transform(CLI::CheckedTransformer(switch_names).description(""))
      ->type_name("WHEN");
  CLI::Option* suppress =
      check
          ->add_option("--suppress", options.suppress,
                       "Accept data races on this variable, in this function or file:\n"
                       "race:PATTERN or race_top:PATTERN (can be repeated)")
          ->type_name("KIND:PATTERN")
          ->expected(1)
          ->take_all();
  CLI::Option* suppressions =
      check
          ->add_option("--suppressions", options.suppressions,
                       "The same, one in each line of FILE, as ThreadSanitizer reads them")
          ->type_name("FILE")
          ->expected(1)
          ->take_all();
  suppress->excludes(check->get_option("--racy"));
  suppressions->excludes(check->get_option("--racy"));
  check
      ->add_option("--volatile", options.checks.volatile_atomic,
                   "Accesses to volatile variables: plain (default), or atomic: no data races,\n"
                   "and scheduling points")
      ->transform(CLI::CheckedTransformer(volatile_names).description(""))
      ->type_name("WHAT");
  check
      ->add_option("--exit-code", options.checks.exit_code,
                   "A program that ends with another exit code than 0: note (default) or finding")
      ->transform(CLI::CheckedTransformer(exit_code_names).description(""))
      ->type_name("WHAT");
  check->add_option("--compiler", options.compiler, "gcc (default) or clang, for a source file")
      ->transform(CLI::CheckedTransformer(compiler_names).description(""))
      ->type_name("NAME");
  add_saving(*check, options);
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

/// Techniques that never come to an end by themselves get one; a bound needs one that respects it.
void settle_bounds(const CLI::App& check, Options& options) {
  const bool chosen = check.get_option("--technique")->count() > 0;
  const bool bounded = check.get_option("--preemptions")->count() > 0;
  if (bounded && !chosen) options.technique = "bounded";
  options.usual_technique = !chosen && !bounded;
  options.usual_bound = check.get_option("--max-events")->count() == 0;
  if (bounded && options.technique != "bounded" && options.technique != "pct") {
    throw CLI::ValidationError("--preemptions", "the technique " + options.technique +
                                                    " knows no such bound; use bounded or pct");
  }
  const bool endless = options.technique == "random" || options.technique == "pct";
  if (endless && options.limits.max_executions == 0 && options.limits.max_seconds == 0) {
    options.limits.max_seconds = usual_budget;
  }
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

std::optional<std::uint64_t> parse_bytes(const std::string& text) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || !std::isfinite(number) || number < 1) return std::nullopt;
  constexpr std::array<std::pair<std::string_view, double>, 7> units{{{"", 1},
                                                                      {"k", 1024},
                                                                      {"K", 1024},
                                                                      {"M", 1048576},
                                                                      {"MB", 1048576},
                                                                      {"G", 1073741824},
                                                                      {"GB", 1073741824}}};
  for (const auto& [unit, factor] : units) {
    if (unit == end) return static_cast<std::uint64_t>(number * factor);
  }
  return std::nullopt;
}

std::vector<std::string> split_words(const std::string& text) {
  std::vector<std::string> words;
  bool inside = false;  // a word
  char quote = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    const bool blank = c == ' ' || c == '\t' || c == '\n';
    if (quote == 0 && blank) {
      inside = false;
      continue;
    }
    if (!inside) words.emplace_back();
    inside = true;
    if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
    } else if (c == quote) {
      quote = 0;
    } else if (c == '\\' && quote != '\'' && at + 1 < text.size()) {
      words.back() += text[++at];
    } else {
      words.back() += c;
    }
  }
  return words;
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
  std::string form;
  CLI::App* manual = app.add_subcommand("manual", "Write the manual page or a completion");
  manual->group("");  // for packagers
  manual->add_option("FORM", form)->required()->check(CLI::IsMember({"man", "bash", "zsh"}));
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
  // What every check shall use, from the environment; the command line comes after it and wins.
  const char* shared = std::getenv("MAZURKA_OPTIONS");
  if (shared != nullptr && !ours.empty() && ours.front() == "check") {
    const std::vector<std::string> words = split_words(shared);
    ours.insert(ours.begin() + 1, words.begin(), words.end());
  }
  try {
    app.parse(std::vector<std::string>(ours.rbegin(), ours.rend()));
    if (check->parsed()) {
      options.extra = check->remaining();
      if (options.program.empty() && options.resume.empty()) {
        throw CLI::RequiredError("PROGRAM");
      }
      settle_bounds(*check, options);
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
  if (manual->parsed()) {
    std::cout << (form == "man"    ? man_page(app, MAZURKA_VERSION)
                  : form == "bash" ? bash_completion(app)
                                   : zsh_completion(app));
    return 0;
  }
  options.command = check->parsed()        ? Command::check
                    : replay->parsed()     ? Command::replay
                    : techniques->parsed() ? Command::techniques
                                           : Command::version;
  return std::nullopt;
}

}  // namespace mazurka::cli
