// mazurka-memory-sweep: random programs on atomic variables, compiled and explored by the real
// front-end under each memory model, against all execution graphs that the axioms allow; or, with
// --models, performed without being compiled.
//
// Exit code 0: all fine; 1: something failed; 2: wrong arguments.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "memory/graphs.hpp"
#include "memory/model_program.hpp"
#include "memory/program.hpp"
#include "memory/seen.hpp"
#include "memory/shapes.hpp"
#include "native/process.hpp"
#include "parse_number.hpp"
#include "sweep_progress.hpp"

namespace {

using namespace mazurka::memory;
namespace fs = std::filesystem;

constexpr std::string_view usage =
    "usage: mazurka-memory-sweep [OPTIONS]\n"
    "Random programs on atomic variables, explored by `mazurka check` under weak memory, against\n"
    "all the execution graphs that the axioms of the model allow.\n"
    "  --programs N      how many (default 1000)\n"
    "  --seed S          the first has this seed, each other one the next (default 1)\n"
    "  --events N        most events in a graph (default 9)\n"
    "  --least-events N  least events, if all of a program's take place (default 0); small "
    "programs\n"
    "                    show little of what is weak\n"
    "  --weak            nearly all of it reads and writes that go from one variable to another, "
    "and\n"
    "                    fences: more of what is not sequentially consistent, or nearly is\n"
    "  --waits           much of it between locks and tokens of a semaphore\n"
    "  --model M         sc, tso, rc11 or ra (default: each in turn); all, --together\n"
    "  --technique T     (default: each of those that know weak memory in turn). Of random and\n"
    "                    pct, a sample: all they see must be possible, and it must be nearly all\n"
    "  --shapes NAME     instead of random programs: a classic shape, or all of them, in so many\n"
    "                    placements of orders and fences (0: in every one)\n"
    "  --weak-cas N      all read-modify-writes are weak compare-exchanges that may fail N times\n"
    "                    without a reason (default 0: they are what they are)\n"
    "  --unused          nobody looks at the results of additions, which commute then (only for "
    "sc)\n"
    "  --models          nothing is compiled: the programs are performed in this process, by a\n"
    "                    front-end that shares the rules of memory with that for threads\n"
    "  --batch N         programs per binary (default 100)\n"
    "  --together        those of a binary in one search, which chooses each of them; models and\n"
    "                    techniques are in turn for the binaries\n"
    "  --tools FOLDER    where mazurka and mazurka-cc are (default: beside this program)\n"
    "  --print           show each program, and what was found\n"
    "  --first-failure   ends with the first that fails\n";

struct Options {
  std::uint64_t programs = 1000;
  std::uint64_t seed = 1;
  std::uint64_t events = 9;
  std::uint64_t least_events = 0;
  std::uint64_t batch = 100;
  std::uint64_t weak_cas = 0;
  std::string model;
  std::string technique;
  std::string shapes;
  fs::path tools;
  bool models = false;
  bool weak = false;
  bool waits = false;
  bool unused = false;
  bool together = false;
  bool print = false;
  bool first_failure = false;
};

bool* flag_of(std::string_view name, Options& options) {
  if (name == "--print") return &options.print;
  if (name == "--first-failure") return &options.first_failure;
  if (name == "--models") return &options.models;
  if (name == "--together") return &options.together;
  if (name == "--waits") return &options.waits;
  if (name == "--unused") return &options.unused;
  return name == "--weak" ? &options.weak : nullptr;
}

bool parse(int argc, char** argv, Options& options) {
  for (int at = 1; at < argc; ++at) {
    const std::string_view name = argv[at];
    if (bool* flag = flag_of(name, options)) {
      *flag = true;
      continue;
    }
    if (at + 1 == argc) return false;
    const std::string_view value = argv[++at];
    bool good = true;
    if (name == "--programs") {
      good = mazurka::parse_number(value, options.programs);
    } else if (name == "--seed") {
      good = mazurka::parse_number(value, options.seed);
    } else if (name == "--events") {
      good = mazurka::parse_number(value, options.events) && options.events <= 16;
    } else if (name == "--least-events") {
      good = mazurka::parse_number(value, options.least_events);
    } else if (name == "--batch") {
      good = mazurka::parse_number(value, options.batch) && options.batch > 0;
    } else if (name == "--weak-cas") {
      good = mazurka::parse_number(value, options.weak_cas) && options.weak_cas <= 16;
    } else if (name == "--model") {
      options.model = value;
    } else if (name == "--technique") {
      options.technique = value;
    } else if (name == "--shapes") {
      options.shapes = value;
    } else if (name == "--tools") {
      options.tools = value;
    } else {
      good = false;
    }
    if (!good) return false;
  }
  return true;
}

// Enough to see nearly all that such small programs do.
constexpr const char* size_of_sample = "300";
constexpr std::uint64_t least_percent_of_sample = 90;

bool is_sample(const std::string& technique) { return technique == "random" || technique == "pct"; }

class Sweep {
  using Outcomes = std::map<std::string, std::size_t>;

