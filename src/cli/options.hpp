// What the user asked for, from the command line.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "cli/network_request.hpp"
#include "core/session.hpp"
#include "host/compiler.hpp"
#include "host/protocol.hpp"
#include "report/layout.hpp"

namespace mazurka::cli {

struct Kind;

enum class Command : unsigned char {
  check,
  replay,
  techniques,
  generate,
  convert,
  studio,
  work,
  status,
  cancel,
  version
};

/// What `generate` and `convert` write.
struct NetworkToWrite {
  std::string model;  // generate
  std::vector<int> sizes;
  std::uint64_t seed = 1;
  std::string file;  // convert
  bool dot = false;
  std::string output;  // empty: standard output
};

struct StudioOptions {
  std::string folder = ".";
  std::uint16_t port = 0;   // 0: any that is free
  std::uint8_t checks = 2;  // at one time
};

/// For work, status and cancel.
struct ClusterOptions {
  std::string address;
  std::uint32_t jobs = std::max(1U, std::thread::hardware_concurrency());
  double silence = 15;  // seconds after which others take a worker's task over
  double idle = 0;      // seconds without work after which a worker ends; 0: never
  bool json = false;    // status
  std::string search;   // cancel; empty: all
};

struct Options {
  Command command = Command::check;
  std::size_t schedules_before = 0;   // that other explorations of the same check have written
  std::string called_as = "mazurka";  // how the user calls us, for the commands that we suggest
  std::string command_line;           // what the user has typed, for a shell

  std::string program;               // check: source file or binary; replay: optional
  const Kind* kind = nullptr;        // check: of the program
  std::vector<std::string> extra;    // for the compiler if `program` is a source file, else for it
  std::string alternatives;          // of the technique unfolding; empty: its own
  std::string technique;             // empty until settled: the usual one of the kind of program
  std::string compare;               // techniques that are tried in turn, with commas; empty: one
  bool technique_is_default = true;  // the user has not named one
  bool bound_is_default = true;      // nor said how long an execution may be
  bool racy = false;
  Limits limits;
  double stall_seconds = 2;
  bool measure_replay = false;
  std::string measure_tasks;  // a file; empty: none
  std::string certificate;    // a file; empty: none
  host::CheckpointMode checkpoints = host::CheckpointMode::on;
  host::Checks checks;
  std::vector<std::string> suppress;      // KIND:PATTERN
  std::vector<std::string> suppressions;  // files of them
  std::uint64_t max_memory = 0;           // bytes; 0: no limit
  std::uint32_t jobs = 0;                 // so many explore at once; 0: the user has not said
  std::uint64_t slice = 0;                // executions of one process in one go; 0: for a second
  std::string elsewhere;                  // the address of a cluster that explores; empty: none
  std::string resume;                     // go on with this saved exploration
  std::string save;                       // where to save the exploration; empty: the usual place
  double save_seconds = 5;
  std::string order;  // actors: fifo, eca, lca; networks: declared, ...
  struct {
    std::string kind;      // asked for by name, whatever the file says
    std::string channels;  // which messages may overtake which
    std::string timeouts;
    std::vector<std::string> allow;  // what is no finding
    bool left = false;               // messages that are skipped for ever are findings
  } caf;
  host::Compiler compiler = host::Compiler::gcc;

  std::string schedule;  // replay
  bool gdb = false;
  bool print_only = false;  // replay --gdb: show the command instead of running it

  bool shorten = true;
  bool repair = false;
  bool stacks = false;
  bool all_rows = false;
  std::string check;                 // which call of mazurka::check; empty: main
  bool tree = false;                 // keep the tree of the search, for the reports
  std::vector<std::string> reports;  // per row of report::formats(): the file; empty: none
  report::When color = report::When::automatic;
  report::When progress = report::When::automatic;

  AutomataRequest network;  // check, for a network of automata
  NetworkToWrite written;   // generate, convert
  bool names_only = false;  // techniques
  StudioOptions studio;
  ClusterOptions cluster;
};

/// Fills in the options. An exit code when there is nothing more to do: help was shown (0) or the
/// command line is wrong (2, with a message on stderr, which is left in `mistake`).
[[nodiscard]] std::optional<int> parse(int argc, const char* const* argv, Options& options,
                                       std::string* mistake = nullptr);

}  // namespace mazurka::cli
