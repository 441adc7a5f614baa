#include "driver/search.hpp"

#include <cstring>

#include "core/check.hpp"
#include "explorers/table.hpp"

namespace mazurka {

Search::Search(Subject& subject, Watcher& watcher, const Plan& plan,
               std::chrono::steady_clock::time_point begun, const Search* given_up)
    : subject_(subject),
      watcher_(watcher),
      plan_(plan),
      session_(subject.program(), plan.limits),
      explorer_(plan.make()),
      saver_(plan, watcher, subject.program(), session_, *explorer_),
      hunt_(subject, watcher, plan),
      survey_(subject, watcher, plan) {
  if (given_up != nullptr) session_.begin_again_after(given_up->session_);
  session_.began(begun);
  session_.crashing = plan.crashing;
  if (plan.tree != nullptr) plan.tree->begin();
  watch();
}

void Search::watch() {
  session_.on_execution = [this](const Execution& execution) {
    watcher_.performed(session_, execution);
    subject_.performed(session_, execution);
    if (plan_.tree != nullptr) plan_.tree->add(session_, execution);
    if (watcher_.wants_end() || is_void()) session_.interrupt();
  };
  session_.on_pause = [this] {
    if (!plan_.task_log.empty()) tasks_.note(explorer_->rest().tasks);
    if (plan_.hunts) hunt_.pause(session_);
    survey_.pause(session_);
    saver_.pause();
    watcher_.paused(session_);
    if (watcher_.wants_end()) session_.interrupt();
  };
}

void Search::begin() { end(explorer_->explore(session_)); }

void Search::resume() { end(saver_.resume()); }

void Search::end(bool complete) {
  MAZURKA_CHECK(!complete || session_.statistics().begun() > 0 || session_.network() != nullptr ||
                    !plan_.saving.resume_file.empty(),
                "everything was seen only if something was");
  complete_ = complete;
  if (!plan_.task_log.empty()) write_task_log();
  if (session_.stopped() != Stop::cut || is_void()) return;
  hunt_.instead(session_.seconds());
  for (const Finding& finding : hunt_.findings()) session_.adopt(finding);
}

void Search::write_task_log() {
  if (complete_) tasks_.note(0);  // there was no pause after the last one
  task_log_failure_ = tasks_.write(*plan_.make_file(plan_.task_log));
}

Explored Search::explored() {
  session_.settle_earlier_findings();
  Rest rest = explorer_->rest();
  MAZURKA_CHECK(!complete_ || rest.tasks == 0, "a search that is complete leaves nothing");
  if (complete_ || !saver_.has_saved_the_end()) rest.tasks = 0;
  return {.complete = complete_,
          .stopped = session_.stopped(),
          .statistics = session_.statistics(),
          .rest = rest,
          .seconds = session_.seconds_in_all(),
          .refusal = session_.refusal(),
          .divergence = session_.divergence(),
          .findings = session_.findings(),
          .notes = notes()};
}

std::vector<std::string> Search::notes() const {
  std::vector<std::string> notes;
  if (const std::string account = hunt_.account(); !account.empty()) {
    const bool found = !hunt_.findings().empty();
    notes.push_back("beside the search, " + account +
                    (found ? ": that is how the finding was made" : ""));
  }
  const Stop stopped = session_.stopped();
  // A sample has no end to come to: the search can as well go on with another seed.
  const bool has_an_end = !technique_of(plan_.technique).is_sample();
  const bool of_technique = subject_.program().resumable() && !explorer_->resumable();
  if (of_technique && could_go_on(stopped) && has_an_end) {
    notes.push_back("the technique " + plan_.technique +
                    " can not save its exploration: there is nothing to --resume");
  }
  if (task_log_failure_ != 0) {
    notes.push_back("what tasks took could not be written to " + plan_.task_log + ": " +
                    std::strerror(task_log_failure_));
  }
  if (saver_.failure() != 0 && (could_go_on(stopped) || stopped == Stop::cut)) {
    notes.push_back("the exploration could not be saved to " + plan_.saving.file + ": " +
                    std::strerror(saver_.failure()));
  }
  return notes;
}

}  // namespace mazurka
