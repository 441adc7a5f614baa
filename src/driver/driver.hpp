// One exploration, of whatever kind of program.
//
// The front-end hands in what differs: the program (subject.hpp), who looks on (watcher.hpp), and
// what is asked for (plan.hpp). Here is what does not: the search begins anew when something was
// learnt that changes the steps; it is saved and resumed; its limits hold for all that is done; its
// findings are made as short as they can be before they are told.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "driver/explored.hpp"
#include "driver/plan.hpp"
#include "driver/sample.hpp"
#include "driver/search.hpp"
#include "driver/subject.hpp"
#include "driver/watcher.hpp"
#include "explorers/shorten.hpp"

namespace mazurka {

class Driver {
 public:
  Driver(Subject& subject, Watcher& watcher, Plan plan)
      : subject_(subject), watcher_(watcher), plan_(std::move(plan)) {}

  /// Throws ArchiveError if there is nothing to be resumed where the plan says so.
  [[nodiscard]] Explored explore();

  // Afterwards.

  /// What was found out about the size of the search.
  [[nodiscard]] Survey& survey() { return search_->survey(); }

  /// Some of its executions; none if no time is left.
  [[nodiscard]] Sample sample();
  /// At most so many of the first ones, within so many seconds, whatever time is left.
  [[nodiscard]] Sample sample_of(std::uint64_t executions, double seconds);

  /// Each of the findings, as short as it can be made if that is asked for.
  using Tell = std::function<void(const Finding&, const std::optional<Shortened>&)>;
  void tell(const std::vector<Finding>& findings, const Tell& tell);

 private:
  [[nodiscard]] double seconds_left() const;
  [[nodiscard]] std::optional<Shortened> shortened(const Finding& finding, double share);

  Subject& subject_;
  Watcher& watcher_;
  Plan plan_;
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  std::unique_ptr<Search> search_;
};

}  // namespace mazurka
