#include "native/campaign.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "native/checking.hpp"
#include "native/generator.hpp"
#include "native/process.hpp"
#include "native/shrinking.hpp"

namespace mazurka::native {
namespace {

struct Family {
  std::string_view name;
  std::vector<std::string> techniques;
};

// `divided`: explored in slices of a few executions by two processes.
const std::vector<Family>& families() {
  static const std::vector<Family> all{
      {"plain", {"optimal", "reverse", "reverse divided", "source", "sleep", "dpor"}},
      {"context",
       {"source-context", "source-context:cut", "source-context:cut,guide", "source-context:chains",
        "optimal-context", "optimal-context:whole-states"}},
      {"observers",
       {"optimal-observers", "optimal-context-observers",
        "optimal-context-observers:whole-states"}},
      {"weak", {"graphs", "graphs divided"}},
  };
  return all;
}

// Those that promise each trace once. To reverse search, the order of those who share a lock is
// part of the trace.
bool counts_traces(const std::string& technique, const Program& program) {
  const std::vector<std::string>& plain = families().front().techniques;
  if (technique.starts_with("reverse") && uses(program, Op::read_locked)) return false;
  return std::find(plain.begin(), plain.end(), technique) != plain.end();
}

// Where rounds of waiting loops are left out, how many depends on the order in which they are seen.
bool has_loops(const Program& program) {
  return any_of(program, [](const Statement& one) {
    return (one.op >= Op::spin && one.op <= Op::spin_try) || one.op == Op::cas_loop ||
           one.op == Op::latch_spin ||
           ((one.op == Op::wait || one.op == Op::wait_timed) && one.wait == Wait::loop) ||
           one.op == Op::atomic_wait;
  });
}

// An attempt in vain has only read. Where one is reversed, it may turn out that it was in vain in
// that order, too, and the execution is one that was explored: it ends asleep.
bool has_attempts(const Program& program, Language language) {
  // The standard library of C++ takes from a semaphore by comparing and exchanging.
  const bool compares = language == Language::cpp;
  return any_of(program, [compares](const Statement& one) {
    return (compares && one.op == Op::sem_wait) || one.how != How::lock || one.op == Op::sem_try ||
           one.op == Op::sem_timed || one.op == Op::cas || one.op == Op::cas_weak ||
           one.op == Op::cas_loop;
  });
}

struct Tally {
  std::uint64_t runs = 0;
  std::uint64_t wrong = 0;
  std::uint64_t inconclusive = 0;
};

class Campaign final {
 public:
  Campaign(const Options& options, std::filesystem::path scratch,
           const std::atomic<bool>& interrupted)
      : options_(options), scratch_(std::move(scratch)), interrupted_(interrupted) {}

  int run() {
    std::setvbuf(stdout, nullptr, _IOLBF, 0);  // failures are seen as they come
    std::vector<std::thread> workers;
    for (std::uint64_t job = 0; job < options_.jobs; ++job) {
      workers.emplace_back([this, job] {
        try {
          work(job);
        } catch (const std::exception& error) {
          const std::scoped_lock lock(mutex_);
          ++failures_;
          std::printf("\nThe sweep itself failed: %s\n", error.what());
        }
      });
    }
    for (std::thread& worker : workers) worker.join();
    summary();
    if (failures_ > 0) return 1;
    return interrupted_.load() ? 3 : 0;
  }

 private:
  using Clock = std::chrono::steady_clock;

  struct Case {
    Program program;
    Expected expected;
    std::uint64_t number = 0;
  };

  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(Clock::now() - begin_).count();
  }

  [[nodiscard]] bool over() const {
    return interrupted_.load() || failures_.load() >= options_.max_failures ||
           (options_.seconds != 0 && seconds() > static_cast<double>(options_.seconds));
  }

  void work(std::uint64_t job) {
    const std::filesystem::path own = scratch_ / ("job" + std::to_string(job));
    std::filesystem::create_directory(own);
    const Checking checking(options_.tools, own, 20);
    const std::uint64_t batches = (options_.programs + options_.batch - 1) / options_.batch;
    while (!over()) {
      const std::uint64_t batch = next_batch_++;
      if (batch >= batches) return;
      perform(checking, batch);
      std::filesystem::remove_all(own / ".mazurka");
    }
  }

