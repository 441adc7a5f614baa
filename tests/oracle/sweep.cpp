// mazurka-sweep: techniques against brute force on as many random programs as asked for.
//
// Exit code 0: all fine; 1: something failed; 2: wrong arguments; 3: interrupted.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "oracle/brute_force.hpp"
#include "oracle/checker.hpp"
#include "oracle/generator.hpp"
#include "parse_number.hpp"
#include "sweep_progress.hpp"

namespace {

using namespace mazurka;
using namespace mazurka::oracle;

struct Options {
  std::uint64_t programs = 10'000;
  std::uint64_t jobs = 1;
  std::uint64_t seed = 1;
  std::uint64_t parts = 0;  // how often a search is also divided at random
  std::vector<Variant> variants = all_variants();
  std::span<const Features> features = feature_sets();
};

constexpr std::string_view usage =
    "usage: mazurka-sweep [--programs N] [--jobs J] [--seed S] [--technique NAME]\n"
    "                     [--features NAME] [--parts K]\n"
    "Compares the techniques (or one, also as NAME:OPTION,...) with brute force on N random\n"
    "programs: of all sets of features in turn, or of one. With K, techniques that can be divided\n"
    "are also explored K times in parts, of random size, in random order, some of them lost and\n"
    "done again. Programs that no technique takes are refused: they have neither passed nor\n"
    "failed.\n";

std::atomic<bool> interrupted{false};

void on_interrupt(int) { interrupted.store(true); }

bool parse(int count, char** arguments, Options& options) {
  for (int at = 1; at < count; at += 2) {
    const std::string_view name = arguments[at];
    const std::string_view value = at + 1 < count ? arguments[at + 1] : "";
    bool good = false;
    if (name == "--programs") good = parse_number(value, options.programs);
    if (name == "--jobs") good = parse_number(value, options.jobs) && options.jobs > 0;
    if (name == "--parts") good = parse_number(value, options.parts);
    if (name == "--seed") good = parse_number(value, options.seed);
    if (name == "--features") {
      const Features* const only = find_features(value);
      good = only != nullptr;
      if (good) options.features = {only, 1};
    }
    if (name == "--technique") {
      try {
        options.variants = {variant(value)};
        good = true;
      } catch (const std::invalid_argument& error) {
        std::fprintf(stderr, "mazurka-sweep: %s\n", error.what());
      }
    }
    if (!good) {
      std::fprintf(stderr, "mazurka-sweep: bad %s '%s'\n%s", arguments[at],
                   at + 1 < count ? arguments[at + 1] : "", usage.data());
      return false;
    }
  }
  return true;
}

class Sweep {
 public:
  explicit Sweep(const Options& options) : options_(options) {}

  int run() {
    std::vector<std::thread> workers;
    for (std::uint64_t job = 0; job < options_.jobs; ++job)
      workers.emplace_back([this] { work(); });
    while (done() < options_.programs && !interrupted) {
      std::this_thread::sleep_for(std::chrono::milliseconds(500));
      progress_.show(done(), failed_);
    }
    for (std::thread& worker : workers) worker.join();
    std::fputc('\n', stderr);
    std::printf("%llu passed, %llu failed, %llu refused\n",
                static_cast<unsigned long long>(passed_), static_cast<unsigned long long>(failed_),
                static_cast<unsigned long long>(refused_));
    if (failed_ > 0) return 1;
    return interrupted && done() < options_.programs ? 3 : 0;
  }

 private:
  /// Of a program: refused if no technique takes it.
  enum class Outcome : std::uint8_t { refused, passed, failed };

  [[nodiscard]] std::uint64_t done() const { return passed_ + failed_ + refused_; }

  void work() {
    while (!interrupted) {
      const std::uint64_t number = next_++;
      if (number >= options_.programs) return;
      switch (check(number)) {
        case Outcome::refused: ++refused_; break;
        case Outcome::passed: ++passed_; break;
        case Outcome::failed: ++failed_; break;
      }
    }
  }

  // Programs with too many interleavings are passed over for the next seed of their own row.
  Outcome check(std::uint64_t number) {
    const Features& features = options_.features[number % options_.features.size()];
    for (std::uint64_t attempt = 0;; ++attempt) {
      const std::uint64_t seed = options_.seed + number + (attempt << 40);
      const Model model = random_model(seed, features);
      const auto truth = enumerate_interleavings(model, most_interleavings);
      if (truth) return check(model, *truth, features, seed);
    }
  }

  Outcome check(const Model& model, const Truth& truth, const Features& features,
                std::uint64_t seed) {
    Outcome worst = Outcome::refused;
    const std::uint64_t order = seed / 16 % 2 == 0 ? 0 : seed;
    for (const Variant& tried : options_.variants) {
      worst = std::max(worst, alone(model, truth, features, tried, seed, order));
      if (tried.technique->divisible && !good_in_parts(model, truth, features, tried, seed))
        worst = Outcome::failed;
    }
    return worst;
  }

  Outcome alone(const Model& model, const Truth& truth, const Features& features,
                const Variant& tried, std::uint64_t seed, std::uint64_t order) {
    const std::string problem =
        compare(model, truth, *tried.make(), promises_of(tried, model), order);
    if (problem.empty()) return Outcome::passed;
    if (problem == refused_program) return Outcome::refused;
    const Model small = shrink(model, [&](const Model& other) {
      const std::string still = compare(other, tried, order);
      return !still.empty() && still != refused_program;
    });
    const std::lock_guard guard(printing_);
    std::printf("\n%s fails on seed %llu (%s), order %llu: %s\nshrunk (%s):\n%s\n",
                tried.name.c_str(), static_cast<unsigned long long>(seed), features.name.data(),
                static_cast<unsigned long long>(order), problem.c_str(),
                compare(small, tried, order).c_str(), to_string(small).c_str());
    std::fflush(stdout);
    return Outcome::failed;
  }

  bool good_in_parts(const Model& model, const Truth& truth, const Features& features,
                     const Variant& tried, std::uint64_t seed) {
    for (std::uint64_t time = 0; time < options_.parts; ++time) {
      const std::uint64_t lots = seed + (time << 32);
      const std::string problem = compare_in_parts(model, truth, tried, lots);
      if (problem.empty()) continue;
      const std::lock_guard guard(printing_);
      std::printf("\n%s fails in parts on seed %llu (%s), lots %llu: %s\n%s\n", tried.name.c_str(),
                  static_cast<unsigned long long>(seed), features.name.data(),
                  static_cast<unsigned long long>(lots), problem.c_str(), to_string(model).c_str());
      std::fflush(stdout);
      return false;
    }
    return true;
  }

  Options options_;
  std::atomic<std::uint64_t> next_{0};
  std::atomic<std::uint64_t> passed_{0};
  std::atomic<std::uint64_t> failed_{0};
  std::atomic<std::uint64_t> refused_{0};
  std::mutex printing_;
  SweepProgress progress_{options_.programs};
};

}  // namespace

int main(int count, char** arguments) {
  if (count == 2 && std::strcmp(arguments[1], "--help") == 0) {
    std::fputs(usage.data(), stdout);
    return 0;
  }
  Options options;
  if (!parse(count, arguments, options)) return 2;
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
  return Sweep(options).run();
}
