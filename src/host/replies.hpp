// What the replies of several parts of a search come to.
#pragma once

#include <algorithm>
#include <vector>

#include "host/protocol.hpp"

namespace mazurka::host {

void add_grounds(Grounds& all, const Grounds& more);
void add_accepted(std::vector<AcceptedRace>& all, const std::vector<AcceptedRace>& more);
/// Each defect once; without `several` only the first.
void add_findings(std::vector<RawFinding>& all, std::vector<RawFinding>& more, bool several);
/// By length, then by decisions: the same in whatever order they were made.
void sort_findings(std::vector<RawFinding>& findings);

template <typename T>
void add_unknown(std::vector<T>& all, const std::vector<T>& more) {
  for (const T& one : more) {
    if (std::find(all.begin(), all.end(), one) == all.end()) all.push_back(one);
  }
}

void add_refinement(Refinement& all, const Refinement& more);

}  // namespace mazurka::host
