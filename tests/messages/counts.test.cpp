// The paper's Table 1, and small programs whose traces can be counted by hand.
#include <gtest/gtest.h>

#include "core/session.hpp"
#include "explorers/table.hpp"
#include "messages/checker.hpp"
#include "messages/model_program.hpp"

namespace mazurka::messages {
namespace {

struct Counted {
  std::uint64_t traces = 0;
  std::uint64_t asleep = 0;
  bool deadlock = false;
};

Counted explore(const std::string& text, const std::string& technique) {
  const Model model = parse(text);
  ModelProgram program(model);
  Session session(program, {.keep_going = true});
  EXPECT_TRUE(parse_technique(technique).make()->explore(session)) << technique << ": " << text;
  Counted counted{session.statistics().executions, session.statistics().asleep};
  for (const Finding& finding : session.findings()) {
    if (finding.kind == FindingKind::deadlock) counted.deadlock = true;
  }
  return counted;
}

struct Row {
  const char* name;
  const char* program;
  double interleavings;
  std::uint64_t traces;
  bool deadlock;
};

const Row table1[] = {
    {"wait-deadlock", "R0 W S1 W | R1 W S0 W", 2, 1, true},
    {"complex-deadlock", "S2 W R0 W S1 W | R1 W S0 W | R2 W", 36, 1, true},
    {"waitall-deadlock", "R0 R0 W1 W2 S1 W | S0 S2 W1 W2 R1 W S0 W | R2 W", 1458, 1, true},
    {"no-error-wait-any_src", "R0 S1 W2 W1 | R1 W S0 W", 21, 1, false},
    {"any-src-can-deadlock3", "R0 W S1 W R0 W | S0 W R1 W | S0 W", 999, 2, true},
    {"DTG", "R1 W S5 W R1 W | S1 W S4 W | R3 W S1 W | R4 W R5 W | S3 W", 884353560, 2, true},
    {"RMQ-receiving 4", "R1 W R1 W R1 W | S1 W | S1 W | S1 W", 20064, 6, false},
    {"RMQ-receiving 5", "R1 W R1 W R1 W R1 W | S1 W | S1 W | S1 W | S1 W", 5045472, 24, false},
    {"master-worker 3", "S2 S3 W1 W2 R1 W R1 W | R2 W L S1 W | R3 W L S1 W", 1356444, 2, false},
    {"master-worker 4", "S2 W S3 W S4 W R1 W R1 W R1 W | R2 W L S1 W | R3 W L S1 W | R4 W L S1 W",
     0, 6, false},
};

TEST(Table1, HasThePapersInterleavingsTracesAndDeadlocks) {
  std::size_t cells = 0;
  for (const Row& row : table1) {
    const bool counted_by_paper = row.interleavings > 0;
    if (counted_by_paper) {
      EXPECT_EQ(count_interleavings(parse(row.program)), row.interleavings) << row.name;
    }
    for (const std::string& technique : technique_names()) {
      if (technique == "exhaustive" && (!counted_by_paper || row.interleavings > 50'000)) continue;
      if (technique == "sleep" && (!counted_by_paper || row.interleavings > 50'000)) continue;
      ++cells;
      const Counted counted = explore(row.program, technique);
      const bool all = technique == "exhaustive";
      EXPECT_EQ(counted.traces, all ? static_cast<std::uint64_t>(row.interleavings) : row.traces)
          << technique << " on " << row.name;
      EXPECT_EQ(counted.deadlock, row.deadlock) << technique << " on " << row.name;
    }
  }
  EXPECT_GE(cells, 5 * std::size(table1));
}

// An event that is kept needs what had to happen before it: without the history of the second R1
// nothing could be put together that has it before the first.
TEST(Counts, WhatIsKeptHasItsHistory) {
  for (const std::string technique : {"source", "optimal", "reverse", "unfolding", "unfolding:1"}) {
    EXPECT_EQ(explore("R1 | R0 R1", technique).traces, 2U) << technique;
    EXPECT_EQ(explore("R1 | R0 R1 | R0 R1", technique).traces, 12U) << technique;
  }
}

// None of the sends came before the test, the one, the other, or both, and then it takes either: 5.
TEST(Counts, ATestOfTwoDependsOnBoth) {
  for (const std::string technique : {"sleep", "source", "optimal", "reverse", "unfolding"}) {
    EXPECT_EQ(explore("R0 R1 T1+2 | S0 | S1", technique).traces, 5U) << technique;
  }
}

// Workers look whether their neighbour has sent before they send; a scanner polls them from the
// last to the first. Here a fulfilled wait must not count as released by what fulfilled it: whether
// it was parked by then is no property of the trace.
TEST(Counts, Polling) {
  const std::string three =
      "R1 R2 R3 T3 I3/3 T2 I2/1 T1 W1 W2 W3 | R4 T S1 S5 W1 | R5 T S2 S6 W1 | "
      "R6 T S3 S7 W1 | S4 R7 W";
  constexpr std::uint64_t traces = 32;  // (n + 1) * 2^n
  for (const std::string technique :
       {"sleep", "source", "dpor", "optimal", "reverse", "unfolding"}) {
    const Counted counted = explore(three, technique);
    EXPECT_EQ(counted.traces, traces) << technique;
    if (technique == "optimal" || technique == "reverse" || technique == "unfolding") {
      EXPECT_EQ(counted.asleep, 0U);
    }
  }
  EXPECT_EQ(explore(three, "unfolding:1").traces, traces);
}

}  // namespace
}  // namespace mazurka::messages
