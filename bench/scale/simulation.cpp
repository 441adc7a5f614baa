#include "simulation.hpp"

#include <algorithm>
#include <deque>
#include <fstream>
#include <queue>
#include <stdexcept>

namespace mazurka::scale {

namespace {

using Stack = std::vector<std::uint32_t>;

// As in cluster/worker.cpp and cluster/scripts.cpp. Of a pause by lot, the mean.
constexpr double first_pause = 0.010 * 1.5;
constexpr double longest_pause(unsigned workers) { return 1.5 * std::max(0.3, 0.0003 * workers); }
constexpr std::size_t most_parts = 64;
constexpr double slice(unsigned running, bool hungry) {
  return hungry ? std::max(0.15, 0.0005 * running) : std::max(1.0, 0.001 * running);
}

class Simulation {
 public:
  Simulation(const Tree& tree, const Costs& costs, unsigned workers, double slower)
      : tree_(tree),
        costs_(costs),
        workers_(workers),
        slower_(slower),
        longer_((slower - 1) * tree.all_seconds() / static_cast<double>(tree.size())),
        pauses_(workers, first_pause) {}

  Course run() {
    Stack stack{0};
    const double begun = explore(stack, slice(1, true));  // by the watcher
    open(stack);
    for (unsigned worker = 0; worker < workers_; ++worker) {
      events_.push({begun + costs_.round_trip / 2, worker, false});
    }
    course_.seconds = begun;
    while (course_.executions < tree_.size()) {
      const Event event = events_.top();
      events_.pop();
      if (event.finishes) {
        finish(event);
      } else {
        take(event);
      }
    }
    course_.speed_up = slower_ * tree_.all_seconds() / course_.seconds;
    course_.server = busy_ / course_.seconds;
    return course_;
  }

 private:
  struct Event {
    double time;  // when the message is with the server
    unsigned worker;
    bool finishes;
    friend bool operator<(const Event& one, const Event& other) { return one.time > other.time; }
  };

  /// What is left is on the stack. Returns the time that it took.
  double explore(Stack& stack, double limit) {
    double passed = costs_.start;
    const double end = passed + limit;
    while (!stack.empty() && passed < end) {
      const std::uint32_t node = stack.back();
      stack.pop_back();
      tree_.push_children(node, stack);
      passed += tree_.seconds(node) + longer_;
      ++course_.executions;
    }
    return passed;
  }

  void open(const Stack& stack) {
    if (stack.empty()) return;
    const std::size_t idle = workers_ > waiting_.size() ? workers_ - waiting_.size() : 0;
    const std::size_t parts = std::min({stack.size(), most_parts, idle + 1});
    for (std::size_t part = 0; part < parts; ++part) {
      Stack& task = waiting_.emplace_back();
      for (std::size_t at = part; at < stack.size(); at += parts) task.push_back(stack[at]);
    }
    course_.most_waiting = std::max<std::uint64_t>(course_.most_waiting, waiting_.size());
  }

  /// When the server has done what takes it so long, and the answer has arrived.
  double served(double arrived, double cost) {
    free_ = std::max(free_, arrived) + cost;
    busy_ += cost;
    return free_ + costs_.round_trip / 2;
  }

  void take(const Event& event) {
    if (waiting_.empty()) {
      double& pause = pauses_[event.worker];
      const double again = served(event.time, costs_.poll) + pause + costs_.round_trip / 2;
      pause = std::min(pause * 2, longest_pause(workers_));
      events_.push({again, event.worker, false});
      return;
    }
    pauses_[event.worker] = first_pause;
    const bool hungry = 2 * (waiting_.size() - 1) < workers_;
    Stack stack = std::move(waiting_.front());
    waiting_.pop_front();
    ++course_.tasks;
    const double taken = served(event.time, costs_.task / 2);
    const double done = taken + explore(stack, slice(++running_, hungry));
    left_.resize(workers_);
    left_[event.worker] = std::move(stack);
    events_.push({done + costs_.round_trip / 2, event.worker, true});
    course_.seconds = std::max(course_.seconds, done + costs_.round_trip + costs_.task);
  }

  void finish(const Event& event) {
    --running_;
    const double told = served(event.time, costs_.task / 2);
    open(left_[event.worker]);
    events_.push({told + costs_.round_trip / 2, event.worker, false});
  }

  const Tree& tree_;
  const Costs costs_;
  const unsigned workers_;
  const double slower_;
  const double longer_;  // seconds, each execution
  std::vector<double> pauses_;
  std::priority_queue<Event> events_;
  std::deque<Stack> waiting_;
  std::vector<Stack> left_;  // by worker
  double free_ = 0;          // when the server is
  double busy_ = 0;
  unsigned running_ = 0;
  Course course_;
};

}  // namespace

Tree::Tree(const std::string& file) {
  std::ifstream lines(file);
  std::uint32_t children = 0;
  double nanoseconds = 0;
  while (lines >> children >> nanoseconds) {
    children_.push_back(children);
    nanoseconds_.push_back(nanoseconds);
    all_seconds_ += 1e-9 * nanoseconds;
  }
  if (children_.empty()) throw std::runtime_error(file + " has no tasks");
  measure();
}

void Tree::measure() {
  below_.assign(size(), 1);
  for (std::size_t node = size(); node-- > 0;) {
    std::size_t next = node + 1;
    for (std::uint32_t child = 0; child < children_[node]; ++child) {
      if (next >= size()) throw std::runtime_error("a search that did not come to its end");
      below_[node] += below_[next];
      next += below_[next];
    }
  }
  if (below_[0] != size()) throw std::runtime_error("the tasks are not those of one tree");
}

void Tree::push_children(std::uint32_t node, Stack& stack) const {
  const auto from = static_cast<std::ptrdiff_t>(stack.size());
  std::uint32_t next = node + 1;
  for (std::uint32_t child = 0; child < children_[node]; ++child) {
    stack.push_back(next);
    next += below_[next];
  }
  std::reverse(stack.begin() + from, stack.end());
}

Course simulate(const Tree& tree, const Costs& costs, unsigned workers, double slower) {
  return Simulation(tree, costs, workers, slower).run();
}

}  // namespace mazurka::scale
