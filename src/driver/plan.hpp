// What one exploration is asked for.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/explorer.hpp"
#include "core/run.hpp"
#include "core/session.hpp"
#include "driver/new_file.hpp"
#include "driver/tree_recorder.hpp"

namespace mazurka {

/// Where an exploration is saved, and which one it goes on with (exploration_file.hpp).
struct Saving {
  std::string file;         // empty: nowhere
  std::string about;        // what whoever reads the file wants to find in it again
  double seconds = 5;       // between two saves
  std::string resume_file;  // go on with this one; empty: begin
  std::uint32_t part = 0;   // with so much of it: one of ...
  std::uint32_t parts = 0;  // ... so many parts; 0: all of it
  bool shared = false;      // others explore other parts: this one can not begin anew by itself
};

struct Plan {
  std::string technique;                            // as it was asked for
  std::function<std::unique_ptr<Explorer>()> make;  // an explorer that does it
  Limits limits;
  Saving saving;
  std::vector<CrashingSchedule> crashing;  // of which the process has died before
  bool hunts = false;             // looks for early bugs beside a search that takes long (hunt.hpp)
  bool surveys = false;           // estimates how large the search is (survey.hpp)
  bool shortens = false;          // looks for the smallest schedules that fail in the same way
  std::string task_log;           // where to write what each task took; empty: nowhere
  MakeFile make_file = new_file;  // for what is saved or written
  TreeRecorder* tree = nullptr;   // keeps the tree of the search, if somebody wants it
};

}  // namespace mazurka
