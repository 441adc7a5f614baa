// The outcome as one page for a browser: self-contained, without a network, without a server.
//
// The page shows the document that --json writes (docs/json.md): it is embedded as it is, and what
// else is drawn follows from it. Names, values and sources come from the program under test, so
// nothing of them is ever markup: in the document what could end it is escaped, and the script puts
// texts into the page as texts only. docs/report.md tells what is to be seen.
#pragma once

#include <string>

#include "report/model/outcome.hpp"

namespace mazurka::report {

[[nodiscard]] std::string html(const Outcome& outcome);

}  // namespace mazurka::report
