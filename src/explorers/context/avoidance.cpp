#include "explorers/context/avoidance.hpp"

#include <algorithm>

#include "core/check.hpp"

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
  MAZURKA_CHECK(size > 0 && size <= longest_avoided, "there is a bit for each step of a sequence");
  return {sequence, ~Word{0} >> (longest_avoided - size), pool_[sequence].first_order};
}

// Write and write always count as dependent here, observed or not: the whole states are compared.
AvoidedSequences::Follow AvoidedSequences::follow(Avoided& entry, const Step& event) const {
  const AvoidedSequence& sequence = pool_[entry.sequence];
  if (sequence.belief == AvoidedSequence::Belief::refuted) return Follow::forgotten;
  const std::size_t taken = first_bit_that(
      entry.left, [&](std::size_t at) { return sequence.steps.process(at) == event.process(); });
  const bool none = taken == word_bits;
  if (!none) {
    const Step step = sequence.steps[taken];
    const bool same = step.decision == event.decision && step.awaited == event.awaited &&
                      same_accesses(step.accesses, event.accesses);
    if (!same) return Follow::forgotten;
  }
  const Word earlier = none ? entry.left : entry.left & (bit_of(taken) - 1);
  const std::size_t disturbed = first_bit_that(
      earlier, [&](std::size_t at) { return dependent(vocabulary_, sequence.steps[at], event); });
  if (disturbed != word_bits) return Follow::forgotten;
  if (none) return Follow::untouched;
  entry.left &= ~bit_of(taken);
  return Follow::shortened;
}

bool AvoidedSequences::arrived(Avoided& entry, const Step& event, const Fingerprint& change) {
  AvoidedSequence& sequence = pool_[entry.sequence];
  MAZURKA_CHECK(sequence.belief != AvoidedSequence::Belief::refuted,
                "what was refuted is not followed");
  const std::size_t size = sequence.steps.size();
  if (size >= 2 && event.process() == sequence.steps.process(size - 2) && entry.one_left() &&
      (entry.left & bit_of(size - 1)) != 0) {
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
