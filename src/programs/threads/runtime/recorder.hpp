// Writes down one execution in full, for a report: what every step did, to what, with which
// values, and from where in the source it was called. Used when a finding is told, never while
// exploring.
#pragma once

#include <cstdint>
#include <vector>

#include "core/ids.hpp"
#include "host/protocol.hpp"

namespace mazurka::threads {
using namespace host;

/// Return addresses of the calling fiber, innermost first, without the runtime's own frames.
/// `ends`: where each of their frames ends (RawEvent), if that is wanted.
[[nodiscard]] std::vector<std::uint64_t> capture_stack(std::vector<std::uint64_t>* ends = nullptr);

class Recorder {
 public:
  // Further accesses to memory are not written down: of a process that is alone, and of others.
  static constexpr std::size_t max_alone = 20'000;
  static constexpr std::size_t max_in_company = 50'000;
  RawStory story;
  std::vector<RawBlock> allocations;  // all of them; the story keeps those that it refers to

  /// A process comes to code that is not seen and may order what others do.
  void come_to_hidden_code(ProcessId process, std::uintptr_t place) {
    hidden_.push_back({process, story.events.size(), place});
  }
  /// Such code that one of the two processes of a data race came to in between; 0: none. The race
  /// is marked in the story.
  [[nodiscard]] std::uintptr_t hidden_between(ProcessId later) const;

  RawEvent& add(ProcessId process, Action action, std::uint32_t position, bool alone = false);

  /// Whether this plain read is what the process has just done, with the same result.
  [[nodiscard]] bool repeats(ProcessId process, Action action, std::uint64_t address,
                             std::size_t size) const;

  /// A plain write is announced before it happens; its value is read back at the process's next
  /// event or at the end.
  void expect_value(ProcessId process);
  void settle(ProcessId process);
  void settle_all();
  /// The latest event is not in the story, so far.
  [[nodiscard]] bool leaves_out() const { return leaves_out_; }
  /// What the current process is about to do, or has just done, is a part of the story, however
  /// long that is.
  void keep_latest(ProcessId current);
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
  bool leaves_out_ = false;  // the latest event is not in the story, but here, without a stack
  RawEvent latest_;
  std::size_t events_alone_ = 0;
  std::size_t events_in_company_ = 0;
};

/// Reads `size` bytes (1 to 8) as an unsigned number.
[[nodiscard]] std::uint64_t load_value(std::uint64_t address, std::size_t size);

/// What the event's access finds in memory now, if it is of a size that has a value.
void load_values(RawEvent& event);

}  // namespace mazurka::threads
