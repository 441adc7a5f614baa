#include "host/interrupts.hpp"

#include <atomic>
#include <iterator>

#include "core/check.hpp"

namespace mazurka::host {

namespace {

// All that a signal handler can do is to note it.
std::atomic<int> interrupts{0};
std::atomic<int> first_signal{0};
static_assert(std::atomic<int>::is_always_lock_free);
std::atomic<int> depth{0};

void note(int signal) {
  int none = 0;
  first_signal.compare_exchange_strong(none, signal, std::memory_order_relaxed);
  interrupts.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace

CountInterrupts::CountInterrupts() {
  if (++depth > 1) return;
  interrupts = 0;
  first_signal = 0;
  struct sigaction action {};
  action.sa_handler = note;
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < std::size(signals_); ++i) {
    sigaction(signals_[i], nullptr, &before_[i]);
    // Under nohup a terminal that is closed must not matter.
    const bool ignored = signals_[i] == SIGHUP && before_[i].sa_handler == SIG_IGN;
    if (!ignored) sigaction(signals_[i], &action, nullptr);
  }
}

CountInterrupts::~CountInterrupts() {
  const int left = --depth;
  MAZURKA_CHECK(left >= 0, "who counts interrupts ends as often as it begins");
  if (left > 0) return;
  for (std::size_t i = 0; i < std::size(signals_); ++i) {
    sigaction(signals_[i], &before_[i], nullptr);
  }
}

int CountInterrupts::count() { return interrupts.load(std::memory_order_relaxed); }
int CountInterrupts::first() { return first_signal.load(std::memory_order_relaxed); }

const char* interrupted_in_words() {
  switch (CountInterrupts::first()) {
    case SIGTERM: return "interrupted by SIGTERM";
    case SIGHUP: return "interrupted by SIGHUP";
    default: return "interrupted by the user";
  }
}

}  // namespace mazurka::host
