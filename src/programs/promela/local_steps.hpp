// Where a process can only do what nobody else notices.
//
// Idea. In a location from which every statement reads and writes the process's own variables
// alone, nobody else can change what the process can do next, and nobody can tell whether it has
// done it. So it is enough to let it move there first: an ample set. This works on models whose
// processes go round in circles, too, if the search lets everybody move in some state of every
// circle (reach.cpp).
//
// Whether a rendezvous is possible depends on where the partner is, and with it whether an `else`
// beside it is, or whether an atomic sequence goes on or lets others move. In a model in which that
// may matter a local step does not lead to a location with a send or a receive. Steps inside of
// atomic sequences and of d_steps, and those of processes that have a `provided`, are not local.
//
// Source. Holzmann, Peled: An improvement in formal verification (1994), safe statements.
#pragma once

#include <cstdint>
#include <vector>

#include "programs/promela/model.hpp"

namespace mazurka::promela {

class LocalSteps {
 public:
  explicit LocalSteps(const Model& model);

  /// Whether all that can be done there is local.
  [[nodiscard]] bool only(std::uint8_t proctype, LocationId location) const {
    return only_[proctype][location];
  }

 private:
  [[nodiscard]] bool is_local(ExpressionId expression) const;
  [[nodiscard]] bool is_local_reference(ReferenceId reference) const;
  [[nodiscard]] bool is_local(const Statement& statement) const;
  [[nodiscard]] bool communicates(const Location& location) const;
  [[nodiscard]] bool partners_matter() const;

  const Model& model_;
  std::vector<std::vector<bool>> only_;  // per proctype and location
};

}  // namespace mazurka::promela
