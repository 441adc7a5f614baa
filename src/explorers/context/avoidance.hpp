// Sequences of steps that lead where the exploration has been already.
//
// Two dependent steps e and e' may still commute in the state in which they meet. If e then e' was
// explored there, e' then e need not be, nor anything after it. Such a *don't-do sequence* is the
// steps that e' needs, then e', then e. Along an execution it loses a step when that step is
// taken (and could have come first in it), and is forgotten when something dependent with it
// happens. Taking its last step completes it: the state is one from which everything is explored.
//
// Whether the two commute may not be known when the sequence is made. Then it carries the change of
// the state's fingerprint that e and e' made in their first order; if they make another one in the
// second order, completing the sequence means nothing. So nothing is ever executed in order to
// compare: the exploration itself arrives at the state, or does not.
//
// A sleeping step (schedule.hpp) is the simplest such sequence, with one step.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "core/bit_set.hpp"
#include "core/check.hpp"
#include "core/ids.hpp"
#include "core/step.hpp"
#include "core/vocabulary.hpp"

namespace mazurka {

/// The longest don't-do sequence that can be stored.
inline constexpr std::size_t longest_avoided = word_bits;

struct AvoidedSequence {
  enum class Belief : std::uint8_t { open, proven, refuted };

  StepList steps;           // ..., e', e
  Fingerprint first_order;  // what e and e' changed in their first order
  Belief belief = Belief::open;
};

/// What is left of a sequence at some point of an execution.
struct Avoided {
  std::uint32_t sequence = 0;
  Word left = 0;       // a bit per step
  Fingerprint change;  // what e would have to change for the orders to agree

  [[nodiscard]] bool complete() const { return left == 0; }
  [[nodiscard]] bool one_left() const { return std::has_single_bit(left); }
};

class AvoidedSequences {
 public:
  explicit AvoidedSequences(const Vocabulary& vocabulary) : vocabulary_(vocabulary) {}

  /// A new, empty sequence; recycle() gives it back.
  [[nodiscard]] std::uint32_t make();
  void recycle(std::uint32_t sequence) { free_.push_back(sequence); }
  [[nodiscard]] AvoidedSequence& operator[](std::uint32_t at) { return pool_[at]; }
  [[nodiscard]] const AvoidedSequence& operator[](std::uint32_t at) const { return pool_[at]; }
  [[nodiscard]] Avoided all_of(std::uint32_t sequence) const;

  enum class Follow : std::uint8_t { forgotten, untouched, shortened };
  /// What the event does to what is left of a sequence, but for the fingerprint.
  [[nodiscard]] Follow follow(Avoided& entry, const Step& event) const;
  /// Takes in the change that the event made, once follow() has shortened the entry. Whether the
  /// entry is now complete, and the state one that was explored from.
  [[nodiscard]] bool arrived(Avoided& entry, const Step& event, const Fingerprint& change);

  /// The process whose next step would complete the sequence, or no_process.
  [[nodiscard]] ProcessId completes(const Avoided& entry) const {
    if (!entry.one_left()) return no_process;
    const AvoidedSequence& sequence = pool_[entry.sequence];
    MAZURKA_CHECK(!sequence.steps.empty(), "a sequence that was given back completes nothing");
    return sequence.steps.process(sequence.steps.size() - 1);
  }
  /// The same, if it is known where that leads.
  [[nodiscard]] ProcessId forbids(const Avoided& entry) const {
    if (pool_[entry.sequence].belief != AvoidedSequence::Belief::proven) return no_process;
    return completes(entry);
  }

 private:
  const Vocabulary& vocabulary_;
  std::vector<AvoidedSequence> pool_;
  std::vector<std::uint32_t> free_;
};

}  // namespace mazurka
