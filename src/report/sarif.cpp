#include "report/sarif.hpp"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

namespace mazurka::report {

namespace {

using Json = nlohmann::ordered_json;

/// A file as a reference of a URI: what has a meaning in one, or can not stand there, is encoded.
std::string uri_of(const std::string& file) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
  std::string uri = file.starts_with('/') ? "file://" : "";
  for (const char c : file) {
    if (plain.find(c) != std::string_view::npos) {
      uri += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    uri += '%';
    uri += "0123456789ABCDEF"[byte >> 4U];
    uri += "0123456789ABCDEF"[byte & 0xfU];
  }
  return uri;
}

/// A place is "file:line"; without a line there is no place in the source.
Json location(const std::string& place, const std::string& message) {
  Json result = Json::object();
  const std::size_t colon = place.rfind(':');
  int line = 0;
  if (colon != std::string::npos) {
    std::from_chars(place.data() + colon + 1, place.data() + place.size(), line);
  }
  if (line > 0) {
    result["physicalLocation"] = {{"artifactLocation", {{"uri", uri_of(place.substr(0, colon))}}},
                                  {"region", {{"startLine", line}}}};
  }
  if (!message.empty()) result["message"] = {{"text", message}};
  return result;
}

std::string rule_of(FindingKind kind) {
  std::string id(name(kind));
  for (char& c : id) c = c == ' ' ? '-' : c;
  return id;
}

Json result_of(const FindingReport& report) {
  const Story& story = report.story;
  std::string place = story.place;
  Json steps = Json::array();
  for (const StoryRow& row : story.rows) {
    if (row.failing && place.empty()) place = row.place;
    const std::string who = story.processes[row.process];
    steps.push_back({{"location", location(row.place, who + ": " + row.action)},
                     {"importance", row.failing ? "essential" : "important"}});
  }
  std::string message = report.finding.message;
  for (const std::string& ending : story.endings) message += "\n" + ending;
  for (const std::string& remark : story.remarks) message += "\n" + remark;
  if (!report.replay_command.empty()) message += "\nReplay: " + report.replay_command;
  Json result{{"ruleId", rule_of(report.finding.kind)},
              {"level", "error"},
              {"message", {{"text", message}}},
              {"locations", Json::array({location(place, "")})}};
  if (!steps.empty()) {
    result["codeFlows"] = Json::array({{{"threadFlows", Json::array({{{"locations", steps}}})}}});
  }
  return result;
}

}  // namespace

std::string sarif(const Outcome& outcome) {
  Json results = Json::array();
  Json rules = Json::array();
  for (const FindingReport& report : outcome.findings) {
    results.push_back(result_of(report));
    const Json rule{{"id", rule_of(report.finding.kind)},
                    {"shortDescription", {{"text", std::string(name(report.finding.kind))}}}};
    if (std::find(rules.begin(), rules.end(), rule) == rules.end()) rules.push_back(rule);
  }
  const bool good = outcome.verdict != Verdict::error;
  Json invocation{{"executionSuccessful", good}, {"exitCode", static_cast<int>(outcome.verdict)}};
  Json notifications = Json::array();
  if (outcome.verdict == Verdict::error || outcome.verdict == Verdict::inconclusive) {
    const Json text{{"text", outcome.reason}};
    notifications.push_back({{"level", good ? "warning" : "error"}, {"message", text}});
  }
  for (const std::string& note : outcome.notes) {
    notifications.push_back({{"level", "note"}, {"message", {{"text", note}}}});
  }
  if (!notifications.empty()) invocation["toolExecutionNotifications"] = notifications;
  const Json driver{{"name", "Mazurka"}, {"version", MAZURKA_VERSION}, {"rules", rules}};
  const Json run{{"tool", {{"driver", driver}}},
                 {"invocations", Json::array({invocation})},
                 {"results", results}};
  const Json document{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                      {"version", "2.1.0"},
                      {"runs", Json::array({run})}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace mazurka::report
