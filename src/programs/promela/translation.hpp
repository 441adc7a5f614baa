// A model as a network of automata, for the reductions that need one (docs/stateful.md).
//
// A process becomes a client: its local states are its locations with the values of its locals. A
// global variable or a channel with a buffer becomes a server with a state per value. What a step
// reads and writes is found out by executing it: whenever it reads a variable whose value is not
// known, it is executed once for each value that the variable may have. Each way through is one
// action, of the process and of all that it has touched; a rendezvous is one of two processes.
// Which values and local states there are is found by doing so until nothing new comes.
//
// A local state remembers whether an assertion has failed on the way to it. A process that waits
// for what can never be has an action that is never possible, so that it counts as waiting.
//
// Not every model can be translated: a process must not be able to go round in a circle, and
// nothing may depend on all processes at once (timeout, _nr_pr, processes that start processes).
#pragma once

#include <string>
#include <vector>

#include "core/network.hpp"
#include "programs/promela/reach.hpp"

namespace mazurka::promela {

/// Why a model can not be translated.
class NotTranslated : public NetworkError {
 public:
  using NetworkError::NetworkError;
};

struct Translation {
  Network network;
  std::vector<std::vector<Taken>> trails;  // per action: the statements that it stands for
  StatePredicate failed;                   // an assertion has failed
  Configuration start;                     // where the network begins ...
  std::vector<Taken> before;               // ... and how the model comes there
};

/// Throws NotTranslated. `interrupted` is asked now and then.
[[nodiscard]] Translation translate(const Model& model, const std::function<bool()>& interrupted);

/// The model itself does what the actions say: the problem that they lead to. Throws NetworkError
/// if it does something else, which would be a defect of the translation.
[[nodiscard]] Problem replay(const Model& model, const Translation& translation,
                             const std::vector<ActionId>& actions, Problem::Kind kind);

}  // namespace mazurka::promela
