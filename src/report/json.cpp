#include "report/json.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "report/executions.hpp"
#include "report/repair.hpp"
#include "report/story_json.hpp"
#include "report/tree_json.hpp"

namespace mazurka::report {

namespace {

/// Many readers keep numbers as floating point: beyond 2^53 these would be others, so a string.
Json number(std::uint64_t value) {
  constexpr std::uint64_t largest_exact = std::uint64_t{1} << 53U;
  return value <= largest_exact ? Json(value) : Json(std::to_string(value));
}

Json finding_json(const FindingReport& report) {
  const Finding& finding = report.finding;
  Json schedule = Json::array();
  for (const Decision& decision : finding.schedule) {
    schedule.push_back({index(decision.process), decision.choice});
  }
  return {{"kind", name(finding.kind)},
          {"message", finding.message},
          {"place", report.story.place},
          {"process", finding.process == no_process ? Json(nullptr) : Json(index(finding.process))},
          {"schedule", schedule},
          {"story", story_json(report.story)},
          {"replay", report.replay_command}};
}

/// The sources of all findings, each once.
Json sources_json(const std::vector<FindingReport>& findings) {
  Json sources = Json::array();
  std::vector<std::string> known;
  for (const FindingReport& report : findings) {
    for (const StorySource& source : report.story.sources) {
      if (std::find(known.begin(), known.end(), source.file) != known.end()) continue;
      known.push_back(source.file);
      sources.push_back({{"file", source.file}, {"text", source.text}});
    }
  }
  return sources;
}

Json comparison_json(const std::vector<Compared>& comparison) {
  Json rows = Json::array();
  for (const Compared& one : comparison) {
    rows.push_back({{"technique", one.technique},
                    {"verdict", name(one.verdict)},
                    {"explored", one.explored},
                    {"executions", number(one.executions)},
                    {"asleep", number(one.asleep)},
                    {"events", number(one.events)},
                    {"seconds", one.seconds},
                    {"processor_seconds", one.processor_seconds},
                    {"peak_memory", number(one.peak_memory)}});
  }
  return rows;
}

Json statistics_json(const Outcome& outcome) {
  const Statistics& counts = outcome.statistics;
  return {{"executions", number(counts.executions)},
          {"asleep", number(counts.asleep)},
          {"in_vain", number(counts.in_vain)},
          {"impossible", number(counts.impossible)},
          {"ended_by_assumption", number(counts.assumed)},
          {"repeated", number(counts.repeated)},
          {"nonzero_exits", number(counts.bad_exits)},
          {"exit_code", counts.exit_code},
          {"left_waiting", number(counts.left_waiting)},
          {"transitions", number(counts.transitions)},
          {"events", number(counts.events)},
          {"events_spared", number(counts.spared)},
          {"deepest", number(counts.deepest)},
          {"processes", counts.processes},
          {"cut", number(counts.cut)},
          {"stalled", number(counts.stalled)},
          {"explored", counts.explored},
          {"stored_events", number(counts.stored)},
          {"digest", std::to_string(counts.digest)},
          {"skipped", number(counts.skipped)},
          {"peak_memory", number(outcome.peak_memory)},
          {"replay_seconds", outcome.replay_seconds},
          {"replay_executions", number(outcome.replay_executions)}};
}

Json advice_json(const Advice& advice) {
  if (advice.empty()) return nullptr;
  Json lines = Json::array();
  for (const HotLine& line : advice.lines) {
    lines.push_back({{"place", line.place},
                     {"function", line.function},
                     {"events", line.events},
                     {"branching", line.branching},
                     {"processes", line.processes},
                     {"rounds", line.rounds},
                     {"tries", line.tries}});
  }
  Json trials = Json::array();
  for (const Trial& trial : advice.trials) {
    trials.push_back({{"options", trial.options},
                      {"complete", trial.complete},
                      {"partial", trial.partial},
                      {"found", trial.found},
                      {"executions", trial.executions},
                      {"seconds", trial.seconds}});
  }
  return {{"events", advice.events},
          {"executions", advice.total},
          {"executions_error", advice.error},
          {"executions_at_least", advice.at_least},
          {"may_be_fewer", advice.fewer},
          {"lines", lines},
          {"trials", trials},
          {"hints", advice.hints}};
}

Json document_of(const Outcome& outcome) {
  Json findings = Json::array();
  for (const FindingReport& report : outcome.findings) findings.push_back(finding_json(report));
  Json suppressed = Json::array();
  for (const SuppressedRace& one : outcome.suppressed) {
    suppressed.push_back({{"race", one.race}, {"by", one.by}, {"executions", one.executions}});
  }
  Json document{{"schema_version", schema_version},
                {"mazurka_version", MAZURKA_VERSION},
                {"verdict", name(outcome.verdict)},
                {"verdict_in_words", in_words(outcome)},
                {"reason", outcome.reason},
                {"program", outcome.program},
                {"command", outcome.command},
                {"technique", outcome.technique},
                {"racy", outcome.racy},
                {"memory", outcome.memory.empty() ? "sc" : outcome.memory},
                {"executions", number(outcome.statistics.executions)},
                {"asleep", number(outcome.statistics.asleep)},
                {"events", number(outcome.statistics.events)},
                {"seconds", outcome.seconds},
                {"processor_seconds", outcome.processor_seconds},
                {"findings", findings},
                {"sources", sources_json(outcome.findings)},
                {"comparison", comparison_json(outcome.comparison)},
                {"tree", tree_json(outcome.tree)},
                {"list", executions_json(outcome.tree)},
                {"suppressed_races", suppressed},
                {"notes", outcome.notes},
                {"warnings", outcome.warnings},
                {"resume_command", outcome.resume_command},
                {"repair", repair_json(outcome.repair)},
                {"too_large", advice_json(outcome.advice)},
                {"statistics", statistics_json(outcome)}};
  if (const Details& details = outcome.details; !details.title.empty()) {
    Json& items = document[details.title] = Json::object();
    for (const Details::Item& item : details.items) {
      if (const auto* count = std::get_if<std::uint64_t>(&item.value)) {
        items[item.name] = number(*count);
      } else {
        std::visit([&](const auto& value) { items[item.name] = value; }, item.value);
      }
    }
  }
  return document;
}

}  // namespace

// Text of the program may be in any encoding.
std::string json(const Outcome& outcome) {
  return document_of(outcome).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

// For the page, which reads the tree: a list of the same executions would only make it longer.
std::string compact_json(const Outcome& outcome) {
  Json document = document_of(outcome);
  document["list"] = nullptr;
  return document.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace mazurka::report
