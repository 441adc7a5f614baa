// From raw events to a story: names, values, places, and why each process stopped where it did.
//
// Only what matters is told: the decisions, and plain accesses to places that at least two
// processes touched, one of them writing. Repetitions and runs of thread creation become one row.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/finding.hpp"
#include "host/protocol.hpp"
#include "programs/threads/host/blocks.hpp"
#include "programs/threads/host/story_rounds.hpp"
#include "programs/threads/host/symbols.hpp"
#include "programs/threads/host/variables.hpp"
#include "report/model/story.hpp"

namespace mazurka::threads {
using namespace host;

/// An access to more, or to an odd number of bytes, has no value that can be told.
[[nodiscard]] bool has_value(const RawEvent& event);

class Storyteller {
 public:
  Storyteller(const Symbols& symbols, const RawStory& raw) : symbols_(symbols), raw_(raw) {}

  /// The whole story. The finding's message is completed where only names make it readable.
  /// `no_return`: the decision after which every continuation fails, to be marked.
  [[nodiscard]] Story tell(Finding* finding, std::optional<std::size_t> no_return = std::nullopt);

  [[nodiscard]] std::string process_name(ProcessId process) const;
  /// Who waits at the end, for what and where; one line for each.
  [[nodiscard]] std::vector<std::string> who_waits() const;

  /// Of a story whose first two events are the accesses of a race: the variable as the source names
  /// it, or nothing; and the whole race, without what differs from one execution to the next.
  [[nodiscard]] std::string variable_of_race() const;
  [[nodiscard]] std::string race_in_words() const;

 private:
  friend class StoryParts;  // story_parts.hpp
  friend class TreeWords;   // tree_words.cpp

  using Shown = ShownRow;
  struct Switch {
    SwitchKind kind = SwitchKind::none;
    std::string reason;
  };

  [[nodiscard]] std::vector<std::size_t> events_that_matter() const;
  // story_folds.cpp
  void fold(const std::vector<Shown>& shown, Story& story) const;
  void fold_preparation(const std::vector<Shown>& shown, Story& story) const;
  void fold_library(const std::vector<Shown>& shown, Story& story) const;
  [[nodiscard]] std::vector<Shown> merge(const std::vector<std::size_t>& events);
  [[nodiscard]] std::size_t unwritten_between(std::size_t after, std::size_t before) const;
  void add_rows(const std::vector<Shown>& shown, Story& story);
  void mark_no_return(const std::vector<Shown>& shown, std::size_t decision, Story& story) const;
  void add_endings(const Finding* finding, Story& story) const;
  void complete_message(Finding& finding, Story& story) const;
  void tell_deadlock(Finding& finding, Story& story) const;
  void draw_circle(const std::vector<const RawWaiting*>& circle, Story& story) const;
  [[nodiscard]] std::string routine_name(const RawProcess& process) const;

  [[nodiscard]] std::string describe(const RawEvent& event) const;
  [[nodiscard]] std::string intent(const RawEvent& event) const;  // not done yet: no values
  void tell_as_of(const RawEvent& event) const;
  [[nodiscard]] std::string object(std::uint64_t address, std::uint64_t size) const;
  /// The same, if the source has a name for it.
  [[nodiscard]] std::optional<NamedPlace> variable(std::uint64_t address, std::uint64_t size) const;
  [[nodiscard]] std::optional<NamedPlace> local(std::uint64_t address, std::uint64_t size) const;
  /// Heap blocks that the story mentions, as it calls them: "Node#2".
  struct Block {
    std::optional<BlockType> type;
    std::string name;
  };
  [[nodiscard]] const RawBlock* block_at(std::uint64_t address) const;
  [[nodiscard]] const Block& named_block(const RawBlock& block) const;
  void name_blocks() const;
  [[nodiscard]] std::optional<BlockType> type_of(const RawBlock& block) const;
  [[nodiscard]] std::string pointer(std::uint64_t value) const;
  /// `high`: the upper half, of 16 bytes.
  [[nodiscard]] std::string value(const RawEvent& event, std::uint64_t value,
                                  std::uint64_t high) const;
  [[nodiscard]] std::string place(const std::vector<std::uint64_t>& stack) const;
  [[nodiscard]] std::string waiting_for(const RawWaiting& waiting) const;

  /// Why `process` does not go on; `before`: the next shown event, of another process.
  [[nodiscard]] Switch switch_from(ProcessId process, std::size_t before) const;
  [[nodiscard]] Switch switch_for_ever(ProcessId process) const;
  [[nodiscard]] std::optional<std::size_t> last_event(ProcessId process, std::size_t before) const;
  [[nodiscard]] bool has_ended(ProcessId process, std::size_t before) const;
  [[nodiscard]] std::optional<std::size_t> holder_event(std::uint64_t mutex,
                                                        std::size_t before) const;
  [[nodiscard]] std::optional<std::size_t> last_write(const RawEvent& event,
                                                      std::size_t before) const;
  [[nodiscard]] std::size_t column(ProcessId process) const;

  const Symbols& symbols_;
  const RawStory& raw_;
  mutable std::vector<Block> blocks_;  // as raw_.blocks, once one of them was asked for
  mutable std::size_t moment_ = 0;     // the event that is being told: locals are named as of then
  StoryRounds rounds_{raw_.events};
  std::string failure_;  // how the failing row reads
};

}  // namespace mazurka::threads
