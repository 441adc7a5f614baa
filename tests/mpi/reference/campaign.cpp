#include "mpi/reference/campaign.hpp"

#include <stdlib.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <map>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <tuple>

#include "sweep_progress.hpp"

namespace mazurka::mpi_reference {

namespace {

using Clock = std::chrono::steady_clock;

/// A folder that is gone afterwards.
class Scratch {
 public:
  Scratch() {
    std::string name = std::filesystem::temp_directory_path() / "mazurka-mpi-XXXXXX";
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("there is no temporary folder");
    path_ = name;
  }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  [[nodiscard]] std::filesystem::path folder(const std::string& name) const {
    std::filesystem::create_directories(path_ / name);
    return path_ / name;
  }

 private:
  std::filesystem::path path_;
};

struct Counts {
  std::uint64_t programs = 0;
  std::uint64_t searches = 0;
  std::uint64_t comparisons = 0;
  std::uint64_t with_deadlocks = 0;
  std::uint64_t with_several_outcomes = 0;
  std::uint64_t counted = 0;  // executions must be as many as matchings
  std::uint64_t left_out = 0;
  std::uint64_t different = 0;
};

class Campaign {
 public:
  explicit Campaign(Settings settings)
      : settings_(std::move(settings)), progress_(settings_.programs) {}

  int run();

 private:
  /// Of a worker: programs that can share a search, as soon as there are enough of them.
  using Key = std::tuple<std::string, std::size_t, bool>;
  using Groups = std::map<Key, std::vector<Known>>;

  void work(unsigned worker);
  void take(std::uint64_t number, Groups& groups, const std::filesystem::path& scratch);
  void compare(const std::string& buffering, const std::vector<Known>& group,
               const std::filesystem::path& scratch);
  void compare_alone(const Comparing& comparing, const Known& known);
  void compare_for_real(std::uint64_t number, const Program& program,
                        const std::filesystem::path& scratch);
  void note(std::uint64_t number, const std::string& way, const Program& program,
            const std::string& wrong);
  void count(const Expected& expected);
  bool is_over();