  [[nodiscard]] Build build_of(std::uint64_t batch) const {
    // All combinations in turn; batches are numbered from the first program on.
    Build build;
    std::uint64_t at = batch + options_.first / options_.batch;
    const std::size_t ways =
        options_.languages.size() * options_.compilers.size() * options_.levels.size();
    at = at * (ways % 5 == 0 ? 7 : 5) % ways;
    build.language =
        options_.languages[at % options_.languages.size()] == "c++" ? Language::cpp : Language::c;
    at /= options_.languages.size();
    build.compiler = options_.compilers[at % options_.compilers.size()];
    at /= options_.compilers.size();
    build.level = options_.levels[at % options_.levels.size()];
    // Reading debug information to tell of a finding takes longer than the search: mostly without.
    build.debug_information = (batch + options_.first / options_.batch) % 20 == 0;
    return build;
  }

  void perform(const Checking& checking, std::uint64_t batch) {
    const Build build = build_of(batch);
    std::vector<Case> cases;
    std::vector<Program> programs;
    const std::uint64_t from = batch * options_.batch;
    const std::uint64_t to = std::min(from + options_.batch, options_.programs);
    for (std::uint64_t at = from; at < to && !over(); ++at) {
      const std::uint64_t number = options_.first + at;
      Case one{
          generate(options_.profiles[number % options_.profiles.size()], options_.seed, number),
          {},
          number};
      if (one.program.cpp && build.language == Language::c) {
        ++other_language_;
        continue;
      }
      one.expected = explore(one.program, options_.max_states);
      if (!one.expected.complete) {
        ++too_large_;
        continue;
      }
      if (one.expected.busy) {
        ++busy_;
        continue;
      }
      programs.push_back(one.program);
      cases.push_back(std::move(one));
    }
    if (programs.empty()) return;
    if (const auto error = checking.compile(programs, build, "batch")) {
      const std::scoped_lock lock(mutex_);
      ++failures_;
      std::printf("\nThe programs from %llu on cannot be compiled:\n%s\n",
                  static_cast<unsigned long long>(cases.front().number), error->c_str());
      return;
    }
    for (std::size_t at = 0; at < cases.size() && !over(); ++at) {
      check(checking, build, cases[at], at);
      ++done_;
      progress();
    }
  }

  [[nodiscard]] std::vector<std::string> chosen(std::uint64_t number) const {
    const std::size_t all = options_.techniques.size();
    if (options_.per_program == 0 || options_.per_program >= all) return options_.techniques;
    std::vector<std::string> some;
    for (std::uint64_t at = 0; at < options_.per_program; ++at) {
      some.push_back(options_.techniques[(number * options_.per_program + at) % all]);
    }
    return some;
  }

  // The ways in which a technique is tried on a program: all findings at once; and to its first
  // one, with a final state that there is, or is not.
  [[nodiscard]] std::vector<Way> ways(const Case& one, const std::string& technique) const {
    Way all;
    constexpr std::string_view divided = " divided";
    all.technique = technique;
    if (technique.ends_with(divided)) {
      all.technique.resize(technique.size() - divided.size());
      constexpr std::array slices{1U, 60U, 7U, 20U, 3U};
      all.slice = slices[one.number / 2 % slices.size()];
    }
    if (one.number % 4 == 3) all.seed = one.number;
    // Nothing may depend on where executions begin.
    constexpr std::array modes{"always", "on", "always", "off", "always", "check", "always", "on"};
    all.checkpoints = modes[one.number / 4 % modes.size()];
    std::vector<Way> ways{all};
    Way single = all;
    single.keep_going = false;
    const std::set<std::string>& finals = one.expected.finals;
    if (one.number % 3 == 1 && !finals.empty()) {
      single.wanted =
          *std::next(finals.begin(), static_cast<std::ptrdiff_t>(one.number / 3 % finals.size()));
    } else {
      single.wanted = "none";
    }
    if (one.number % 3 != 2) ways.push_back(single);
    if (options_.one_way && ways.size() > 1) ways.erase(ways.begin() + (one.number / 3 + 1) % 2);
    return ways;
  }

