// The threads of one search: they are started, watched, told to stop, and what they have counted is
// added up.
//
// The thread that has called for the search does not explore. It asks whether the search is to stop
// and tells what was found, so those who are asked and told need not know of threads. The first
// thread begins at once; the others wait until the search has turned out not to be a short one.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "explorers/stateful/search.hpp"

namespace mazurka::stateful {

/// The system does not give so many.
class TooManyThreads : public NetworkError {
 public:
  using NetworkError::NetworkError;
};

class Crew {
 public:
  Crew(const Settings& settings, unsigned threads);

  /// Has `work` done by every thread, or by none: throws TooManyThreads.
  [[nodiscard]] Result run(const std::function<void(unsigned thread)>& work);

  // --- for the threads

  [[nodiscard]] unsigned size() const { return static_cast<unsigned>(seats_.size()); }
  [[nodiscard]] Counts& counts(unsigned thread) { return seats_[thread]->counts; }
  /// What Counts::first_set_seconds and the like are a part of, so far.
  void measured(unsigned thread, double seconds) { seats_[thread]->measured = seconds; }
  /// Once per round: the thread tells what it has come to.
  [[nodiscard]] bool over(unsigned thread, std::uint64_t work);
  [[nodiscard]] bool over() const { return over_.load(std::memory_order_acquire); }
  /// Something went wrong that ends the search; thrown again by run(). The first one counts.
  void fail(std::exception_ptr problem);
  [[nodiscard]] bool may_begin(unsigned thread) const;
  void wait_for_others(unsigned& times_in_vain) const;

  [[nodiscard]] bool has_deadlock() const { return has_deadlock_.load(std::memory_order_relaxed); }
  [[nodiscard]] bool has_reached() const { return has_reached_.load(std::memory_order_relaxed); }
  /// The first one counts.
  void found_deadlock(std::vector<ActionId> path);
  void found_predicate(std::vector<ActionId> path);

 private:
  struct alignas(64) Seat {
    Counts counts;  // the thread's own
    double measured = 0;
    std::atomic<std::uint64_t> nodes{0};
    std::atomic<std::uint64_t> states{0};
    std::atomic<std::uint64_t> edges{0};
    std::atomic<std::uint64_t> work{0};
  };

  enum class Gate : std::uint8_t { closed, open, called_off };

  void start(std::vector<std::thread>& threads, const std::function<void(unsigned thread)>& work);
  void work_at(unsigned thread, const std::function<void(unsigned thread)>& work);
  void look_on();
  void look_once();
  void end(End why);
  void add_up();
  [[nodiscard]] std::uint64_t sum(std::atomic<std::uint64_t> Seat::*what) const;

  const Settings& settings_;
  std::vector<std::unique_ptr<Seat>> seats_;
  std::atomic<Gate> gate_{Gate::closed};  // nobody begins before all are there
  std::atomic<bool> over_{false};
  std::atomic<bool> has_deadlock_{false};
  std::atomic<bool> has_reached_{false};

  std::mutex mutex_;
  std::condition_variable changed_;
  unsigned at_work_ = 0;
  bool is_news_ = false;
  Result found_;  // what has not been told
  std::exception_ptr problem_;

  Result result_;  // of the thread that looks on
};

}  // namespace mazurka::stateful
