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
using threads::CollectiveWaits;

const Names<Buffering> buffering_names{{"zero", Buffering::zero},
                                       {"infinite", Buffering::infinite},
                                       {"both", Buffering::both},
                                       {"each", Buffering::each}};
const Names<CollectiveWaits> collective_names{{"sync", CollectiveWaits::sync},
                                              {"loose", CollectiveWaits::loose},
                                              {"both", CollectiveWaits::both}};
constexpr std::uint32_t most_ranks = 128;

/// What one exploration assumes of the MPI that the program runs on.
struct Assumptions {
  Buffering buffering{};
  CollectiveWaits collectives{};
};

std::vector<Assumptions> explorations_of(const Options& options) {
  std::vector<Assumptions> all;
  for (const CollectiveWaits waits : {CollectiveWaits::sync, CollectiveWaits::loose}) {
    const CollectiveWaits wanted = options.checks.collectives;
    if (wanted != CollectiveWaits::both && wanted != waits) continue;
    if (options.checks.buffering != Buffering::both) {
      all.push_back({options.checks.buffering, waits});
      continue;
    }
    for (const Buffering one : {Buffering::infinite, Buffering::zero}) all.push_back({one, waits});
  }
  return all;
}

std::string in_words(const Assumptions& assumed, const Options& options) {
  std::string words;
  if (options.checks.buffering == Buffering::both) {
    words = assumed.buffering == Buffering::zero ? "without buffers (--buffering zero)"
                                                 : "with unlimited buffers";
  }
  if (options.checks.collectives != CollectiveWaits::both) return words;
  if (!words.empty()) words += " and ";
  return words + (assumed.collectives == CollectiveWaits::loose
                      ? "with collectives that wait only for the data they need"
                      : "with collectives that wait for all");
}

Outcome checked_with(Options options, const Assumptions& assumed) {
  options.checks.buffering = assumed.buffering;
  options.checks.collectives = assumed.collectives;
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

void note_where_it_fails(const std::string& where, const std::string& verified, Outcome& outcome) {
  std::string note = "it fails " + where;
  if (!verified.empty()) note += "; " + verified + " every execution is right";
  outcome.notes.push_back(std::move(note));
}

}  // namespace

bool is_of_mpi(const std::string& program) { return threads::uses_mpi(program); }

void declare_mpi(Declare& declare, Options& options) {
  declare.group(help_group::exploring);
  declare.number("--ranks", options.checks.ranks, 1, "MPI: how many ranks there are");
  declare.choice("--buffering", options.checks.buffering, buffering_names,
                 "MPI: a standard send waits for its receive (zero) or never does (infinite); "
                 "both: one exploration each (default); each: every send chooses");
  declare.choice("--collectives", options.checks.collectives, collective_names,
                 "MPI: in a collective operation all wait for all (sync, default), or only for "
                 "those whose data they need (loose); both: one exploration each");
  declare.flag("--message-races", options.checks.message_races,
               "MPI: a receive that could take the messages of several ranks is a finding");
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
  const bool several = explorations_of(options).size() > 1;
  for (const char* const option : {"--save", "--cluster", "--measure-tasks"}) {
    if (several && given(check, option)) {
      refuse(option,
             "there are several explorations: say which, --buffering zero or infinite, and "
             "--collectives sync or loose");
    }
  }
}

// The first exploration that fails is told. One that was not complete is told where none fails.
int check_mpi(const Options& options, const Tell& tell) {
  const std::vector<Assumptions> explorations = explorations_of(options);
  if (explorations.size() == 1) return tell(checked_with(options, explorations.front()));
  std::optional<Outcome> all;
  std::optional<Outcome> incomplete;
  std::string explored;
  std::string verified;
  for (const Assumptions& one : explorations) {
    Outcome outcome = checked_with(options, one);
    const std::string where = in_words(one, options);
    if (outcome.verdict == Verdict::finding) {
      if (&one != &explorations.front()) note_where_it_fails(where, verified, outcome);
      return tell(outcome);
    }
    if (outcome.verdict != Verdict::verified) {
      if (!incomplete) incomplete = std::move(outcome);
      continue;
    }
    verified += (verified.empty() ? "" : ", ") + where;
    explored += fmt::format("{}{} ({} executions)", explored.empty() ? "" : ", ", where,
                            outcome.statistics.executions);
    if (all) add_statistics(*all, outcome);
    all = std::move(outcome);
  }
  if (incomplete) return tell(*incomplete);
  all->notes.push_back("explored " + explored);
  return tell(*all);
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
