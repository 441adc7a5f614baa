// What the latest tests of single actions (first_set.hpp) have come to, and what they have read.
//
// Idea. A test of an action reads the local states of the processes in its set, and for some of
// their actions whether the partner could do them right now. From one state to the next two
// processes move. Where nothing of what was read has changed, the set is the same, and only what is
// enabled has to be compared with it. What was read is listed, so this takes no longer than the
// test did, and mostly far less: a test walks over many local states of a process.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "core/check.hpp"
#include "explorers/stateful/system.hpp"

namespace mazurka::stateful {

class KeptFirstSets {
 public:
  struct Place {
    std::uint32_t process = 0;
    LocalState state = 0;
  };
  struct Bits {  // of a word
    std::size_t word = 0;
    Word read = 0;
    Word value = 0;
  };
  struct Kept {
    std::vector<Place> places;  // of the processes in the set
    std::vector<Bits> bits;
    std::vector<Word> processes;
    std::size_t size = 0;  // of the set
    bool whole = false;    // there was nothing more to join

    [[nodiscard]] bool holds(const LocalState* locals, const Word* words) const {
      return std::all_of(
                 places.begin(), places.end(),
                 [&](const Place& place) { return locals[place.process] == place.state; }) &&
             std::all_of(bits.begin(), bits.end(), [&](const Bits& one) {
               return (words[one.word] & one.read) == one.value;
             });
    }
    [[nodiscard]] std::size_t parts() const { return places.size() + bits.size(); }
  };

  [[nodiscard]] const Kept* find(ActionId action) const {
    const auto found = kept_.find(action);
    return found == kept_.end() ? nullptr : &found->second;
  }

  /// What is known of the action from now on.
  void keep(ActionId action, Kept& kept) {
    if (parts_ > most_parts) {
      kept_.clear();
      parts_ = 0;
    }
    Kept& place = kept_[action];
    parts_ += kept.parts();
    MAZURKA_CHECK(parts_ >= place.parts(), "what is kept is counted");
    parts_ -= place.parts();
    std::swap(place, kept);
  }

 private:
  static constexpr std::size_t most_parts = std::size_t{1} << 19;  // some megabytes

  std::unordered_map<ActionId, Kept> kept_;
  std::size_t parts_ = 0;
};

}  // namespace mazurka::stateful
