// mazurka-native-sweep: random C and C++ programs, compiled and explored by the real front-end,
// against a search of their states that shares nothing with it.
//
// Exit code 0: all fine; 1: something failed; 2: wrong arguments; 3: interrupted.
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "native/campaign.hpp"
#include "native/generator.hpp"

namespace {

using namespace mazurka::native;

constexpr std::string_view usage =
    "usage: mazurka-native-sweep [OPTIONS]\n"
    "Random programs with threads, explored by `mazurka check`, against a search of their states.\n"
    "  --programs N      how many (default 1000)\n"
    "  --seed S          number n of a seed is always the same program (default 1)\n"
    "  --first N         begin with program N, to go on where another sweep has ended (default 0)\n"
    "  --technique T     a technique, or a family: plain, weak, context, observers,\n"
    "                    all (default); may be given several times\n"
    "  --per-program N   only N of these for each program, in turn (default 0: all)\n"
    "  --ways N          with --keep-going and without it (default 2), or one of them in turn (1)\n"
    "  --profile P       a profile, or all (default); may be given several times, or -P to leave "
    "one out\n"
    "  --compilers LIST  gcc,clang (default)\n"
    "  --levels LIST     of optimisation (default -O0,-O2,-O1)\n"
    "  --languages LIST  c,c++ (default)\n"
    "  --jobs J          how many at a time (default 1)\n"
    "  --batch N         programs per binary (default 48)\n"
    "  --seconds S       begin no more programs after that time\n"
    "  --max-states N    leave out programs with more states (default 20000)\n"
    "  --max-failures N  stop after that many (default 10)\n"
    "  --counts WHEN     compare numbers of executions: on (default) or off\n"
    "  --shrink WHEN     shrink failures and show them as programs: on (default) or off\n"
    "  --tools FOLDER    where mazurka and mazurka-cc are (default: beside this program)\n"
    "  --print N         only show program N, and what the reference says of it\n";

std::atomic<bool> interrupted{false};

void on_interrupt(int) { interrupted.store(true); }

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> all;
  while (true) {
    const std::size_t comma = text.find(',');
    all.emplace_back(text.substr(0, comma));
    if (comma == std::string_view::npos) return all;
    text.remove_prefix(comma + 1);
  }
}

bool parse_number(std::string_view text, std::uint64_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size();
}

bool add_profile(std::string_view name, std::vector<std::string>& chosen) {
  const bool without = name.starts_with('-');
  if (without) name.remove_prefix(1);
  const auto known = profiles();
  if (name == "all" || (without && chosen.empty())) chosen.assign(known.begin(), known.end());
  if (name == "all") return true;
  if (std::find(known.begin(), known.end(), name) == known.end()) return false;
  if (without) {
    std::erase(chosen, name);
  } else {
    chosen.emplace_back(name);
  }
  return true;
}

bool parse(int count, char** arguments, Options& options) {
  for (int at = 1; at < count; at += 2) {
    const std::string_view name = arguments[at];
    if (at + 1 >= count) return false;
    const std::string_view value = arguments[at + 1];
    bool good = true;
    if (name == "--programs") {
      good = parse_number(value, options.programs);
    } else if (name == "--seed") {
      good = parse_number(value, options.seed);
    } else if (name == "--first") {
      good = parse_number(value, options.first);
    } else if (name == "--technique") {
      good = add_techniques(value, options.techniques);
    } else if (name == "--per-program") {
      good = parse_number(value, options.per_program);
    } else if (name == "--ways") {
      good = value == "1" || value == "2";
      options.one_way = value == "1";
    } else if (name == "--profile") {
      good = add_profile(value, options.profiles);
    } else if (name == "--compilers") {
      options.compilers = split(value);
    } else if (name == "--levels") {
      options.levels = split(value);
    } else if (name == "--languages") {
      options.languages = split(value);
    } else if (name == "--jobs") {
      good = parse_number(value, options.jobs) && options.jobs > 0;
    } else if (name == "--batch") {
      good = parse_number(value, options.batch) && options.batch > 0;
    } else if (name == "--seconds") {
      good = parse_number(value, options.seconds);
    } else if (name == "--max-states") {
      good = parse_number(value, options.max_states);
    } else if (name == "--max-failures") {
      good = parse_number(value, options.max_failures);
    } else if (name == "--counts") {
      good = value == "on" || value == "off";
      options.counts = value == "on";
    } else if (name == "--shrink") {
      good = value == "on" || value == "off";
      options.shrink = value == "on";
    } else if (name == "--tools") {
      options.tools = std::filesystem::absolute(value);
    } else if (name == "--print") {
      good = parse_number(value, options.print.emplace());
    } else {
      good = false;
    }
    if (!good) return false;
  }
  if (options.techniques.empty()) add_techniques("all", options.techniques);
  if (options.profiles.empty()) add_profile("all", options.profiles);
  return true;
}

}  // namespace

int main(int count, char** arguments) {
  Options options;
  options.tools = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  if (!parse(count, arguments, options)) {
    std::fprintf(stderr, "%s", usage.data());
    return 2;
  }
  std::signal(SIGINT, on_interrupt);
  std::string scratch = (std::filesystem::temp_directory_path() / "mazurka-sweep-XXXXXX").string();
  int code = 2;
  try {
    if (options.print) {
      show(options, *options.print);
      return 0;
    }
    if (mkdtemp(scratch.data()) == nullptr) {
      std::perror("mazurka-native-sweep: no folder for the programs");
      return 2;
    }
    code = sweep(options, scratch, interrupted);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "mazurka-native-sweep: %s\n", error.what());
  }
  std::error_code ignored;
  std::filesystem::remove_all(scratch, ignored);
  return code;
}