  void check(const Checking& checking, const Build& build, const Case& one, std::size_t at) {
    std::optional<std::uint64_t> traces;
    std::string counted_by;
    for (const std::string& technique : chosen(one.number)) {
      if (one.program.racy && technique.starts_with("graphs")) continue;  // it refuses them
      for (const Way& way : ways(one, technique)) {
        const Seen seen = checking.check(one.program, "batch", at, way);
        Opinion opinion = judge(one.program, one.expected, way, seen);
        const bool counted = options_.counts && seen.memory == "sc" &&
                             opinion.judgement == Judgement::right && seen.verdict == "verified" &&
                             counts_traces(technique, one.program) && !has_loops(one.program);
        if (counted && traces && *traces != seen.executions) {
          opinion = {Judgement::wrong, std::to_string(seen.executions) + " executions, but " +
                                           std::to_string(*traces) + " with " + counted_by};
        }
        if (counted && technique == "optimal" && seen.asleep != 0 &&
            !has_attempts(one.program, build.language)) {
          opinion = {Judgement::wrong, std::to_string(seen.asleep) + " executions asleep"};
        }
        if (counted && !traces) {
          traces = seen.executions;
          counted_by = technique;
        }
        note(technique, opinion);
        if (opinion.judgement != Judgement::right) tell(checking, build, one, way, opinion);
        if (over()) return;
        if (opinion.judgement == Judgement::wrong) break;
      }
    }
  }

  void note(const std::string& technique, const Opinion& opinion) {
    const std::scoped_lock lock(mutex_);
    Tally& tally = tallies_[technique];
    ++tally.runs;
    if (opinion.judgement == Judgement::wrong) ++tally.wrong;
    if (opinion.judgement == Judgement::inconclusive) ++tally.inconclusive;
  }

  void tell(const Checking& checking, const Build& build, const Case& one, const Way& way,
            const Opinion& opinion) {
    const std::string what = one.program.profile + ", program " + std::to_string(one.number) +
                             " of seed " + std::to_string(options_.seed) + ", " +
                             (build.language == Language::cpp ? "C++, " : "C, ") + build.compiler +
                             " " + build.level + (build.debug_information ? " -g, " : ", ") +
                             way.technique + (way.slice != 0 ? " divided" : "");
    if (opinion.judgement == Judgement::inconclusive) {
      const std::scoped_lock lock(mutex_);
      clear_line();
      std::printf("INCONCLUSIVE %s%s: %s\n", what.c_str(), way.keep_going ? "" : ", first finding",
                  opinion.why.c_str());
      return;
    }
    ++failures_;
    if (!options_.shrink || !first_of(one.program.profile, way.technique)) {
      const std::scoped_lock lock(mutex_);
      clear_line();
      std::printf("FAILED %s\n  %s\n", what.c_str(), opinion.why.c_str());
      return;
    }
    const bool count = opinion.why.find(" executions") != std::string::npos;
    Program program = one.program;
    std::string why = opinion.why;
    Way shown = way;
    if (!count) {
      program = shrink(program, [&](const Program& less) {
        Way again = way;
        const auto found = still_wrong(checking, build, less, again);
        if (!found) return false;
        why = *found;
        shown = again;
        return true;
      });
    }
    Style style;
    style.language = build.language;
    const std::scoped_lock lock(mutex_);
    clear_line();
    std::printf("FAILED %s\n  %s\n  shrunk: %s\n  command: ", what.c_str(), opinion.why.c_str(),
                why.c_str());
    for (const std::string& word : checking.command(program, "./a.out", 0, shown)) {
      std::printf(word.find(' ') == std::string::npos ? "%s " : "'%s' ", word.c_str());
    }
    std::printf("\n%s\n", print({&program, 1}, style).c_str());
    std::fflush(stdout);
  }

  // Only the first failure of a technique in a profile is shrunk and shown: the next ones are
  // mostly the same.
  bool first_of(const std::string& profile, const std::string& technique) {
    const std::scoped_lock lock(mutex_);
    return shown_.insert(profile + ' ' + technique).second;
  }

  // What is wrong with a smaller program, checked in the same way.
  std::optional<std::string> still_wrong(const Checking& checking, const Build& build,
                                         const Program& program, Way& way) const {
    if (interrupted_.load()) return std::nullopt;
    const Expected expected = explore(program, options_.max_states);
    if (!expected.complete || expected.busy) return std::nullopt;
    if (way.wanted && *way.wanted != "none") {
      if (expected.finals.empty()) return std::nullopt;
      if (!expected.finals.contains(*way.wanted)) way.wanted = *expected.finals.begin();
    }
    if (checking.compile({&program, 1}, build, "smaller")) return std::nullopt;
    const Opinion opinion =
        judge(program, expected, way, checking.check(program, "smaller", 0, way));
    if (opinion.judgement != Judgement::wrong) return std::nullopt;
    return opinion.why;
  }

  void clear_line() const {
    if (terminal_) std::printf("\r\033[K");
  }

