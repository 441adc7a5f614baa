// What the user says about orders, time and what is to be a finding.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace mazurka::caf {

/// Which messages may overtake which.
enum class Channels : std::uint8_t {
  mailbox,  // none that the same actor has sent earlier, to whomever: as within one process
  fifo,     // none that the same actor has sent earlier to the same receiver
  none,     // any
};

/// When timeouts and delayed messages come.
enum class Timeouts : std::uint8_t {
  idle,   // when nothing else is left, the earliest first
  any,    // at any time
  never,  // not at all
};

struct Rules {
  Channels channels = Channels::mailbox;
  Timeouts timeouts = Timeouts::idle;
  // What is no finding.
  bool allow_unhandled = false;   // messages that no handler takes
  bool allow_unanswered = false;  // requests without a response
  bool allow_errors = false;      // actors that end with an error of their own
  bool allow_running = false;     // actors that never end
  bool forbid_left = false;       // messages that are skipped for ever
};

/// As words with commas between them: "fifo", "any", "allow-unhandled", "forbid-left". Nothing if
/// one of them is none; it is then left in `text`.
[[nodiscard]] std::optional<Rules> parse_rules(std::string& text);

}  // namespace mazurka::caf
