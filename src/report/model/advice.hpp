// What makes a search too large, and what would help: told with an inconclusive verdict.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mazurka {

/// A line of the program that makes many events or many branches.
struct HotLine {
  std::string place;     // "queue.cpp:14"
  std::string function;  // "push"
  double events = 0;     // share of all events, 0..1
  double branching = 0;  // share of what multiplies the executions, on a logarithmic scale, 0..1
  std::uint64_t processes = 0;  // that come there, at most
  std::uint64_t rounds = 0;     // how often one of them comes there, at most
  std::uint64_t tries = 0;      // how often in a row it tries there in vain, at most
};

/// What an option came to that was tried for a moment.
struct Trial {
  std::string options;  // "--preemptions 1"
  bool complete = false;
  bool partial = false;  // what it explores, if complete, is a part
  bool found = false;    // a finding
  std::uint64_t executions = 0;
  double seconds = 0;
};

struct Advice {
  double events = 0;    // per execution; 0: there is no advice
  double total = 0;     // estimate of the executions of the whole search; 0: none
  double error = 0;     // of that, relative
  double at_least = 0;  // executions; 0: not known
  bool fewer = false;   // the technique may come to fewer than is estimated
  std::vector<HotLine> lines;
  std::vector<Trial> trials;       // the most helpful first
  std::vector<std::string> hints;  // what can not be tried without changing the program

  [[nodiscard]] bool empty() const { return events == 0; }
};

}  // namespace mazurka
