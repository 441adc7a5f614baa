// What one exploration came to.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/explorer.hpp"
#include "core/finding.hpp"
#include "core/run.hpp"
#include "core/session.hpp"

namespace mazurka {

/// A limit, or somebody outside, has ended a search that could go on.
[[nodiscard]] constexpr bool could_go_on(Stop stopped) {
  return stopped == Stop::interrupted || stopped == Stop::max_executions ||
         stopped == Stop::max_seconds;
}

struct Explored {
  bool complete = false;  // all that the technique promises was seen
  Stop stopped = Stop::none;
  Statistics statistics;
  Rest rest;           // of a part; no tasks: nothing is left, or it could not be saved
  double seconds = 0;  // with those of the explorations that it goes on with
  // Something was learnt that changes the steps, and this was only a part of the exploration.
  bool must_begin_anew = false;
  std::string refusal;  // why the technique can not explore this program
  std::optional<Divergence> divergence;
  std::vector<Finding> findings;
  std::vector<std::string> notes;  // what was done beside the search, what could not be done

  /// It ended before everything was explored, and not by what it found.
  [[nodiscard]] bool was_cut() const { return could_go_on(stopped) || stopped == Stop::cut; }
};

}  // namespace mazurka
