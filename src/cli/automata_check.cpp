#include "cli/automata_check.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <fstream>

#include "cli/suggest.hpp"
#include "explorers/registry.hpp"
#include "explorers/stateful/portfolio.hpp"
#include "programs/automata/automata_program.hpp"
#include "programs/automata/document.hpp"

namespace mazurka::cli {

namespace {

/// Notices Ctrl-C without a handler: the signal is blocked, and looked for now and then.
class InterruptWatch {
 public:
  InterruptWatch() {
    sigemptyset(&wanted_);
    sigaddset(&wanted_, SIGINT);
    sigaddset(&wanted_, SIGTERM);
    sigprocmask(SIG_BLOCK, &wanted_, &before_);
  }
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;
  ~InterruptWatch() { sigprocmask(SIG_SETMASK, &before_, nullptr); }
  [[nodiscard]] bool interrupted() const {
    const timespec now{};
    return sigtimedwait(&wanted_, nullptr, &now) > 0;
  }

 private:
  sigset_t wanted_{};
  sigset_t before_{};
};

std::string grouped_number(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

[[noreturn]] void unknown(const std::string& what, const std::string& wanted,
                          const std::vector<std::string_view>& names) {
  std::string list;
  for (const std::string_view name : names) list += (list.empty() ? "" : ", ") + std::string(name);
  const std::string_view close = nearest(wanted, names);
  throw NetworkError("there is no " + what + " '" + wanted + "'" +
                     (close.empty() ? "." : "; did you mean " + std::string(close) + "?") +
                     " There are: " + list);
}

// --- the counter-example
// ----------------------------------------------------------------------------

/// A run as a table: a column per client that moves or waits.
class Teller {
 public:
  explicit Teller(const Network& network)
      : network_(network), who_(participants(network)), locals_() {
    for (const NetworkProcess& process : network.processes) locals_.push_back(process.initial);
  }

  Story tell(const std::vector<ActionId>& path, bool deadlock) {
    Story story;
    std::vector<std::size_t> column(network_.processes.size(), none);
    const auto column_of = [&](std::uint32_t process) {
      if (column[process] == none) {
        column[process] = story.processes.size();
        story.processes.push_back(network_.processes[process].name);
      }
      return column[process];
    };
    constexpr std::size_t most_columns = 12;
    if (network_.processes.size() <= most_columns * 2) {
      for (std::uint32_t process = 0; process < network_.processes.size(); ++process) {
        if (network_.processes[process].role == Role::client) column_of(process);
      }
    }
    for (const ActionId action : path) {
      StoryRow row;
      row.process = column_of(leader(action));
      row.action = network_.actions[action];
      row.decision = true;
      for (const std::uint32_t process : who_[action]) move(process, action, row.place);
      story.rows.push_back(std::move(row));
    }
    if (!story.rows.empty()) story.rows.back().failing = true;
    if (deadlock) tell_waiting(story);
    return story;
  }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  [[nodiscard]] std::uint32_t leader(ActionId action) const {
    for (const std::uint32_t process : who_[action]) {
      if (network_.processes[process].role == Role::client) return process;
    }
    return who_[action].front();
  }
  void move(std::uint32_t process, ActionId action, std::string& place) {
    const NetworkProcess& mover = network_.processes[process];
    for (const NetworkTransition& step : mover.transitions) {
      if (step.action != action || step.source != locals_[process]) continue;
      locals_[process] = step.target;
      if (mover.role == Role::server && mover.name != "(observer)") {
        place += (place.empty() ? "" : " ") + mover.name + "=" + mover.states[step.target];
      }
      return;
    }
  }
  void tell_waiting(Story& story) const {
    for (std::uint32_t process = 0; process < network_.processes.size(); ++process) {
      const NetworkProcess& waiter = network_.processes[process];
      if (waiter.role != Role::client) continue;
      std::string wanted;
      for (const NetworkTransition& step : waiter.transitions) {
        if (step.source != locals_[process]) continue;
        wanted += (wanted.empty() ? "" : " or ") + network_.actions[step.action];
      }
      if (wanted.empty()) continue;
      story.endings.push_back(waiter.name + " waits in " + waiter.states[locals_[process]] +
                              " for " + wanted);
    }
  }

  const Network& network_;
  std::vector<std::vector<std::uint32_t>> who_;
  std::vector<LocalState> locals_;
};

void add_finding(Outcome& outcome, const Network& network, FindingKind kind,
                 const std::string& message, const std::vector<ActionId>& path) {
  FindingReport report;
  report.finding.kind = kind;
  report.finding.message = message;
  report.finding.key = message;
  report.story = Teller(network).tell(path, kind == FindingKind::deadlock);
  outcome.findings.push_back(std::move(report));
}

// --- verdicts
// ---------------------------------------------------------------------------------------

void judge(AutomataOutcome& result, bool complete, const std::string& cut_by) {
  Outcome& outcome = result.outcome;
  const std::size_t findings = outcome.findings.size();
  if (findings > 0) {
    outcome.verdict = Verdict::finding;
    outcome.reason = std::to_string(findings) + " finding" + (findings == 1 ? "" : "s");
  } else if (complete) {
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

std::string why(stateful::End end) {
  switch (end) {
    case stateful::End::max_nodes: return "--max-nodes is reached";
    case stateful::End::max_seconds: return "--max-time is over";
    case stateful::End::interrupted: return "interrupted by the user";
    default: return "the search ended early";
  }
}

std::string why(Stop stop) {
  switch (stop) {
    case Stop::max_executions: return "--max-executions is reached";
    case Stop::max_seconds: return "--max-time is over";
    case Stop::interrupted: return "interrupted by the user";
    default: return "the search ended early";
  }
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

void write_file(const std::string& file, const std::string& text) {
  std::ofstream stream(file, std::ios::binary);
  stream << text;
  if (!stream.flush()) throw NetworkError(file + ": cannot be written");
}

// --- the two worlds
// ---------------------------------------------------------------------------------

stateful::Order wanted_order(const AutomataRequest& request) {
  const auto order = stateful::find_order(request.order);
  if (!order) {
    unknown("order", request.order, {"declared", "reversed", "reversed-clients", "shuffled"});
  }
  return *order;
}

/// What is done with the graph once it is there.
void use_graph(const AutomataRequest& request, const Network& network,
               const stateful::System& system, const stateful::Graph& graph,
               AutomataOutcome& result) {
  if (request.paths) {
    const stateful::PathCounts counts = count_paths(system, graph);
    result.maximal_paths = counts.maximal.decimal();
    result.full_runs = counts.to_an_end.decimal();
    result.outcome.notes.push_back("the graph has " + result.maximal_paths +
                                   " maximal paths, of which " + result.full_runs +
                                   " are full runs");
  }
  if (!request.dot.empty()) write_file(request.dot, to_dot(system, network, graph));
  if (!request.certify) return;
  const std::string wrong = certify(system, graph, stateful::ExactFirstSets(system));
  if (!wrong.empty()) {
    throw NetworkError("the certificate fails, please report this as a defect of Mazurka: " +
                       wrong);
  }
  result.certificate = "complete";
  result.outcome.notes.emplace_back(
      "certified: the graph has an equivalent of every maximal run of the full system");
}

std::string explored_text(const stateful::Counts& counts) {
  std::string text = grouped_number(counts.nodes) + " nodes";
  if (counts.states != counts.nodes) text += " (" + grouped_number(counts.states) + " states)";
  return text + ", " + grouped_number(counts.edges) + " edges";
}

AutomataOutcome check_stateful(const AutomataRequest& request) {
  const Question question = load(request);
  const InterruptWatch watch;
  AutomataOutcome result;
  result.stateful = true;
  stateful::Settings settings;
  settings.max_nodes = request.max_nodes;
  settings.max_seconds = request.limits.max_seconds;
  settings.record = request.certify || request.paths || !request.dot.empty();
  settings.stop_at_finding = !request.limits.keep_going && !request.allow_deadlock;
  settings.predicate = question.predicate.empty() ? nullptr : &question.predicate;
  settings.interrupted = [&](std::uint64_t) { return watch.interrupted(); };

  stateful::PortfolioResult found;
  if (request.variant == "auto") {
    found = search_portfolio(question.network, settings);
  } else {
    const stateful::Variant* variant = stateful::find_variant(request.variant);
    if (variant == nullptr) {
      std::vector<std::string_view> names{"auto"};
      for (const stateful::Variant& one : stateful::variants()) names.push_back(one.name);
      unknown("variant", request.variant, names);
    }
    settings.variant = *variant;
    found.entry = {variant, wanted_order(request)};
    const stateful::System system(question.network, found.entry.order, request.seed);
    found.result = search(system, settings);
    found.seconds = found.result.counts.seconds;
  }
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
  if (found.result.deadlock && !request.allow_deadlock) {
    add_finding(outcome, question.network, FindingKind::deadlock, "nobody can move",
                *found.result.deadlock);
  }
  if (found.result.reached) {
    add_finding(outcome, question.network, FindingKind::assertion, "reached: " + request.reach,
                *found.result.reached);
  }
  const bool complete = found.result.end == stateful::End::complete;
  if (complete && settings.record) {
    const stateful::System system(question.network, found.entry.order, request.seed);
    use_graph(request, question.network, system, found.result.graph, result);
  }
  judge(result, complete, why(found.result.end));
  return result;
}

AutomataOutcome check_stateless(const AutomataRequest& request, const Technique& technique) {
  if (request.certify || request.paths || !request.dot.empty()) {
    throw NetworkError(
        "--certify, --paths and --dot are about explored graphs: they need "
        "--technique stateful");
  }
  Question question = load(request);
  const InterruptWatch watch;
  automata::AutomataProgram program(question.network, question.predicate, request.reach);
  Limits limits = request.limits;
  limits.keep_going = limits.keep_going || request.allow_deadlock;
  Session session(program, limits);
  AutomataOutcome result;
  Outcome& outcome = result.outcome;
  std::uint64_t executions = 0;
  session.on_execution = [&](const Execution& execution) {
    if (++executions % 64 == 0 && watch.interrupted()) session.interrupt();
    const bool stuck = execution.ending == Ending::deadlock && !request.allow_deadlock;
    const bool reached = std::any_of(question.predicate.alternatives.begin(),
                                     question.predicate.alternatives.end(), [&](const auto&) {
                                       return question.predicate([&](std::uint32_t process) {
                                         return program.state()[process];
                                       });
                                     });
    if (!outcome.findings.empty() || (!stuck && !reached)) return;
    add_finding(outcome, question.network, stuck ? FindingKind::deadlock : FindingKind::assertion,
                stuck ? "nobody can move" : "reached: " + request.reach, program.actions());
  };
  const bool complete = technique.make()->explore(session);
  outcome.program = request.file;
  outcome.technique = technique.name;
  outcome.statistics = session.statistics();
  outcome.seconds = session.seconds();
  judge(result, complete, why(session.stopped()));
  return result;
}

}  // namespace

AutomataOutcome check_automata(const AutomataRequest& request) {
  if (request.technique == "stateful") return check_stateful(request);
  const Technique* technique = find_technique(request.technique);
  if (technique != nullptr) return check_stateless(request, *technique);
  std::vector<std::string_view> names{"stateful"};
  for (const Technique& one : techniques()) names.push_back(one.name);
  unknown("technique", request.technique, names);
}

}  // namespace mazurka::cli
