// Each option is declared once, here. Help, manual and completion are made from these declarations;
// what goes with what is in kinds.cpp.
#include "cli/options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "cli/command_line.hpp"
#include "cli/help_formatter.hpp"
#include "cli/kinds.hpp"
#include "cli/values.hpp"
#include "explorers/stateful/variant.hpp"
#include "explorers/table.hpp"
#include "programs/automata/models.hpp"
#include "report/formats.hpp"

namespace mazurka::cli {

namespace {

template <typename Value>
using Names = std::vector<std::pair<std::string_view, Value>>;

const Names<report::When> when_names{{"auto", report::When::automatic},
                                     {"always", report::When::always},
                                     {"never", report::When::never}};
const Names<threads::Compiler> compiler_names{{"gcc", threads::Compiler::gcc},
                                              {"clang", threads::Compiler::clang}};
const Names<bool> exit_code_names{{"note", false}, {"finding", true}};
const Names<bool> volatile_names{{"plain", false}, {"atomic", true}};
const Names<bool> switch_names{{"on", true}, {"off", false}};

constexpr const char* exploring = "How to explore";
constexpr const char* judging = "What is a finding";
constexpr const char* limiting = "Limits";
constexpr const char* compiling = "The program";
constexpr const char* networks = "Networks of automata";
constexpr const char* saving = "Long runs";
constexpr const char* showing = "Output";

constexpr const char* footer = R"(Exit codes:
  0  verified: everything was explored, under the assumptions that are listed
  1  a finding: the program can fail, and the table shows how
  2  Mazurka or its input is wrong; the message says what to do
  3  inconclusive: a limit or an interruption cut the search)";

constexpr const char* check_footer = R"(Examples:
  mazurka check bank.cpp
  mazurka check queue.c -DN=3 -Iinclude --technique source
  mazurka check ./server -- --workers 2     (built with mazurka-c++)
  mazurka check lift.tck --reach "door=open & cabin=moving")";

/// "gcc|clang".
template <typename Value>
std::string words_of(const Names<Value>& names) {
  std::string words;
  for (const auto& [word, value] : names) words += (words.empty() ? "" : "|") + std::string(word);
  return words;
}

/// One of some words.
template <typename Value>
CLI::Option* add_choice(CLI::App& app, const std::string& name, Value& value,
                        const Names<Value>& names, const std::string& help) {
  return app
      .add_option_function<std::string>(
          name,
          [name, &value, &names](const std::string& text) {
            std::vector<std::string_view> words;
            for (const auto& [word, meaning] : names) {
              if (word == text) value = meaning;
              words.push_back(word);
            }
            if (std::find(words.begin(), words.end(), text) == words.end()) {
              throw CLI::ValidationError(name, none_of(text, words));
            }
          },
          help)
      ->type_name(words_of(names));
}

template <typename Number>
CLI::Option* add_number(CLI::App& app, const std::string& name, Number& value,
                        std::uint64_t smallest, const std::string& help) {
  return app
      .add_option_function<std::string>(
          name,
          [name, smallest, &value](const std::string& text) {
            constexpr auto largest = static_cast<std::uint64_t>(std::numeric_limits<Number>::max());
            const std::optional<std::uint64_t> number = parse_number(text);
            if (!number || *number < smallest || *number > largest) {
              throw CLI::ValidationError(name, "'" + text + "' is no number from " +
                                                   std::to_string(smallest) + " to " +
                                                   std::to_string(largest));
            }
            value = static_cast<Number>(*number);
          },
          help)
      ->type_name("N");
}

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

CLI::Option* add_file(CLI::App& app, const std::string& name, std::string& value,
                      const std::string& help) {
  return app.add_option(name, value, help)->type_name("FILE");
}

