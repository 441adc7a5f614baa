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

#include "explorers/unfolding/event_structure.hpp"

namespace mazurka::unfolding {

class Alternatives {
 public:
  /// `partial`: k, or 0 for full alternatives.
  Alternatives(const EventStructure& structure, std::size_t partial)
      : structure_(structure), partial_(partial) {}

  /// `configuration`: the events of C; `excluded`: all that is in conflict with one of them;
  /// `done`: the events of D, oldest first. Returns the events of J that are not in C, oldest
  /// first.
  [[nodiscard]] std::optional<std::vector<EventId>> find(const EventSet& configuration,
                                                         const EventSet& excluded,
                                                         std::span<const EventId> done);

 private:
  struct Need {
    EventId done;
    std::vector<EventId> candidates;  // the first events in conflict with it
  };
  [[nodiscard]] bool search(const EventSet& chosen, const EventSet& excluded);
  [[nodiscard]] std::vector<EventId> candidates(EventId done, const EventSet& excluded) const;

  const EventStructure& structure_;
  std::size_t partial_;
  std::vector<Need> needs_;
  EventSet done_;
  EventSet found_;
};

}  // namespace mazurka::unfolding
