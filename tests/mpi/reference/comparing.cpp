#include "mpi/reference/comparing.hpp"

#include <algorithm>
#include <optional>
#include <set>

namespace mazurka::mpi_reference {

namespace {

std::size_t endings_of(const Expected& expected) {
  std::size_t all = 0;
  for (const auto& [outcome, endings] : expected.most) all += endings;
  return all;
}

// --- groups --------------------------------------------------------------------------------------

/// What of a program is told, and what is only counted.
struct Split {
  std::map<std::string, std::size_t> weights;
  std::set<std::string> told;  // must be found
  std::size_t counted = 0;     // if it is countable
  std::size_t not_counted = 0;
};

// Deadlocks are told, and if nothing can be counted one outcome that must be there.
Split split(const Known& known) {
  constexpr std::size_t different_weights = 3;
  Split result;
  const Expected& expected = known.expected;
  std::vector<std::string> candidates;
  for (const std::string& one : expected.least) {
    if (!is_deadlock(one)) candidates.push_back(one);
  }
  std::string chosen;
  if (!expected.countable && !candidates.empty()) {
    chosen = candidates[known.number % candidates.size()];
  }
  std::size_t nth = 0;
  for (const auto& [outcome, endings] : expected.most) {
    const bool told = is_deadlock(outcome) || outcome == chosen;
    if (told) {
      if (expected.least.contains(outcome)) result.told.insert(outcome);
      result.not_counted += endings;
      continue;
    }
    const std::size_t weight = expected.countable ? 1 + nth++ % different_weights : 1;
    result.weights[outcome] = weight;
    result.counted += weight * endings;
  }
  return result;
}

// --- smaller programs ----------------------------------------------------------------------------

// Without the operation, and without what names its request.
Operations without(const Operations& operations, std::size_t gone) {
  Operations rest;
  std::vector<std::optional<int>> places(operations.size());
  for (std::size_t at = 0; at < operations.size(); ++at) {
    Operation one = operations[at];
    if (at == gone || one.kind == Kind::skip) continue;
    const bool names = !requests_of(one).empty();
    const std::size_t first = one.kind == Kind::start ? 1 : 0;
    std::vector<int> words(one.words.begin(),
                           one.words.begin() + static_cast<long>(names ? first : 0));
    for (std::size_t word = first; names && word < one.words.size(); ++word) {
      const std::optional<int> place = places[std::size_t(one.words[word])];
      if (place) words.push_back(*place);
    }
    if (names && words.size() == first) continue;
    if (names) one.words = words;
    places[at] = static_cast<int>(rest.size());
    rest.push_back(one);
  }
  return rest;
}

std::vector<std::size_t> collectives_of(const Operations& operations) {
  std::vector<std::size_t> places;
  for (std::size_t at = 0; at < operations.size(); ++at) {
    if (operations[at].kind == Kind::collective) places.push_back(at);
  }
  return places;
}

// Nothing is started that may still be active.
bool is_sound(const Program& program) {
  return std::all_of(program.begin(), program.end(), [](const Operations& operations) {
    for (std::size_t at = 0; at < operations.size(); ++at) {
      if (operations[at].kind != Kind::start) continue;
      const Operations before(operations.begin(), operations.begin() + static_cast<long>(at));
      const std::vector<int> open = open_requests(before);
      if (std::find(open.begin(), open.end(), operations[at].words[1]) != open.end()) return false;
    }
    return true;
  });
}

std::vector<Program> smaller(const Program& program) {
  std::vector<Program> all;
  for (std::size_t nth = 0; nth < collectives_of(program[0]).size(); ++nth) {
    Program next = program;
    for (Operations& operations : next) {
      const std::vector<std::size_t> places = collectives_of(operations);
      if (nth < places.size()) operations = without(operations, places[nth]);
    }
    all.push_back(next);
  }
  for (std::size_t rank = 0; rank < program.size(); ++rank) {
    for (std::size_t at = 0; at < program[rank].size(); ++at) {
      const Kind kind = program[rank][at].kind;
      if (kind == Kind::collective) continue;
      Program next = program;
      next[rank] = without(program[rank], at);
      if (is_sound(next)) all.push_back(next);
    }
  }
  return all;
}

}  // namespace

std::string Comparing::difference(const Known& known) const {
  const Expected& expected = known.expected;
  const Seen seen = check(checker_, {{known.program, {}}}, way_, scratch_);
  if (!seen.problem.empty()) return seen.problem;
  if (seen.partial) return "the search ended early";
  std::string wrong;
  std::set<std::string> told;
  for (const auto& [which, outcome] : seen.told) told.insert(outcome);
  for (const std::string& one : expected.least) {
    if (!told.contains(one)) wrong += "missing: " + one + "\n";
  }
  for (const std::string& one : told) {
    if (!expected.most.contains(one)) wrong += "impossible: " + one + "\n";
  }
  if (expected.countable && seen.executions != endings_of(expected)) {
    wrong += std::to_string(seen.executions) + " executions, " +
             std::to_string(endings_of(expected)) + " matchings\n";
  }
  return wrong;
}

std::string Comparing::difference(const std::vector<Known>& group) const {
  std::vector<Asked> asked;
  std::set<std::pair<std::size_t, std::string>> needed;
  std::size_t counted = 0;
  std::size_t not_counted = 0;
  for (std::size_t nth = 0; nth < group.size(); ++nth) {
    const Split parts = split(group[nth]);
    asked.push_back({group[nth].program, parts.weights});
    for (const std::string& outcome : parts.told) needed.insert({nth, outcome});
    counted += parts.counted;
    not_counted += parts.not_counted;
  }
  const Seen seen = check(checker_, asked, way_, scratch_);
  if (!seen.problem.empty()) return seen.problem;
  if (seen.partial) return "the search ended early";
  std::string wrong;
  for (const auto& [nth, outcome] : seen.told) {
    if (nth < group.size() && group[nth].expected.most.contains(outcome)) continue;
    wrong += "impossible: " + outcome + " of the program at place " + std::to_string(nth) + "\n";
  }
  for (const auto& [nth, outcome] : needed) {
    if (seen.told.contains({nth, outcome})) continue;
    wrong += "missing: " + outcome + " of program " + std::to_string(group[nth].number) + "\n";
  }
  const bool same_numbers = seen.counted == counted && seen.executions == not_counted;
  if (group[0].expected.countable && !same_numbers) {
    wrong += std::to_string(seen.counted) + " and " + std::to_string(seen.executions) +
             " executions, where there should be " + std::to_string(counted) + " and " +
             std::to_string(not_counted) + "\n";
  }
  return wrong;
}

bool Comparing::differs(const Program& program) const {
  const Known known{0, program, expect(program, way_)};
  return known.expected.complete && !difference(known).empty();
}

Program Comparing::smallest(Program program) const {
  while (true) {
    const std::vector<Program> all = smaller(program);
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Program& one) { return differs(one); });
    if (found == all.end()) return program;
    program = *found;
  }
}

}  // namespace mazurka::mpi_reference
