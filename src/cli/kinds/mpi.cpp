// Programs of MPI. Each rank is a process of the front-end for threads, so they are checked by the
// same function, once for each way in which sends may be buffered.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/declare.hpp"
#include "cli/native.hpp"
#include "cli/settle.hpp"
#include "core/shown_text.hpp"
#include "host/compiler.hpp"
#include "host/interrupts.hpp"

namespace mazurka::cli {

namespace {

using host::Buffering;
using host::CollectiveWaits;

const Names<Buffering> buffering_names{{"zero", Buffering::zero},
                                       {"infinite", Buffering::infinite},
                                       {"both", Buffering::both},
                                       {"each", Buffering::each}};
const Names<CollectiveWaits> collective_names{{"auto", CollectiveWaits::automatic},
                                              {"sync", CollectiveWaits::sync},
                                              {"loose", CollectiveWaits::loose},
                                              {"both", CollectiveWaits::both}};
constexpr std::uint32_t most_ranks = 128;

/// What one exploration assumes of the MPI that the program runs on.
struct Assumptions {
  Buffering buffering{};
  CollectiveWaits collectives{};
};

void add_explorations(const Options& options, CollectiveWaits waits,
                      std::vector<Assumptions>& all) {
  if (options.checks.buffering != Buffering::both) {
    all.push_back({options.checks.buffering, waits});
    return;
  }
  for (const Buffering one : {Buffering::infinite, Buffering::zero}) all.push_back({one, waits});
}

/// Those that are known beforehand.
std::vector<Assumptions> explorations_of(const Options& options) {
  std::vector<Assumptions> all;
  const CollectiveWaits wanted = options.checks.collectives;
  if (wanted != CollectiveWaits::loose) add_explorations(options, CollectiveWaits::sync, all);
  if (wanted == CollectiveWaits::loose || wanted == CollectiveWaits::both) {
    add_explorations(options, CollectiveWaits::loose, all);
  }
  return all;
}

/// `several`: there is more than one way for collectives to wait. Something is said in any case.
std::string in_words(const Assumptions& assumed, const Options& options, bool several) {
  std::string words;
  if (options.checks.buffering == Buffering::both) {
    words = assumed.buffering == Buffering::zero ? "without buffers (--buffering zero)"
                                                 : "with unlimited buffers";
  }
  if (!several && !words.empty()) return words;
  if (!words.empty()) words += " and ";
  return words + (assumed.collectives == CollectiveWaits::loose
                      ? "with collectives that wait only for the data they need"
                      : "with collectives that wait for all");
}

/// `seconds`: at most; 0: there is no limit.
Outcome checked_with(Options options, const Assumptions& assumed, std::size_t findings_before,
                     double seconds) {
  options.schedules_before = findings_before;
  options.limits.max_seconds = seconds;
  options.checks.buffering = assumed.buffering;
  options.checks.collectives = assumed.collectives;
  std::optional<Outcome> outcome;
  (void)check_native(options, [&](const Outcome& told) {
    outcome = told;
    return 0;
  });
  return std::move(*outcome);
}

void add_statistics(const Outcome& one, Outcome& other) {
  other.statistics.executions += one.statistics.executions;
  other.statistics.asleep += one.statistics.asleep;
  other.statistics.events += one.statistics.events;
  other.seconds += one.seconds;
  other.processor_seconds += one.processor_seconds;
}

}  // namespace

bool is_of_mpi(const std::string& program) { return host::uses_mpi(program); }

void declare_mpi(Declare& declare, Options& options) {
  declare.group(help_group::exploring);
  declare.number("--ranks", options.checks.ranks, 1, "MPI: how many ranks there are");
  declare.choice("--buffering", options.checks.buffering, buffering_names,
                 "MPI: a standard send waits for its receive (zero) or never does (infinite); "
                 "both: one exploration each (default); each: every send chooses");
  declare.choice("--collectives", options.checks.collectives, collective_names,
                 "MPI: in a collective operation all wait for all (sync), or only for those "
                 "whose data they need (loose); both: one exploration each; auto: sync, and loose "
                 "where that may make a difference (default)");
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

namespace {

/// What several explorations come to. The first one that fails is told, and with --keep-going what
/// later ones find besides. One that was not complete is told where none fails. --max-time is that
/// of all of them, without compiling: each gets an equal share of what those before have left.
class Explorations {
 public:
  explicit Explorations(const Options& options) : options_(options) {}

  /// All of them, until one fails and there is no more to do: then false.
  bool add_all(const std::vector<Assumptions>& all, bool several_waits) {
    for (std::size_t at = 0; at < all.size(); ++at) {
      const double share = seconds_left() / static_cast<double>(all.size() - at);
      const std::string where = in_words(all[at], options_, several_waits);
      const bool is_over = options_.limits.max_seconds > 0 && share <= 0;
      if (is_over || host::CountInterrupts::count() > 0) {
        add_to(left_out_, where);
      } else if (!add(all[at], where, share)) {
        return false;
      }
    }
    return true;
  }
  /// Whether collectives that wait for less may show more.
  [[nodiscard]] bool went_ahead() const { return went_ahead_ && !incomplete_; }

  [[nodiscard]] Outcome result() {
    if (failed_) return told_with_places();
    if (incomplete_ || !left_out_.empty()) return told_as_part();
    if (count_ > 1) complete_->notes.push_back("explored " + explored_);
    return std::move(*complete_);
  }

 private:
  using Clock = std::chrono::steady_clock;

  static void add_to(std::string& list, const std::string& one) {
    list += (list.empty() ? "" : ", ") + one;
  }
  /// Of --max-time; 0: nothing, or there is no limit.
  [[nodiscard]] double seconds_left() const {
    const std::chrono::duration<double> passed = Clock::now() - begin_;
    return std::max(0.0, options_.limits.max_seconds - passed.count());
  }
  /// False: it fails, and there is no more to do.
  bool add(const Assumptions& assumed, const std::string& where, double seconds) {
    Outcome outcome =
        checked_with(options_, assumed, failed_ ? failed_->findings.size() : 0, seconds);
    ++count_;
    begin_ += std::chrono::duration_cast<Clock::duration>(
        std::chrono::duration<double>(outcome.seconds_before));
    if (outcome.verdict == Verdict::finding) {
      add_failed(where, std::move(outcome));
      return options_.limits.keep_going;
    }
    if (failed_) add_statistics(outcome, *failed_);
    if (outcome.verdict != Verdict::verified) {
      add_to(outcome.statistics.executions > 0 ? in_part_ : left_out_, where);
      if (incomplete_) {
        add_statistics(outcome, *incomplete_);
      } else {
        incomplete_ = std::move(outcome);
      }
      return true;
    }
    went_ahead_ = went_ahead_ || outcome.went_ahead;
    add_to(verified_, where);
    add_to(explored_, fmt::format("{} ({} executions)", where, outcome.statistics.executions));
    if (complete_) add_statistics(*complete_, outcome);
    complete_ = std::move(outcome);
    return true;
  }
  void add_failed(const std::string& where, Outcome outcome) {
    went_ahead_ = went_ahead_ || outcome.went_ahead;
    if (!failed_) {
      failed_ = std::move(outcome);
      failed_where_ = where;
      return;
    }
    add_statistics(outcome, *failed_);
    for (FindingReport& report : outcome.findings) {
      if (is_known(report.finding)) continue;
      failed_->findings.push_back(std::move(report));
      add_to(besides_, fmt::format("{} {}", failed_->findings.size(), where));
    }
  }
  [[nodiscard]] bool is_known(const Finding& finding) const {
    return std::any_of(
        failed_->findings.begin(), failed_->findings.end(), [&](const FindingReport& known) {
          return known.finding.kind == finding.kind && known.finding.message == finding.message;
        });
  }
  [[nodiscard]] Outcome told_as_part() {
    if (!incomplete_) {
      incomplete_ = std::move(complete_);
      incomplete_->verdict = Verdict::inconclusive;
      incomplete_->reason =
          host::CountInterrupts::count() > 0 ? host::interrupted_in_words() : "--max-time is over";
    } else if (complete_) {
      add_statistics(*complete_, *incomplete_);
    }
    const bool is_error = incomplete_->verdict == Verdict::error;
    if (!is_error && (count_ > 1 || !left_out_.empty())) incomplete_->notes.push_back(parts());
    return std::move(*incomplete_);
  }
  [[nodiscard]] std::string parts() const {
    std::string text;
    const auto add = [&](std::string_view how, const std::string& which) {
      if (which.empty()) return;
      text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", how, which);
    };
    add("explored", explored_);
    add("explored in part", in_part_);
    add("not explored", left_out_);
    return text;
  }
  [[nodiscard]] Outcome told_with_places() {
    if (count_ > 1) {
      std::string note = "it fails " + failed_where_;
      if (!verified_.empty()) note += "; " + verified_ + " every execution is right";
      if (!besides_.empty()) note += "; only found later: " + besides_;
      failed_->notes.push_back(std::move(note));
    }
    const std::size_t rest = std::min(failed_->reason.find(';'), failed_->reason.size());
    failed_->reason = plural(failed_->findings.size(), "finding") + failed_->reason.substr(rest);
    if (incomplete_) failed_->reason += "; there may be more: " + incomplete_->reason;
    if (!left_out_.empty()) failed_->notes.push_back("not explored: " + left_out_);
    return std::move(*failed_);
  }

  const host::CountInterrupts counting_;  // also between two of them
  const Options& options_;
  std::optional<Outcome> failed_;      // the first one, with what others found besides
  std::optional<Outcome> complete_;    // the latest one, with the work of those before
  std::optional<Outcome> incomplete_;  // the first one
  Clock::time_point begin_ = Clock::now();
  int count_ = 0;
  bool went_ahead_ = false;
  std::string explored_;
  std::string verified_;
  std::string in_part_;
  std::string left_out_;  // --max-time was over before, or the user has interrupted
  std::string failed_where_;
  std::string besides_;
};

}  // namespace

int check_mpi(const Options& options, const Tell& tell) {
  Explorations explored(options);
  const bool several_waits = options.checks.collectives == CollectiveWaits::both;
  if (!explored.add_all(explorations_of(options), several_waits)) return tell(explored.result());
  const bool is_automatic = options.checks.collectives == CollectiveWaits::automatic;
  if (!is_automatic || !explored.went_ahead()) return tell(explored.result());
  if (!options.save.empty() || !options.elsewhere.empty()) {
    Outcome outcome = explored.result();
    outcome.notes.emplace_back(
        "collectives have waited for all ranks; --collectives loose may show more");
    return tell(outcome);
  }
  std::vector<Assumptions> more;
  add_explorations(options, CollectiveWaits::loose, more);
  (void)explored.add_all(more, true);
  return tell(explored.result());
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
