// An outcome to try the reports on.
#pragma once

#include <string>

#include "report/model/outcome.hpp"

namespace mazurka::report {

inline Outcome sample_outcome() {
  Story story;
  story.processes = {"main", "T1 deposit", "T2 withdraw"};
  const auto add = [&](std::size_t process, const char* action, const char* place,
                       const char* function) {
    StoryRow& row = story.rows.emplace_back();
    row.process = process;
    row.action = action;
    row.place = place;
    row.stack = {std::string(function) + " (" + place + ")"};
  };
  add(0, "start T1, T2", "bank.cpp:20", "main");
  add(1, "read balance = 100", "bank.cpp:7", "deposit");
  add(2, "write balance = 50", "bank.cpp:13", "withdraw");
  story.rows[0].decision = true;
  story.rows[1].switch_reason = "main waits for T1 to finish";
  story.rows[1].failing = true;
  story.rows[2].switch_reason = "T1 is held up before: write balance";
  story.rows[2].read_from = 1;
  story.rows[2].failing = true;
  story.place = "bank.cpp:13";
  FindingReport report;
  report.finding.kind = FindingKind::data_race;
  report.finding.process = ProcessId{2};
  report.finding.message = "balance: T1 reads and T2 writes";
  report.finding.schedule = {{ProcessId{0}, 0}, {ProcessId{1}, 1}};
  report.story = story;
  report.replay_command = "mazurka replay .mazurka/bank-1.schedule";

  Outcome outcome;
  outcome.verdict = Verdict::finding;
  outcome.reason = "1 finding";
  outcome.program = "bank.cpp";
  outcome.technique = "optimal";
  outcome.statistics.executions = 3;
  outcome.statistics.events = 24;
  outcome.seconds = 0.01;
  outcome.findings = {report};
  outcome.notes = {"atomics weaker than seq_cst are treated as seq_cst"};
  return outcome;
}

}  // namespace mazurka::report