  Settings settings_;
  SweepProgress progress_;
  Scratch scratch_;
  Clock::time_point begun_ = Clock::now();
  std::atomic<std::uint64_t> next_{0};
  std::mutex mutex_;
  Counts counts_;
  std::string problem_;
};

bool Campaign::is_over() {
  const std::scoped_lock lock(mutex_);
  if (counts_.different >= settings_.max_failures || !problem_.empty()) return true;
  const auto passed = Clock::now() - begun_;
  return settings_.seconds > 0 && passed > std::chrono::seconds(settings_.seconds);
}

void Campaign::note(std::uint64_t number, const std::string& way, const Program& program,
                    const std::string& wrong) {
  const std::scoped_lock lock(mutex_);
  ++counts_.different;
  std::cout << "program " << number << ", " << way << ": " << encode(program) << '\n'
            << wrong << std::flush;
}

void Campaign::count(const Expected& expected) {
  const std::scoped_lock lock(mutex_);
  ++counts_.comparisons;
  counts_.with_several_outcomes += expected.most.size() > 1 ? 1 : 0;
  counts_.counted += expected.countable ? 1 : 0;
  const bool deadlocks = std::any_of(expected.most.begin(), expected.most.end(),
                                     [](const auto& one) { return is_deadlock(one.first); });
  counts_.with_deadlocks += deadlocks ? 1 : 0;
}

void Campaign::compare_alone(const Comparing& comparing, const Known& known) {
  const std::string wrong = comparing.difference(known);
  if (wrong.empty()) return;
  const std::string way = comparing.way().buffering + ", " + comparing.way().collectives;
  std::string told = wrong.ends_with('\n') ? wrong : wrong + '\n';
  if (settings_.shrink) {
    const Program least = comparing.smallest(known.program);
    const Known smaller{0, least, expect(least, comparing.way())};
    told += "made smaller: " + encode(least) + '\n' + comparing.difference(smaller);
  }
  note(known.number, way, known.program, told);
}

void Campaign::compare(const std::string& buffering, const std::vector<Known>& group,
                       const std::filesystem::path& scratch) {
  const Comparing comparing(settings_.checker, {buffering, settings_.collectives}, scratch);
  for (const Known& known : group) count(known.expected);
  {
    const std::scoped_lock lock(mutex_);
    ++counts_.searches;
  }
  const std::string wrong = group.size() > 1 ? comparing.difference(group) : "";
  if (group.size() > 1 && wrong.empty()) return;
  std::uint64_t before = 0;
  {
    const std::scoped_lock lock(mutex_);
    before = counts_.different;
  }
  for (const Known& known : group) compare_alone(comparing, known);
  const std::scoped_lock lock(mutex_);
  if (group.size() == 1 || counts_.different > before) return;
  ++counts_.different;  // each is right, but not all of them together
  std::cout << "together, " << buffering << ":";
  for (const Known& known : group) std::cout << ' ' << known.number;
  std::cout << '\n' << wrong << std::flush;
}

void Campaign::compare_for_real(std::uint64_t number, const Program& program,
                                const std::filesystem::path& scratch) {
  // Small messages are buffered.
  Expected expected = expect(program, {"infinite", "sync"});
  const Expected loose = expect(program, {"infinite", "loose"});
  expected.most.insert(loose.most.begin(), loose.most.end());
  expected.complete = expected.complete && loose.complete;
  const bool stuck = std::all_of(expected.most.begin(), expected.most.end(),
                                 [](const auto& one) { return is_deadlock(one.first); });
  if (!expected.complete || stuck || !is_all_seen(program)) {
    const std::scoped_lock lock(mutex_);
    ++counts_.left_out;
    return;
  }
  count(expected);
  const std::string seen =
      run_for_real(settings_.mpiexec, settings_.checker.interpreter, program, scratch);
  const bool possible =
      std::any_of(expected.most.begin(), expected.most.end(), [&](const auto& one) {
        return one.first == seen || (seen == "deadlock" && is_deadlock(one.first));
      });
  if (!possible) note(number, settings_.mpiexec, program, "impossible: " + seen + '\n');
}

void Campaign::take(std::uint64_t number, Groups& groups, const std::filesystem::path& scratch) {
  const Program program = program_of(settings_, number);
  {
    const std::scoped_lock lock(mutex_);
    ++counts_.programs;
  }
  if (!settings_.mpiexec.empty()) {
    compare_for_real(number, program, scratch);
    return;
  }
  for (const std::string& buffering : settings_.bufferings) {
    Known known{number, program, expect(program, {buffering, settings_.collectives})};
    const std::size_t text = known.expected.most.size() * sizeof "4294967295*3.";
    const bool fits = text * settings_.together < max_text / 2;
    if (!known.expected.complete) {
      const std::scoped_lock lock(mutex_);
      ++counts_.left_out;
      continue;
    }
    if (!fits || settings_.together == 1) {
      compare(buffering, {known}, scratch);
      continue;
    }
    std::vector<Known>& group = groups[{buffering, program.size(), known.expected.countable}];
    group.push_back(std::move(known));
    if (group.size() < settings_.together) continue;
    compare(buffering, group, scratch);
    group.clear();
  }
}

void Campaign::work(unsigned worker) {
  try {
    const std::filesystem::path scratch = scratch_.folder(std::to_string(worker));
    Groups groups;
    while (!is_over()) {
      const std::uint64_t nth = next_.fetch_add(1);
      if (nth >= settings_.programs) break;
      take(settings_.first + nth, groups, scratch);
      const std::scoped_lock lock(mutex_);
      progress_.show(counts_.programs, counts_.different);
    }
    for (const auto& [key, group] : groups) {
      if (!group.empty()) compare(std::get<0>(key), group, scratch);
    }
  } catch (const std::exception& problem) {
    const std::scoped_lock lock(mutex_);
    problem_ = problem.what();
  }
}

int Campaign::run() {
  settings_.checker.interpreter = scratch_.folder("interpreter") / "interpreter";
  std::vector<std::string> compiler{"/usr/bin/env", "mpicc", "-w"};
  if (settings_.mpiexec.empty()) {
    settings_.checker.mazurka = std::filesystem::absolute(settings_.checker.mazurka);
    // Only matching is of interest.
    compiler = {settings_.checker.mazurka.parent_path() / "mazurka-mpicc", "-g",
                "-fno-sanitize=thread"};
  }
  compile_interpreter(compiler, settings_.checker.interpreter);
  std::vector<std::thread> workers;
  for (unsigned worker = 0; worker < settings_.jobs; ++worker) {
    workers.emplace_back([this, worker] { work(worker); });
  }
  for (std::thread& worker : workers) worker.join();
  if (!problem_.empty()) throw std::runtime_error(problem_);
  std::cout << counts_.programs << " programs, " << counts_.comparisons << " comparisons ("
            << counts_.with_several_outcomes << " with several outcomes, " << counts_.with_deadlocks
            << " with deadlocks, " << counts_.counted << " with numbers of executions) in "
            << counts_.searches << " searches, " << counts_.left_out << " left out, "
            << counts_.different << " different\n";
  return counts_.different == 0 ? 0 : 1;
}

}  // namespace

Program program_of(const Settings& settings, std::uint64_t number) {
  constexpr std::uint64_t stride = 1'000'003;
  if (settings.text.empty())
    return random_program(settings.seed * stride + number, settings.wishes);
  std::string problem;
  const std::optional<Program> program = decode(settings.text, problem);
  if (!program) throw std::runtime_error(problem);
  return *program;
}

int run(Settings settings) {
  if (!settings.text.empty()) settings.programs = 1;
  return Campaign(std::move(settings)).run();
}

}  // namespace mazurka::mpi_reference
