#include "native/checking.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "native/process.hpp"

namespace mazurka::native {
namespace {

// "T1 waits for mutex m; it is at ...", of processes "main", "T1 p3_f2": 2.
int function_of(const std::string& ending, const nlohmann::json& processes) {
  const std::string who = ending.substr(0, ending.find(' '));
  if (who == "main") return 0;
  for (const auto& one : processes) {
    const std::string name = one.get<std::string>();
    if (!name.starts_with(who + " ")) continue;
    const std::size_t at = name.rfind("_f");
    if (at != std::string::npos) return std::atoi(name.c_str() + at + 2);
  }
  return -1;
}

std::string text_of(const std::string& message) {
  const std::size_t begin = message.find('`');
  const std::size_t end = message.rfind('`');
  if (begin == std::string::npos || begin == end) return message;
  return message.substr(begin + 1, end - begin - 1);
}

void read_report(const nlohmann::json& report, Seen& seen) {
  seen.verdict = report.at("verdict").get<std::string>();
  seen.reason = report.at("reason").get<std::string>();
  const nlohmann::json& statistics = report.at("statistics");
  // What was explored before the search began anew, it has explored once more.
  seen.executions = statistics.at("executions").get<std::uint64_t>() -
                    statistics.at("repeated").get<std::uint64_t>();
  seen.memory = report.at("memory").get<std::string>();
  seen.asleep = statistics.at("asleep").get<std::uint64_t>();
  seen.cut = statistics.at("cut").get<std::uint64_t>() != 0 ||
             statistics.at("stalled").get<std::uint64_t>() != 0 ||
             statistics.at("skipped").get<std::uint64_t>() != 0;
  for (const auto& finding : report.at("findings")) {
    const auto kind = finding.at("kind").get<std::string>();
    seen.kinds.insert(kind);
    if (kind == "assertion") seen.texts.insert(text_of(finding.at("message").get<std::string>()));
    if (kind != "deadlock") continue;
    std::vector<int> stuck;
    for (const auto& ending : finding.at("story").at("endings")) {
      stuck.push_back(function_of(ending.get<std::string>(), finding.at("story").at("processes")));
    }
    std::sort(stuck.begin(), stuck.end());
    seen.deadlocks.insert(stuck);
  }
}

std::string list(const std::set<std::string>& texts) {
  std::string all;
  for (const std::string& one : texts) all += (all.empty() ? "" : ", ") + one;
  return "{" + all + "}";
}

std::string list(const std::set<std::vector<int>>& sets) {
  std::string all;
  for (const std::vector<int>& one : sets) {
    all += all.empty() ? "[" : " [";
    for (const int thread : one) all += ' ' + std::to_string(thread);
    all += " ]";
  }
  return "{" + all + "}";
}

template <typename Set>
std::string difference(const Set& expected, const Set& seen) {
  Set missing;
  Set extra;
  std::set_difference(expected.begin(), expected.end(), seen.begin(), seen.end(),
                      std::inserter(missing, missing.end()));
  std::set_difference(seen.begin(), seen.end(), expected.begin(), expected.end(),
                      std::inserter(extra, extra.end()));
  return "missing " + list(missing) + ", impossible " + list(extra) + "; expected " +
         list(expected) + ", seen " + list(seen);
}

// Where the thread's function is the library's, as with std::thread, only how many are stuck
// counts.
bool same(const std::set<std::vector<int>>& expected, const std::set<std::vector<int>>& seen) {
  const auto unnamed = [](const std::vector<int>& stuck) { return stuck.front() < 0; };
  if (std::none_of(seen.begin(), seen.end(), unnamed)) return expected == seen;
  std::set<std::size_t> sizes[2];
  for (const std::vector<int>& stuck : expected) sizes[0].insert(stuck.size());
  for (const std::vector<int>& stuck : seen) sizes[1].insert(stuck.size());
  return sizes[0] == sizes[1];
}

}  // namespace

Checking::Checking(std::filesystem::path tools, std::filesystem::path scratch, unsigned max_seconds)
    : tools_(std::move(tools)), scratch_(std::move(scratch)), max_seconds_(max_seconds) {}

std::optional<std::string> Checking::compile(std::span<const Program> programs, const Build& build,
                                             const std::string& name) const {
  const bool cpp = build.language == Language::cpp;
  Style style;
  style.language = build.language;
  // Optimised code may leave out plain accesses, and then has fewer interleavings.
  style.volatile_plain = build.level != "-O0" && !build.level.empty();
  const std::string source = name + (cpp ? ".cpp" : ".c");
  write_file(scratch_ / source, print(programs, style));
  std::vector<std::string> command{(tools_ / (cpp ? "mazurka-c++" : "mazurka-cc")).string(), "-w"};
  if (cpp) command.emplace_back("-std=gnu++20");
  if (!build.level.empty()) command.push_back(build.level);
  if (!build.debug_information) command.emplace_back("-g0");
  command.insert(command.end(), {source, "-o", name});
  const std::string chosen = cpp ? (build.compiler == "clang" ? "clang++" : "g++") : build.compiler;
  const int code = run(command, scratch_, scratch_ / (name + ".log"),
                       {(cpp ? "MAZURKA_CXX=" : "MAZURKA_CC=") + chosen});
  if (code == 0) return std::nullopt;
  return read_file(scratch_ / (name + ".log"));
}

std::vector<std::string> Checking::command(const Program& program, const std::string& binary,
                                           std::size_t number, const Way& way) const {
  std::vector<std::string> command{(tools_ / "mazurka").string(), "check", binary, "--technique",
                                   way.technique};
  if (way.keep_going) command.emplace_back("--keep-going");
  if (program.racy) command.emplace_back("--racy");
  // An attempt that fails orders nothing in C and C++: what comes before it may seem to come later.
  if (makes_attempts(program)) command.insert(command.end(), {"--memory", "sc"});
  if (program.fenced) command.insert(command.end(), {"--volatile", "atomic"});
  if (program.spurious != 0) {
    command.insert(command.end(), {"--spurious", std::to_string(program.spurious)});
  }
  if (way.slice != 0) {
    command.insert(command.end(), {"--jobs", "2", "--slice", std::to_string(way.slice)});
  }
  if (way.seed != 0) command.insert(command.end(), {"--seed", std::to_string(way.seed)});
  if (way.checkpoints != "on") {
    command.insert(command.end(), {"--checkpoints", way.checkpoints});
  }
  command.insert(command.end(),
                 {"--shorten", "off", "--max-time", std::to_string(max_seconds_) + "s"});
  command.insert(command.end(), {"--", std::to_string(number)});
  if (way.wanted) command.push_back(*way.wanted);
  return command;
}

Seen Checking::check(const Program& program, const std::string& name, std::size_t number,
                     const Way& way) const {
  std::vector<std::string> words = command(program, "./" + name, number, way);
  const std::filesystem::path report = scratch_ / (name + ".json");
  const std::filesystem::path output = scratch_ / (name + ".out");
  std::filesystem::remove(report);
  const auto separator = std::find(words.begin(), words.end(), "--");
  words.insert(separator, {"--json", report.filename().string()});
  Seen seen;
  seen.exit_code = run(words, scratch_, output);
  if (!std::filesystem::exists(report)) {
    seen.reason = read_file(output);
    return seen;
  }
  try {
    read_report(nlohmann::json::parse(read_file(report)), seen);
  } catch (const std::exception& error) {
    seen.verdict.clear();
    seen.reason = std::string("the report cannot be read: ") + error.what();
  }
  return seen;
}

Opinion judge(const Program& program, const Expected& expected, const Way& way, const Seen& seen) {
  const auto wrong = [](std::string why) { return Opinion{Judgement::wrong, std::move(why)}; };
  // A technique may say that it cannot be used on a program: that is honest, and counted.
  if (seen.exit_code == 2 && seen.reason.find("is not supported") != std::string::npos) {
    return {Judgement::inconclusive, "refused: " + seen.reason};
  }
  if (seen.verdict.empty() || seen.verdict == "error") {
    return wrong("error, exit code " + std::to_string(seen.exit_code) + ": " + seen.reason);
  }
  const bool cut = seen.cut || seen.reason.find("there may be more") != std::string::npos;
  if (seen.verdict == "inconclusive" || cut) {
    const bool died = seen.reason.find("died") != std::string::npos;
    return {died ? Judgement::wrong : Judgement::inconclusive, "inconclusive: " + seen.reason};
  }
  const bool race = expected.race && !program.racy;
  std::set<std::string> texts = expected.failures;
  for (const std::string& one : expected.finals) {
    if (!way.wanted || *way.wanted == one) texts.insert(one);
  }
  const bool undefined = race || expected.memory || expected.misuse;
  const bool finding =
      undefined || expected.livelock || !texts.empty() || !expected.deadlocks.empty();
  if (finding != (seen.verdict == "finding")) {
    return wrong("the verdict is " + seen.verdict + " (" + list(seen.kinds) + " " +
                 list(seen.texts) + "); possible are " + list(texts) +
                 (expected.deadlocks.empty() ? "" : ", deadlocks " + list(expected.deadlocks)) +
                 (expected.livelock ? ", a livelock" : "") + (race ? ", a data race" : "") +
                 (expected.memory ? ", a memory error" : "") + (expected.misuse ? ", misuse" : ""));
  }
  if (seen.verdict == "verified" && seen.executions == 0) return wrong("verified by 0 executions");
  // What comes after undefined behaviour is nobody's business.
  if (undefined) {
    if (!way.keep_going) return {};
    const bool named = (race && seen.kinds.contains("data race")) ||
                       (expected.memory && (seen.kinds.contains("memory error") ||
                                            seen.kinds.contains("data race"))) ||
                       (expected.misuse && seen.kinds.contains("misuse"));
    return named ? Opinion{} : wrong("no undefined behaviour among " + list(seen.kinds));
  }
  for (const std::string& kind : seen.kinds) {
    if (kind != "assertion" && kind != "deadlock" && kind != "livelock") {
      return wrong("an impossible finding: " + kind);
    }
  }
  if (!way.keep_going) {
    const bool possible =
        std::includes(texts.begin(), texts.end(), seen.texts.begin(), seen.texts.end()) &&
        (expected.livelock || !seen.kinds.contains("livelock")) &&
        (!expected.deadlocks.empty() || !seen.kinds.contains("deadlock"));
    return possible ? Opinion{} : wrong("an impossible finding: " + difference(texts, seen.texts));
  }
  if (texts != seen.texts) return wrong("assertions: " + difference(texts, seen.texts));
  if (!same(expected.deadlocks, seen.deadlocks)) {
    return wrong("deadlocks: " + difference(expected.deadlocks, seen.deadlocks));
  }
  if (expected.livelock != seen.kinds.contains("livelock")) {
    return wrong(expected.livelock ? "a livelock is missing" : "an impossible livelock");
  }
  return {};
}

}  // namespace mazurka::native
