#include "driver/driver.hpp"

#include <algorithm>
#include <limits>

#include "core/check.hpp"

namespace mazurka {

Explored Driver::explore() {
  search_ = std::make_unique<Search>(subject_, watcher_, plan_, begun_, nullptr);
  if (plan_.saving.resume_file.empty()) {
    search_->begin();
  } else {
    search_->resume();
  }
  while (subject_.must_restart() && !subject_.failed()) {
    if (plan_.saving.shared) break;
    subject_.restarted();
    search_ = std::make_unique<Search>(subject_, watcher_, plan_, begun_, search_.get());
    search_->begin();
  }
  Explored explored = search_->explored();
  explored.must_begin_anew = subject_.must_restart() && !subject_.failed();
  MAZURKA_CHECK(
      !explored.complete || explored.stopped == Stop::none || explored.stopped == Stop::finding,
      "a search that was stopped has not seen everything");
  return explored;
}

double Driver::seconds_left() const {
  if (plan_.limits.max_seconds <= 0) return std::numeric_limits<double>::infinity();
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begun_;
  return plan_.limits.max_seconds - passed.count();
}

Sample Driver::sample() {
  if (seconds_left() <= 0) return {};
  Limits limits = plan_.limits;
  limits.stop_when_cut = false;
  if (limits.max_seconds > 0) limits.max_seconds = seconds_left();
  return take_sample(subject_.program(), *plan_.make(), limits);
}

Sample Driver::sample_of(std::uint64_t executions, double seconds) {
  Limits limits = plan_.limits;
  limits.stop_when_cut = false;
  limits.max_executions = executions;
  limits.max_seconds = seconds;
  return take_sample(subject_.program(), *plan_.make(), limits);
}

void Driver::tell(const std::vector<Finding>& findings, const Tell& tell) {
  const double share = 1 / static_cast<double>(findings.size());
  for (const Finding& finding : findings) {
    const std::optional<Shortened> shorter = shortened(finding, share);
    tell(shorter ? shorter->finding : finding, shorter);
  }
}

std::optional<Shortened> Driver::shortened(const Finding& finding, double share) {
  if (!plan_.shortens) return std::nullopt;
  // What kills the process can not be tried again and again.
  const auto& crashing = plan_.crashing;
  if (std::any_of(crashing.begin(), crashing.end(),
                  [&](const auto& one) { return one.message == finding.message; })) {
    return std::nullopt;
  }
  const double seconds = std::min(1.0, seconds_left());
  if (seconds <= 0 || watcher_.wants_end()) return std::nullopt;
  const ShortenBudget budget{.seconds = seconds * share};
  // Of a program that goes on for ever only what is about as long is of interest.
  const std::uint64_t bound =
      std::min<std::uint64_t>(plan_.limits.max_events, finding.schedule.size() * 2 + 1000);
  subject_.keep_knowledge();
  auto result = shorten(subject_.program(), finding, bound, budget);
  if (subject_.must_restart()) {  // what changes the steps: the finding's would be others, too
    subject_.put_back_knowledge();
    return std::nullopt;
  }
  if (result && result->finding.message != finding.message) return std::nullopt;
  return result;
}

}  // namespace mazurka
