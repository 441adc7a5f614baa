#include "cli/whole/automata_check.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "cli/whole/automata_story.hpp"
#include "cli/whole/automata_tree.hpp"
#include "cli/whole/promela_check.hpp"
#include "core/check.hpp"
#include "driver/driver.hpp"
#include "explorers/stateful/stateful.hpp"
#include "explorers/table.hpp"
#include "host/files.hpp"
#include "programs/automata/automata_program.hpp"
#include "programs/automata/document.hpp"
#include "report/layout.hpp"

namespace mazurka::cli {

namespace {

// Before others help.
constexpr double seconds_of_short_search = 1;

std::string why_cut(const AutomataRequest& request, const Explored& explored, Halt halt) {
  const Statistics& counts = explored.statistics;
  std::string reason;
  switch (explored.stopped) {
    case Stop::max_executions:
      reason = "--max-executions " + std::to_string(request.limits.max_executions) + " is reached";
      break;
    case Stop::interrupted: reason = why(halt); break;
    default:
      if (!explored.complete) reason = "the search ended early";
  }
  if (reason.empty() && counts.cut > 0) {
    reason = report::counted(counts.cut, "execution") + " reached --max-events " +
             std::to_string(request.limits.max_events) + " and " +
             (counts.cut == 1 ? "was" : "were") + " cut";
  }
  if (reason.empty() && counts.skipped > 0) {
    reason = "every schedule up to the bound on preemptions was explored, those beyond it were not";
  }
  if (!reason.empty() && technique_of(request.technique).is_sample()) {
    reason += " (seed " + std::to_string(request.limits.seed) +
              "): a sample of the schedules, which proves nothing about the others";
  }
  return reason;
}

bool is_stateful(const AutomataRequest& request) {
  return technique_of(request.technique).needs == Needs::a_network;
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

// --- what is done with the graph of a stateful search

/// What is done with the graph once it is there. Returns what it could not do, or nothing.
std::string use_graph(const AutomataRequest& request, const Network& network,
                      const stateful::System& system, const stateful::Graph& graph, bool complete,
                      SoFar& so_far, AutomataOutcome& result) {
  std::vector<std::string>& notes = result.outcome.notes;
  if (!request.dot.empty()) {
    so_far.stage = "the graph was being drawn";
    host::write_text(request.dot, to_dot(system, network, graph));
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

// --- the check

/// What the driver does not know of a network: how a finding is told, and to whom at once.
class NetworkCheck final : public Watcher {
 public:
  NetworkCheck(const AutomataRequest& request, Question question, SoFar& so_far)
      : request_(request),
        so_far_(so_far),
        stateful_(is_stateful(request)),
        program_(std::move(question.network), question.predicate, request.reach),
        predicate_(std::move(question.predicate)) {
    result_.stateful = stateful_;
    result_.outcome.program = request.file;
    result_.outcome.technique = request.technique;
  }

  AutomataOutcome run() {
    Subject subject(program_);
    Driver driver(subject, *this, plan());
    const Explored explored = driver.explore();
    if (!explored.refusal.empty()) throw NetworkError(explored.refusal);
    if (explored.divergence) {
      throw NetworkError("the same schedule led to two executions: a defect of Mazurka");
    }
    Outcome& outcome = result_.outcome;
    outcome.statistics = explored.statistics;
    outcome.seconds = explored.seconds;
    std::string cut_by;
    if (stateful_) {
      outcome.findings.clear();  // the latest of several searches in turn is the one that is told
      tell(explored.findings);
      cut_by = take_over(explorer_->result());
    } else {
      cut_by = why_cut(request_, explored, so_far_.halt);
    }
    judge(result_, cut_by, request_.limits.keep_going);
    if (request_.tree && !stateful_) add_tree();
    return std::move(result_);
  }

  [[nodiscard]] bool wants_end() const override { return so_far_.halt != Halt::none; }

  void performed(const Session& session, const Execution&) override {
    so_far_.stage = "";
    const bool news = tell(session.findings());
    if (!news && session.statistics().executions % 64 != 0) return;
    result_.outcome.statistics = session.statistics();
    result_.outcome.seconds = session.seconds();
    so_far_.change([&](AutomataOutcome& seen) { seen = result_; });
  }

  void paused(const Session& session) override {
    if (!stateful_) return;
    so_far_.stage = "";
    so_far_.nodes = explorer_->counts().nodes;
    so_far_.states = explorer_->counts().states;
    so_far_.edges = explorer_->counts().edges;
    if (!tell(session.findings())) return;
    so_far_.change(
        [&](AutomataOutcome& seen) { seen.outcome.findings = result_.outcome.findings; });
  }

 private:
  /// Findings of one kind are told once.
  void add_tree() {
    Outcome& outcome = result_.outcome;
    outcome.tree = told_tree(program_, tree_.tree());
    for (TreeNode& node : outcome.tree.nodes) {
      if (node.finding && outcome.findings.size() != 1) node.finding.reset();
      if (node.finding) node.finding = 0;
    }
  }

  [[nodiscard]] Plan plan() {
    Plan plan;
    if (request_.tree && !stateful_) plan.tree = &tree_;
    plan.technique = request_.technique;
    plan.limits = request_.limits;
    plan.limits.keep_going = request_.limits.keep_going || request_.allow_deadlock;
    plan.limits.max_seconds = 0;  // the clock is watched by another thread
    if (stateful_) {
      plan.limits.max_events = request_.max_depth;
      plan.make = [this] { return make_stateful(); };
    } else {
      plan.make = [how = parse_technique(request_.technique)] { return how.make(); };
    }
    return plan;
  }

  std::unique_ptr<Explorer> make_stateful() {
    stateful::Wishes wishes;
    if (request_.variant != "auto") {
      wishes.entry = stateful::find_entry(request_.variant, request_.order);
    }
    wishes.max_nodes = request_.max_nodes;
    wishes.record = keeps_graph();
    wishes.threads = request_.jobs != 0 ? request_.jobs : usual_threads();
    wishes.alone_seconds = request_.jobs != 0 ? 0 : seconds_of_short_search;
    wishes.predicate = predicate_;
    wishes.wanted = request_.reach;
    auto explorer = std::make_unique<stateful::StatefulExplorer>(std::move(wishes));
    explorer_ = explorer.get();
    return explorer;
  }

  [[nodiscard]] bool has_own_order() const {
    const auto entry = stateful::find_entry(request_.variant, request_.order);
    return entry && entry->exploration != stateful::Exploration::depth_first &&
           entry->variant->reduced;
  }

  /// Where nothing was said: a bound on the depth and an order of nodes are for one, and a graph is
  /// the same every time.
  [[nodiscard]] unsigned usual_threads() const {
    if (keeps_graph() || request_.max_depth != 0 || has_own_order()) return 1;
    return std::max(1U, std::thread::hardware_concurrency());
  }

  [[nodiscard]] const Network& network() const { return *program_.network(); }

  [[nodiscard]] bool keeps_graph() const {
    return request_.certify || request_.paths || !request_.dot.empty();
  }

  /// The first finding of each kind. Whether there was one that had not been told.
  bool tell(const std::vector<Finding>& findings) {
    std::vector<FindingReport>& told = result_.outcome.findings;
    const std::size_t before = told.size();
    for (const Finding& finding : findings) {
      if (finding.kind == FindingKind::deadlock && request_.allow_deadlock) continue;
      if (std::any_of(told.begin(), told.end(),
                      [&](const FindingReport& one) { return one.finding.kind == finding.kind; })) {
        continue;
      }
      FindingReport& report = told.emplace_back();
      report.finding.kind = finding.kind;
      report.finding.message = report.finding.key = finding.message;
      report.story = tell_run(network(), path_to(finding), finding.kind == FindingKind::deadlock);
    }
    return told.size() > before;
  }

  [[nodiscard]] std::vector<ActionId> path_to(const Finding& finding) {
    return stateful_ ? explorer_->path_to(finding.kind) : program_.replay(finding.schedule);
  }

  /// What only a stateful search has. Returns why not everything was explored, or nothing.
  std::string take_over(const stateful::PortfolioResult& found) {
    result_.counts = found.result.counts;
    result_.variant = found.entry.variant->name;
    result_.order = stateful::order_name(found.entry);
    result_.nodes_in_vain = found.nodes_in_vain;
    Outcome& outcome = result_.outcome;
    outcome.technique = "stateful " + result_.variant +
                        (result_.order == "declared" ? "" : ", order " + result_.order);
    outcome.explored = explored_text(result_.counts);
    std::string cut_by = why_cut(request_, found.result, so_far_.halt);
    if (!keeps_graph()) return cut_by;
    so_far_.change([&](AutomataOutcome& seen) { seen = result_; });
    MAZURKA_CHECK(!found.result.graph.nodes.empty() || found.result.end != stateful::End::complete,
                  "a graph that is to be used was kept");
    const stateful::System system(network(), found.entry.order, request_.seed);
    const bool complete = found.result.end == stateful::End::complete && cut_by.empty();
    const std::string missing =
        use_graph(request_, network(), system, found.result.graph, complete, so_far_, result_);
    return cut_by.empty() ? missing : cut_by;
  }

  const AutomataRequest& request_;
  SoFar& so_far_;
  const bool stateful_;
  automata::AutomataProgram program_;
  const StatePredicate predicate_;
  stateful::StatefulExplorer* explorer_ = nullptr;  // the driver's, if it is stateful
  AutomataOutcome result_;
  TreeRecorder tree_;
};

}  // namespace

// --- verdicts

void judge(AutomataOutcome& result, const std::string& cut_by, bool keep_going) {
  Outcome& outcome = result.outcome;
  if (!outcome.findings.empty()) {
    outcome.verdict = Verdict::finding;
    outcome.reason = report::counted(outcome.findings.size(), "finding");
    if (keep_going && !cut_by.empty()) outcome.reason += "; there may be more: " + cut_by;
  } else if (cut_by.empty()) {
    MAZURKA_CHECK(result.counts.nodes > 0 || outcome.statistics.executions > 0,
                  "what is verified was explored");
    outcome.verdict = Verdict::verified;
    outcome.reason = "every behaviour of the " +
                     std::string(is_promela(outcome.program) ? "model" : "network") +
                     " was explored";
  } else {
    outcome.verdict = Verdict::inconclusive;
    outcome.reason = cut_by;
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  outcome.peak_memory = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

std::string why_cut(const AutomataRequest& request, const stateful::Result& result, Halt halt) {
  switch (result.end) {
    case stateful::End::complete: break;
    case stateful::End::finding: return "the search stopped at a finding";
    case stateful::End::max_nodes: return "--max-nodes is reached";
    default: return why(halt);
  }
  if (result.counts.cut == 0) return {};
  return report::counted(result.counts.cut, "path") + " reached --max-events " +
         std::to_string(request.max_depth) + " and " + (result.counts.cut == 1 ? "was" : "were") +
         " cut";
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

std::string explored_text(const stateful::Counts& counts) {
  std::string text = report::counted(counts.nodes, "node");
  if (counts.states != counts.nodes) text += " (" + report::counted(counts.states, "state") + ")";
  return text + ", " + report::counted(counts.edges, "edge");
}

AutomataOutcome check_automata(const AutomataRequest& request, SoFar& so_far) {
  so_far.change([&](AutomataOutcome& seen) {
    seen.outcome.program = request.file;
    seen.outcome.technique = request.technique;
    seen.stateful = is_stateful(request);
  });
  if (is_promela(request.file)) return check_promela(request, so_far);
  Question question = load(request);
  so_far.stage = "the search was being prepared";
  return NetworkCheck(request, std::move(question), so_far).run();
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
