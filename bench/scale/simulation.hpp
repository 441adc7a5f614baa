// A search by many workers, replayed from what each of its tasks took when one process did it.
//
// What workers do between two messages, and what the server does with each message, is what
// src/cluster does: slices, parts, pauses. Only time is simulated: that of executions was measured,
// that of the rest is given.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mazurka::scale {

/// The tree of executions, as one process performs it: the first child to be performed is the next
/// node, its siblings follow after all that is below it.
class Tree {
 public:
  /// Reads what `mazurka check --measure-tasks` has written. Throws std::runtime_error.
  explicit Tree(const std::string& file);

  [[nodiscard]] std::size_t size() const { return nanoseconds_.size(); }
  [[nodiscard]] double seconds(std::uint32_t node) const { return 1e-9 * nanoseconds_[node]; }
  [[nodiscard]] double all_seconds() const { return all_seconds_; }
  /// Puts the children of a node on the stack; the last one is performed next.
  void push_children(std::uint32_t node, std::vector<std::uint32_t>& stack) const;

 private:
  void measure();

  std::vector<std::uint32_t> children_;
  std::vector<std::uint32_t> below_;  // with the node itself
  std::vector<double> nanoseconds_;
  double all_seconds_ = 0;
};

/// Seconds.
struct Costs {
  double start = 0;       // of a process
  double poll = 0;        // the server's, for somebody who finds nothing to do
  double task = 0;        // the server's, for a task: taken and finished
  double round_trip = 0;  // of a message, without the server
};

struct Course {
  double seconds = 0;
  double speed_up = 0;
  double server = 0;  // how much of the time it was at work
  std::uint64_t tasks = 0;
  std::uint64_t most_waiting = 0;
  std::uint64_t executions = 0;
};

/// `slower`: so many times longer takes the whole; each execution by the same time, as pauses of
/// the machine on which it was measured would not grow.
[[nodiscard]] Course simulate(const Tree& tree, const Costs& costs, unsigned workers,
                              double slower);

}  // namespace mazurka::scale
