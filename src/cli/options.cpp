// Each option is declared once: here, or in the file of the kind of program that it belongs to
// (kinds/). Help, manual and completion are made from these declarations; what goes with what is in
// settle.cpp.
#include "cli/options.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/command_line.hpp"
#include "cli/help_formatter.hpp"
#include "cli/parts.hpp"
#include "explorers/table.hpp"
#include "programs/automata/models.hpp"
#include "report/formats.hpp"

namespace mazurka::cli {

namespace {

const Names<report::When> when_names{{"auto", report::When::automatic},
                                     {"always", report::When::always},
                                     {"never", report::When::never}};

constexpr const char* footer = R"(Exit codes:
  0  verified: everything was explored, under the assumptions that are listed
  1  a finding: the program can fail, and the table shows how
  2  Mazurka or its input is wrong; the message says what to do
  3  inconclusive: a limit or an interruption cut the search)";

constexpr const char* examples = R"(Examples:
  mazurka check bank.cpp
  mazurka check queue.c -DN=3 -Iinclude --technique source
  mazurka check ./server -- --workers 2     (built with mazurka-c++)
  mazurka check lift.tck --reach "door=open & cabin=moving")";

// --- check ---------------------------------------------------------------------------------------

void declare_output(Declare& declare, Options& options) {
  declare.group("Output");
  const std::span<const report::Format> formats = report::formats();
  options.reports.resize(formats.size());
  for (std::size_t at = 0; at < formats.size(); ++at) {
    declare.file(std::string(formats[at].option), options.reports[at],
                 std::string(formats[at].help));
  }
  declare.flag("--stacks", options.stacks, "Show the stack of every row of the table");
  declare.flag("--all-rows", options.all_rows,
               "Show the rows of the table that are folded: set-up, insides of libraries, rounds");
  declare.choice("--color", options.color, when_names, "Colours (default auto: on a terminal)");
  Names<report::When> progress_names = when_names;
  progress_names.emplace_back("json", report::When::json);
  declare.choice("--progress", options.progress, progress_names,
                 "Progress line (default auto: redrawn on a terminal; json: lines for a program)");
}

/// "default optimal, networks of automata (.tck): stateful".
std::string usual_techniques() {
  const std::string_view usual = kind_of("").usual_technique;
  std::string text = fmt::format("default {}", usual);
  for (const Kind& kind : kinds()) {
    if (kind.usual_technique == usual) continue;
    text += fmt::format(", {}: {}", kind.programs, kind.usual_technique);
  }
  return text;
}

void declare_order(Declare& declare, Options& options) {
  std::string help;
  std::vector<std::string> words;
  for (const Kind& kind : kinds()) {
    if (kind.orders == nullptr) continue;
    help += fmt::format("{}{}", help.empty() ? "" : ". ", kind.order_help);
    for (const std::string_view order : kind.orders()) words.emplace_back(order);
  }
  declare.completed(declare.text("--order", options.order, "NAME", help), words);
}

void declare_exploring(Declare& declare, Options& options) {
  std::vector<std::string> names;
  for (const Technique& technique : techniques()) names.emplace_back(technique.name);
  declare.group(help_group::exploring);
  declare.completed(
      declare.text("--technique", options.technique, "NAME",
                   fmt::format("How to explore ({}); see: mazurka techniques", usual_techniques())),
      names);
  declare.completed(
      declare.text("--compare", options.compare, "NAME,...",
                   "Explore with each of these techniques in turn, and compare what they took"),
      names);
  declare.completed(
      declare.text("--alternatives", options.alternatives, "optimal|K",
                   "With --technique unfolding: optimal (default: every trace exactly once), "
                   "or K: alternatives to the latest K events only"),
      {"optimal"});
  declare.number("--preemptions", options.limits.preemptions, 0,
                 "Explore only schedules that interrupt a process at most N times where it could "
                 "go on (with bounded, the usual technique then, or pct)");
  declare.number("--jobs", options.jobs, 1,
                 "Explore with N processes at once, with --technique reverse, or N threads, with "
                 "stateful (default: one per core once a search with these takes more than a "
                 "second; the other techniques have one)");
  declare.number("--slice", options.slice, 1,
                 "With --jobs: a process hands what is left to the others after N executions "
                 "(default: after a second)");
  declare.number("--seed", options.limits.seed, 0,
                 "Order of exploration: 0 fixed (default), else pseudo-random");
  declare_order(declare, options);
}

