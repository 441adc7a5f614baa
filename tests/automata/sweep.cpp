// Random networks against brute force, and noise against the parser, for as long as wanted.
//
//   mazurka-sweep-automata --programs 100000 --seed 1 --parser-seconds 60
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <string_view>

#include "automata/checks.hpp"
#include "automata/random_network.hpp"
#include "programs/automata/document.hpp"
#include "programs/automata/writer.hpp"

namespace mazurka::automata_test {
namespace {

struct Options {
  std::uint64_t programs = 1000;
  std::uint64_t seed = 1;
  double parser_seconds = 0;
  std::uint64_t stateless_every = 1;  // check stateless techniques on every n-th system
  std::uint64_t threads_every = 1;    // search with 1, 2 and 4 threads on every n-th system
};

bool sweep_networks(const Options& options) {
  std::uint64_t checked = 0;
  std::uint64_t graphs = 0;
  std::uint64_t stateless = 0;
  std::uint64_t skipped = 0;
  for (std::uint64_t seed = options.seed; checked < options.programs; ++seed) {
    const Network network = random_network(seed);
    CheckLimits limits;
    limits.stateless = seed % options.stateless_every == 0;
    if (seed % options.threads_every == 0) limits.threads = {1, 2, 4};
    const Verdicts verdicts = check_network(network, seed, limits);
    if (verdicts.too_large) {
      ++skipped;
      continue;
    }
    ++checked;
    graphs += verdicts.graphs;
    stateless += verdicts.stateless_runs;
    if (!verdicts.wrong.empty()) {
      std::printf("WRONG seed %llu: %s\n", static_cast<unsigned long long>(seed),
                  verdicts.wrong.c_str());
      const Network small = shrunk(network, [&](const Network& candidate) {
        const Verdicts again = check_network(candidate, seed, limits);
        return !again.too_large && !again.wrong.empty();
      });
      std::printf("shrunk (%s):\n%s", check_network(small, seed, limits).wrong.c_str(),
                  automata::write_network(small).c_str());
      return false;
    }
    if (checked % 10'000 == 0) {
      std::printf("%llu systems\n", static_cast<unsigned long long>(checked));
      std::fflush(stdout);
    }
  }
  std::printf(
      "%llu systems from seed %llu: %llu graphs certified and compared with all traces, "
      "%llu stateless explorations compared, %llu systems too large\n",
      static_cast<unsigned long long>(checked), static_cast<unsigned long long>(options.seed),
      static_cast<unsigned long long>(graphs), static_cast<unsigned long long>(stateless),
      static_cast<unsigned long long>(skipped));
  return true;
}

std::string mutated(std::string text, std::mt19937_64& random) {
  static constexpr std::string_view pieces[] = {
      ":",         "{",   "}",        "@",           "\n", "edge:", "sync:",    "int:1:0:3:0:x",
      "provided:", "do:", "x=x+1",    "((((",        "-",  "\xff",  "initial:", "99999999999",
      "#",         ",",   "process:", "kind: client"};
  const std::size_t changes = 1 + random() % 6;
  for (std::size_t n = 0; n < changes && !text.empty(); ++n) {
    const std::size_t at = random() % text.size();
    switch (random() % 4) {
      case 0: text[at] = static_cast<char>(random() % 256); break;
      case 1: text.erase(at, random() % 40); break;
      case 2: text.insert(at, pieces[random() % std::size(pieces)]); break;
      default: text.insert(at, text.substr(random() % text.size(), random() % 60)); break;
    }
  }
  return text;
}

void sweep_parser(const Options& options) {
  using Clock = std::chrono::steady_clock;
  const auto begun = Clock::now();
  std::mt19937_64 random(options.seed);
  const std::string variables =
      "system:v\nevent:a\nevent:b\nint:1:0:3:0:x\nint:2:0:2:1:y\nprocess:P\n"
      "location:P:l0{initial:}\nlocation:P:l1\nedge:P:l0:l1:a{provided: x<3 && y[0]==1 : do: "
      "x=x+1; y[1]=x-y[0]}\nedge:P:l0:l1:b{do: x=(1+2)*x%2}\n";
  std::uint64_t inputs = 0;
  std::uint64_t accepted = 0;
  while (std::chrono::duration<double>(Clock::now() - begun).count() < options.parser_seconds) {
    std::string text = variables;
    if (random() % 2 == 0) text = automata::write_network(random_network(random()));
    text = mutated(std::move(text), random);
    ++inputs;
    try {
      const Network network = automata::parse_network(text, "noise");
      validate(network);
      ++accepted;
    } catch (const NetworkError&) {
      // What the parser is for.
    }
  }
  std::printf("%llu inputs to the parser in %.0f s, %llu accepted\n",
              static_cast<unsigned long long>(inputs), options.parser_seconds,
              static_cast<unsigned long long>(accepted));
}

}  // namespace
}  // namespace mazurka::automata_test

int main(int argc, char** argv) {
  using namespace mazurka::automata_test;
  Options options;
  for (int at = 1; at + 1 < argc; at += 2) {
    const std::string_view name = argv[at];
    const char* value = argv[at + 1];
    if (name == "--programs") {
      options.programs = std::strtoull(value, nullptr, 10);
    } else if (name == "--seed") {
      options.seed = std::strtoull(value, nullptr, 10);
    } else if (name == "--parser-seconds") {
      options.parser_seconds = std::strtod(value, nullptr);
    } else if (name == "--stateless-every") {
      options.stateless_every = std::max(1ULL, std::strtoull(value, nullptr, 10));
    } else if (name == "--threads-every") {
      options.threads_every = std::max(1ULL, std::strtoull(value, nullptr, 10));
    } else {
      std::fprintf(stderr,
                   "unknown option %s; there are --programs, --seed, --parser-seconds, "
                   "--stateless-every, --threads-every\n",
                   argv[at]);
      return 2;
    }
  }
  if (options.programs > 0 && !sweep_networks(options)) return 1;
  if (options.parser_seconds > 0) sweep_parser(options);
  return 0;
}
