// A check of a network that ends in time.
//
// The check runs in a thread. This one waits for it, and tells it to stop when the time is over,
// when it has taken too much memory, or when a signal comes. A search listens at once; reading a
// huge file, a certificate or a single first set need not. So what does not end within a moment is
// abandoned, and what was seen so far is reported.
#pragma once

#include <functional>

#include "cli/whole/automata_check.hpp"

namespace mazurka::cli {

struct WatchedCheck {
  AutomataOutcome result;
  bool still_running = false;  // it was abandoned: the program must end with std::_Exit
};

/// `on_progress` is called a few times per second, with the time since the beginning. Throws what
/// the check throws.
[[nodiscard]] WatchedCheck check_watched(
    const AutomataRequest& request,
    const std::function<void(SoFar& so_far, double seconds)>& on_progress);

}  // namespace mazurka::cli
