// What the reply of a program, or its death, means: the verdict, and what that rests on.
#pragma once

#include <string>

#include "host/launcher.hpp"
#include "host/protocol.hpp"
#include "programs/threads/host/checker.hpp"
#include "programs/threads/host/symbols.hpp"
#include "report/model/outcome.hpp"

namespace mazurka::threads {
using namespace host;

/// Fills in everything but the findings.
void judge(const Reply& reply, const Request& request, const Symbols& symbols, Outcome& outcome);

/// Says what the verdict rests on. A race may only look like one if code that is not seen, and
/// that one of the two threads came to in between, could have ordered the two accesses: unless
/// there are other findings, the verdict is open then.
void add_grounds(const Request& request, const Reply& reply, Outcome& outcome);

/// The program did not live to reply. `reproduced`: it was to die, and did.
void judge_death(const LaunchResult& result, const Target& target, bool reproduced,
                 Outcome& outcome);

/// Of a program that did not reply in time: what it was doing.
[[nodiscard]] std::string why_killed(const LaunchResult& result);

}  // namespace mazurka::threads
