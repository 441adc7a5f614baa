// The storyteller's rows taken apart, for those who draw them: objects, values, what had to come
// before, until when a process could not go on, where it is stuck, and the sources.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "programs/threads/host/story_memory.hpp"
#include "programs/threads/host/storyteller.hpp"

namespace mazurka::threads {

class StoryParts {
 public:
  using Shown = Storyteller::Shown;
  StoryParts(const Storyteller& teller, Story& story) : teller_(teller), story_(story) {}

  /// All but the order, for which all rows must be there.
  [[nodiscard]] StoryEvent event_of(const Shown& shown);
  /// Why another process than before moves in this row.
  void add_switch(const std::vector<Shown>& shown, std::size_t row);
  void add_order(const std::vector<Shown>& shown);
  /// Why operations under weak memory need not see what is newest (story_memory.cpp).
  using RowOf = std::map<std::size_t, std::size_t>;  // raw event -> row
  void add_memory_remarks(const RowOf& row_of);
  /// Fences that are none for threads.
  void add_signal_fences();
  /// Of a process that waits for ever; `at`: its place.
  void add_stop(const RawWaiting& waiting, const std::string& at);
  void add_source(const Frame& frame);

 private:
  [[nodiscard]] std::string why_not_ordered(std::size_t write, std::size_t access,
                                            const std::vector<MissingEdge>& missing,
                                            const RowOf& row_of) const;
  [[nodiscard]] std::size_t object_index(const std::string& name, ObjectType type);

  const Storyteller& teller_;
  Story& story_;
};

}  // namespace mazurka::threads
