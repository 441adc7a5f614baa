// Programs with threads: everything in C or C++ that is not something else. Those that pass
// messages (mazurka/messages.hpp) are among them: their processes are threads.
#include <CLI/CLI.hpp>
#include <string>

#include "cli/declare.hpp"
#include "cli/settle.hpp"

namespace mazurka::cli {

namespace {

const Names<host::Compiler> compiler_names{{"gcc", host::Compiler::gcc},
                                           {"clang", host::Compiler::clang}};
const Names<host::CheckpointMode> checkpoint_names{{"off", host::CheckpointMode::off},
                                                   {"on", host::CheckpointMode::on},
                                                   {"always", host::CheckpointMode::always},
                                                   {"check", host::CheckpointMode::check}};
const Names<host::MemoryModel> memory_names{{"auto", host::MemoryModel::automatic},
                                            {"sc", host::MemoryModel::sc},
                                            {"tso", host::MemoryModel::tso},
                                            {"rc11", host::MemoryModel::rc11},
                                            {"ra", host::MemoryModel::ra}};
const Names<bool> exit_code_names{{"note", false}, {"finding", true}};
const Names<bool> volatile_names{{"plain", false}, {"atomic", true}};

/// Of a saved exploration, the file says these.
constexpr const char* decided_by_the_file[] = {
    "--technique",     "--racy",        "--max-events",   "--keep-going",   "--seed",
    "--compiler",      "--weak-cas",    "--spurious",     "--leaks",        "--heap",
    "--uninitialised", "--memory",      "--races",        "--exit-code",    "--function",
    "--suppress",      "--preemptions", "--alternatives", "--suppressions", "--volatile",
    "--liveness"};

void declare_judging(Declare& declare, Options& options) {
  declare.group(help_group::judging);
  declare.flag("--racy", options.racy,
               "Plain accesses are scheduling points too, and data races no findings");
  declare.choice("--races", options.checks.races, switch_names, "Look for data races (default on)");
  declare.list("--suppress", options.suppress, "KIND:PATTERN",
               "Accept data races on this variable, in this function or file: race:PATTERN or "
               "race_top:PATTERN (may be given several times)");
  declare.list("--suppressions", options.suppressions, "FILE",
               "The same, one in each line of FILE, as ThreadSanitizer reads them");
  declare.choice("--volatile", options.checks.volatile_atomic, volatile_names,
                 "Accesses to volatile variables; atomic: no data races, and scheduling points "
                 "(default plain)");
  declare.choice("--memory", options.checks.memory, memory_names,
                 "What atomic operations may read: sc, tso, rc11, ra (default auto: rc11 if there "
                 "are weaker orders than seq_cst, or fences)");
  declare.choice("--heap", options.checks.heap, switch_names, "Check heap accesses (default on)");
  declare.flag("--leaks", options.checks.leaks,
               "Heap blocks that are not freed when the program ends are findings");
  declare.flag("--uninitialised", options.checks.uninitialised,
               "Reads of local variables and heap blocks that nobody has written are findings");
  declare.number("--spurious", options.checks.spurious, 0,
                 "A wait on a condition variable may end without a signal, N times per thread");
  declare.number("--weak-cas", options.checks.weak_cas, 0,
                 "A weak compare-exchange may fail without a reason, N times per thread");
  declare.flag("--repair", options.repair,
               "Find the weakest memory orders that exclude a finding: each candidate is explored");
  declare.choice("--exit-code", options.checks.exit_code, exit_code_names,
                 "A program that ends with another exit code than 0 (default note)");
  declare.flag("--liveness", options.checks.liveness,
               "A program that ends while threads of it wait for ever is a finding");
}

// Where outcomes of atomic operations are not looked at, memory is sequentially consistent.
void settle_memory(const Options& options, const Technique& technique) {
  using host::MemoryModel;
  const MemoryModel model = options.checks.memory;
  if (model == MemoryModel::automatic || model == MemoryModel::sc) return;
  if (options.racy) {
    refuse("--memory", "with --racy plain accesses are steps of a sequentially consistent memory");
  }
  if (!technique.weak_memory) {
    refuse("--memory", "technique " + std::string(technique.name) + " " +
                           std::string(technique.why_strong) + "; use --technique optimal");
  }
}

// In a graph there are atomic operations, each with one outcome per source.
void settle_graphs(const Options& options, const Technique& technique) {
  if (technique.needs != Needs::graphs) return;
  const std::string name(technique.name);
  if (options.racy) {
    refuse("--racy", "technique " + name + " does not know plain accesses; use optimal");
  }
  if (options.checks.weak_cas != 0) {
    refuse("--weak-cas", "technique " + name +
                             " does not know compare-exchanges that fail without a reason; use "
                             "optimal");
  }
}

// What is found must depend on memory orders, and a candidate must be one that can be verified.
void settle_repair(const Options& options, const Technique& technique) {
  if (!options.repair) return;
  if (options.racy) refuse("--repair", "with --racy memory orders have no meaning");
  if (options.checks.memory == host::MemoryModel::ra) {
    refuse("--repair", "with --memory ra every operation has the same order, whatever it says");
  }
  if (technique.is_sample()) {
    refuse("--repair", "technique " + std::string(technique.name) +
                           " explores a sample, by which no candidate can be verified");
  }
  if (!options.compare.empty()) refuse("--repair", "--compare is about searches, not findings");
}

void settle_cluster(const CLI::App& check, const Options& options, const Technique& technique) {
  if (options.elsewhere.empty()) return;
  if (!technique.divisible) {
    refuse("--cluster", "what technique " + std::string(technique.name) +
                            " knows can not be divided among machines; use --technique reverse");
  }
  for (const char* const option : {"--jobs", "--save", "--resume", "--compare"}) {
    if (given(check, option)) {
      refuse("--cluster", std::string("it does not go with ") + option +
                              ": the server keeps the search, and `mazurka work` lends jobs to it");
    }
  }
}

void settle_certificate(const Options& options, const Technique& technique) {
  if (options.certificate.empty()) return;
  if (technique.needs != Needs::nothing || technique.coverage != Coverage::everything ||
      technique.promises.seen != Promises::Seen::traces) {
    refuse("--certificate", "technique " + std::string(technique.name) +
                                " does not explore every trace, which is what a certificate shows; "
                                "use --technique optimal");
  }
  const bool several = options.jobs > 1 || !options.elsewhere.empty();
  if (several || !options.resume.empty() || !options.compare.empty()) {
    refuse(
        "--certificate",
        "it is written by one process that explores everything once; leave out --jobs, --cluster, "
        "--resume and --compare");
  }
  if (options.racy) {
    refuse("--certificate", "with --racy the order of all accesses counts; leave out --racy");
  }
}

}  // namespace

void declare_threads(Declare& declare, Options& options) {
  declare.group(help_group::exploring);
  declare.choice("--shorten", options.shorten, switch_names,
                 "Look for the smallest schedule that fails in the same way (default on)");
  declare.choice("--checkpoints", options.checkpoints, checkpoint_names,
                 "Begin executions in the middle, where another one was: on where that is faster "
                 "(default), always, off; check: compare with what replaying leads to");
  declare.flag("--measure-replay", options.measure_replay,
               "Afterwards, time the same executions without analysis (see the JSON)");
  declare.file("--measure-tasks", options.measure_tasks,
               "Write the children of each execution and its time to FILE, with --technique "
               "reverse (for ./dev bench scale)");
  declare.file("--certificate", options.certificate,
               "Write all executions to FILE, for mazurka-certify to check that none is missing");
  declare_judging(declare, options);
  declare.group(help_group::limiting);
  declare_stall(declare, options);
  declare.group("The program");
  declare.choice("--compiler", options.compiler, compiler_names, "For a source file (default gcc)");
  declare.text("--function", options.check, "NAME",
               "Explore the call of mazurka::check that has this name, instead of main");
  declare.group("Long runs");
  declare.text("--cluster", options.elsewhere, "ADDRESS",
               "Have it explored by the workers of a Redis server, redis://host[:port]; with "
               "--technique reverse");
  declare.file("--resume", options.resume,
               "Go on with the exploration saved in FILE; the program and all options that decide "
               "what is explored are in there");
  declare.file("--save", options.save,
               "Where to save the exploration now and then (default: in .mazurka)");
  declare.time("--save-every", options.save_seconds, "How often to save it (default 5s)");
}

void settle_threads(const CLI::App& check, const Options& options, const Technique& technique) {
  for (const char* option : {"--suppress", "--suppressions"}) {
    if (options.racy && given(check, option)) {
      refuse(option, "with --racy no data race is a finding");
    }
  }
  settle_memory(options, technique);
  settle_graphs(options, technique);
  settle_repair(options, technique);
  settle_cluster(check, options, technique);
  const bool several = options.jobs > 1 || !options.elsewhere.empty();
  if (!options.measure_tasks.empty() && (several || !technique.divisible)) {
    refuse("--measure-tasks", "it is for one process and a technique with tasks, reverse");
  }
  settle_certificate(options, technique);
  if (options.resume.empty()) return;
  for (const char* option : decided_by_the_file) {
    if (given(check, option)) {
      refuse(option,
             "it can not be changed with --resume: what is explored is decided by the file");
    }
  }
  if (!options.extra.empty()) {
    refuse(options.extra.front(),
           "it can not be added with --resume: what is explored is decided by the file");
  }
}

}  // namespace mazurka::cli
