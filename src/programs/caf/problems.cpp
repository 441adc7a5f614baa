// What is wrong with an execution of a CAF program, in the step or at its end, and how it is told.
#include <string>
#include <utility>
#include <vector>

#include "programs/caf/caf_program.hpp"

namespace mazurka::caf {

void CafProgram::report_problems(ProcessId process) {
  std::vector<Problem> problems = std::exchange(traffic_.problems(), {});
  for (Problem& problem : problems) {
    failed_ = true;
    if (process == no_process) {
      run_->report(process, problem.kind, std::move(problem.message), std::move(problem.key));
    } else {
      run_->fail(process, problem.kind, std::move(problem.message), std::move(problem.key));
    }
  }
}

// Nothing is left, and nothing will come: what still waits does so for ever. One thing is told,
// that which says most.
void CafProgram::end_of_all() {
  run_->excuse_waiting();
  const auto report = [this](FindingKind kind, const std::string& message, const std::string& key) {
    run_->report(no_process, kind, message, key);
  };
  const Problem open = rules_.allow_unanswered ? Problem{} : open_requests();
  if (!open.message.empty()) {
    report(FindingKind::deadlock, open.message, open.key);
    return;
  }
  if (main_waits_) {
    const std::string message = "caf_main waits for a message that never comes";
    report(FindingKind::deadlock, message, message);
    return;
  }
  const std::vector<std::string> left =
      rules_.forbid_left ? system_.left() : std::vector<std::string>();
  if (!left.empty()) {
    report(FindingKind::orphan, left.front() + " is skipped for ever", left.front());
    return;
  }
  if (rules_.allow_running || !main_ended_) return;
  std::string names;
  for (const std::uint32_t actor : system_.running()) {
    names += (names.empty() ? "" : ", ") + system_.name_of(actor);
  }
  if (names.empty()) return;
  report(
      FindingKind::deadlock,
      "the program does not end: it waits for " + names + ", which somebody holds and nobody ends",
      "does not end: " + names);
}

Problem CafProgram::open_requests() const {
  Problem problem{FindingKind::deadlock, "", "no response"};
  for (const OpenRequest& request : traffic_.requests()) {
    // An actor that ends by itself gives its requests up. One that nobody holds has not: what would
    // answer it (a message, a promise, a timeout) would hold it.
    const Actor& requester = traffic_.actors()[request.requester];
    if (requester.ended && !requester.unreachable) continue;
    const Mail& mail = traffic_[request.mail];
    const std::string label = system_.label(request.mail);
    const std::string who = system_.name_of(request.requester) + " waits for " +
                            system_.name_of(mail.receiver) + " to answer";
    problem.key += "; " + who;
    problem.message += (problem.message.empty() ? "no response: " : "; ") + who +
                       (label.empty() ? "" : " " + label);
  }
  return problem;
}

void CafProgram::keep_words() {
  told_ = {};
  for (std::uint32_t at = 0; at < traffic_.size(); ++at) {
    told_.mails.push_back(traffic_[at]);
    told_.labels.push_back(traffic_[at].idle ? "nothing else is left" : system_.label(at));
  }
  for (std::uint32_t at = 0; at < traffic_.actors().size(); ++at) {
    told_.names.push_back(system_.name_of(at));
  }
  told_.history = traffic_.history();
  for (const std::string& message : system_.left()) {
    told_.endings.push_back(message + " is skipped");
  }
}

}  // namespace mazurka::caf
