// Random systems of CAF's actors against brute force, as many as wanted.
//
//   mazurka-caf-sweep [--programs N] [--first N] [--orders N] [--print N]
//
// --first: those from 1000000 on have more kinds of actions. --print: shows that one. --orders:
// systems with more orders are left out. Exit code 1 if something disagrees.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "caf/comparison.hpp"
#include "parse_number.hpp"

namespace {

using mazurka::caf_test::Compared;
using mazurka::caf_test::Comparison;

struct Wanted {
  std::uint64_t programs = 20'000;
  std::uint64_t first = 0;
  std::uint64_t orders = 100;
  std::uint64_t print = 0;  // 0: none
};

bool read(int argc, char** argv, Wanted& wanted) {
  for (int at = 1; at < argc; at += 2) {
    const std::string option = argv[at];
    std::uint64_t* const value = option == "--programs" ? &wanted.programs
                                 : option == "--first"  ? &wanted.first
                                 : option == "--orders" ? &wanted.orders
                                 : option == "--print"  ? &wanted.print
                                                        : nullptr;
    if (value == nullptr || at + 1 >= argc) return false;
    if (!mazurka::parse_number(argv[at + 1], *value)) return false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  Wanted wanted;
  if (!read(argc, argv, wanted)) {
    std::fprintf(stderr,
                 "usage: mazurka-caf-sweep [--programs N] [--first N] [--orders N] [--print N]\n");
    return 2;
  }
  if (wanted.print > 0) {
    std::fputs(mazurka::caf_test::to_text(mazurka::caf_test::make_script(wanted.print)).c_str(),
               stdout);
    return 0;
  }
  Comparison comparison;
  std::uint64_t compared = 0;
  std::uint64_t large = 0;
  std::uint64_t refused = 0;
  std::uint64_t traces = 0;
  std::uint64_t orders = 0;
  for (std::uint64_t number = wanted.first; compared < wanted.programs; ++number) {
    const Compared result = comparison.compare(number, wanted.orders);
    if (!result.wrong.empty()) {
      std::printf("number %llu:\n%s", static_cast<unsigned long long>(number),
                  result.wrong.c_str());
      return 1;
    }
    large += result.too_large ? 1 : 0;
    refused += result.refused ? 1 : 0;
    if (result.too_large || result.refused) continue;
    ++compared;
    traces += result.traces;
    orders += result.orders;
    constexpr std::uint64_t between = 1000;
    if (compared % between == 0) {
      std::printf(
          "%llu systems agree: %llu traces of %llu orders; left out: %llu with more orders, "
          "%llu refused\n",
          static_cast<unsigned long long>(compared), static_cast<unsigned long long>(traces),
          static_cast<unsigned long long>(orders), static_cast<unsigned long long>(large),
          static_cast<unsigned long long>(refused));
      std::fflush(stdout);
    }
  }
  return 0;
}