  // On a terminal in place; elsewhere a line now and then.
  void progress() {
    const std::scoped_lock lock(mutex_);
    if (!terminal_ && seconds() < next_line_) return;
    next_line_ = seconds() + 60;
    std::uint64_t runs = 0;
    for (const auto& [technique, tally] : tallies_) runs += tally.runs;
    std::printf("%s%llu programs, %llu runs, %.0f per second, %llu failures%s",
                terminal_ ? "\r\033[K" : "", static_cast<unsigned long long>(done_.load()),
                static_cast<unsigned long long>(runs),
                static_cast<double>(runs) / std::max(seconds(), 0.001),
                static_cast<unsigned long long>(failures_.load()), terminal_ ? "" : "\n");
    std::fflush(stdout);
  }

  void summary() {
    clear_line();
    Tally all;
    for (const auto& [technique, tally] : tallies_) {
      std::printf("%-40s %8llu runs %6llu wrong %6llu inconclusive\n", technique.c_str(),
                  static_cast<unsigned long long>(tally.runs),
                  static_cast<unsigned long long>(tally.wrong),
                  static_cast<unsigned long long>(tally.inconclusive));
      all.runs += tally.runs;
      all.wrong += tally.wrong;
      all.inconclusive += tally.inconclusive;
    }
    std::printf(
        "seed %llu, programs %llu to %llu: %llu checked (left out: %llu too large, %llu endless, "
        "%llu "
        "for the other language), %llu runs in %.0f s, %llu wrong, %llu inconclusive\n",
        static_cast<unsigned long long>(options_.seed),
        static_cast<unsigned long long>(options_.first),
        static_cast<unsigned long long>(options_.first + options_.programs),
        static_cast<unsigned long long>(done_.load()),
        static_cast<unsigned long long>(too_large_.load()),
        static_cast<unsigned long long>(busy_.load()),
        static_cast<unsigned long long>(other_language_.load()),
        static_cast<unsigned long long>(all.runs), seconds(),
        static_cast<unsigned long long>(all.wrong),
        static_cast<unsigned long long>(all.inconclusive));
  }

  const Options& options_;
  std::filesystem::path scratch_;
  const std::atomic<bool>& interrupted_;
  Clock::time_point begin_ = Clock::now();
  bool terminal_ = isatty(STDOUT_FILENO) != 0;
  double next_line_ = 60;
  std::atomic<std::uint64_t> next_batch_{0};
  std::atomic<std::uint64_t> done_{0};
  std::atomic<std::uint64_t> failures_{0};
  std::atomic<std::uint64_t> too_large_{0};
  std::atomic<std::uint64_t> busy_{0};
  std::atomic<std::uint64_t> other_language_{0};
  std::mutex mutex_;
  std::map<std::string, Tally> tallies_;
  std::set<std::string> shown_;  // profile and technique of failures
};

}  // namespace

bool add_techniques(std::string_view name, std::vector<std::string>& techniques) {
  bool found = false;
  if (name == "exhaustive" || name == "all") {
    techniques.emplace_back("exhaustive");
    found = true;
  }
  for (const Family& family : families()) {
    for (const std::string& one : family.techniques) {
      if (name != "all" && name != family.name && name != one) continue;
      if (std::find(techniques.begin(), techniques.end(), one) != techniques.end()) continue;
      techniques.push_back(one);
      found = true;
    }
  }
  return found;
}

void show(const Options& options, std::uint64_t number) {
  const Program program =
      generate(options.profiles[number % options.profiles.size()], options.seed, number);
  const Expected expected = explore(program, options.max_states);
  Style style;
  style.language = options.languages.front() == "c++" ? Language::cpp : Language::c;
  std::printf("%s\n/*\n%zu states%s%s%s%s%s%s\n", print({&program, 1}, style).c_str(),
              expected.states, expected.complete ? "" : " and more",
              expected.busy ? ", endless" : "", expected.livelock ? ", a livelock" : "",
              expected.race ? ", a data race" : "", expected.memory ? ", a memory error" : "",
              expected.misuse ? ", misuse" : "");
  for (const std::string& one : expected.finals) std::printf("%s\n", one.c_str());
  for (const std::string& one : expected.failures) std::printf("%s\n", one.c_str());
  for (const std::vector<int>& stuck : expected.deadlocks) {
    std::printf("deadlock of");
    for (const int thread : stuck) std::printf(" %d", thread);
    std::printf("\n");
  }
  std::printf("*/\n");
}

int sweep(const Options& options, const std::filesystem::path& scratch,
          const std::atomic<bool>& interrupted) {
  return Campaign(options, scratch, interrupted).run();
}

}  // namespace mazurka::native
