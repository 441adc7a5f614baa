// Starts the program under test, watches it, and reads its reply.
//
// The program is a child in a process group of its own, so that a Ctrl-C at the terminal reaches
// only us: the first asks the child to stop and reply, the second kills it. The request, the reply
// and the shared progress are anonymous memory files that the child inherits. Whatever happens to
// the child, launch() returns: a child that dies leaves its schedule in the shared progress, and
// one that neither advances nor reacts is killed. When its time is over a child has a moment left
// to tell what it has seen.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "host/protocol.hpp"

namespace mazurka::host {

struct Launch {
  std::filesystem::path binary;
  std::vector<std::string> arguments;
  Request request;
  bool output_to_stderr = false;  // stdout is reserved for our own output
  bool discard_output = false;    // nobody is to see what it prints
  bool bare = false;  // it sees an environment that is the same on every machine, not ours
  std::function<void(const Progress&)> on_progress;  // a few times a second
  std::function<bool(const Progress&)> wants_end;    // asks the child to stop: looked at often
  std::function<RaceAnswer(const RaceQuestion&)> on_race;  // needed if it asks()
  /// Where several processes explore parts of one search: takes Reply::uses of a part. True:
  /// together with those of the others they make the search void.
  std::function<bool(const std::vector<std::uint64_t>&)> on_uses;
  std::optional<std::chrono::steady_clock::time_point> deadline;  // else after limits.max_seconds
  std::chrono::milliseconds slice{0};        // of each process; 0: until the deadline
  std::chrono::milliseconds grace{700};      // beyond that, to reply
  std::chrono::milliseconds patience{5000};  // with a child that was asked to stop
  std::chrono::milliseconds silence{60000};  // how long nothing may advance at all
  std::uint64_t max_memory = 0;              // bytes, of the child; 0: no limit
};

enum class Fate : std::uint8_t {
  replied,
  killed,         // by a signal that the runtime could not survive
  exited,         // ended the process by itself, without a reply
  unresponsive,   // did not react to an interrupt or to the end of its time: we killed it
  interrupted,    // the user asked twice: we killed it
  out_of_memory,  // took more than it may, without a pause in which it could be asked to stop
};

struct LaunchResult {
  Fate fate = Fate::replied;
  Reply reply;                     // fate replied; else a draft, if it came to that
  int signal = 0;                  // fate killed
  int exit_code = 0;               // fate exited
  std::vector<Decision> schedule;  // of the execution that was under way
  Statistics statistics;           // as last seen
  double seconds = 0;
  bool by_user = false;     // the user asked to stop
  bool by_time = false;     // its time was over
  bool by_memory = false;   // it was asked to stop because it took more memory than it may
  bool confined = false;    // its system calls came to the runtime
  bool walking = false;     // it was at random walks beside the search
  bool telling = false;     // the search was over, and the findings were being told
  std::uint32_t saves = 0;  // how often it has saved its exploration
};

/// Throws InputError when the program can not be started or does not speak the protocol.
[[nodiscard]] LaunchResult launch(const Launch& launch);

}  // namespace mazurka::host
