// Findings are performed once more before anybody hears of them.
//
// What an exploration saw in the course of thousands of executions in one process may have been
// caused by what an earlier one of them left behind. So the schedule of each finding is given to a
// process of its own, which has no past: only what comes again there is a finding. One that does
// not is a defect of the checker, which then has no verdict.
#pragma once

#include <string>
#include <vector>

#include "host/launcher.hpp"

namespace mazurka::host {

struct Confirmation {
  struct Lost {
    std::string message;  // of a finding that did not come again
    std::string instead;  // what happened when its schedule was performed again
  };
  std::vector<Lost> lost;
  std::vector<std::string> notes;  // about those that could not be tried
};

/// Takes the findings out of the reply that do not come again. `launch`: how they were found.
[[nodiscard]] Confirmation confirm(Launch launch, Reply& reply);

}  // namespace mazurka::host
