#include "driver/survey.hpp"

#include <algorithm>

#include "core/check.hpp"
#include "explorers/table.hpp"

namespace mazurka {

namespace {

constexpr unsigned pauses_per_look = 16;  // at the clock
constexpr double first_turn = 0.5;        // seconds after the beginning: nobody looks before
constexpr double share_of_walks = 0.03;   // of the time of the search
constexpr double good_enough = 0.02;      // relative error

SearchTree tree_of(const Plan& plan) {
  SearchTree tree;
  const Size size = technique_of(plan.technique).size;
  tree.reduced = size != Size::interleavings && size != Size::bounded_interleavings;
  if (size == Size::bounded_interleavings) tree.preemptions = plan.limits.preemption_bound();
  return tree;
}

}  // namespace

Survey::Survey(Subject& subject, Watcher& watcher, const Plan& plan)
    : subject_(subject),
      watcher_(watcher),
      limits_(plan.limits),
      probe_(subject.program(), tree_of(plan)),
      exact_(technique_of(plan.technique).size != Size::unknown),
      given_up_(!plan.surveys || technique_of(plan.technique).is_sample()) {}

bool Survey::walk(std::uint64_t max_events) {
  if (given_up_) return false;
  watcher_.walks(true);
  subject_.keep_knowledge();
  given_up_ = !probe_.walk({max_events, !limits_.keep_going, 0, {}});
  subject_.put_back_knowledge();
  watcher_.walks(false);
  return !given_up_;
}

void Survey::pause(Session& search) {
  if (given_up_ || !exact_ || search.stopped() != Stop::none) return;
  if (++pauses_ % pauses_per_look != 0) return;
  if (search.seconds() < first_turn) return;
  double before = search.seconds();
  while (walking_ < share_of_walks * before && !is_good_enough() && walk(limits_.max_events)) {
    const double after = search.seconds();
    walking_ += after - before;
    before = after;
  }
  tell(search);
}

bool Survey::is_good_enough() const {
  const SizeEstimate estimate = probe_.estimate();
  return estimate.believable && estimate.error <= good_enough;
}

void Survey::tell(Session& search) {
  const SizeEstimate estimate = probe_.estimate();
  const Statistics& counts = search.statistics();
  const auto done =
      static_cast<double>(counts.executions - counts.repeated + counts.in_vain + counts.assumed);
  // What turns out to be wrong is not shown any more.
  constexpr double errors = 3;
  const bool wrong = done > estimate.total * (1 + errors * estimate.error);
  const bool shown = estimate.believable && !given_up_ && !wrong;
  constexpr double nearly_all = 0.99;
  search.estimate(shown ? std::min(done / estimate.total, nearly_all) : 0);
  MAZURKA_CHECK(done >= 0 && estimate.error >= 0,
                "what is done is counted, and an error has no sign");
  const bool more = estimate.at_least > done;
  watcher_.expects(more ? estimate.at_least : 0);
}

}  // namespace mazurka
