#include "analysis/commutation.hpp"

#include <algorithm>

#include "core/check.hpp"
#include "core/step.hpp"

namespace mazurka {

namespace {

struct Differences {
  bool never_met = false;     // somebody else changed what the second found
  bool second_reads = false;  // the second would have read something else before the first
  bool first_reads = false;   // the first would read something else after the second
  bool second_keeps = false;  // ... and remember it
  bool first_keeps = false;
  bool left_behind = false;  // what is left in an object that both write
  bool always = false;       // ... whatever was there before: neither looks
};

// Whether the object may hold the value in some order of the execution's events, but for this one.
bool may_hold(const Vocabulary& vocabulary, const Execution& execution, ObjectId object,
              std::uint64_t value, std::uint32_t without) {
  bool accessed = false;
  for (std::uint32_t event = 0; event < execution.size(); ++event) {
    const Footprint accesses = execution.steps[event].accesses;
    const std::size_t first = execution.steps.first_access(event);
    for (std::size_t at = 0; at < accesses.size(); ++at) {
      if (accesses[at].object != object) continue;
      if (!accessed && execution.before[first + at] == value) return true;
      accessed = true;
      if (event == without || !vocabulary.writes(accesses[at])) continue;
      if (vocabulary.reads(accesses[at]) || execution.after[first + at] == value) return true;
    }
  }
  return false;
}

Differences compare(const Vocabulary& vocabulary, const Execution& execution, std::uint32_t first,
                    std::uint32_t second) {
  Differences found;
  const Step one = execution.steps[first];
  const Step other = execution.steps[second];
  const std::size_t one_at = execution.steps.first_access(first);
  const std::size_t other_at = execution.steps.first_access(second);
  for (std::size_t i = 0; i < one.accesses.size(); ++i) {
    for (std::size_t j = 0; j < other.accesses.size(); ++j) {
      const Access& a = one.accesses[i];
      const Access& b = other.accesses[j];
      if (!vocabulary.dependent(a, b)) continue;
      if (!vocabulary.reads(a) && !vocabulary.reads(b)) {
        if (execution.after[one_at + i] != execution.after[other_at + j]) found.always = true;
        continue;
      }
      if (execution.after[one_at + i] != execution.before[other_at + j]) {
        found.never_met = true;
        // Who keeps what it reads commutes with a write only where the value is there already.
        if (vocabulary.keeps(b) && !vocabulary.reads(a) && !vocabulary.writes(b) &&
            !may_hold(vocabulary, execution, a.object, execution.after[one_at + i], first)) {
          found.always = true;
        }
        if (vocabulary.keeps(a) && !vocabulary.reads(b) && !vocabulary.writes(a) &&
            !may_hold(vocabulary, execution, b.object, execution.after[other_at + j], second)) {
          found.always = true;
        }
      }
      const std::uint64_t initial = execution.before[one_at + i];
      const std::uint64_t final = execution.after[other_at + j];
      if (vocabulary.writes(a) && vocabulary.reads(b) &&
          initial != execution.before[other_at + j]) {
        found.second_reads = true;
        if (vocabulary.keeps(b)) found.second_keeps = true;
      }
      if (vocabulary.writes(b) && vocabulary.reads(a) && initial != final) {
        found.first_reads = true;
        if (vocabulary.keeps(a)) found.first_keeps = true;
      }
      if (vocabulary.writes(a) && vocabulary.writes(b) && execution.after[one_at + i] != final) {
        found.left_behind = true;
      }
    }
  }
  return found;
}

// Of an object that others may change in between without being dependent, the values tell that two
// steps commute only if neither changes anything. Of a step that does more than they tell, never.
bool told_by_values(const Vocabulary& vocabulary, const Execution& execution, std::uint32_t first,
                    std::uint32_t second) {
  MAZURKA_CHECK(first < second && second < execution.size(),
                "two events are compared in their order");
  MAZURKA_CHECK(execution.after.size() == execution.steps.access_count() &&
                    execution.before.size() == execution.after.size(),
                "values are compared of executions that record them");
  const Step one = execution.steps[first];
  const Step other = execution.steps[second];
  const std::size_t one_at = execution.steps.first_access(first);
  const std::size_t other_at = execution.steps.first_access(second);
  for (std::size_t i = 0; i < one.accesses.size(); ++i) {
    const std::uint64_t value = execution.before[one_at + i];
    for (std::size_t j = 0; j < other.accesses.size(); ++j) {
      if (!vocabulary.dependent(one.accesses[i], other.accesses[j])) continue;
      if (vocabulary.silent(one.accesses[i]) || vocabulary.silent(other.accesses[j])) return false;
      if (!vocabulary.mixes(one.accesses[i].kind) && !vocabulary.adds_up(one.accesses[i]) &&
          !vocabulary.adds_up(other.accesses[j])) {
        continue;
      }
      if (execution.after[one_at + i] != value || execution.before[other_at + j] != value ||
          execution.after[other_at + j] != value) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace

bool may_commute(const Vocabulary& vocabulary, const Execution& execution, std::uint32_t first,
                 std::uint32_t second) {
  if (!conflict_in_values_only(execution, first, second)) return false;
  if (!told_by_values(vocabulary, execution, first, second)) return false;
  return interrupted(vocabulary, execution, first, second) ||
         commute(vocabulary, execution, first, second) != Commutes::no;
}

bool interrupted(const Vocabulary& vocabulary, const Execution& execution, std::uint32_t first,
                 std::uint32_t second) {
  const Step one = execution.steps[first];
  const Step other = execution.steps[second];
  const auto contested = [&](const Access& access) {
    const auto same = [&](const Access& own) { return own.object == access.object; };
    return std::any_of(one.accesses.begin(), one.accesses.end(), same) &&
           std::any_of(other.accesses.begin(), other.accesses.end(), same);
  };
  for (std::uint32_t between = first + 1; between < second; ++between) {
    for (const Access& access : execution.steps[between].accesses) {
      if (vocabulary.writes(access) && contested(access)) return true;
    }
  }
  return false;
}

Commutes commute(const Vocabulary& vocabulary, const Execution& execution, std::uint32_t first,
                 std::uint32_t second) {
  if (!conflict_in_values_only(execution, first, second)) return Commutes::no;
  if (!told_by_values(vocabulary, execution, first, second)) return Commutes::no;
  const Differences found = compare(vocabulary, execution, first, second);
  if (found.always) return Commutes::no;
  if (found.never_met) return Commutes::never_met;
  if (found.second_keeps) return Commutes::no;
  if (found.second_reads) return Commutes::open;
  if (found.first_keeps) return Commutes::no;
  if (found.first_reads) return Commutes::open;
  return found.left_behind ? Commutes::no : Commutes::yes;
}

}  // namespace mazurka
