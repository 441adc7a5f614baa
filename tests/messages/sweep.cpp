// mazurka-messages-sweep: techniques against brute force on as many random message programs as
// asked for, and the law of independence on as many pairs.
//
// Exit code 0: all fine; 1: something failed; 2: wrong arguments.
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "explorers/table.hpp"
#include "messages/checker.hpp"
#include "messages/laws.hpp"
#include "parse_number.hpp"
#include "sweep_progress.hpp"

namespace {

using namespace mazurka;
using namespace mazurka::messages;

struct Options {
  std::uint64_t programs = 10'000;
  std::uint64_t pairs = 1'000'000;
  std::uint64_t seed = 1;
  std::string technique;  // empty: all
};

constexpr std::string_view usage =
    "usage: mazurka-messages-sweep [--programs N] [--pairs N] [--seed S] [--technique NAME]\n"
    "Compares the techniques (or one, such as unfolding:2) with brute force on N random message\n"
    "programs, and checks N pairs of operations that are called independent.\n";

bool parse_options(int count, char** arguments, Options& options) {
  for (int at = 1; at < count; at += 2) {
    const std::string_view name = arguments[at];
    const std::string_view value = at + 1 < count ? arguments[at + 1] : "";
    bool good = false;
    if (name == "--programs") good = parse_number(value, options.programs);
    if (name == "--pairs") good = parse_number(value, options.pairs);
    if (name == "--seed") good = parse_number(value, options.seed);
    if (name == "--technique") {
      options.technique = value;
      good = parse_technique(value).error.empty();
    }
    if (good) continue;
    std::fprintf(stderr, "mazurka-messages-sweep: bad %s '%s'\n%s", arguments[at], value.data(),
                 usage.data());
    return false;
  }
  return true;
}

// Whether all is well with one program; tells what is not.
bool check_program(const Options& options, std::uint64_t number) {
  const Features& features = feature_sets()[number % feature_sets().size()];
  for (std::uint64_t attempt = 0;; ++attempt) {
    const std::uint64_t seed = options.seed + number + (attempt << 40);
    const Model model = random_model(seed, features);
    const auto truth = enumerate_interleavings(model, most_interleavings);
    if (!truth) continue;  // too many interleavings: the next seed of its own row
    bool good = true;
    const std::uint64_t order = number / feature_sets().size() % 2 == 0 ? 0 : seed;
    for (const std::string& technique : technique_names()) {
      if (!options.technique.empty() && technique != options.technique) continue;
      const std::string problem =
          compare(model, *truth, *parse_technique(technique).make(), promises_of(technique), order);
      if (problem.empty()) continue;
      good = false;
      const Model small = shrink(
          model, [&](const Model& other) { return !compare(other, technique, order).empty(); });
      std::printf("%s fails on seed %llu (%s), order %llu: %s\nshrunk (%s): %s\n",
                  technique.c_str(), static_cast<unsigned long long>(seed), features.name.c_str(),
                  static_cast<unsigned long long>(order), problem.c_str(),
                  compare(small, technique, order).c_str(), to_string(small).c_str());
    }
    return good;
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count == 2 && std::string_view(arguments[1]) == "--help") {
    std::fputs(usage.data(), stdout);
    return 0;
  }
  Options options;
  if (!parse_options(count, arguments, options)) return 2;
  std::uint64_t failed = 0;
  SweepProgress progress(options.programs);
  for (std::uint64_t number = 0; number < options.programs; ++number) {
    if (!check_program(options, number)) ++failed;
    if (number % 500 == 499) progress.show(number + 1, failed);
  }
  LawCheck law;
  for (std::uint64_t seed = options.seed; law.pairs < options.pairs && law.problem.empty();
       ++seed) {
    for (const Features& features : feature_sets()) law.walk(seed, features);
  }
  std::printf("\n%llu programs passed, %llu failed; %llu independent pairs checked%s%s\n",
              static_cast<unsigned long long>(options.programs - failed),
              static_cast<unsigned long long>(failed), static_cast<unsigned long long>(law.pairs),
              law.problem.empty() ? "" : ": ", law.problem.c_str());
  return failed > 0 || !law.problem.empty() ? 1 : 0;
}
