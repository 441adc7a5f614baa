// What a verdict rests on, in words: one short line each, and only what applies.
//
// "Verified" says that every behaviour was explored which scheduling can cause. Where something
// else decides as well (weaker memory, chance, code that is not seen), or where what was explored
// may not be what was meant (assertions that are not compiled, threads that never meet), the
// report says so.
#pragma once

#include <string>
#include <vector>

#include "host/protocol.hpp"
#include "programs/threads/host/foreign_code.hpp"
#include "report/model/outcome.hpp"

namespace mazurka::threads {
using namespace host;

/// Why a search that came to its end proves nothing, in one sentence; empty: it does.
[[nodiscard]] std::string why_not_verified(const Reply& reply);

/// The lines for the report. `assertions`: see assertions_off.hpp; empty: they are checked.
[[nodiscard]] std::vector<std::string> grounds_of(const Request& request, const Reply& reply,
                                                  const std::vector<ForeignCode>& foreign,
                                                  const std::string& assertions);

}  // namespace mazurka::threads