 public:
  explicit Sweep(const Options& options)
      : options_(options), scratch_(fs::temp_directory_path() / "mazurka-memory-sweep") {
    scratch_ += "-" + std::to_string(getpid());
    fs::create_directories(scratch_);
  }
  Sweep(const Sweep&) = delete;
  Sweep& operator=(const Sweep&) = delete;
  ~Sweep() {
    std::error_code ignored;
    fs::remove_all(scratch_, ignored);
  }

  int run() {
    if (!options_.shapes.empty()) list_placements();
    const std::uint64_t programs = options_.shapes.empty() ? options_.programs : placed_.size();
    if (programs == 0) {
      std::fputs("mazurka-memory-sweep: there is no such shape\n", stderr);
      return 2;
    }
    mazurka::SweepProgress progress(programs);
    for (std::uint64_t first = 0; first < programs; first += options_.batch) {
      const std::uint64_t count = std::min(options_.batch, programs - first);
      if (!compile(first, count)) return 1;
      if (options_.together) {
        check_together(first);
        progress.show(first + count, failed_);
        continue;
      }
      for (std::uint64_t at = 0; at < count; ++at) {
        check(first + at, at);
        progress.show(first + at + 1, failed_);
        if (options_.first_failure && failed_ > 0) return 1;
      }
    }
    std::printf(
        "%llu graphs, %llu executions, %llu impossible, %llu asleep\n",
        static_cast<unsigned long long>(graphs_), static_cast<unsigned long long>(executions_),
        static_cast<unsigned long long>(impossible_), static_cast<unsigned long long>(asleep_));
    std::printf("%llu of %llu outcomes, %llu passed, %llu failed\n",
                static_cast<unsigned long long>(seen_), static_cast<unsigned long long>(outcomes_),
                static_cast<unsigned long long>(checked_ - failed_),
                static_cast<unsigned long long>(failed_));
    return failed_ == 0 && seen_ * 100 >= outcomes_ * least_percent_of_sample ? 0 : 1;
  }

 private:
  static constexpr std::string_view techniques_[] = {"optimal", "source", "sleep",      "graphs",
                                                     "dpor",    "graphs", "exhaustive", "optimal"};
  static constexpr std::string_view models_[] = {"rc11", "tso", "sc", "rc11", "ra"};

  // Of each shape so many placements, spread over all of them; the seed says where to begin.
  void list_placements() {
    for (const Shape& shape : shapes()) {
      if (options_.shapes != "all" && options_.shapes != shape.name) continue;
      const std::uint64_t all = placements(shape);
      const std::uint64_t wanted = options_.programs == 0 ? all : std::min(all, options_.programs);
      for (std::uint64_t at = 0; at < wanted; ++at) {
        placed_.emplace_back(&shape, (options_.seed + at * all / wanted) % all);
      }
    }
  }

