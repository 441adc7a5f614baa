// Whether a checkpoint pays, and where: from what taking one, going on from one and performing an
// event again have cost so far.
//
// An execution that repeats many events of the one before can begin at a checkpoint among them.
// Where to have some? Those that come next leave this one near the same event, or some way before
// it, and the further the less often. So one is taken at that event, one a little before, and then
// with twice the distance each time. The least distance is the one at which a checkpoint saves as
// much as it costs.
//
// What does not pay is not done, and so not measured any more. The first measurements are those of
// memory that was never touched before. So there is another chance now and then, ever more seldom.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace mazurka::threads {

/// The average of a cost, in ticks, in which later ones count for more, and so do lower ones: what
/// disturbs a measurement makes it higher.
class Cost {
 public:
  void add(double ticks) {
    const double weight = ticks < value_ ? 0.3 : 0.1;
    value_ = times_ == 0 ? ticks : value_ + weight * (std::min(ticks, 8 * value_ + 1) - value_);
    times_ = std::min(times_ + 1, enough);
  }
  void forget() { times_ = 0; }
  [[nodiscard]] bool known() const { return times_ >= enough; }
  [[nodiscard]] double value() const { return value_; }

 private:
  static constexpr int enough = 4;
  double value_ = 0;
  int times_ = 0;
};

class CheckpointCosts {
 public:
  Cost beginning;  // an execution at the beginning
  Cost going_on;   // at a checkpoint
  Cost taking;     // one checkpoint
  Cost event;      // to perform it again

  void taken() {
    ++taken_;
    if (taken_ + used_ < remembered) return;
    taken_ /= 2;
    used_ /= 2;
  }
  void used() {
    ++used_;
    unused_ = 0;
  }
  /// An execution did not begin at a checkpoint, though it could have been one that does.
  void passed_over() {
    if (++unused_ < patience_) return;
    unused_ = 0;
    patience_ *= 2;
    taken_ = used_ = 0;
    taking.forget();
    going_on.forget();
  }

  /// Whether to begin at a checkpoint that so many events come before.
  [[nodiscard]] bool pays_to_go_on(std::size_t events) const {
    return !going_on.known() || !event.known() ||
           going_on.value() < beginning.value() + static_cast<double>(events) * event.value();
  }
  /// How many events a checkpoint must be away from the next to be worth its cost; for one to be
  /// taken among so many events. As long as that is not known a few of them tell: one among very
  /// many events may cost as much as all of these.
  [[nodiscard]] std::size_t least_distance(std::size_t among) const {
    if (!taking.known() || !event.known()) return std::max<std::size_t>(1, among / 16);
    const double uses = (used_ + few) / (taken_ + few);
    const double events = taking.value() / (uses * std::max(event.value(), 1e-3));
    return events < 1 ? 1 : static_cast<std::size_t>(std::min(events, 1e9));
  }

  /// After which events to take one, the last of them first, for an execution that has `begun`
  /// there and leaves the one before at `left`.
  static void plan(std::size_t begun, std::size_t left, std::size_t distance,
                   std::vector<std::size_t>& places) {
    places.clear();
    for (std::size_t place = left; place >= begun + distance; place -= distance, distance *= 2) {
      places.push_back(place);
    }
  }

 private:
  static constexpr double remembered = 1000;
  static constexpr double few = 4;  // tell nothing yet: some are used later
  double taken_ = 0;
  double used_ = 0;
  std::uint64_t unused_ = 0;  // so many executions in a row were passed over
  std::uint64_t patience_ = 32;
};

}  // namespace mazurka::threads
