#include "cli/compare.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "cli/outputs.hpp"
#include "core/members.hpp"

namespace mazurka::cli {

namespace {

std::vector<std::string> names_in(const std::string& list) {
  std::vector<std::string> names;
  std::size_t from = 0;
  while (from <= list.size()) {
    const std::size_t comma = std::min(list.find(',', from), list.size());
    if (comma > from) names.push_back(list.substr(from, comma - from));
    from = comma + 1;
  }
  return names;
}

/// The command line with `--technique NAME` in the place of `--compare`.
std::vector<std::string> with_technique(int argc, const char* const* argv,
                                        const std::string& technique) {
  constexpr std::string_view option = "--compare";
  std::vector<std::string> words{argv[0], argv[1], "--technique", technique};
  bool ours = true;
  for (int at = 2; at < argc; ++at) {
    const std::string_view word = argv[at];
    ours = ours && word != "--";
    if (ours && word == option) {
      ++at;
    } else if (!ours || !word.starts_with(std::string(option) + "=")) {
      words.emplace_back(word);
    }
  }
  return words;
}

Compared numbers_of(const Options& options, const Outcome& outcome) {
  return {options.technique,         outcome.verdict,
          outcome.explored,          outcome.statistics.executions,
          outcome.statistics.asleep, outcome.statistics.events,
          outcome.seconds,           outcome.processor_seconds,
          outcome.peak_memory};
}

}  // namespace

std::vector<Options> options_of_each(int argc, const char* const* argv, const Options& options,
                                     std::optional<int>& failure, std::string* mistake) {
  std::vector<Options> all;
  for (const std::string& name : names_in(options.compare)) {
    const std::vector<std::string> words = with_technique(argc, argv, name);
    std::vector<const char*> pointers;
    for (const std::string& word : words) pointers.push_back(word.c_str());
    failure =
        parse(static_cast<int>(pointers.size()), pointers.data(), all.emplace_back(), mistake);
    if (failure) return {};
  }
  return all;
}

// The first one comes last: the schedules of its findings are those that are left in files.
int check_each(const std::vector<Options>& all, const Tell& tell) {
  static_assert(count_of_members<Compared> == 9, "numbers_of() fills in all of them");
  std::vector<Compared> numbers(all.size());
  int code = 0;
  for (std::size_t at = all.size(); at-- > 0;) {
    code = all[at].kind->check(all[at], [&](const Outcome& outcome) {
      numbers[at] = numbers_of(all[at], outcome);
      if (at > 0) return static_cast<int>(outcome.verdict);
      Outcome told = outcome;
      told.comparison = numbers;
      return tell(told);
    });
  }
  return code;
}

}  // namespace mazurka::cli
