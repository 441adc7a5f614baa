#include "cli/automata_check.hpp"

#include <sys/resource.h>

#include <utility>

#include "cli/automata_story.hpp"
#include "explorers/stateful/portfolio.hpp"
#include "explorers/table.hpp"
#include "programs/automata/automata_program.hpp"
#include "programs/automata/document.hpp"
#include "programs/threads/host/files.hpp"
#include "report/layout.hpp"

namespace mazurka::cli {

namespace {

using report::grouped;

void add_finding(Outcome& outcome, const Network& network, FindingKind kind,
                 const std::string& message, const std::vector<ActionId>& path) {
  FindingReport report;
  report.finding.kind = kind;
  report.finding.message = message;
  report.finding.key = message;
  report.story = tell_run(network, path, kind == FindingKind::deadlock);
  outcome.findings.push_back(std::move(report));
}

// --- verdicts
// ---------------------------------------------------------------------------------------

/// `cut_by`: why not everything was explored; empty if it was.
void judge(AutomataOutcome& result, const std::string& cut_by, bool keep_going) {
  Outcome& outcome = result.outcome;
  if (!outcome.findings.empty()) {
    outcome.verdict = Verdict::finding;
    outcome.reason = report::counted(outcome.findings.size(), "finding");
    if (keep_going && !cut_by.empty()) outcome.reason += "; there may be more: " + cut_by;
  } else if (cut_by.empty()) {
    outcome.verdict = Verdict::verified;
    outcome.reason = "every behaviour of the network was explored";
  } else {
    outcome.verdict = Verdict::inconclusive;
    outcome.reason = cut_by;
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  outcome.peak_memory = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

std::string why(Halt halt) {
  switch (halt) {
    case Halt::time: return "--max-time is over";
    case Halt::memory: return "--max-memory is reached";
    case Halt::no_memory: return "there is no more memory (--max-memory stops in time)";
    case Halt::user: return "interrupted by the user";
    case Halt::none: break;
  }
  return "the search ended early";
}

std::string why_cut(const AutomataRequest& request, const stateful::Result& result, Halt halt) {
  switch (result.end) {
    case stateful::End::complete: break;
    case stateful::End::finding: return "the search stopped at a finding";
    case stateful::End::max_nodes: return "--max-nodes is reached";
    case stateful::End::max_seconds: return why(Halt::time);
    default: return why(halt);
  }
  if (result.counts.cut == 0) return {};
  return report::counted(result.counts.cut, "path") + " reached --max-events " +
         std::to_string(request.max_depth) + " and " + (result.counts.cut == 1 ? "was" : "were") +
         " cut";
}

std::string why_cut(const AutomataRequest& request, const Technique& technique,
                    const Session& session, bool complete, Halt halt) {
  const Statistics& counts = session.statistics();
  std::string reason;
  switch (session.stopped()) {
    case Stop::max_executions:
      reason = "--max-executions " + std::to_string(request.limits.max_executions) + " is reached";
      break;
    case Stop::interrupted: reason = why(halt); break;
    default:
      if (!complete) reason = "the search ended early";
  }
  if (reason.empty() && counts.cut > 0) {
    reason = report::counted(counts.cut, "execution") + " reached --max-events " +
             std::to_string(request.limits.max_events) + " and " +
             (counts.cut == 1 ? "was" : "were") + " cut";
  }
  if (reason.empty() && counts.skipped > 0) {
    reason = "every schedule up to the bound on preemptions was explored, those beyond it were not";
  }
  if (!reason.empty() && technique.coverage == Coverage::a_sample) {
    reason += " (seed " + std::to_string(request.limits.seed) +
              "): a sample of the schedules, which proves nothing about the others";
  }
  return reason;
}

struct Question {
  Network network;  // as declared, or with an observer of the predicate
  StatePredicate predicate;
};

Question load(const AutomataRequest& request) {
  Question question{automata::load_network(request.file), {}};
  if (request.reach.empty()) return question;
  question.predicate = parse_predicate(question.network, request.reach);
  question.network = with_observer(question.network, question.predicate);
  return question;
}

// --- the stateful search
// ----------------------------------------------------------------------------

/// What is done with the graph once it is there. Returns what it could not do, or nothing.
std::string use_graph(const AutomataRequest& request, const Network& network,
                      const stateful::System& system, const stateful::Graph& graph, bool complete,
                      SoFar& so_far, AutomataOutcome& result) {
  std::vector<std::string>& notes = result.outcome.notes;
  if (!request.dot.empty()) {
    so_far.stage = "the graph was being drawn";
    threads::write_text(request.dot, to_dot(system, network, graph));
    if (!complete) notes.push_back(request.dot + " shows the part of the graph that was explored");
  }
  if (!complete) {
    if (request.paths) notes.emplace_back("the paths were not counted: the graph is not complete");
    if (request.certify) notes.emplace_back("there is no certificate: the graph is not complete");
    return {};
  }
  if (request.paths) {
    so_far.stage = "the paths were being counted";
    const stateful::PathCounts counts = count_paths(system, graph);
    result.maximal_paths = counts.maximal.decimal();
    result.full_runs = counts.to_an_end.decimal();
    notes.push_back("the graph has " + result.maximal_paths + " maximal paths, of which " +
                    result.full_runs + " are full runs");
  }
  if (!request.certify) return {};
  so_far.stage = "the certificate was being made";
  std::string wrong;
  try {
    wrong = certify(system, graph, stateful::ExactFirstSets(system));
  } catch (const NetworkError& too_large) {
    return std::string("no certificate was made: ") + too_large.what();
  }
  if (!wrong.empty()) {
    throw NetworkError("the certificate fails, please report this as a defect of Mazurka: " +
                       wrong);
  }
  result.certificate = "complete";
  notes.emplace_back(
      "certified: the graph has an equivalent of every maximal run of the full system");
  return {};
}

std::string explored_text(const stateful::Counts& counts) {
  std::string text = report::counted(counts.nodes, "node");
  if (counts.states != counts.nodes) text += " (" + report::counted(counts.states, "state") + ")";
  return text + ", " + report::counted(counts.edges, "edge");
}

void add_findings(const AutomataRequest& request, const Network& network,
                  const stateful::Result& result, Outcome& outcome) {
  outcome.findings.clear();
  if (result.deadlock && !request.allow_deadlock) {
    add_finding(outcome, network, FindingKind::deadlock, "nobody can move", *result.deadlock);
  }
  if (result.reached) {
    add_finding(outcome, network, FindingKind::assertion, "reached: " + request.reach,
                *result.reached);
  }
}

stateful::PortfolioResult run_variants(const AutomataRequest& request, const Network& network,
                                       stateful::Settings settings) {
  if (request.variant == "auto") return search_portfolio(network, settings);
  stateful::PortfolioResult found;
  settings.variant = *stateful::find_variant(request.variant);
  found.entry = {stateful::find_variant(request.variant), *stateful::find_order(request.order)};
  const stateful::System system(network, found.entry.order, request.seed);
  found.result = search(system, settings);
  found.seconds = found.result.counts.seconds;
  return found;
}

AutomataOutcome check_stateful(const AutomataRequest& request, SoFar& so_far) {
  so_far.change([](AutomataOutcome& outcome) { outcome.stateful = true; });
  const Question question = load(request);
  so_far.stage = "the search was being prepared";
  stateful::Settings settings;
  settings.max_nodes = request.max_nodes;
  settings.max_depth = request.max_depth;
  settings.record = request.certify || request.paths || !request.dot.empty();
  settings.stop_at_finding = !request.limits.keep_going && !request.allow_deadlock;
  settings.predicate = question.predicate.empty() ? nullptr : &question.predicate;
  settings.interrupted = [&](const stateful::Counts& counts) {
    so_far.stage = "";
    so_far.nodes = counts.nodes;
    so_far.states = counts.states;
    so_far.edges = counts.edges;
    return so_far.halt != Halt::none;
  };
  settings.found = [&](const stateful::Result& seen) {
    so_far.change([&](AutomataOutcome& outcome) {
      add_findings(request, question.network, seen, outcome.outcome);
    });
  };
  const stateful::PortfolioResult found = run_variants(request, question.network, settings);
  AutomataOutcome result;
  result.stateful = true;
  result.counts = found.result.counts;
  result.variant = found.entry.variant->name;
  result.order = stateful::name(found.entry.order);
  result.nodes_in_vain = found.nodes_in_vain;
  Outcome& outcome = result.outcome;
  outcome.program = request.file;
  outcome.technique =
      "stateful " + result.variant + (result.order == "declared" ? "" : ", order " + result.order);
  outcome.explored = explored_text(result.counts);
  outcome.seconds = found.seconds;
  add_findings(request, question.network, found.result, outcome);
  std::string cut_by = why_cut(request, found.result, so_far.halt);
  if (settings.record) {
    so_far.change([&](AutomataOutcome& seen) { seen = result; });
    const stateful::System system(question.network, found.entry.order, request.seed);
    const bool complete = found.result.end == stateful::End::complete && cut_by.empty();
    const std::string missing =
        use_graph(request, question.network, system, found.result.graph, complete, so_far, result);
    if (cut_by.empty()) cut_by = missing;
  }
  judge(result, cut_by, request.limits.keep_going);
  return result;
}

// --- the stateless techniques
// -----------------------------------------------------------------------

AutomataOutcome check_stateless(const AutomataRequest& request, const TechniqueRequest& how,
                                SoFar& so_far) {
  const Question question = load(request);
  so_far.stage = "the search was being prepared";
  automata::AutomataProgram program(question.network, question.predicate, request.reach);
  Limits limits = request.limits;
  limits.keep_going = limits.keep_going || request.allow_deadlock;
  limits.max_seconds = 0;  // the clock is watched by another thread
  Session session(program, limits);
  AutomataOutcome result;
  Outcome& outcome = result.outcome;
  outcome.program = request.file;
  outcome.technique = request.technique;
  bool seen_deadlock = false;
  bool seen_predicate = false;
  const auto tell = [&] {
    outcome.statistics = session.statistics();
    outcome.seconds = session.seconds();
    so_far.change([&](AutomataOutcome& seen) { seen = result; });
  };
  session.on_execution = [&](const Execution& execution) {
    so_far.stage = "";
    if (so_far.halt != Halt::none) session.interrupt();
    const bool stuck = execution.ending == Ending::deadlock && !request.allow_deadlock;
    const bool reached =
        !question.predicate.empty() &&
        question.predicate([&](std::uint32_t process) { return program.state()[process]; });
    const bool news = (stuck && !seen_deadlock) || (reached && !seen_predicate);
    if (stuck && !std::exchange(seen_deadlock, true)) {
      add_finding(outcome, question.network, FindingKind::deadlock, "nobody can move",
                  program.actions());
    }
    if (reached && !std::exchange(seen_predicate, true)) {
      add_finding(outcome, question.network, FindingKind::assertion, "reached: " + request.reach,
                  program.actions());
    }
    if (news || session.statistics().executions % 64 == 0) tell();
  };
  const bool complete = how.make()->explore(session);
  if (session.stopped() == Stop::refused) throw NetworkError(session.refusal());
  if (session.stopped() == Stop::diverged) {
    throw NetworkError("the same schedule led to two executions: a defect of Mazurka");
  }
  outcome.statistics = session.statistics();
  outcome.seconds = session.seconds();
  judge(result, why_cut(request, *how.technique, session, complete, so_far.halt),
        request.limits.keep_going);
  return result;
}

}  // namespace

AutomataOutcome check_automata(const AutomataRequest& request, SoFar& so_far) {
  so_far.change([&](AutomataOutcome& seen) {
    seen.outcome.program = request.file;
    seen.outcome.technique = request.technique;
  });
  if (technique_of(request.technique).create != nullptr) {
    return check_stateless(request, parse_technique(request.technique), so_far);
  }
  return check_stateful(request, so_far);
}

AutomataOutcome abandoned(const AutomataRequest& request, SoFar& so_far, Halt halt) {
  AutomataOutcome result = so_far.outcome();
  const std::string stage = so_far.stage.load();
  if (result.stateful && result.outcome.explored.empty()) {
    result.counts.nodes = so_far.nodes;
    result.counts.states = so_far.states;
    result.counts.edges = so_far.edges;
    result.outcome.explored = explored_text(result.counts);
  }
  judge(result, why(halt) + (stage.empty() ? "" : " while " + stage), request.limits.keep_going);
  return result;
}

}  // namespace mazurka::cli
