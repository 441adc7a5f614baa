// Random systems of CAF's actors: a script says what an actor of each type does with each kind of
// message, and one class of actors performs all scripts.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "mazurka/caf.hpp"

namespace mazurka::caf_test {

struct Action {
  enum class Kind : std::uint8_t {
    send,
    send_urgent,
    request_then,
    request_await,
    delayed_send,
    spawn,
    monitor,
    link,
    send_exit,
    drop,         // forgets whom it knows
    accept_all,   // from now on, and what was skipped as well
    accept_even,  // and skips the others
    hold_answer,  // the response is given with the next message, or never
    quit,
    attach,  // to the end of another
    // Of the second family of scripts only.
    request_for_a_while,  // with a timeout
    delegate,             // somebody else is to answer
    spawn_monitored,      // and be told of its end
    spawn_lazy,           // it begins with its first message
    accept_even_nested,   // ... and unbecome goes back
    unbecome,
    accept_for_a_while,  // after a while without a message something happens
    survive,             // exit messages are handled
    fail,                // the answer is an error
    stop_with_error,
  };
  Kind kind{};
  int target = 0;   // which of those it knows, or which type it spawns
  int message = 0;  // kind of the message
};

struct Script {
  static constexpr int kinds = 3;  // of messages
  // Per type of actor and kind of message; what it does in the beginning comes last.
  std::vector<std::vector<std::vector<Action>>> types;
  int actors = 0;  // the first ones; their types are their numbers
  struct First {
    int actor = 0;
    int message = 0;
  };
  std::vector<First> messages;    // of main
  bool keeps_references = false;  // main does, until the end
};

/// Number n is always the same. From `second_family` on more kinds of actions occur.
inline constexpr std::uint64_t second_family = 1'000'000;
[[nodiscard]] Script make_script(std::uint64_t number);
[[nodiscard]] std::string to_text(const Script& script);

/// What each actor has seen, by names that depend on nothing but causes.
using Log = std::map<std::string, std::string>;

/// The main of the system; the log is that of its latest execution.
void perform(const Script& script, ::caf::actor_system& system, Log& log);

}  // namespace mazurka::caf_test
