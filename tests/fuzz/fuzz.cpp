// mazurka-fuzz: as many changed inputs as asked for, for everything that reads what others wrote.
//
// An input is taken or refused with the exception that is documented. What fails: any other
// exception, a crash, an assertion, what a sanitizer finds, more than 10 seconds, more than a few
// gigabytes. Exit code 0: nothing failed; 1: something did, and its number reproduces it; 2: wrong
// arguments.
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>
#include <string_view>

#include "fuzz/mutation.hpp"
#include "fuzz/targets.hpp"
#include "parse_number.hpp"

#if defined(__SANITIZE_ADDRESS__)
extern "C" const char* __asan_default_options() {
  return "abort_on_error=1:max_allocation_size_mb=1024:detect_leaks=0";
}
extern "C" const char* __ubsan_default_options() { return "halt_on_error=1:abort_on_error=1"; }
#endif

namespace {

using namespace mazurka::fuzz;
using mazurka::parse_number;

constexpr unsigned patience = 10;  // seconds for one input

struct Options {
  std::uint64_t inputs = 20'000;  // per target
  double seconds = 0;             // per target, instead; 0: no such limit
  std::uint64_t seed = 1;
  std::uint64_t from = 0;  // the first input
  std::string target;      // empty: all
  bool show = false;
};

constexpr std::string_view usage =
    "usage: mazurka-fuzz [--target NAME] [--inputs N | --seconds S] [--seed S] [--from N]\n"
    "                    [--show N]\n"
    "Feeds changed inputs to everything that reads what others wrote. --show writes input N.\n";

// Known to the handler of the signal that ends us.
char under_way[256];

void tell_and_end(int signal) {
  const char* what = signal == SIGALRM ? "does not come to an end: " : "dies of: ";
  [[maybe_unused]] ssize_t ignored = write(STDERR_FILENO, what, std::strlen(what));
  ignored = write(STDERR_FILENO, under_way, std::strlen(under_way));
  _exit(1);
}

bool parse_options(int count, char** arguments, Options& options) {
  for (int at = 1; at < count; at += 2) {
    const std::string_view name = arguments[at];
    const std::string_view value = at + 1 < count ? arguments[at + 1] : "";
    bool good = false;
    if (name == "--inputs") good = parse_number(value, options.inputs);
    if (name == "--seconds") good = parse_number(value, options.seconds);
    if (name == "--seed") good = parse_number(value, options.seed);
    if (name == "--from") good = parse_number(value, options.from);
    if (name == "--show") good = options.show = parse_number(value, options.from);
    if (name == "--target") {
      options.target = value;
      for (const Target& target : targets()) good = good || target.name == value;
    }
    if (good) continue;
    std::fprintf(stderr, "mazurka-fuzz: bad %s '%s'\n%s", arguments[at], value.data(),
                 usage.data());
    return false;
  }
  return true;
}

bool fuzz(const Target& target, const Options& options) {
  const std::vector<std::string> samples = target.samples();
  if (samples.empty()) {
    std::fprintf(stderr, "mazurka-fuzz: there is no %s to begin with\n", target.name.data());
    return false;
  }
  const Mutator mutator(samples, target.words, target.lines);
  for (const std::string& sample : samples) {
    if (target.take(sample)) continue;
    std::fprintf(stderr, "mazurka-fuzz: a valid %s is refused\n", target.name.data());
    return false;
  }
  const auto begun = std::chrono::steady_clock::now();
  std::uint64_t number = options.from;
  std::uint64_t taken = 0;
  for (;; ++number) {
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begun;
    if (options.seconds > 0 ? passed.count() > options.seconds
                            : number - options.from >= options.inputs) {
      break;
    }
    std::snprintf(under_way, sizeof under_way, "--target %s --seed %llu --from %llu --inputs 1\n",
                  target.name.data(), static_cast<unsigned long long>(options.seed),
                  static_cast<unsigned long long>(number));
    const std::string input = mutator.input(options.seed, number);
    alarm(patience);
    try {
      taken += target.take(input) ? 1 : 0;
    } catch (const std::exception& error) {
      std::fprintf(stderr, "mazurka-fuzz: not a documented exception (%s): %s", error.what(),
                   under_way);
      return false;
    }
    alarm(0);
  }
  std::printf("%-12s %llu inputs, %llu of them taken\n", target.name.data(),
              static_cast<unsigned long long>(number - options.from),
              static_cast<unsigned long long>(taken));
  std::fflush(stdout);
  // Some changes do no harm and most do: else the changes are not what they should be.
  constexpr std::uint64_t many = 1000;
  const std::uint64_t inputs = number - options.from;
  if (inputs < many || (taken > 0 && taken < inputs)) return true;
  std::fprintf(stderr, "mazurka-fuzz: %s of them taken\n", taken == 0 ? "none" : "all");
  return false;
}

}  // namespace

int main(int count, char** arguments) {
  Options options;
  if (!parse_options(count, arguments, options)) return 2;
#if !defined( \
    __SANITIZE_ADDRESS__)  // which has address space for everything, and a limit of its own
  const rlimit memory{std::uint64_t{4} << 30U, std::uint64_t{4} << 30U};
  setrlimit(RLIMIT_AS, &memory);
#endif
  for (const int signal : {SIGALRM, SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL}) {
    std::signal(signal, tell_and_end);
  }
  for (const Target& target : targets()) {
    if (!options.target.empty() && options.target != target.name) continue;
    if (options.show) {
      const std::string input =
          Mutator(target.samples(), target.words, target.lines).input(options.seed, options.from);
      std::fwrite(input.data(), 1, input.size(), stdout);
    } else if (!fuzz(target, options)) {
      return 1;
    }
  }
  return 0;
}