  bool compile(std::uint64_t first, std::uint64_t count) {
    programs_.clear();
    for (std::uint64_t at = 0; at < count; ++at) {
      if (options_.shapes.empty()) {
        const auto make = options_.waits  ? random_waiting_program
                          : options_.weak ? random_weak_program
                                          : random_program;
        programs_.push_back(
            make(options_.seed + first + at, options_.least_events, options_.events));
      } else {
        programs_.push_back(placed(*placed_[first + at].first, placed_[first + at].second));
      }
      if (options_.unused) programs_.back() = with_unused_results(programs_.back());
      if (options_.weak_cas > 0) programs_.back() = with_weak_exchanges(programs_.back());
    }
    if (options_.models) return true;
    mazurka::native::write_file(scratch_ / "batch.c", to_c(programs_));
    const int code = mazurka::native::run({(options_.tools / "mazurka-cc").string(), "-w", "-O0",
                                           "-g0", "-Wl,-s", "batch.c", "-o", "batch"},
                                          scratch_, scratch_ / "compile.log");
    if (code == 0) return true;
    std::fputs(mazurka::native::read_file(scratch_ / "compile.log").c_str(), stderr);
    return false;
  }

  // `program`: what the binary is asked for (to_c).
  Seen explore_native(const std::string& program, const std::string& model,
                      const std::string& technique) const {
    const fs::path report = scratch_ / "report.json";
    fs::remove(report);
    const std::vector<std::string> command{(options_.tools / "mazurka").string(),
                                           "check",
                                           "./batch",
                                           "--memory",
                                           model,
                                           "--technique",
                                           technique,
                                           "--keep-going",
                                           "--shorten",
                                           "off",
                                           "--max-executions",
                                           is_sample(technique) ? size_of_sample : "0",
                                           "--weak-cas",
                                           std::to_string(options_.weak_cas),
                                           "--json",
                                           "report.json",
                                           "--",
                                           program};
    mazurka::native::run(command, scratch_, scratch_ / "output.txt");
    Seen seen;
    if (!fs::exists(report)) {
      seen.problem = mazurka::native::read_file(scratch_ / "output.txt");
      return seen;
    }
    const auto json = nlohmann::json::parse(mazurka::native::read_file(report));
    const auto& statistics = json.at("statistics");
    // What was explored before the search began anew, it has explored once more.
    seen.executions = statistics.at("executions").get<std::uint64_t>() -
                      statistics.at("repeated").get<std::uint64_t>();
    seen.impossible = statistics.at("impossible");
    seen.asleep = statistics.at("asleep");
    seen.nonzero_exits = statistics.at("nonzero_exits");
    for (const auto& finding : json.at("findings")) {
      const auto message = finding.at("message").get<std::string>();
      const std::size_t begin = message.find('`');
      const std::size_t end = message.rfind('`');
      if (finding.at("kind") == "deadlock") {
        seen.deadlock = true;
      } else if (finding.at("kind") != "assertion" || begin == end) {
        seen.problem = message;
      } else {
        seen.outcomes[message.substr(begin + 1, end - begin - 1)] = 0;
      }
    }
    const std::string reason = json.at("reason");
    const bool cut = reason.find("there may be more") != std::string::npos;
    if (cut && !is_sample(technique)) seen.problem = reason;
    return seen;
  }

  std::string model_of(std::uint64_t number) const {
    return options_.model.empty() ? std::string(models_[number % std::size(models_)])
                                  : options_.model;
  }
  std::string technique_of(std::uint64_t number) const {
    const std::string technique = options_.technique.empty()
                                      ? std::string(techniques_[number % std::size(techniques_)])
                                      : options_.technique;
    return technique == "graphs" && options_.weak_cas > 0 ? "optimal" : technique;
  }
  void check(std::uint64_t number, std::uint64_t at) {
    check(number, at, model_of(number), technique_of(number));
  }

  // Under sc interleavings are, too; but not as the models perform them, and an exchange that fails
  // without a reason may be in the way of others.
  [[nodiscard]] bool explores_each_once(const std::string& technique,
                                        const std::string& model) const {
    return technique == "graphs" ||
           (technique == "optimal" && model == "sc" && !options_.models && options_.weak_cas == 0);
  }

