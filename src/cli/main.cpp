// The program: parse the options, prepare the program under test, explore or replay, report.
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/automata.hpp"
#include "cli/cluster.hpp"
#include "cli/compare.hpp"
#include "cli/help.hpp"
#include "cli/kind.hpp"
#include "cli/native.hpp"
#include "cli/options.hpp"
#include "cli/outputs.hpp"
#include "cli/promela_replay.hpp"
#include "core/outcome.hpp"
#include "explorers/table.hpp"
#include "host/files.hpp"
#include "report/layout.hpp"

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
  const std::filesystem::path here = std::filesystem::canonical("/proc/self/exe").parent_path();
  const std::string program = (here / "mazurka-studio").string();
  const std::string port = std::to_string(options.port);
  const std::string checks = std::to_string(options.checks);
  execl(program.c_str(), program.c_str(), options.folder.c_str(), port.c_str(), checks.c_str(),
        static_cast<char*>(nullptr));
  throw threads::InputError(program +
                            " can not be started: it is built where cpp-httplib is installed "
                            "(libcpp-httplib-dev)");
}

int replay(const Options& options, const Tell& tell) {
  return (is_promela_schedule(options.schedule) ? replay_promela : replay_native)(options, tell);
}

int run(const Options& options) {
  switch (options.command) {
    case Command::check: return run_and_tell(options, options.kind->check);
    case Command::replay: return run_and_tell(options, replay);
    case Command::techniques: return list_techniques(options.names_only);
    case Command::generate: return generate_network(options.written);
    case Command::convert: return convert_network(options.written);
    case Command::studio: return become_studio(options.studio);
    case Command::work: return work_for_cluster(options);
    case Command::status: return show_cluster(options.cluster);
    case Command::cancel: return cancel_in_cluster(options.cluster);
    case Command::version: std::printf("mazurka %s\n", MAZURKA_VERSION); return 0;
  }
  return 2;
}

}  // namespace
}  // namespace mazurka::cli

int main(int argc, char** argv) {
  using namespace mazurka;
  // Whoever reads our output may have seen enough (`| head`). Nothing is said then, reports are
  // written nevertheless, and the exit code stays that of the verdict.
  std::signal(SIGPIPE, SIG_IGN);
  cli::Options options;
  std::string mistake;
  if (const auto done = cli::parse(argc, argv, options, &mistake)) {
    if (!mistake.empty()) {
      cli::deliver_error(cli::outputs_in(argc, argv), options.program, mistake);
    }
    return *done;
  }
  try {
    return options.compare.empty() ? cli::run(options) : cli::compare(options, argc, argv);
  } catch (const std::exception& error) {
    cli::say("error", error.what());
    cli::deliver_error(cli::outputs_of(options), cli::shown_program(options), error.what());
    return static_cast<int>(Verdict::error);
  }
}
