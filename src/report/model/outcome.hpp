// What a whole run of the checker came to, as data; report/ writes it down.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/finding.hpp"
#include "core/session.hpp"
#include "report/model/advice.hpp"
#include "report/model/exploration_tree.hpp"
#include "report/model/repair.hpp"
#include "report/model/story.hpp"

namespace mazurka {

/// Exit codes of the program, one per verdict.
enum class Verdict : std::uint8_t { verified = 0, finding = 1, error = 2, inconclusive = 3 };

[[nodiscard]] constexpr std::string_view name(Verdict verdict) {
  switch (verdict) {
    case Verdict::verified: return "verified";
    case Verdict::finding: return "finding";
    case Verdict::error: return "error";
    case Verdict::inconclusive: return "inconclusive";
  }
  return "unknown";
}

struct FindingReport {
  Finding finding;
  Story story;
  std::string replay_command;
};

/// A data race that the user accepts.
struct SuppressedRace {
  std::string race;          // variable and both accesses
  std::string by;            // what has suppressed it
  std::uint64_t executions;  // in which it was met
};

/// What only one kind of search has to tell of itself.
struct Details {
  struct Item {
    std::string name;
    std::variant<std::uint64_t, double, std::string> value;
  };
  std::string title;  // empty: nothing
  std::vector<Item> items;
};

/// What one of several techniques took for the same program.
struct Compared {
  std::string technique;
  Verdict verdict = Verdict::error;
  std::string explored;  // where it is not counted in executions
  std::uint64_t executions = 0;
  std::uint64_t asleep = 0;
  std::uint64_t events = 0;
  double seconds = 0;
  double processor_seconds = 0;
  std::uint64_t peak_memory = 0;  // bytes
};

struct Outcome {
  Verdict verdict = Verdict::error;
  bool sequential = false;  // verified, and weaker orders of memory were run as seq_cst
  bool went_ahead = false;  // MPI: with collectives that wait for less there may be more to see
  std::string reason;       // one plain sentence: what the verdict rests on, or what cut the search
  std::string program;      // as the user named it
  std::string command;      // checks it again
  std::string technique;
  std::string explored;  // how much was explored, where it is not counted in executions
  bool racy = false;
  std::string memory;  // the model that was explored, if it is weaker than sequentially consistent
  Statistics statistics;
  double seconds = 0;
  double processor_seconds = 0;         // of all processes; 0: not known
  double seconds_before = 0;            // the exploration: the program was compiled
  double replay_seconds = 0;            // --measure-replay: performing ...
  std::uint64_t replay_executions = 0;  // ... so many executions without any analysis
  std::uint64_t peak_memory = 0;        // bytes, of the process that explored
  std::vector<FindingReport> findings;
  std::string resume_command;  // goes on with a search that was cut; empty: it can not go on
  Advice advice;               // where a limit cut the search
  Repair repair;               // of a finding, if it is wanted
  std::vector<SuppressedRace> suppressed;
  std::vector<std::string> notes;  // what the verdict assumes: "atomics weaker than seq_cst ..."
  Details details;
  std::vector<Compared> comparison;
  ExplorationTree tree;               // if it is wanted
  std::vector<std::string> warnings;  // what was lost on the way: a file that can not be written
};

/// Of a run that came to no verdict about the program.
[[nodiscard]] inline Outcome error_outcome(const std::string& program, const std::string& message) {
  Outcome outcome;
  outcome.program = program;
  outcome.reason = message;
  return outcome;
}

/// The verdict as the user reads it: "verified under sequential consistency".
[[nodiscard]] inline std::string in_words(const Outcome& outcome) {
  std::string words(name(outcome.verdict));
  if (outcome.verdict == Verdict::verified && outcome.sequential) {
    words += " under sequential consistency";
  }
  if (!outcome.suppressed.empty()) {
    words += ", " + std::to_string(outcome.suppressed.size()) +
             (outcome.suppressed.size() == 1 ? " race" : " races") + " suppressed";
  }
  return words;
}

}  // namespace mazurka