void declare_limits(Declare& declare, Options& options) {
  declare.group(help_group::judging);
  declare.flag("--keep-going", options.limits.keep_going,
               "Go on after a finding and report all of them");
  declare.group(help_group::limiting);
  declare.number("--max-executions", options.limits.max_executions, 0,
                 "Stop after N executions (default: no limit)");
  declare.time("--max-time", options.limits.max_seconds,
               "Stop after this time, compiling not included: 10s, 5m, 1h (default: no limit)");
  declare.number("--max-events", options.limits.max_events, 1,
                 "Cut an execution after N events (default 100000; stateful: no limit)");
  declare.size("--max-memory", options.max_memory,
               "Stop when the program and the search need more: 500M, 2G (default: no limit)");
}

CLI::App* add_check(CommandLine& line, Options& options) {
  CLI::App* check = line.app.add_subcommand(
      "check", "Explore every behaviour of a program that scheduling can cause");
  check->allow_extras();
  Declare declare(*check, line.declared);
  declare.argument("PROGRAM", options.program,
                   "What to check; its kinds are below. What else stands here or after -- goes to "
                   "the compiler or to the binary");
  declare_exploring(declare, options);
  declare.group("Output");
  declare.flag("--tree", options.tree,
               "Keep the tree of the search for --json, too (--html has it anyway)");
  for (const Kind& kind : kinds()) {
    declare.belongs_to(&kind);
    if (kind.declare != nullptr) kind.declare(declare, options);
  }
  declare.belongs_to(nullptr);
  declare_limits(declare, options);
  declare_output(declare, options);
  check->footer(fmt::format("Kinds of programs:\n{}\n{}", kinds_text(), examples));
  return check;
}

// --- the other commands --------------------------------------------------------------------------

CLI::App* add_replay(CommandLine& line, Options& options) {
  CLI::App* replay =
      line.app.add_subcommand("replay", "Perform the schedule of a finding once, and show it");
  Declare declare(*replay, line.declared);
  declare.argument("SCHEDULE", options.schedule, "A .schedule file that mazurka check wrote")
      ->required();
  declare.argument("PROGRAM", options.program,
                   "The program, where it is no longer at its place; must be the same one");
  declare.group("Debugging");
  CLI::Option* gdb =
      declare.flag("--gdb", options.gdb, "Run it under gdb, up to the point where it fails");
  declare.flag("--print", options.print_only, "With --gdb: print the command, do not run it")
      ->needs(gdb);
  declare.group(help_group::limiting);
  declare_stall(declare, options);
  declare_output(declare, options);
  return replay;
}

std::span<const automata::Model> known_models() {
  if (parts() == nullptr) return {};
  return parts()->models();
}

std::string model_list() {
  std::string list = "Models:\n";
  for (const automata::Model& model : known_models()) {
    list += entry(std::string(model.name) + " N", model.summary, 18);
  }
  return list +
         entry("locks C K [L]", "C clients that take K random ones of L locks (default 10)", 18);
}

CLI::App* add_generate(CommandLine& line, NetworkToWrite& written) {
  CLI::App* generate =
      line.app.add_subcommand("generate", "Write a network of automata, a model of the literature");
  std::vector<std::string> models;
  for (const automata::Model& model : known_models()) models.emplace_back(model.name);
  models.emplace_back("locks");
  Declare declare(*generate, line.declared);
  declare.completed(declare.argument("MODEL", written.model, "Which one; see below")->required(),
                    models);
  generate->add_option("SIZE", written.sizes, "Its size, or sizes")->required()->type_name("");
  declare.number("--seed", written.seed, 0, "For random models (default 1)");
  declare.file("-o,--output", written.output, "Write to FILE (default: standard output)");
  generate->footer(model_list());
  return generate;
}

