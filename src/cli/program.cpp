#include "cli/program.hpp"

#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/beside.hpp"
#include "cli/compare.hpp"
#include "cli/help.hpp"
#include "cli/kind.hpp"
#include "cli/kinds/promela.hpp"
#include "cli/native.hpp"
#include "cli/options.hpp"
#include "cli/outputs.hpp"
#include "cli/parts.hpp"
#include "core/check.hpp"
#include "explorers/table.hpp"
#include "host/schedule_file.hpp"
#include "report/layout.hpp"
#include "report/model/outcome.hpp"

namespace mazurka::cli {
namespace {

/// Says how the run ended, in every form that was asked for.
int report_outcome(const Options& options, Outcome outcome) {
  outcome.command = options.command_line;
  report::Style style = report::detect_style(options.color, stdout);
  style.stacks = options.stacks;
  style.all_rows = options.all_rows;
  return deliver(outputs_of(options), outcome, style);
}

/// From the announcement of its reports to the exit code.
int run_and_tell(const Options& options, int (*run)(const Options&, const Tell&)) {
  announce(outputs_of(options), shown_program(options));
  return run(options, [&](const Outcome& outcome) { return report_outcome(options, outcome); });
}

/// The same for several techniques.
int compare(const Options& options, int argc, const char* const* argv) {
  std::optional<int> failure;
  std::string mistake;
  const std::vector<Options> all = options_of_each(argc, argv, options, failure, &mistake);
  if (failure) {
    deliver_error(outputs_of(options), shown_program(options), mistake);
    return *failure;
  }
  MAZURKA_CHECK(!all.empty(), "there is a technique to compare");
  announce(outputs_of(options), shown_program(options));
  return check_each(all, [&](const Outcome& outcome) { return report_outcome(options, outcome); });
}

int list_techniques(bool names_only) {
  if (!names_only) {
    print(stdout, techniques_text());
    return 0;
  }
  for (const Technique& technique : techniques()) {
    print(stdout, std::string(technique.name) + "\n");
  }
  return 0;
}

/// Becomes the program beside this one that has the server.
int become_studio(const StudioOptions& options) {
  std::string folder = options.folder;
  std::string port = std::to_string(options.port);
  std::string checks = std::to_string(options.checks);
  std::string name = "mazurka-studio";
  char* argv[] = {name.data(), folder.data(), port.data(), checks.data(), nullptr};
  become(name, argv, "it is built where cpp-httplib is installed (libcpp-httplib-dev)");
}

/// `kind WORD...`, for whoever builds what a check will need: the kinds of those words that are
/// programs, or schedules of one.
int list_kinds(int argc, const char* const* argv) {
  for (int at = 2; at < argc; ++at) {
    std::string program = argv[at];
    if (program.starts_with('-') || !std::filesystem::is_regular_file(program)) continue;
    if (program.ends_with(".schedule")) {
      program = host::load_schedule(program).target.binary.string();
    }
    print(stdout, std::string(kind_of(program).name) + "\n");
  }
  return 0;
}

int replay(const Options& options, const Tell& tell) {
  return (is_promela_schedule(options.schedule) ? parts()->replay_promela : replay_native)(options,
                                                                                           tell);
}

int run(const Options& options) {
  MAZURKA_CHECK(parts() != nullptr || !needs_parts(options),
                "the whole program has what is needed");
  switch (options.command) {
    case Command::check: return run_and_tell(options, options.kind->check);
    case Command::replay: return run_and_tell(options, replay);
    case Command::techniques: return list_techniques(options.names_only);
    case Command::generate: return parts()->generate_network(options.written);
    case Command::convert: return parts()->convert_network(options.written);
    case Command::studio: return become_studio(options.studio);
    case Command::work: return parts()->work_for_cluster(options);
    case Command::status: return parts()->show_cluster(options.cluster);
    case Command::cancel: return parts()->cancel_in_cluster(options.cluster);
    case Command::version: std::printf("mazurka %s\n", MAZURKA_VERSION); return 0;
  }
  return 2;
}

}  // namespace

int run_program(int argc, char** argv) {
  // Whoever reads our output may have seen enough (`| head`). Nothing is said then, reports are
  // written nevertheless, and the exit code stays that of the verdict.
  std::signal(SIGPIPE, SIG_IGN);
  Options options;
  try {
    if (argc > 1 && std::string_view(argv[1]) == "kind") return list_kinds(argc, argv);
    if (parts() == nullptr && needs_parts(argc, argv)) become_whole(argv);
    std::string mistake;
    if (const auto done = parse(argc, argv, options, &mistake)) {
      if (!mistake.empty()) deliver_error(outputs_in(argc, argv), options.program, mistake);
      return *done;
    }
    if (parts() == nullptr && needs_parts(options)) become_whole(argv);
    return options.compare.empty() ? run(options) : compare(options, argc, argv);
  } catch (const std::exception& error) {
    say("error", error.what());
    deliver_error(outputs_of(options), shown_program(options), error.what());
    return static_cast<int>(Verdict::error);
  }
}

}  // namespace mazurka::cli
