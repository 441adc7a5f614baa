// Writes down one execution in full, for a report: what every step did, to what, with which
// values, and from where in the source it was called. Used when a finding is told, never while
// exploring.
#pragma once

#include <cstdint>
#include <vector>

#include "core/ids.hpp"
#include "host/protocol.hpp"

namespace mazurka::threads {

/// Return addresses of the calling fiber, innermost first, without the runtime's own frames.
/// `ends`: where each of their frames ends (RawEvent), if that is wanted.
[[nodiscard]] std::vector<std::uint64_t> capture_stack(std::vector<std::uint64_t>* ends = nullptr);

class Recorder {
 public:
  static constexpr std::size_t max_events = 50'000;  // what comes later is not written down
  RawStory story;
  std::vector<RawBlock> allocations;  // all of them; the story keeps those that it refers to

  /// A process comes to code that is not seen and may order what others do.
  void come_to_hidden_code(ProcessId process, std::uintptr_t place) {
    hidden_.push_back({process, story.events.size(), place});
  }
  /// Such code that one of the two processes of a data race came to in between; 0: none. The race
  /// is marked in the story.
  [[nodiscard]] std::uintptr_t hidden_between(ProcessId later) const;

  RawEvent& add(ProcessId process, Action action, std::uint32_t position);

  /// Whether this plain read is what the process has just done, with the same result.
  [[nodiscard]] bool repeats(ProcessId process, Action action, std::uint64_t address,
                             std::size_t size) const;

  /// A plain write is announced before it happens; its value is read back at the process's next
  /// event or at the end.
  void expect_value(ProcessId process);
  void settle(ProcessId process);
  void settle_all();
  /// Fills in the heap blocks that the story's events touch.
  void keep_blocks_mentioned();

 private:
  struct Hidden {
    ProcessId process;
    std::size_t events;  // that there were by then
    std::uintptr_t place;
  };
  std::vector<Hidden> hidden_;
  std::vector<std::size_t> unsettled_;  // per process: index of the event + 1, or 0
  RawEvent overflow_;
};

/// Reads `size` bytes (1 to 8) as an unsigned number.
[[nodiscard]] std::uint64_t load_value(std::uint64_t address, std::size_t size);

/// What the event's access finds in memory now, if it is of a size that has a value.
void load_values(RawEvent& event);

}  // namespace mazurka::threads
