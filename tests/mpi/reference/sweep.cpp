// mazurka-mpi-sweep: random MPI programs, explored by the checker, against brute force.
//
// The outcomes must be the same: what each rank has seen, or where each rank waits for ever.
// Programs with tests or nonblocking probes must have at least the outcomes of matches and tests
// that succeed at once, and at most those of matches that come as late as can be and tests that
// fail without a reason (machine.hpp). Where every request is waited for and nothing is tested,
// there must be exactly one execution per matching. A program that differs is made smaller and
// printed.
//
// Exit code 0: all fine; 1: something differs; 2: wrong arguments.
#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>

#include "mpi/reference/campaign.hpp"

namespace {

using namespace mazurka::mpi_reference;

int show(const Program& program, const Settings& settings) {
  std::cout << encode(program) << '\n';
  for (const std::string& buffering : settings.bufferings) {
    const Expected expected = expect(program, {buffering, settings.collectives});
    std::cout << buffering << (expected.complete ? "" : ": too many states") << '\n';
    for (const auto& [outcome, endings] : expected.most) {
      std::cout << "  " << outcome << " (" << endings << ')'
                << (expected.least.contains(outcome) ? "" : ", perhaps") << '\n';
    }
  }
  return 0;
}

void declare(CLI::App& app, Settings& settings) {
  app.add_option("--mazurka", settings.checker.mazurka, "The checker");
  app.add_option("--mpiexec", settings.mpiexec,
                 "What a real MPI does with the programs, in its place: it must be possible");
  app.add_option("--programs", settings.programs, "How many")->capture_default_str();
  app.add_option("--first", settings.first, "Begin with program N of the seed");
  app.add_option("--seed", settings.seed, "Of the programs")->capture_default_str();
  app.add_option("--text", settings.text, "This program alone (program.hpp)");
  app.add_option("--buffering", settings.bufferings, "infinite, zero or each; several times")
      ->check(CLI::IsMember({"infinite", "zero", "each"}));
  app.add_option("--collectives", settings.collectives, "sync or loose")
      ->check(CLI::IsMember({"sync", "loose"}));
  app.add_option("--technique", settings.checker.technique, "Of the checker");
  app.add_option("--option", settings.checker.options, "One more for the checker; several times");
  app.add_option("--together", settings.together,
                 "So many programs in one search; 1: every outcome is told")
      ->check(CLI::Range(std::size_t{1}, max_together))
      ->capture_default_str();
  app.add_option("--jobs", settings.jobs, "How many searches at a time")->check(CLI::Range(1, 64));
  app.add_option("--seconds", settings.seconds, "Begin no more programs after that time");
  app.add_option("--max-failures", settings.max_failures, "Stop after so many");
  app.add_flag("!--no-tests", settings.wishes.tests, "No tests, no nonblocking probes");
  app.add_flag("!--no-collectives", settings.wishes.collectives, "No collectives");
  app.add_flag("!--no-shrink", settings.shrink, "Do not make programs smaller that differ");
}

}  // namespace

int main(int count, char** arguments) {
  CLI::App app("Random MPI programs, explored by the checker, against brute force");
  Settings settings;
  bool shows = false;
  declare(app, settings);
  app.add_flag("--show", shows, "Only show the first program, and what brute force says of it");
  try {
    app.parse(count, arguments);
    if (settings.bufferings.empty()) settings.bufferings = {"infinite", "zero"};
    if (!shows && settings.checker.mazurka.empty() == settings.mpiexec.empty()) {
      throw CLI::ValidationError("either --mazurka or --mpiexec is needed");
    }
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  try {
    if (shows) return show(program_of(settings, settings.first), settings);
    return run(settings);
  } catch (const std::exception& problem) {
    std::cerr << "mazurka-mpi-sweep: " << problem.what() << '\n';
    return 2;
  }
}
