// Programs of MPI. Each rank is a process of the front-end for threads, so they are checked by the
// same function, once for each way in which sends may be buffered.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/declare.hpp"
#include "cli/native.hpp"
#include "cli/settle.hpp"
#include "host/compiler.hpp"

namespace mazurka::cli {

namespace {

using threads::Buffering;

const Names<Buffering> buffering_names{
    {"zero", Buffering::zero}, {"infinite", Buffering::infinite}, {"both", Buffering::both}};
const Names<bool> collective_names{{"sync", false}, {"loose", true}};
constexpr std::uint32_t most_ranks = 128;

Outcome checked_with(Options options, Buffering buffering) {
  options.checks.buffering = buffering;
  std::optional<Outcome> outcome;
  (void)check_native(options, [&](const Outcome& told) {
    outcome = told;
    return 0;
  });
  return std::move(*outcome);
}

void add_statistics(const Outcome& first, Outcome& second) {
  second.statistics.executions += first.statistics.executions;
  second.statistics.asleep += first.statistics.asleep;
  second.statistics.events += first.statistics.events;
  second.seconds += first.seconds;
}

}  // namespace

bool is_of_mpi(const std::string& program) { return threads::uses_mpi(program); }

void declare_mpi(Declare& declare, Options& options) {
  declare.group(help_group::exploring);
  declare.number("--ranks", options.checks.ranks, 1, "MPI: how many ranks there are");
  declare.choice("--buffering", options.checks.buffering, buffering_names,
                 "MPI: a standard send waits for its receive (zero) or never does (infinite); "
                 "both: one exploration each (default)");
  declare.choice("--collectives", options.checks.loose_collectives, collective_names,
                 "MPI: in a collective operation all wait for all (sync, default), or only for "
                 "those whose data they need (loose)");
}

void settle_mpi(const CLI::App& check, const Options& options, const Technique& technique) {
  if (options.checks.ranks == 0) {
    refuse("--ranks", fmt::format("missing: {} is a program of MPI; say how many ranks it has, "
                                  "--ranks 2",
                                  options.program));
  }
  if (options.checks.ranks > most_ranks) refuse("--ranks", fmt::format("at most {}", most_ranks));
  if (technique.promises.seen != Promises::Seen::traces) {
    refuse("--technique", fmt::format("{} looks at the values of variables, and what ranks have "
                                      "in common are messages; use optimal",
                                      technique.name));
  }
  const bool twice = options.checks.buffering == Buffering::both;
  for (const char* const option : {"--save", "--cluster", "--measure-tasks"}) {
    if (twice && given(check, option)) {
      refuse(option, "there are two explorations: say which, --buffering zero or infinite");
    }
  }
}

// A program that fails with unlimited buffers fails anyway; one that does not may still rely on
// them.
int check_mpi(const Options& options, const Tell& tell) {
  if (options.checks.buffering != Buffering::both) return check_native(options, tell);
  const Outcome buffered = checked_with(options, Buffering::infinite);
  if (buffered.verdict == Verdict::finding) return tell(buffered);
  Outcome outcome = checked_with(options, Buffering::zero);
  if (buffered.verdict != Verdict::verified && outcome.verdict != Verdict::finding) {
    return tell(buffered);
  }
  if (outcome.verdict == Verdict::finding) {
    outcome.notes.emplace_back(
        buffered.verdict == Verdict::verified
            ? "it fails only where sends are not buffered (--buffering zero): with unlimited "
              "buffers every execution is right"
            : "it fails where sends are not buffered (--buffering zero)");
  } else if (outcome.verdict == Verdict::verified) {
    outcome.notes.push_back(
        fmt::format("explored with unlimited buffers ({} executions) and without buffers ({})",
                    buffered.statistics.executions, outcome.statistics.executions));
    add_statistics(buffered, outcome);
  }
  return tell(outcome);
}

std::span<const Refusal> refused_by_mpi() {
  static constexpr Refusal refusals[] = {
      {"--function", "what is explored is the main of every rank"},
      {"--racy", "plain accesses of ranks are their own business"},
      {"--repair", "its ranks share no atomic variables"},
      {"--suppress", "ranks share no variables"},
      {"--suppressions", "ranks share no variables"},
  };
  return refusals;
}

}  // namespace mazurka::cli
