// Alternatives: what else there is after a configuration, when some events are done with.
//
// After C, everything that contains one of the events of D has been explored. An alternative is a
// set J of known events such that C and J together are a configuration and every event of D is in
// conflict with one of J: then nothing after C and J was explored before. A k-partial alternative
// looks at the k latest events of D only; it is found faster, but what follows may turn out to be
// explored already.
//
// Finding one is NP-complete. The search here is exact: it takes the event of D with the fewest
// events left that could exclude it, and tries each with its history. Only the first events in
// conflict with it matter: a J that excludes it at all contains one of those.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "explorers/unfolding/along_path.hpp"
#include "explorers/unfolding/event_structure.hpp"

namespace mazurka::unfolding {

class Alternatives {
 public:
  /// `partial`: k, or 0 for full alternatives.
  Alternatives(const EventStructure& structure, const AlongPath& path, std::size_t partial)
      : structure_(structure), path_(path), partial_(partial) {}

  /// C is what happened on the path before `node`; `done`: the events of D, oldest first. Returns
  /// the events of J that are not in C, oldest first.
  [[nodiscard]] std::optional<std::vector<EventId>> find(std::size_t node,
                                                         std::span<const EventId> done);

 private:
  struct Need {
    EventId done;
    std::vector<EventId> candidates;  // the first events in conflict with it
  };
  /// `excluded`: what is in conflict with the chosen.
  [[nodiscard]] bool search(const EventSet& chosen, const EventSet& excluded);
  [[nodiscard]] std::vector<EventId> candidates(EventId done,
                                                std::span<const EventId> all_done) const;
  [[nodiscard]] std::vector<EventId> found_after_node() const;

  const EventStructure& structure_;
  const AlongPath& path_;
  std::size_t partial_;
  std::size_t node_ = 0;
  std::vector<Need> needs_;
  EventSet found_;
};

}  // namespace mazurka::unfolding
