#include "explorers/stateful/crew.hpp"

#include <chrono>
#include <ctime>
#include <string>
#include <system_error>
#include <utility>

namespace mazurka::stateful {

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds between_looks{5};

}  // namespace

Crew::Crew(const Settings& settings, unsigned threads) : settings_(settings) {
  for (unsigned at = 0; at < threads; ++at) seats_.push_back(std::make_unique<Seat>());
}

Result Crew::run(const std::function<void(unsigned thread)>& work) {
  const Clock::time_point begun = Clock::now();
  const std::clock_t cpu_begun = std::clock();
  std::vector<std::thread> threads;
  start(threads, work);
  look_on();
  for (std::thread& one : threads) one.join();
  look_once();
  if (problem_) std::rethrow_exception(problem_);
  add_up();
  result_.counts.seconds = std::chrono::duration<double>(Clock::now() - begun).count();
  result_.counts.cpu_seconds = static_cast<double>(std::clock() - cpu_begun) / CLOCKS_PER_SEC;
  double measured = 0;
  for (const auto& seat : seats_) measured += seat->measured;
  const double scale = measured > 0 ? result_.counts.seconds / measured : 0;
  result_.counts.first_set_seconds *= scale;
  result_.counts.source_set_seconds *= scale;
  return std::move(result_);
}

void Crew::start(std::vector<std::thread>& threads,
                 const std::function<void(unsigned thread)>& work) {
  Gate gate = Gate::open;
  try {
    threads.reserve(size());
    for (unsigned at = 0; at < size(); ++at) {
      threads.emplace_back([this, at, &work] { work_at(at, work); });
    }
  } catch (const std::system_error&) {
    gate = Gate::called_off;
    fail(std::make_exception_ptr(
        TooManyThreads("the system does not give " + std::to_string(size()) +
                       " threads (--jobs): " + std::to_string(threads.size()) + " could start")));
  }
  at_work_ = static_cast<unsigned>(threads.size());
  gate_ = gate;
  gate_.notify_all();
}

void Crew::work_at(unsigned thread, const std::function<void(unsigned thread)>& work) {
  gate_.wait(Gate::closed);
  try {
    if (gate_ == Gate::open) work(thread);
  } catch (...) {
    fail(std::current_exception());
  }
  const std::lock_guard guard(mutex_);
  --at_work_;
  changed_.notify_one();
}

void Crew::fail(std::exception_ptr problem) {
  const std::lock_guard guard(mutex_);
  if (!problem_) problem_ = std::move(problem);
  over_.store(true, std::memory_order_release);
}

void Crew::look_on() {
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, between_looks, [&] { return at_work_ == 0; })) {
    lock.unlock();
    look_once();
    lock.lock();
  }
}

// The calling thread alone gets here, so whoever is asked and told is asked and told in turn.
void Crew::look_once() {
  bool is_news = false;
  {
    const std::lock_guard guard(mutex_);
    is_news = std::exchange(is_news_, false);
    if (is_news) {
      result_.deadlock = found_.deadlock;
      result_.reached = found_.reached;
    }
  }
  result_.counts.nodes = sum(&Seat::nodes);
  result_.counts.states = sum(&Seat::states);
  result_.counts.edges = sum(&Seat::edges);
  if (is_news && settings_.found) settings_.found(result_);
  if (over() || !settings_.interrupted) return;
  if (settings_.interrupted(result_.counts)) end(End::interrupted);
}

bool Crew::over(unsigned thread, std::uint64_t work) {
  Seat& seat = *seats_[thread];
  seat.nodes.store(seat.counts.nodes, std::memory_order_relaxed);
  seat.states.store(seat.counts.states, std::memory_order_relaxed);
  seat.edges.store(seat.counts.edges, std::memory_order_relaxed);
  seat.work.store(work, std::memory_order_relaxed);
  if (settings_.max_nodes != 0 && sum(&Seat::nodes) >= settings_.max_nodes) end(End::max_nodes);
  if (settings_.max_work != 0 && sum(&Seat::work) >= settings_.max_work) end(End::max_work);
  return over();
}

bool Crew::may_begin(unsigned thread) const {
  return thread == 0 || Clock::now() >= settings_.alone_until;
}

void Crew::wait_for_others(unsigned& times_in_vain) const {
  constexpr unsigned soon = 64;
  if (++times_in_vain < soon && Clock::now() >= settings_.alone_until) {
    std::this_thread::yield();
  } else {
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
}

void Crew::found_deadlock(std::vector<ActionId> path) {
  {
    const std::lock_guard guard(mutex_);
    if (found_.deadlock) return;
    found_.deadlock = std::move(path);
    is_news_ = true;
    has_deadlock_ = true;
  }
  if (settings_.stop_at_finding) end(End::finding);
}

void Crew::found_predicate(std::vector<ActionId> path) {
  {
    const std::lock_guard guard(mutex_);
    if (found_.reached) return;
    found_.reached = std::move(path);
    is_news_ = true;
    has_reached_ = true;
  }
  if (settings_.stop_at_finding) end(End::finding);
}

void Crew::end(End why) {
  const std::lock_guard guard(mutex_);
  if (over_.load(std::memory_order_relaxed)) return;
  found_.end = why;
  over_.store(true, std::memory_order_release);
}

void Crew::add_up() {
  Counts all;
  for (const auto& seat : seats_) {
    const Counts& one = seat->counts;
    for (const auto member :
         {&Counts::nodes, &Counts::states, &Counts::edges, &Counts::subsumed, &Counts::skipped,
          &Counts::terminal, &Counts::deadlocks, &Counts::asleep, &Counts::cut,
          &Counts::first_set_tests, &Counts::source_sets, &Counts::work}) {
      all.*member += one.*member;
    }
    all.first_set_seconds += one.first_set_seconds;
    all.source_set_seconds += one.source_set_seconds;
  }
  all.threads = Clock::now() >= settings_.alone_until ? size() : 1;
  result_.counts = all;
  result_.end = found_.end;
}

std::uint64_t Crew::sum(std::atomic<std::uint64_t> Seat::*what) const {
  std::uint64_t all = 0;
  for (const auto& seat : seats_) all += ((*seat).*what).load(std::memory_order_relaxed);
  return all;
}

}  // namespace mazurka::stateful
