// What asks us to stop: Ctrl-C, and the signals by which a system ends what it has started.
//
// While a CountInterrupts lives, these signals are counted instead of ending us; whoever waits for
// something looks at the count. Inner ones change nothing, so that the count holds for a whole run.
#pragma once

#include <csignal>

namespace mazurka::host {

class CountInterrupts {
 public:
  CountInterrupts();
  CountInterrupts(const CountInterrupts&) = delete;
  CountInterrupts& operator=(const CountInterrupts&) = delete;
  ~CountInterrupts();

  /// How many have come since the outermost one was made.
  [[nodiscard]] static int count();
  /// The first of them, or 0.
  [[nodiscard]] static int first();

 private:
  static constexpr int signals_[3] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction before_[3];
};

/// "interrupted by the user", "interrupted by SIGTERM"
[[nodiscard]] const char* interrupted_in_words();

}  // namespace mazurka::host
