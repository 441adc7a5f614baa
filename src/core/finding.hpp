// What was found out about the program (never about the checker: that is an error).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/ids.hpp"

namespace mazurka {

enum class FindingKind : std::uint8_t {
  assertion,
  data_race,
  deadlock,
  livelock,  // goes round in a loop that waits for what nobody will do
  crash,
  uncaught_exception,
  abort,
  memory_error,  // a heap block is used after it was freed, beyond its bounds, freed twice
  leak,          // a heap block is lost
  orphan,        // a message that its receiver did not live to handle
  exit_code,     // the program tells its caller that it has failed (--exit-code finding)
  message_race,  // a receive could have taken the message of another rank (--message-races)
  misuse,  // a call that the primitive's rules forbid: unlocking a mutex one does not hold, ...
};

[[nodiscard]] constexpr std::string_view name(FindingKind kind) {
  switch (kind) {
    case FindingKind::assertion: return "assertion";
    case FindingKind::data_race: return "data race";
    case FindingKind::deadlock: return "deadlock";
    case FindingKind::livelock: return "livelock";
    case FindingKind::crash: return "crash";
    case FindingKind::uncaught_exception: return "uncaught exception";
    case FindingKind::abort: return "abort";
    case FindingKind::memory_error: return "memory error";
    case FindingKind::leak: return "leak";
    case FindingKind::orphan: return "orphan";
    case FindingKind::exit_code: return "exit code";
    case FindingKind::message_race: return "message race";
    case FindingKind::misuse: return "misuse";
  }
  return "unknown";
}

struct Finding {
  FindingKind kind{};
  ProcessId process = no_process;  // who failed; none for a deadlock
  std::string message;             // one line, without the place
  std::string key;                 // two findings with one key are the same defect seen twice
  std::vector<Decision> schedule;  // replays it
  friend bool operator==(const Finding&, const Finding&) = default;
};

}  // namespace mazurka
