#include "driver/hunt.hpp"

#include <algorithm>
#include <memory>

#include "core/check.hpp"
#include "core/explorer.hpp"
#include "explorers/table.hpp"

namespace mazurka {

namespace {

constexpr double share_of_turns = 0.1;    // of the time that the search has taken so far
constexpr double usual_seconds = 5;       // instead of the search
constexpr double share_of_samples = 0.3;  // of those
constexpr std::uint64_t walk_events = 2'000;
constexpr std::uint64_t first_depth = 8;

}  // namespace

bool Hunt::over() const { return !findings_.empty() || subject_.failed() || watcher_.wants_end(); }

bool Hunt::explore(const char* technique, const Limits& limits) {
  Session session(subject_.program(), limits);
  session.crashing = plan_.crashing;
  session.on_execution = [&](const Execution&) {
    watcher_.performed_beside();
    if (over() || subject_.must_restart()) session.interrupt();
  };
  const TechniqueRequest request = parse_technique(technique);
  MAZURKA_CHECK(request.technique != nullptr, "the techniques of a hunt are in the table");
  const bool complete = request.make()->explore(session);
  if (session.stopped() == Stop::diverged) return false;  // the search will come to it, and tell
  findings_.insert(findings_.end(), session.findings().begin(), session.findings().end());
  if (limits.max_events == walk_events) {
    walks_ += session.statistics().executions;
    longest_walk_ = std::max(longest_walk_, session.statistics().deepest);
  }
  return complete && session.stopped() == Stop::none;
}

void Hunt::sample(double seconds) {
  if (seconds <= 0) return;
  for (const char* technique : {"random", "pct"}) {
    if (over() || subject_.must_restart()) return;
    Limits limits;
    limits.max_seconds = seconds / 2;
    limits.max_events = walk_events;
    limits.seed = ++seed_;
    explore(technique, limits);
  }
}

void Hunt::deepen(double seconds) {
  Limits limits;
  limits.max_events = first_depth;
  const auto begun = std::chrono::steady_clock::now();
  while (!over() && !subject_.must_restart()) {
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begun;
    limits.max_seconds = seconds - passed.count();
    if (limits.max_seconds <= 0 || !explore("sleep", limits)) return;
    all_up_to_ = limits.max_events;
    limits.max_events *= 2;
  }
}

void Hunt::pause(Session& search) {
  const double now = search.seconds();
  if (now < next_turn_ || search.stopped() != Stop::none || over()) return;
  next_turn_ = now * 2;
  const double limit = plan_.limits.max_seconds;
  const double seconds = std::min(now * share_of_turns, limit > 0 ? limit - now : now);
  subject_.keep_knowledge();
  perform_for_good(subject_, [&] { sample(seconds); });
  if (findings_.empty()) subject_.put_back_knowledge();  // else it belongs to the finding
  for (const Finding& finding : findings_) search.adopt(finding);
}

void Hunt::instead(double seconds_so_far) {
  double seconds = usual_seconds;
  if (plan_.limits.max_seconds > 0) seconds = plan_.limits.max_seconds - seconds_so_far;
  if (seconds <= 0) return;
  sample(seconds * share_of_samples);
  deepen(seconds * (1 - share_of_samples));
}

std::string Hunt::account() const {
  std::string text;
  if (all_up_to_) {
    text = "all schedules of up to " + std::to_string(*all_up_to_) + " events were explored";
  }
  if (walks_ == 0) return text;
  return text + (text.empty() ? "" : ", and ") + std::to_string(walks_) +
         (walks_ == 1 ? " random execution" : " random executions") + " of up to " +
         std::to_string(longest_walk_) + " events " + (walks_ == 1 ? "was" : "were") + " performed";
}

}  // namespace mazurka