/// Where the options that follow stand in the help. Of one that is given twice the last counts.
void begin_group(CLI::App& app, const char* group) {
  app.option_defaults()->group(group)->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

void add_output_options(CLI::App& app, Options& options) {
  begin_group(app, showing);
  const std::span<const report::Format> formats = report::formats();
  options.reports.resize(formats.size());
  for (std::size_t at = 0; at < formats.size(); ++at) {
    add_file(app, std::string(formats[at].option), options.reports[at],
             std::string(formats[at].help));
  }
  app.add_flag("--stacks", options.stacks, "Show the stack of every row of the table");
  app.add_flag("--all-rows", options.all_rows,
               "Show the rows of the table that are folded: set-up, insides of libraries, rounds");
  add_choice(app, "--color", options.color, when_names, "Colours (default auto: on a terminal)");
  add_choice(app, "--progress", options.progress, when_names,
             "Progress line (default auto: redrawn on a terminal)");
}

void add_stall(CLI::App& app, Options& options) {
  add_time(app, "--max-stall", options.stall_seconds,
           "How long a process may compute without a visible operation (default 2s)");
}

void add_exploring(CLI::App& check, Options& options) {
  begin_group(check, exploring);
  check
      .add_option("--technique", options.technique,
                  "How to explore (default optimal, networks of automata: stateful); see: mazurka "
                  "techniques")
      ->type_name("NAME");
  check
      .add_option("--alternatives", options.alternatives,
                  "With --technique unfolding: optimal (default: every trace exactly once), "
                  "or K: alternatives to the latest K events only")
      ->type_name("optimal|K");
  add_number(check, "--preemptions", options.limits.preemptions, 0,
             "Explore only schedules that interrupt a process at most N times where it could go "
             "on (with bounded, the usual technique then, or pct)");
  add_number(check, "--seed", options.limits.seed, 0,
             "Order of exploration: 0 fixed (default), else pseudo-random");
  check
      .add_option("--order", options.order,
                  "Actors: which message comes next where the search does not care: fifo "
                  "(default), eca or lca (earliest or latest created actor). Networks, with "
                  "--variant: the order of actions, declared (default), reversed, "
                  "reversed-clients, or shuffled by --seed")
      ->type_name("NAME");
  add_choice(check, "--sleep-sets", options.limits.sleep_sets, switch_names,
             "Actors, with dpor or trans (default on)");
  add_choice(check, "--shorten", options.shorten, switch_names,
             "Look for the smallest schedule that fails in the same way (default on)");
  check.add_flag("--measure-replay", options.measure_replay,
                 "Afterwards, time the same executions without analysis (see the JSON)");
}

void add_judging(CLI::App& check, Options& options) {
  begin_group(check, judging);
  check.add_flag("--racy", options.racy,
                 "Plain accesses are scheduling points too, and data races no findings");
  add_choice(check, "--races", options.checks.races, switch_names,
             "Look for data races (default on)");
  check
      .add_option("--suppress", options.suppress,
                  "Accept data races on this variable, in this function or file: race:PATTERN or "
                  "race_top:PATTERN (may be given several times)")
      ->type_name("KIND:PATTERN")
      ->expected(1)
      ->take_all();
  check
      .add_option("--suppressions", options.suppressions,
                  "The same, one in each line of FILE, as ThreadSanitizer reads them")
      ->type_name("FILE")
      ->expected(1)
      ->take_all();
  add_choice(check, "--volatile", options.checks.volatile_atomic, volatile_names,
             "Accesses to volatile variables; atomic: no data races, and scheduling points "
             "(default plain)");
  add_choice(check, "--memory", options.checks.memory, switch_names,
             "Check heap accesses (default on)");
  check.add_flag("--leaks", options.checks.leaks,
                 "Heap blocks that are not freed when the program ends are findings");
  add_number(check, "--spurious", options.checks.spurious, 0,
             "A wait on a condition variable may end without a signal, N times per thread");
  add_choice(check, "--exit-code", options.checks.exit_code, exit_code_names,
             "A program that ends with another exit code than 0 (default note)");
  check.add_flag("--keep-going", options.limits.keep_going,
                 "Go on after a finding and report all of them");
}

void add_limiting(CLI::App& check, Options& options) {
  begin_group(check, limiting);
  add_number(check, "--max-executions", options.limits.max_executions, 0,
             "Stop after N executions (default: no limit)");
  add_time(check, "--max-time", options.limits.max_seconds,
           "Stop after this time: 10s, 5m, 1h (default: no limit)");
  add_number(check, "--max-events", options.limits.max_events, 1,
             "Cut an execution after N events (default 100000; stateful: no limit)");
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
  add_stall(check, options);
}

void add_networks(CLI::App& check, Options& options) {
  begin_group(check, networks);
  std::string variants = "stateful: auto (default, tries several), or";
  for (const stateful::Variant& variant : stateful::variants()) {
    variants +=
        (&variant == &stateful::variants().front() ? " " : ", ") + std::string(variant.name);
  }
  check.add_option("--variant", options.network.variant, variants)->type_name("NAME");
  check
      .add_option("--reach", options.network.reach,
                  "Report a state as a finding: \"P0=eats & P1=eats | x>=2\"")
      ->type_name("STATE");
  check.add_flag("--allow-deadlock", options.network.allow_deadlock, "A deadlock is no finding");
  check.add_flag("--certify", options.network.certify,
                 "Prove the explored graph complete (small systems only)");
  check.add_flag("--paths", options.network.paths, "Count the paths of the explored graph");
  add_file(check, "--dot", options.network.dot,
           "Draw the explored graph into FILE, in the DOT language");
  add_number(check, "--max-nodes", options.network.max_nodes, 0, "stateful: stop after N nodes");
}

void add_saving(CLI::App& check, Options& options) {
  begin_group(check, saving);
  add_file(check, "--resume", options.resume,
           "Go on with the exploration saved in FILE; the program and all options that decide "
           "what is explored are in there");
  add_file(check, "--save", options.save,
           "Where to save the exploration now and then (default: in .mazurka)");
  add_time(check, "--save-every", options.save_seconds, "How often to save it (default 5s)");
}

CLI::App* add_check(CLI::App& app, Options& options) {
  CLI::App* check =
      app.add_subcommand("check", "Explore every behaviour of a program that scheduling can cause");
  check->allow_extras();
  check
      ->add_option("PROGRAM", options.program,
                   "C or C++ source file, a binary built with mazurka-cc or mazurka-c++, or a "
                   "network of automata (.tck). What else stands here or after -- goes to the "
                   "compiler or to the binary")
      ->type_name("");
  add_exploring(*check, options);
  add_judging(*check, options);
  add_limiting(*check, options);
  begin_group(*check, compiling);
  add_choice(*check, "--compiler", options.compiler, compiler_names,
             "For a source file (default gcc)");
  check
      ->add_option("--function", options.check,
                   "Explore the call of mazurka::check that has this name, instead of main")
      ->type_name("NAME");
  add_networks(*check, options);
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
  begin_group(*replay, "Debugging");
  CLI::Option* gdb =
      replay->add_flag("--gdb", options.gdb, "Run it under gdb, up to the point where it fails");
  replay->add_flag("--print", options.print_only, "With --gdb: print the command, do not run it")
      ->needs(gdb);
  begin_group(*replay, limiting);
  add_stall(*replay, options);
  add_output_options(*replay, options);
  return replay;
}

std::string model_list() {
  std::string list = "Models:\n";
  for (const automata::Model& model : automata::models()) {
    list += entry(std::string(model.name) + " N", model.summary, 18);
  }
  return list +
         entry("locks C K [L]", "C clients that take K random ones of L locks (default 10)", 18);
}

CLI::App* add_generate(CLI::App& app, NetworkToWrite& written) {
  CLI::App* generate =
      app.add_subcommand("generate", "Write a network of automata, a model of the literature");
  generate->add_option("MODEL", written.model, "Which one; see below")->required()->type_name("");
  generate->add_option("SIZE", written.sizes, "Its size, or sizes")->required()->type_name("");
  add_number(*generate, "--seed", written.seed, 0, "For random models (default 1)");
  add_file(*generate, "-o,--output", written.output, "Write to FILE (default: standard output)");
  generate->footer(model_list());
  return generate;
}

CLI::App* add_convert(CLI::App& app, NetworkToWrite& written) {
  CLI::App* convert =
      app.add_subcommand("convert", "Read a network of automata and write it again, expanded");
  convert->add_option("NETWORK", written.file, "A network (.tck)")->required()->type_name("");
  add_file(*convert, "-o,--output", written.output, "Write to FILE (default: standard output)");
  convert->add_flag("--dot", written.dot, "Draw the processes in the DOT language instead");
  return convert;
}

CLI::App* add_techniques(CLI::App& app, Options& options) {
  CLI::App* techniques = app.add_subcommand("techniques", "List the ways to explore");
  techniques->add_flag("--names", options.names_only, "Only their names, one in a line");
  return techniques;
}

CLI::App* add_manual(CLI::App& app, std::string& form) {
  CLI::App* manual = app.add_subcommand("manual", "Write the manual page or a completion");
  manual->group("");  // for packagers
  manual
      ->add_option_function<std::string>(
          "FORM",
          [&form](const std::string& text) {
            constexpr std::array<std::string_view, 3> forms{"man", "bash", "zsh"};
            if (std::find(forms.begin(), forms.end(), text) == forms.end()) {
              throw CLI::ValidationError("FORM", none_of(text, forms));
            }
            form = text;
          },
          "man, bash or zsh")
      ->required()
      ->type_name("");
  return manual;
}

}  // namespace

