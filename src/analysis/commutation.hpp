// Whether two neighbouring dependent steps commute in the state in which they met, from the log of
// the one execution in which they did.
//
// The log has the value of every accessed object before and after each event. If the second step
// would have read the same values before the first, and the first the same values after the second,
// both do what they did in either order, and it only remains to compare what is left in the objects
// that both write. If one would have read another value, only a step that keeps what it reads
// (Vocabulary::Mode::keeps) settles the matter: the states differ. Otherwise the log does not tell,
// and it is left to the exploration to find out (explorers/context/avoidance.hpp).
//
// Nothing is executed. In an order that has been loosened, somebody else may have come in between
// and changed what the second step found; then the log says nothing of these two.
#pragma once

#include <cstdint>

#include "core/execution.hpp"
#include "core/vocabulary.hpp"

namespace mazurka {

enum class Commutes : std::uint8_t {
  no,
  yes,
  open,       // if the other order makes the same change of the state
  never_met,  // the second found something else than what the first had left
};

/// Whether somebody else wrote to an object of their conflict in between. If that is set loose too,
/// the two have to be judged in a state in which it happened before both, or after both.
[[nodiscard]] bool interrupted(const Vocabulary& vocabulary, const Execution& execution,
                               std::uint32_t first, std::uint32_t second);

[[nodiscard]] Commutes commute(const Vocabulary& vocabulary, const Execution& execution,
                               std::uint32_t first, std::uint32_t second);

/// Whether the two may be found to commute where nothing orders them any more: somebody came in
/// between, or commute() does not say no.
[[nodiscard]] bool may_commute(const Vocabulary& vocabulary, const Execution& execution,
                               std::uint32_t first, std::uint32_t second);

}  // namespace mazurka
