#include "explorers/context/avoidance.hpp"

#include <algorithm>
#include <cassert>

namespace mazurka {

std::uint32_t AvoidedSequences::make() {
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(pool_.size()));
    pool_.emplace_back();
  }
  const std::uint32_t fresh = free_.back();
  free_.pop_back();
  pool_[fresh].steps.clear();
  pool_[fresh].belief = AvoidedSequence::Belief::open;
  return fresh;
}

Avoided AvoidedSequences::all_of(std::uint32_t sequence) const {
  const std::size_t size = pool_[sequence].steps.size();
  assert(size > 0 && size <= longest_avoided);
  return {sequence, ~std::uint64_t{0} >> (longest_avoided - size), pool_[sequence].first_order};
}

// Write and write always count as dependent here, observed or not: the whole states are compared.
AvoidedSequences::Follow AvoidedSequences::follow(Avoided& entry, const Step& event) const {
  const AvoidedSequence& sequence = pool_[entry.sequence];
  if (sequence.belief == AvoidedSequence::Belief::refuted) return Follow::forgotten;
  for (std::uint64_t left = entry.left; left != 0; left &= left - 1) {
    const auto at = static_cast<std::size_t>(std::countr_zero(left));
    const Step step = sequence.steps[at];
    if (step.process() == event.process()) {
      const bool same = step.decision == event.decision && step.awaited == event.awaited &&
                        std::equal(step.accesses.begin(), step.accesses.end(),
                                   event.accesses.begin(), event.accesses.end());
      if (!same) return Follow::forgotten;
      for (std::uint64_t earlier = entry.left; earlier != left; earlier &= earlier - 1) {
        const auto before = static_cast<std::size_t>(std::countr_zero(earlier));
        if (dependent(vocabulary_, sequence.steps[before], event)) return Follow::forgotten;
      }
      entry.left &= ~(std::uint64_t{1} << at);
      return Follow::shortened;
    }
  }
  for (std::uint64_t left = entry.left; left != 0; left &= left - 1) {
    const auto at = static_cast<std::size_t>(std::countr_zero(left));
    if (dependent(vocabulary_, sequence.steps[at], event)) return Follow::forgotten;
  }
  return Follow::untouched;
}

bool AvoidedSequences::arrived(Avoided& entry, const Step& event, const Fingerprint& change) {
  AvoidedSequence& sequence = pool_[entry.sequence];
  const std::size_t size = sequence.steps.size();
  if (size >= 2 && event.process() == sequence.steps.process(size - 2) && entry.one_left() &&
      (entry.left >> (size - 1) & 1U) != 0) {
    entry.change ^= change;  // e' came first this time
  }
  if (!entry.complete()) return false;
  if (sequence.belief == AvoidedSequence::Belief::open) {
    sequence.belief =
        entry.change == change ? AvoidedSequence::Belief::proven : AvoidedSequence::Belief::refuted;
  }
  return sequence.belief == AvoidedSequence::Belief::proven;
}

}  // namespace mazurka
