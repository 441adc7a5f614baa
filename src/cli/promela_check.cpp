#include "cli/promela_check.hpp"

#include "cli/promela_story.hpp"
#include "programs/promela/reach.hpp"
#include "report/layout.hpp"

namespace mazurka::cli {

namespace {

std::string why_cut(const AutomataRequest& request, const promela::Result& found, Halt halt) {
  using End = promela::Result::End;
  switch (found.end) {
    case End::complete: break;
    case End::problem: return "the search stopped at a finding";
    case End::max_states: return "--max-nodes is reached";
    case End::interrupted: return why(halt);
  }
  if (found.counts.cut == 0) return {};
  return report::counted(found.counts.cut, "path") + " reached --max-events " +
         std::to_string(request.max_depth) + " and " + (found.counts.cut == 1 ? "was" : "were") +
         " cut";
}

stateful::Counts counts_of(const promela::Counts& found) {
  stateful::Counts counts;
  counts.nodes = counts.states = found.states;
  counts.edges = found.transitions;
  counts.terminal = found.terminal;
  counts.deadlocks = found.invalid;
  counts.cut = found.cut;
  counts.bytes = found.bytes;
  counts.seconds = found.seconds;
  counts.cpu_seconds = found.cpu_seconds;
  return counts;
}

FindingReport told(const promela::Model& model, const promela::Problem& problem) {
  FindingReport report;
  Finding& finding = report.finding;
  if (problem.kind == promela::Problem::Kind::assertion) {
    finding.kind = FindingKind::assertion;
    finding.message = problem.message;
    finding.key = model.where(problem.place) + " " + problem.message;
  } else {
    finding.kind = FindingKind::deadlock;
    finding.message = "nobody can move, and not every process is at an end";
    finding.key = finding.message;
  }
  report.story = tell_promela(model, problem);
  return report;
}

promela::Settings settings_of(const AutomataRequest& request, SoFar& so_far) {
  promela::Settings settings;
  settings.keep_going = request.limits.keep_going;
  settings.allow_invalid_end = request.allow_deadlock;
  settings.max_states = request.max_nodes;
  settings.max_depth = request.max_depth;
  settings.interrupted = [&so_far](const promela::Counts& counts) {
    so_far.nodes = counts.states;
    so_far.states = counts.states;
    so_far.edges = counts.transitions;
    return so_far.halt != Halt::none;
  };
  return settings;
}

}  // namespace

bool is_promela(const std::string& program) {
  return program.ends_with(".pml") || program.ends_with(".promela");
}

AutomataOutcome check_promela(const AutomataRequest& request, SoFar& so_far) {
  so_far.stage = "the model was being read";
  const promela::Model model = promela::load_model(request.file);
  so_far.stage = "";
  const promela::Result found = promela::reach(model, settings_of(request, so_far));
  AutomataOutcome result;
  result.stateful = true;
  result.variant = "reach";
  result.order = "declared";
  result.counts = counts_of(found.counts);
  Outcome& outcome = result.outcome;
  outcome.program = request.file;
  outcome.technique = "stateful reach";
  outcome.explored = explored_text(result.counts);
  outcome.seconds = found.counts.seconds;
  for (const promela::Problem& problem : found.problems) {
    outcome.findings.push_back(told(model, problem));
  }
  judge(result, why_cut(request, found, so_far.halt), request.limits.keep_going);
  return result;
}

}  // namespace mazurka::cli
