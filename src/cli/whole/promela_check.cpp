#include "cli/whole/promela_check.hpp"

#include "cli/whole/promela_story.hpp"
#include "explorers/stateful/portfolio.hpp"
#include "programs/promela/schedule.hpp"
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

/// A counter-example that can not be put into decisions is one still.
FindingReport told(const promela::Model& model, const promela::Problem& problem) {
  FindingReport report = told_problem(model, problem);
  try {
    report.finding.schedule = promela::schedule_of(model, problem);
  } catch (const NetworkError&) {
    report.finding.schedule.clear();
  }
  return report;
}

promela::Settings settings_of(const AutomataRequest& request, SoFar& so_far) {
  promela::Settings settings;
  settings.keep_going = request.limits.keep_going;
  settings.allow_invalid_end = request.allow_deadlock;
  settings.local_first = request.variant == local_first;
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

AutomataOutcome told_states(const AutomataRequest& request, const promela::Model& model,
                            const promela::Result& found, const SoFar& so_far, bool reduced) {
  AutomataOutcome result;
  result.stateful = true;
  result.variant = reduced ? local_first : "reach";
  result.order = "declared";
  result.counts = counts_of(found.counts);
  for (const promela::Problem& problem : found.problems) {
    result.outcome.findings.push_back(told(model, problem));
  }
  tell_search(request, why_cut(request, found, so_far.halt), result);
  return result;
}

// --- reduced, as a network of automata

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

AutomataOutcome told_network(const AutomataRequest& request, const promela::Model& model,
                             const promela::Translation& translation,
                             const stateful::PortfolioResult& found, const SoFar& so_far) {
  AutomataOutcome result;
  result.stateful = true;
  result.variant = found.entry.variant->name;
  result.order = stateful::order_name(found.entry);
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
      "reduced, as a network of automata: the nodes are fewer than SPIN's states");
  tell_search(request, why_cut(request, found.result, so_far.halt), result);
  return result;
}

promela::Translation translated(const promela::Model& model, SoFar& so_far) {
  so_far.stage = "the model was being translated";
  promela::Translation translation =
      promela::translate(model, [&so_far] { return so_far.halt != Halt::none; });
  so_far.stage = "";
  return translation;
}

AutomataOutcome check_variant(const AutomataRequest& request, const promela::Model& model,
                              SoFar& so_far) {
  try {
    const promela::Translation translation = translated(model, so_far);
    stateful::Settings settings = network_settings(request, translation, so_far);
    stateful::PortfolioResult found;
    found.entry = *stateful::find_entry(request.variant, request.order);
    settings.variant = *found.entry.variant;
    settings.exploration = found.entry.exploration;
    found.result = stateful::search(
        stateful::System(translation.network, found.entry.order, request.seed), settings);
    return told_network(request, model, translation, found, so_far);
  } catch (const promela::NotTranslated& refusal) {
    throw NetworkError(request.file + ": --variant " + request.variant +
                       " needs a network of automata, and the model can not be one: " +
                       refusal.what() + "; use --variant reach");
  }
}

// --- one after the other

/// All states, and the reductions, each with a budget that grows until one of them finishes. Which
/// is faster can not be known before: a reduction pays if it leaves out much.
class InTurn {
 public:
  InTurn(const AutomataRequest& request, const promela::Model& model, SoFar& so_far)
      : request_(request), model_(model), so_far_(so_far) {}

  AutomataOutcome run() {
    std::uint64_t states = 200'000;
    std::uint64_t work = 2'000'000;
    constexpr std::uint64_t growth = 8;
    if (all_states(states, false)) return std::move(result_);
    try {
      const promela::Translation translation = translated(model_, so_far_);
      while (true) {
        if (reduced(translation, work)) return std::move(result_);
        states *= growth;
        work *= growth;
        if (all_states(states, false)) return std::move(result_);
      }
    } catch (const promela::NotTranslated& refusal) {
      all_states(0, true);
      result_.outcome.notes.push_back(
          std::string("reduced by local steps only, since the model can not be a network: ") +
          refusal.what());
      return std::move(result_);
    }
  }

 private:
  /// Whether that was the end of it.
  bool all_states(std::uint64_t budget, bool reduced) {
    promela::Settings settings = settings_of(request_, so_far_);
    settings.local_first = reduced;
    const bool limited = budget != 0 && (request_.max_nodes == 0 || budget < request_.max_nodes);
    if (limited) settings.max_states = budget;
    const promela::Result found = promela::reach(model_, settings);
    if (limited && found.end == promela::Result::End::max_states) return false;
    result_ = told_states(request_, model_, found, so_far_, reduced);
    return true;
  }

  bool reduced(const promela::Translation& translation, std::uint64_t budget) {
    stateful::Settings settings = network_settings(request_, translation, so_far_);
    settings.max_work = budget;
    for (const stateful::Entry& entry : stateful::portfolio()) {
      settings.variant = *entry.variant;
      stateful::PortfolioResult found;
      found.entry = entry;
      found.result = stateful::search(stateful::System(translation.network, entry.order), settings);
      found.nodes_in_vain = in_vain_;
      in_vain_ += found.result.counts.nodes;
      if (found.result.end == stateful::End::max_work) continue;
      result_ = told_network(request_, model_, translation, found, so_far_);
      return true;
    }
    return false;
  }

  const AutomataRequest& request_;
  const promela::Model& model_;
  SoFar& so_far_;
  AutomataOutcome result_;
  std::uint64_t in_vain_ = 0;
};

}  // namespace

FindingReport told_problem(const promela::Model& model, const promela::Problem& problem) {
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

AutomataOutcome check_promela(const AutomataRequest& request, SoFar& so_far) {
  so_far.stage = "the model was being read";
  const promela::Model model = promela::load_model(request.file);
  so_far.stage = "";
  if (request.variant == "auto") return InTurn(request, model, so_far).run();
  const bool reduced = request.variant == local_first;
  if (request.variant != "reach" && !reduced) return check_variant(request, model, so_far);
  const promela::Result found = promela::reach(model, settings_of(request, so_far));
  return told_states(request, model, found, so_far, reduced);
}

}  // namespace mazurka::cli
