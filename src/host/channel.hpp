// The worker's end of the conversation (protocol.hpp): what every front-end does whose program
// under test is a checker of itself. It is asked through inherited files, keeps the front process
// informed while it works, and answers once.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>

#include "driver/watcher.hpp"
#include "host/protocol.hpp"

namespace mazurka::host {

struct Channel {
  int request = -1;
  int reply = -1;
  int progress = -1;
  int races = -1;          // a socket; only if there are suppressions
  int files = -1;          // the same; only if something is saved (sent_files.hpp)
  mutable off_t sent = 0;  // bytes of replies

  /// Throws WireError.
  [[nodiscard]] Request receive() const;
  /// The shared memory, or private one if nobody shares it.
  [[nodiscard]] Progress& map_progress() const;
  /// All that is needed from now on goes out of the program's way.
  void withdraw();
  /// What the program has printed is written out first.
  void send(const Reply& answer) const;
};

/// Empty: nobody asks, the program was started in the ordinary way.
[[nodiscard]] std::optional<Channel> inherited_channel();
/// Processes that the program starts are not asked.
void forget_channel();

/// From now on nobody sees what the program prints: a search would repeat it thousands of times.
void silence_program();

/// From now on the text about a check that fails (core/check.hpp) is handed to the front process,
/// which makes an error of it whatever else it is sent.
/// Requires: the progress outlives the process's work.
void hand_on_failed_checks(Progress& progress);
/// Hands one on, for a process with a way of its own to end. Requires: hand_on_failed_checks.
void hand_on_failed_check(const char* text);

/// The front process, as who looks on: what it is told and what it asks for is in shared memory.
class FrontProcess final : public Watcher {
 public:
  explicit FrontProcess(Progress& progress) : progress_(progress) {}

  [[nodiscard]] bool wants_end() const override;
  void performed(const Session& session, const Execution& execution) override;
  void performed_beside() override;
  void walks(bool walking) override;
  void expects(double executions) override;
  void saved() override;

 private:
  Progress& progress_;
  std::uint64_t transitions_ = 0;
};

/// The most memory that this process has occupied, in bytes.
[[nodiscard]] std::uint64_t peak_memory();

}  // namespace mazurka::host
