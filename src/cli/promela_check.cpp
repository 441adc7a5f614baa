#include "cli/promela_check.hpp"

#include "cli/promela_story.hpp"
#include "explorers/stateful/portfolio.hpp"
#include "programs/promela/translation.hpp"
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

void tell_search(const AutomataRequest& request, const std::string& cut_by,
                 AutomataOutcome& result) {
  Outcome& outcome = result.outcome;
  outcome.program = request.file;
  outcome.technique =
      "stateful " + result.variant + (result.order == "declared" ? "" : ", order " + result.order);
  outcome.explored = explored_text(result.counts);
  outcome.seconds = result.counts.seconds;
  judge(result, cut_by, request.limits.keep_going);
}

// --- all states

AutomataOutcome check_all_states(const AutomataRequest& request, const promela::Model& model,
                                 SoFar& so_far) {
  const promela::Result found = promela::reach(model, settings_of(request, so_far));
  AutomataOutcome result;
  result.stateful = true;
  result.variant = "reach";
  result.order = "declared";
  result.counts = counts_of(found.counts);
  for (const promela::Problem& problem : found.problems) {
    result.outcome.findings.push_back(told(model, problem));
  }
  tell_search(request, why_cut(request, found, so_far.halt), result);
  return result;
}

// --- reduced, as a network of automata

std::string why_cut(const AutomataRequest& request, const stateful::Result& found, Halt halt) {
  switch (found.end) {
    case stateful::End::complete: break;
    case stateful::End::finding: return "the search stopped at a finding";
    case stateful::End::max_nodes: return "--max-nodes is reached";
    default: return why(halt);
  }
  return found.counts.cut == 0
             ? ""
             : "--max-events " + std::to_string(request.max_depth) + " is reached";
}

stateful::Settings network_settings(const AutomataRequest& request,
                                    const promela::Translation& translation, SoFar& so_far) {
  stateful::Settings settings;
  settings.max_nodes = request.max_nodes;
  settings.max_depth = request.max_depth;
  settings.stop_at_finding = !request.limits.keep_going && !request.allow_deadlock;
  settings.predicate = translation.failed.empty() ? nullptr : &translation.failed;
  settings.interrupted = [&so_far](const stateful::Counts& counts) {
    so_far.nodes = counts.nodes;
    so_far.states = counts.states;
    so_far.edges = counts.edges;
    return so_far.halt != Halt::none;
  };
  return settings;
}

AutomataOutcome check_network_of(const AutomataRequest& request, const promela::Model& model,
                                 const promela::Translation& translation, SoFar& so_far) {
  stateful::Settings settings = network_settings(request, translation, so_far);
  stateful::PortfolioResult found;
  if (request.variant == "auto") {
    found = stateful::search_portfolio(translation.network, settings);
  } else {
    found.entry = {stateful::find_variant(request.variant), *stateful::find_order(request.order)};
    settings.variant = *found.entry.variant;
    found.result = stateful::search(
        stateful::System(translation.network, found.entry.order, request.seed), settings);
  }
  AutomataOutcome result;
  result.stateful = true;
  result.variant = found.entry.variant->name;
  result.order = stateful::name(found.entry.order);
  result.counts = found.result.counts;
  result.nodes_in_vain = found.nodes_in_vain;
  using Kind = promela::Problem::Kind;
  const auto add = [&](const std::vector<ActionId>& path, Kind kind) {
    result.outcome.findings.push_back(told(model, promela::replay(model, translation, path, kind)));
  };
  if (found.result.reached) add(*found.result.reached, Kind::assertion);
  if (found.result.deadlock && !request.allow_deadlock) {
    add(*found.result.deadlock, Kind::invalid_end);
  }
  result.outcome.notes.emplace_back(
      "reduced, as a network of automata: states are not those of SPIN");
  tell_search(request, why_cut(request, found.result, so_far.halt), result);
  return result;
}

}  // namespace

bool is_promela(const std::string& program) {
  return program.ends_with(".pml") || program.ends_with(".promela");
}

AutomataOutcome check_promela(const AutomataRequest& request, SoFar& so_far) {
  so_far.stage = "the model was being read";
  const promela::Model model = promela::load_model(request.file);
  std::string reason;
  if (request.variant != "reach") {
    so_far.stage = "the model was being translated";
    try {
      const promela::Translation translation =
          promela::translate(model, [&so_far] { return so_far.halt != Halt::none; });
      so_far.stage = "";
      return check_network_of(request, model, translation, so_far);
    } catch (const promela::NotTranslated& refusal) {
      reason = refusal.what();
    }
    if (request.variant != "auto") {
      throw NetworkError(request.file + ": --variant " + request.variant +
                         " needs a network of automata, and the model can not be one: " + reason +
                         "; use --variant reach");
    }
  }
  so_far.stage = "";
  AutomataOutcome result = check_all_states(request, model, so_far);
  if (!reason.empty()) {
    result.outcome.notes.push_back("all states, without reduction: " + reason);
  }
  return result;
}

}  // namespace mazurka::cli
