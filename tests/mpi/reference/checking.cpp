#include "mpi/reference/checking.hpp"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <stdexcept>

#include "native/process.hpp"

namespace mazurka::mpi_reference {

namespace {

using nlohmann::json;

const std::filesystem::path interpreter_source = MAZURKA_MPI_INTERPRETER;
constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

/// Lines of the interpreter that belong to operations, or to programs.
struct Lines {
  std::size_t operations = 0;  // the line of the first
  std::size_t watches = 0;
};

Lines read_lines() {
  Lines lines;
  std::ifstream in(interpreter_source);
  std::string line;
  for (std::size_t number = 1; std::getline(in, line); ++number) {
    if (line.ends_with("// BEGIN_OF_OPERATIONS")) lines.operations = number + 1;
    if (line.ends_with("// BEGIN_OF_WATCHES")) lines.watches = number + 1;
  }
  return lines;
}

const Lines& lines() {
  static const Lines known = read_lines();
  return known;
}

// As the interpreter has it: FNV-1a.
std::uint32_t hash_of(const std::string& text) {
  std::uint32_t hash = 2166136261U;
  for (const char one : text) hash = (hash ^ static_cast<unsigned char>(one)) * 16777619U;
  return hash;
}

std::size_t number_behind(const std::string& text, const std::string& before) {
  const std::size_t at = text.find(before);
  if (at == std::string::npos) return nowhere;
  try {
    return std::stoul(text.substr(at + before.size()));
  } catch (const std::exception&) {
    return nowhere;
  }
}

// Where every rank waits: one that is at no operation is at its end. The rank that watches says
// which program it is.
std::pair<std::size_t, std::string> where_all_wait(const json& story,
                                                   const std::vector<Asked>& asked) {
  const std::size_t ranks = asked[0].program.size();
  std::vector<std::size_t> places(ranks, nowhere);
  std::size_t which = 0;
  for (const json& stuck : story.at("stuck")) {
    const std::string name = story.at("processes").at(stuck.at("process").get<std::size_t>());
    const std::size_t rank = number_behind(name, "rank ");
    const std::size_t line =
        number_behind(stuck.at("place"), interpreter_source.filename().string() + ":");
    if (rank == ranks) which = line - lines().watches;
    if (rank < ranks && line - lines().operations < max_operations) {
      places[rank] = line - lines().operations;
    }
  }
  std::string outcome = "deadlock ";
  if (which >= asked.size()) return {which, outcome + "in an unknown program"};
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    const std::size_t end = asked[which].program[rank].size();
    outcome += (rank == 0 ? "" : "/") + std::to_string(std::min(places[rank], end));
  }
  return {which, outcome};
}

void read_finding(const json& finding, const std::vector<Asked>& asked, Seen& seen) {
  static const std::regex told(R"((?:(\d+) )?(saw [-\d./]*))");
  const std::string kind = finding.at("kind");
  const std::string message = finding.at("message");
  std::smatch found;
  if (kind == "assertion" && std::regex_search(message, found, told)) {
    seen.told.insert({found[1].matched ? std::stoul(found[1]) : 0, found[2]});
  } else if (kind == "deadlock") {
    seen.told.insert(where_all_wait(finding.at("story"), asked));
  } else {
    seen.problem = kind + ": " + message;
  }
}

Seen read_report(const json& report, const std::vector<Asked>& asked) {
  Seen seen;
  const json& statistics = report.at("statistics");
  const auto count = [&](const char* name) { return statistics.at(name).get<std::size_t>(); };
  seen.executions = count("executions") - count("repeated");
  seen.counted = count("ended_by_assumption");
  const std::string reason = report.at("reason");
  const std::string verdict = report.at("verdict");
  seen.partial = reason.find("the search ended early") != std::string::npos;
  const bool only_counted = reason.find("no execution met the assumptions") != std::string::npos;
  if ((verdict == "inconclusive" || verdict == "error") && !seen.partial && !only_counted) {
    seen.problem = verdict + ": " + reason;
  }
  for (const json& finding : report.at("findings")) read_finding(finding, asked, seen);
  return seen;
}

}  // namespace

std::string text_of(const Asked& asked) {
  std::string text;
  for (const auto& [outcome, weight] : asked.weights) {
    text +=
        (text.empty() ? "" : ".") + std::to_string(hash_of(outcome)) + "*" + std::to_string(weight);
  }
  return (text.empty() ? "" : text + "=") + encode(asked.program);
}

Seen check(const Checker& checker, const std::vector<Asked>& asked, const Way& way,
           const std::filesystem::path& scratch) {
  std::string texts;
  for (const Asked& one : asked) texts += (texts.empty() ? "" : ";") + text_of(one);
  const std::size_t ranks = asked[0].program.size() + (asked.size() > 1 ? 1 : 0);
  const std::filesystem::path report = scratch / "report.json";
  const std::filesystem::path output = scratch / "output.txt";
  std::filesystem::remove(report);
  std::vector<std::string> command{"/usr/bin/timeout",
                                   std::to_string(checker.seconds * asked.size()),
                                   checker.mazurka,
                                   "check",
                                   checker.interpreter,
                                   "--ranks",
                                   std::to_string(ranks),
                                   "--buffering",
                                   way.buffering,
                                   "--collectives",
                                   way.collectives,
                                   "--technique",
                                   checker.technique,
                                   "--keep-going",
                                   "--shorten",
                                   "off",
                                   "--json",
                                   report};
  command.insert(command.end(), checker.options.begin(), checker.options.end());
  command.emplace_back("--");
  command.push_back(texts);
  const int code = native::run(command, scratch, output);
  if (!std::filesystem::exists(report)) {
    Seen seen;
    constexpr int out_of_time = 124;
    seen.problem = code == out_of_time
                       ? "it takes too long"
                       : "exit code " + std::to_string(code) + ": " + native::read_file(output);
    return seen;
  }
  return read_report(json::parse(native::read_file(report)), asked);
}

void compile_interpreter(const std::vector<std::string>& compiler,
                         const std::filesystem::path& binary) {
  std::vector<std::string> command = compiler;
  for (const std::string& word : {std::string("-D_GNU_SOURCE"), interpreter_source.string(),
                                  std::string("-o"), binary.string()}) {
    command.push_back(word);
  }
  const std::filesystem::path output = binary.parent_path() / "compiler.txt";
  if (native::run(command, binary.parent_path(), output) != 0) {
    throw std::runtime_error("the interpreter can not be compiled:\n" + native::read_file(output));
  }
}

std::string run_for_real(const std::string& mpiexec, const std::filesystem::path& interpreter,
                         const Program& program, const std::filesystem::path& scratch) {
  const std::filesystem::path output = scratch / "output.txt";
  const int code = native::run({"/usr/bin/timeout", "3", mpiexec, "-n",
                                std::to_string(program.size()), interpreter, encode(program)},
                               scratch, output);
  constexpr int out_of_time = 124;
  if (code == out_of_time) return "deadlock";
  const std::string printed = native::read_file(output);
  std::smatch found;
  return std::regex_search(printed, found, std::regex(R"(saw [-\d./]*)")) ? found[0].str()
                                                                          : printed;
}

}  // namespace mazurka::mpi_reference