  static Model axioms_of(const std::string& model) {
    return model == "sc"    ? Model::sc
           : model == "tso" ? Model::tso
           : model == "ra"  ? Model::ra
                            : Model::rc11;
  }

  // All programs of the binary in one search, under each of the models. If anything is wrong with
  // that, one by one.
  void check_together(std::uint64_t first) {
    const std::uint64_t batch = first / options_.batch;
    const std::string technique = technique_of(batch);
    const std::vector<std::string> models =
        options_.model == "all" ? std::vector<std::string>{"sc", "tso", "rc11", "ra"}
                                : std::vector{model_of(batch)};
    for (const std::string& model : models) {
      const Expected expected = expected_together(model, technique == "graphs");
      const Seen seen = explore_native(technique == "graphs" ? "any" : "all", model, technique);
      if (is_right(expected, seen, explores_each_once(technique, model))) {
        checked_ += programs_.size();
        graphs_ += expected.graphs;
        executions_ += seen.executions;
        impossible_ += seen.impossible;
        asleep_ += seen.asleep;
        outcomes_ += expected.outcomes.size();
        seen_ += seen.outcomes.size();
        continue;
      }
      const std::uint64_t before = failed_;
      for (std::size_t at = 0; at < programs_.size(); ++at) {
        check(first + at, at, model, technique);
      }
      if (failed_ != before) continue;
      ++failed_;
      std::printf("WRONG: seeds %llu to %llu, %s, %s: right one by one, but not together: %s\n",
                  static_cast<unsigned long long>(options_.seed + first),
                  static_cast<unsigned long long>(options_.seed + first + programs_.size() - 1),
                  model.c_str(), technique.c_str(), seen.problem.c_str());
      show("missed", expected.outcomes, seen.outcomes);
      show("impossible", seen.outcomes, expected.outcomes);
    }
  }

  /// Of all programs of a binary.
  struct Expected {
    Outcomes outcomes;  // that are told by findings
    std::uint64_t graphs = 0;
    std::uint64_t nonzero_exits = 0;
    bool deadlock = false;
  };
  Expected expected_together(const std::string& model, bool counted) const {
    Expected all;
    for (std::size_t at = 0; at < programs_.size(); ++at) {
      const Graphs expected =
          all_graphs(programs_[at], axioms_of(model), static_cast<int>(options_.weak_cas));
      all.graphs += expected.complete + expected.blocked;
      all.deadlock = all.deadlock || expected.blocked > 0;
      const std::string digits = std::to_string(at);
      const std::string name = std::string(5 - digits.size(), '0') + digits + ' ';
      for (const auto& [outcome, graphs] : expected.outcomes) {
        const Told told = counted ? how_told(name + outcome) : Told::by_finding;
        if (told == Told::by_finding) all.outcomes.emplace(name + outcome, graphs);
        if (told == Told::by_exit_code) all.nonzero_exits += graphs;
      }
    }
    return all;
  }
  static bool is_right(const Expected& expected, const Seen& seen, bool counted) {
    const bool as_many =
        seen.executions == expected.graphs && seen.nonzero_exits == expected.nonzero_exits;
    return seen.problem.empty() && same_keys(seen.outcomes, expected.outcomes) &&
           seen.deadlock == expected.deadlock && (as_many || !counted);
  }
  static bool same_keys(const Outcomes& one, const Outcomes& other) {
    return one.size() == other.size() && is_within(one, other);
  }
  static bool is_within(const Outcomes& one, const Outcomes& other) {
    return std::all_of(one.begin(), one.end(),
                       [&](const auto& entry) { return other.contains(entry.first); });
  }

