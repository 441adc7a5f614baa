#include "host/supervisor.hpp"

#include <csignal>
#include <cstring>
#include <optional>
#include <utility>

#include "core/check.hpp"
#include "host/exploration.hpp"

namespace mazurka::host {

namespace {

// So many times in a row a search may die at different places without having been saved in between.
constexpr unsigned most_futile = 3;
// So many steps may kill the program; each costs two processes.
constexpr std::size_t most_crashing = 50;

// An early end without a signal is none of the program's behaviours, but a broken program.
bool died(const LaunchResult& result, bool begun) {
  const bool exited = result.fate == Fate::exited && result.exit_code != exit_out_of_reach;
  return result.fate == Fate::killed || result.fate == Fate::out_of_memory || (exited && begun);
}

bool is_over(const Launch& launch) {
  return launch.deadline && std::chrono::steady_clock::now() >= *launch.deadline;
}

}  // namespace

bool was_forbidden(const LaunchResult& result) {
  return result.fate == Fate::killed && result.signal == SIGSYS;
}

std::string cause_of_death(const LaunchResult& result) {
  switch (result.fate) {
    case Fate::out_of_memory: return needs_too_much_memory;
    case Fate::exited:
      if (result.exit_code == exit_overwritten) {
        return "the program writes to memory that is not its own: it has overwritten the runtime's "
               "variables";
      }
      return "the program ended itself with exit code " + std::to_string(result.exit_code) +
             ", by a system call that the runtime does not see";
    default: return "the program was killed by " + signal_name(result.signal);
  }
}

std::string signal_name(int signal) {
  const char* abbreviation = sigabbrev_np(signal);
  return abbreviation == nullptr ? "signal " + std::to_string(signal)
                                 : "SIG" + std::string(abbreviation);
}

Supervised supervise(Launch launch) {
  Supervised supervised;
  std::optional<std::vector<Decision>> suspect;
  unsigned futile = 0;
  unsigned early = 0;
  unsigned from_outside = 0;
  if (!launch.deadline && launch.request.limits.max_seconds > 0) {  // for all processes together
    launch.deadline = std::chrono::steady_clock::now() +
                      std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                          std::chrono::duration<double>(launch.request.limits.max_seconds));
  }
  for (;;) {
    supervised.last = mazurka::host::launch(launch);
    const LaunchResult& result = supervised.last;
    const bool begun = result.statistics.events > 0 || !result.schedule.empty();
    if (was_forbidden(result) || !died(result, begun) || result.by_user || is_over(launch)) break;
    // What a random walk died of, the search will come to by itself.
    const bool beside = std::exchange(launch.request.probes, false) && result.walking;
    if (!begun) {  // once is bad luck
      if (++early > 1) break;
      ++from_outside;
      continue;
    }
    if (result.saves > 0 && saved_by(launch.request)) {
      launch.request.resume_file = launch.request.save_file;
      launch.request.parts = 0;  // that is nothing but its part
      futile = 0;
    }
    if (beside) continue;
    if (result.telling && std::exchange(launch.request.tree, false)) continue;
    if (result.telling && launch.request.shorten) {
      launch.request.shorten = false;  // trying other schedules was what killed it
      continue;
    }
    if (!result.schedule.empty() && suspect == result.schedule) {
      if (launch.request.crashing.size() == most_crashing) break;
      launch.request.crashing.push_back({result.schedule, cause_of_death(result)});
      suspect.reset();
      futile = 0;
      MAZURKA_CHECK(from_outside > 0, "a death that comes again was counted before");
      --from_outside;
      continue;
    }
    if (++futile > most_futile) break;
    suspect = result.schedule;
    ++from_outside;
  }
  if (from_outside > 0 && supervised.last.fate == Fate::replied) {
    supervised.notes.push_back(
        "the process that explores died " + std::to_string(from_outside) +
        (from_outside == 1 ? " time" : " times") +
        ", not of anything that the program does; the search went on in a new one");
  }
  return supervised;
}

}  // namespace mazurka::host
