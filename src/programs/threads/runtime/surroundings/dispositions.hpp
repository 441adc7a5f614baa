// What the program under test has decided about signals.
//
// No signal ever comes but those that the program sends to itself: one without a handler ends it,
// as it would anywhere, and one with a handler is a call of that.
#pragma once

#include <signal.h>

#include <array>
#include <cstdint>
#include <cstring>

namespace mazurka::threads {

class Dispositions {
 public:
  enum class Effect { none, kills, calls, stops };

  [[nodiscard]] static bool exists(long signal) { return signal > 0 && signal < NSIG; }

  /// Sets of signals, as the kernel has them.
  using Mask = std::uint64_t;
  [[nodiscard]] static bool is_in(Mask mask, int signal) {
    return signal != SIGKILL && signal != SIGSTOP && (mask >> (signal - 1) & 1U) != 0;
  }

  /// What is blocked besides while the handler runs.
  [[nodiscard]] static Mask blocked_during(const struct sigaction& action, int signal) {
    Mask mask = 0;
    std::memcpy(&mask, &action.sa_mask, sizeof mask);  // the rest of it is not used
    if ((action.sa_flags & SA_NODEFER) == 0) mask |= Mask{1} << (signal - 1);
    return mask;
  }

  [[nodiscard]] const struct sigaction& of(int signal) const {
    return actions_[static_cast<std::size_t>(signal)];
  }
  void set(int signal, const struct sigaction& action) {
    changed_ = true;
    actions_[static_cast<std::size_t>(signal)] = action;
  }

  [[nodiscard]] Effect effect(int signal) const {
    if (signal == SIGKILL) return Effect::kills;
    if (signal == SIGSTOP) return Effect::stops;
    if (of(signal).sa_handler == SIG_IGN) return Effect::none;
    if (of(signal).sa_handler != SIG_DFL) return Effect::calls;
    switch (signal) {
      case SIGCHLD:
      case SIGCONT:
      case SIGURG:
      case SIGWINCH: return Effect::none;
      case SIGTSTP:
      case SIGTTIN:
      case SIGTTOU: return Effect::stops;
      default: return Effect::kills;
    }
  }

  [[nodiscard]] bool changed() const { return changed_; }
  /// Whether the program has, or had, decided anything.
  [[nodiscard]] bool any() const { return changed_ || kept_; }
  void reset() {
    if (changed_) actions_ = initial_;
    changed_ = false;
  }
  /// From now on they are reset to what they are now.
  void keep() {
    kept_ = any();
    initial_ = actions_;
    changed_ = false;
  }

 private:
  std::array<struct sigaction, NSIG> actions_{};
  std::array<struct sigaction, NSIG> initial_{};
  bool kept_ = false;
  bool changed_ = false;
};

}  // namespace mazurka::threads
