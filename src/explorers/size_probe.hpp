// How many executions a search will come to: estimated by lots, long before its end.
//
// Idea. Go down a tree once, at each node to a child drawn by lot, and multiply by 1/p for each lot
// of probability p: the product is, on average over all such walks, the number of leaves. The
// average of many walks tends to the truth, and their spread says how near it is.
//
// Source. Knuth: estimating the efficiency of backtrack programs.
//
// Which tree. A reduction that reverses races adds children to a node when their time has come:
// how many there will be is not known on the way down, and what the search itself leaves open on
// its path is far too few for most of its time. But the number of traces does not depend on how
// they are found, and with sleep sets alone each of them is exactly one leaf of a tree whose
// children are known at once: whoever can move and is not asleep. The children are ordered anew in
// every walk; in the one that is drawn those before it are asleep. A walk that ends asleep counts
// nothing, so the average is the number of traces: what optimal, source, dpor and sleep come to.
//
// The spread. Most of that tree ends asleep. So a child is left out if somebody is asleep after it
// whom nobody awake is going to wake, as far as has been seen of what each process may still do:
// all its leaves would count nothing. What remains is drawn with a probability that grows with what
// the process still has to do: processes that all work on one object come to their exact number
// then. If something new is seen of the processes, the walks so far are forgotten. What is left out
// is never seen, so the first walks and some later ones leave out nothing: they only learn.
//
// What is not exact. A sleeping step counts with all that it may do, since it was not performed: a
// compare-exchange that would fail wakes more than it does in the search, and the average is too
// high by that. So there is no estimate for a program in which such an attempt fails. Rounds in
// vain of waiting loops count like executions.
//
// Techniques that explore fewer traces (observers, context) have no estimate of their own: there it
// is a bound from above.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/bit_set.hpp"
#include "core/guide.hpp"
#include "core/program.hpp"
#include "core/run.hpp"

namespace mazurka {

/// The tree that a technique walks through.
struct SearchTree {
  bool reduced = true;            // one execution for each trace
  std::int32_t preemptions = -1;  // most preemptions in one execution; negative: any number
};

struct SizeEstimate {
  double total = 0;         // executions
  double error = 0;         // standard error, relative
  double at_least = 0;      // there are more than so many, but for one time in a hundred
  std::uint64_t walks = 0;  // that it rests on
  bool believable = false;  // the spread is small enough to say so
};

class SizeProbe final : public Guide {
 public:
  SizeProbe(Program& program, SearchTree tree);

  /// One walk: one execution, or more if steps with several outcomes are among them. False: the
  /// program did not do it to its end, and the walk does not count.
  bool walk(const RunLimits& limits);

  [[nodiscard]] SizeEstimate estimate() const;
  /// Of the latest walk: per event, by how many powers of ten its lots multiply. Empty: it was for
  /// learning only.
  [[nodiscard]] const std::vector<double>& branching() const { return branching_; }
  [[nodiscard]] const Execution& execution() const { return execution_; }

  [[nodiscard]] Choice choose(const RunState& run) override;

 private:
  using Processes = Word;  // a bit each
  static constexpr std::size_t most_processes = word_bits;
  static constexpr std::uint64_t walks_to_learn = 1000;

  struct Seen {
    Access access;
    std::uint32_t last = 0;  // the latest step in which it was seen
  };
  struct Process {
    std::vector<Seen> seen;
    std::uint32_t length = 0;  // most events in one execution
  };
  struct Child {
    ProcessId process{};
    double weight = 0;
  };

  [[nodiscard]] double lot(std::uint64_t purpose) const;
  void take_in(const RunState& run);
  [[nodiscard]] Processes still_asleep(const RunState& run, Processes asleep,
                                       const Step& step) const;
  void list_children(const RunState& run);
  void leave_out_what_ends_asleep(const RunState& run);
  [[nodiscard]] Processes who_may_disturb(const RunState& run, const Step& step) const;
  [[nodiscard]] bool somebody_sleeps_on(Processes asleep) const;
  [[nodiscard]] double to_do(const RunState& run, ProcessId process) const;
  bool draw_outcome();
  void learn();
  bool learn(const Step& step, std::uint32_t nth);
  void add(bool counts);

  Program& program_;
  SearchTree tree_;
  ProcessNames names_;
  Execution execution_;
  Run run_;

  // The walk under way.
  std::uint64_t seed_ = 0;
  bool learns_only_ = false;
  std::vector<std::uint16_t> outcomes_;  // drawn so far, per event
  std::size_t known_ = 0;                // events that were taken in
  Processes asleep_ = 0;
  std::int32_t preemptions_ = 0;
  ProcessId last_ = no_process;  // who moved last, and ...
  bool last_can_go_on_ = false;  // ... could go on
  std::vector<Child> children_;
  std::vector<Processes> disturbers_;  // per process that can move or is asleep
  std::vector<double> branching_;

  std::vector<Process> processes_;
  bool too_many_ = false;          // processes
  bool attempts_in_vain_ = false;  // some steps did less than they announced

  // Sums over the walks, of their products, divided by 10^scale_.
  std::uint64_t walks_ = 0;
  double scale_ = 0;
  double sum_ = 0;
  double squares_ = 0;
};

}  // namespace mazurka