CommandLine::CommandLine(Options& options)
    : app("Mazurka runs a concurrent program under its own scheduler until every behaviour\n"
          "that scheduling can cause has been seen.",
          "mazurka") {
  app.formatter(std::make_shared<HelpFormatter>());
  app.set_help_flag("-h,--help", "Print this help and exit");
  app.set_version_flag("--version", "mazurka " MAZURKA_VERSION, "Print the version and exit");
  app.require_subcommand(1);
  app.footer(footer);
  check = add_check(app, options);
  replay = add_replay(app, options);
  techniques = add_techniques(app, options);
  generate = add_generate(app, options.written);
  convert = add_convert(app, options.written);
  app.add_subcommand("version", "Print the version");
  manual = add_manual(app, form);
}

std::vector<std::string> known_values(const CLI::Option& option) {
  std::vector<std::string> words;
  const std::string name = option.get_name();
  if (name == "--technique") {
    for (const Technique& technique : techniques()) words.emplace_back(technique.name);
  } else if (name == "--variant") {
    words.emplace_back("auto");
    for (const stateful::Variant& variant : stateful::variants()) words.emplace_back(variant.name);
  } else if (name == "--order") {
    for (const std::string_view order : actor_orders) words.emplace_back(order);
    for (const std::string_view order : stateful::order_names()) words.emplace_back(order);
  } else if (name == "MODEL") {
    for (const automata::Model& model : automata::models()) words.emplace_back(model.name);
    words.emplace_back("locks");
  } else if (const std::string type = option.get_type_name(); type.find('|') != type.npos) {
    for (std::size_t at = 0; at < type.size();) {
      const std::size_t end = std::min(type.find('|', at), type.size());
      const std::string word = type.substr(at, end - at);
      const bool placeholder = word.find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") == 0;
      if (!placeholder) words.push_back(word);
      at = end + 1;
    }
  }
  return words;
}

}  // namespace mazurka::cli
