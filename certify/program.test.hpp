// Small programs for the tests, and all of their executions by brute force.
//
// A program is a list of instructions for each process, some of which are skipped unless the value
// seen last is the right one. All orders of steps are tried; two executions are one if one of them
// can be made of the other by exchanging neighbours that do not conflict. Nothing of the checker is
// used but the model of single objects.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "objects.hpp"
#include "operation.hpp"

namespace certify::tests {

struct Instruction {
  Operation operation;
  int only_if = -1;            // the value seen last; -1: in any case
  std::uint64_t expected = 0;  // of a compare-exchange
  std::uint64_t desired = 0;
};

struct Code {
  std::uint32_t parent = none;
  std::vector<Instruction> instructions;
};

struct TestObject {
  Kind kind = Kind::memory;
  std::uint64_t initial = 0;
};

struct Program {
  std::vector<TestObject> objects;
  std::vector<Code> processes;
};

struct LoggedStep {
  std::uint32_t process = 0;
  Operation operation;
  Outcome outcome;
};

/// One execution: its steps, and what each process would do next (nothing: it was not created).
struct Log {
  std::vector<LoggedStep> steps;
  std::vector<std::optional<Operation>> last;
};

struct Bounds {
  std::size_t states = 1500;
  std::size_t traces = 60;
};

/// One execution for each trace, or nothing if the program is too large.
[[nodiscard]] std::optional<std::vector<Log>> all_traces(const Program& program,
                                                         const Bounds& bounds);

/// The same for two executions exactly if they are of one trace.
[[nodiscard]] std::string trace_of(const Program& program, const Log& log);

/// The traces of the program that these logs describe, whatever `program` does apart from its
/// processes and objects; nothing if they leave open what a process does next.
[[nodiscard]] std::optional<std::set<std::string>> described_traces(const Program& program,
                                                                    const std::vector<Log>& logs);

/// A certificate with these executions, in this order.
[[nodiscard]] std::string encode(const Program& program, const std::vector<Log>& logs,
                                 bool by_histories = false);

// Instructions in short.
[[nodiscard]] Instruction access(Action action, std::uint32_t object, std::uint64_t operand = 0);
[[nodiscard]] Instruction choose(std::uint32_t choices);
[[nodiscard]] Instruction end_program(Ending ending);
[[nodiscard]] Instruction spawn(std::uint32_t child);
[[nodiscard]] Instruction join(std::uint32_t process);

}  // namespace certify::tests
