// A failing execution as people read it: who did what, where, in which order.
//
// Front-ends turn their raw events into a story; report/ only lays it out. All text is final: names
// and places are resolved, values are formatted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/ids.hpp"
#include "report/model/story_event.hpp"

namespace mazurka {

struct StoryRow {
  std::size_t process = 0;               // column: index into Story::processes
  std::string action;                    // "lock accounts_mutex", "read balance = 100"
  std::string place;                     // "bank.cpp:14", empty if unknown
  std::vector<std::string> stack;        // innermost first: "withdraw (bank.cpp:14)"
  std::optional<std::size_t> read_from;  // the row that wrote the value read here
  std::optional<std::size_t> overtakes;  // the row that wrote the newest value, which is not read
  std::string switch_reason;             // why another process moves from this row on; empty: none
  bool failing = false;                  // the row (or one of two) in which the program goes wrong
  bool decision = false;                 // a visible operation (a plain access is not)
  bool no_return = false;                // after this decision every continuation fails
  std::optional<std::size_t> from;       // chart: the column of who sent what is handled here
  std::string source;                    // the line of the program at `place`, without its indent
  // Not empty: a table leaves the row out, and neighbours for the same reason are one line of it,
  // this text: "37 more rounds of lines 12-15".
  std::string folded;
  StoryEvent event;  // the same, taken apart
};

enum class StoryLayout : std::uint8_t {
  table,  // one column per process
  chart,  // a message sequence chart: one lifeline per process, one arrow per row
};

struct Story {
  StoryLayout layout = StoryLayout::table;
  std::vector<std::string> processes;  // column heads
  std::vector<StoryRow> rows;
  std::vector<std::string> endings;  // "T1 waits for mutex b, held by T2 (lock.c:12)"
  std::vector<std::string> remarks;  // why something is possible that may surprise
  std::vector<std::string> drawing;  // who waits for whom in a circle, line by line
  std::string summary;               // how small the counter-example is
  std::string place;                 // where the finding is, for its first line

  // For those who draw it.
  std::optional<std::uint64_t> switches;  // from one process to another ...
  bool fewest = false;                    // ... and with fewer of them it does not happen
  std::vector<StoryObject> objects;
  std::vector<StoryDelay> delays;
  std::vector<StoryStop> stuck;
  std::vector<StorySource> sources;  // the files that places name, as far as they can be read
  std::vector<StoryAutomaton> automata;
};

}  // namespace mazurka
