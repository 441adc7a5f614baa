// TransDPOR: dynamic partial order reduction for actors, with the freeze flag.
//
// Idea. Deliveries to one actor are pairwise dependent, and no others that could be exchanged are:
// the relation is transitive. So when several messages race with an event, it is enough to try one
// of them in its place first; the others then race with that one, and are asked for in their turn.
// A node that has been given a message to try is *frozen* until the message is explored.
//
// Source. Tasharofi, Karmani, Lauterburg, Legay, Marinov, Agha: TransDPOR. What reproduces the
// numbers of its tables is not the algorithm as printed, which looks at all pending messages in
// every state (13 executions instead of 10 on its own example), but this:
//  - on sending a message, each earlier delivery to its receiver that does not lead to the sending
//    is a race; the candidate is the first later delivery that leads to the sending, and it
//    *replaces* a candidate that the node is frozen with;
//  - on delivering a message, each earlier delivery to the same receiver that does not lead to its
//    sending is a race; the candidate (the message itself if it was pending there) is added unless
//    the node is frozen.
//
// Departures, both needed not to lose behaviours. A candidate that is asleep counts as present and
// freezes nothing. Where local states decide which messages can be delivered, messages that are
// still undelivered at the end are looked at as if delivered then, and in place of a candidate that
// is disabled at its node everything enabled for the same receiver is tried.
//
// Neighbours. dpor.cpp on actors is the same search without the flag; source.cpp and optimal.cpp
// explore less than both.
#include <memory>
#include <stdexcept>

#include "core/technique.hpp"
#include "explorers/deliveries.hpp"

namespace mazurka {
namespace {

class Trans final : public Explorer {
 public:
  bool explore(Session& session) override {
    if (session.steps() != Steps::one) {
      throw std::invalid_argument("the technique `trans` is for actors; use `optimal` here");
    }
    return Deliveries(session, Deliveries::Rule::trans).explore();
  }
};

}  // namespace

std::unique_ptr<Explorer> make_trans(const TechniqueOptions&) { return std::make_unique<Trans>(); }

}  // namespace mazurka
