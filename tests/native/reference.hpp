// What a program can do, by looking at all of its states.
//
// Idea. Breadth-first search over the machine's states, each stored once, so that loops end. A
// state in which nobody can move and somebody has not ended is a deadlock. States from which no end
// can be reached make up the endless region. If each of its bottom components has a state to which
// every thread that can move comes back by itself, then threads wait in loops for what nobody does
// any more: a livelock. Otherwise they keep each other busy, and no verdict is expected of the
// checker.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "native/program.hpp"

namespace mazurka::native {

struct Expected {
  bool complete = false;                 // the search has come to its end
  bool busy = false;                     // threads can go on for ever and change something
  std::set<std::string> finals;          // texts of the final report
  std::set<std::string> failures;        // texts of other assertions
  std::set<std::vector<int>> deadlocks;  // who is stuck
  bool livelock = false;
  bool race = false;    // on a plain variable, or of an initialisation with a use
  bool memory = false;  // a use after free, or a race with free
  bool misuse = false;  // of a latch or a barrier, of what is in use, of a thread that was detached
  std::size_t states = 0;
};

Expected explore(const Program& program, std::size_t max_states);

}  // namespace mazurka::native