CLI::App* add_convert(CommandLine& line, NetworkToWrite& written) {
  CLI::App* convert =
      line.app.add_subcommand("convert", "Read a network of automata and write it again, expanded");
  Declare declare(*convert, line.declared);
  declare.argument("NETWORK", written.file, "A network (.tck)")->required();
  declare.file("-o,--output", written.output, "Write to FILE (default: standard output)");
  declare.flag("--dot", written.dot, "Draw the processes in the DOT language instead");
  return convert;
}

CLI::App* add_techniques(CommandLine& line, Options& options) {
  CLI::App* techniques = line.app.add_subcommand("techniques", "List the ways to explore");
  Declare(*techniques, line.declared)
      .flag("--names", options.names_only, "Only their names, one in a line");
  return techniques;
}

CLI::App* add_studio(CommandLine& line, StudioOptions& options) {
  CLI::App* studio = line.app.add_subcommand("studio", "Check programs of a folder in the browser");
  Declare declare(*studio, line.declared);
  declare.argument("FOLDER", options.folder,
                   "Programs of this folder can be chosen (default: the current one)");
  declare.number("--port", options.port, 1, "Listen on this port (default: any that is free)");
  declare.number("--checks", options.checks, 1, "At most N checks at one time (default 2)");
  return studio;
}

void declare_server(Declare& declare, ClusterOptions& options) {
  declare.argument("ADDRESS", options.address, "redis://[user:password@]host[:port][/database]")
      ->required();
}

CLI::App* add_work(CommandLine& line, ClusterOptions& options) {
  CLI::App* work =
      line.app.add_subcommand("work", "Lend this machine to the searches of a cluster");
  Declare declare(*work, line.declared);
  declare_server(declare, options);
  declare.number("--jobs", options.jobs, 1,
                 "Explore with N processes at once (default: one per core)");
  declare.time("--silence", options.silence,
               "Take tasks over from workers that were silent for so long (default 15s)");
  declare.time("--idle", options.idle,
               "End when there was nothing to do for so long (default: never)");
  return work;
}

CLI::App* add_status(CommandLine& line, ClusterOptions& options) {
  CLI::App* status = line.app.add_subcommand("status", "Show the searches of a cluster");
  Declare declare(*status, line.declared);
  declare_server(declare, options);
  declare.flag("--json", options.json, "As JSON");
  return status;
}

CLI::App* add_cancel(CommandLine& line, ClusterOptions& options) {
  CLI::App* cancel = line.app.add_subcommand("cancel", "End searches of a cluster");
  Declare declare(*cancel, line.declared);
  declare_server(declare, options);
  declare.argument("SEARCH", options.search, "Which one, as status shows it (default: all)");
  return cancel;
}

CLI::App* add_manual(CommandLine& line) {
  CLI::App* manual = line.app.add_subcommand("manual", "Write the manual page or a completion");
  manual->group("");  // for packagers
  Declare declare(*manual, line.declared);
  declare.word(declare.argument("FORM", line.form, "man, bash or zsh")->required(),
               {"man", "bash", "zsh"});
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
  check = add_check(*this, options);
  replay = add_replay(*this, options);
  techniques = add_techniques(*this, options);
  generate = add_generate(*this, options.written);
  convert = add_convert(*this, options.written);
  studio = add_studio(*this, options.studio);
  work = add_work(*this, options.cluster);
  status = add_status(*this, options.cluster);
  cancel = add_cancel(*this, options.cluster);
  app.add_subcommand("version", "Print the version");
  manual = add_manual(*this);
}

}  // namespace mazurka::cli
