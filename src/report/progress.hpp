// How far the search is: one redrawn line on a terminal, a plain line now and then elsewhere.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "report/layout.hpp"

namespace mazurka::report {

struct Snapshot {
  std::uint64_t executions = 0;
  std::uint64_t asleep = 0;
  std::uint64_t events = 0;
  std::uint64_t depth = 0;  // events of the latest execution
  double explored = 0;      // estimate of the part that is done, 0..1; 0: not known
  double at_least = 0;      // executions in all, where no more is known than that; 0: nor that
  double seconds = 0;       // since the search began
  /// The executions since the last time, the latest of them: how many events each had, how many of
  /// these the one before had, too, and how it ended.
  struct Execution {
    std::uint64_t shared = 0;
    std::uint64_t events = 0;
    std::string_view ending;
  };
  std::vector<Execution> latest{};
  std::string stage{};  // what this is of, if not the search: "repair, candidate 3"
};

/// One line of JSON with all of it (docs/json.md).
[[nodiscard]] std::string progress_json(const Snapshot& now, double rate);

/// "1,204,332 executions (150k/s), about 37% done, 2 min left, depth 24": as much of it as fits.
[[nodiscard]] std::string progress_text(const Snapshot& now, double rate, std::size_t width);

/// "1,204,332 nodes (150k/s), 981,120 states"
[[nodiscard]] std::string nodes_text(std::uint64_t nodes, std::uint64_t states, double rate);

class ProgressLine {
 public:
  /// Redrawn on a terminal; elsewhere a line every ten seconds, or with `always` every second. With
  /// `json` a line of JSON whenever there is something new.
  ProgressLine(When when, std::FILE* stream);
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine() { clear(); }

  void update(const Snapshot& now);
  /// Of a search that counts nodes and states, and does not know how many there will be.
  void update_nodes(std::uint64_t nodes, std::uint64_t states, double seconds);
  /// Leaves the terminal as it was.
  void clear();

 private:
  void measure_rate(const Snapshot& now);
  void print(const std::string& line);
  void show(const std::string& line, const std::string& redrawn, double seconds);

  std::FILE* stream_;
  bool enabled_;
  bool redraw_;
  bool json_;
  double seconds_between_lines_;
  Style style_;
  bool drawn_ = false;
  double last_line_ = 0;
  Snapshot before_;
  double rate_ = 0;
};

}  // namespace mazurka::report