  void check(std::uint64_t number, std::uint64_t at, const std::string& model,
             const std::string& technique) {
    const Model axioms = axioms_of(model);
    ++checked_;
    const Graphs expected = all_graphs(programs_[at], axioms, static_cast<int>(options_.weak_cas));
    const Seen seen = options_.models ? explore(programs_[at], in_runtime(axioms), technique)
                                      : explore_native(std::to_string(at), model, technique);
    const std::size_t graphs = expected.complete + expected.blocked;
    graphs_ += graphs;
    executions_ += seen.executions;
    impossible_ += seen.impossible;
    asleep_ += seen.asleep;
    const bool possible = is_within(seen.outcomes, expected.outcomes);
    const bool complete = seen.outcomes.size() == expected.outcomes.size();
    const bool each_as_often = !options_.models || seen.outcomes == expected.outcomes;
    const bool as_many =
        !explores_each_once(technique, model) || (seen.executions == graphs && each_as_often);
    const bool ends = seen.deadlock == (expected.blocked > 0) || is_sample(technique);
    const bool right =
        seen.problem.empty() && possible && as_many && ends && (complete || is_sample(technique));
    outcomes_ += expected.outcomes.size();
    seen_ += seen.outcomes.size();
    if (!right) ++failed_;
    if (right && !options_.print) return;
    std::printf("%sseed %llu, %s, %s: %zu graphs, %llu executions\n  %s\n",
                right ? "" : "WRONG: ", static_cast<unsigned long long>(options_.seed + number),
                model.c_str(), technique.c_str(), graphs,
                static_cast<unsigned long long>(seen.executions), to_text(programs_[at]).c_str());
    if (!seen.problem.empty()) std::printf("  %s\n", seen.problem.c_str());
    show("missed", expected.outcomes, seen.outcomes);
    show("impossible", seen.outcomes, expected.outcomes);
  }

  static mazurka::host::MemoryModel in_runtime(Model model) {
    using mazurka::host::MemoryModel;
    switch (model) {
      case Model::sc: return MemoryModel::sc;
      case Model::tso: return MemoryModel::tso;
      case Model::ra: return MemoryModel::ra;
      case Model::rc11: return MemoryModel::rc11;
    }
    return {};
  }

  static void show(const char* what, const Outcomes& these, const Outcomes& others) {
    for (const auto& [one, graphs] : these) {
      if (!others.contains(one)) std::printf("  %s: %s\n", what, one.c_str());
    }
  }

  const Options& options_;
  fs::path scratch_;
  std::vector<Program> programs_;
  std::vector<std::pair<const Shape*, std::uint64_t>> placed_;
  std::uint64_t checked_ = 0;
  std::uint64_t failed_ = 0;
  std::uint64_t graphs_ = 0;
  std::uint64_t executions_ = 0;
  std::uint64_t impossible_ = 0;
  std::uint64_t asleep_ = 0;
  std::uint64_t outcomes_ = 0;  // that there are ...
  std::uint64_t seen_ = 0;      // ... and that were seen
};

}  // namespace

int main(int argc, char** argv) {
  Options options;
  options.tools = fs::absolute(argv[0]).parent_path();
  if (!parse(argc, argv, options)) {
    std::fputs(usage.data(), stderr);
    return 2;
  }
  if (options.models && (options.weak_cas > 0 || is_sample(options.technique))) {
    std::fputs("mazurka-memory-sweep: --models is not for --weak-cas, random and pct\n", stderr);
    return 2;
  }
  if (options.together && (options.models || is_sample(options.technique))) {
    std::fputs("mazurka-memory-sweep: --together is not for --models, random and pct\n", stderr);
    return 2;
  }
  if (options.unused && (options.models || options.model != "sc")) {
    std::fputs("mazurka-memory-sweep: --unused is for --model sc, compiled\n", stderr);
    return 2;
  }
  if (options.model == "all" && !options.together) {
    std::fputs("mazurka-memory-sweep: --model all is for --together\n", stderr);
    return 2;
  }
  if (options.least_events > options.events) {
    std::fputs("mazurka-memory-sweep: --least-events is more than --events\n", stderr);
    return 2;
  }
  options.tools = fs::absolute(options.tools);
  return Sweep(options).run();
}
