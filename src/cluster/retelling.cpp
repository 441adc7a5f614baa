#include "cluster/retelling.hpp"

#include <algorithm>
#include <chrono>

#include "core/check.hpp"
#include "host/interrupts.hpp"
#include "host/supervisor.hpp"

namespace mazurka::cluster {

namespace {

using host::Fate;
using host::LaunchResult;
using host::RawFinding;

constexpr std::chrono::seconds long_enough{20};

/// Whether the story could be told.
bool tell_again(host::Launch launch, RawFinding& found, std::vector<host::RawModule>& modules) {
  launch.request.task = host::Task::replay;
  MAZURKA_CHECK(!launch.binary.empty(), "what was found is told by the program");
  launch.request.schedule = found.finding.schedule;
  launch.request.save_file.clear();
  launch.request.resume_file.clear();
  launch.request.crashing.clear();
  launch.discard_output = true;
  launch.on_progress = nullptr;
  launch.wants_end = nullptr;
  launch.deadline = std::chrono::steady_clock::now() + long_enough;
  LaunchResult result = host::launch(launch);
  if ((result.fate == Fate::killed || result.fate == Fate::exited) && !result.by_user) {
    // It dies of it here, too. What led there is told by one that stops just before.
    launch.request.crashing = {{found.finding.schedule, found.finding.message}};
    result = host::launch(launch);
  }
  if (result.fate != Fate::replied) return false;
  for (RawFinding& one : result.reply.findings) {
    if (one.finding.kind != found.finding.kind || one.finding.message != found.finding.message) {
      continue;
    }
    found.story = std::move(one.story.events.empty() ? result.reply.replayed : one.story);
    modules = std::move(result.reply.modules);
    return true;
  }
  return false;
}

}  // namespace

void retell(const host::Launch& whole, host::Reply& reply, std::vector<std::string>& notes) {
  const auto untold =
      std::count_if(reply.findings.begin(), reply.findings.end(),
                    [&](RawFinding& one) { return !tell_again(whole, one, reply.modules); });
  if (untold > 0 && host::CountInterrupts::count() == 0) {
    notes.push_back(std::to_string(untold) + " of the findings did not come again on this machine");
  }
}

}  // namespace mazurka::cluster
