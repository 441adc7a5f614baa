// What is to hold in every configuration, and which actors matter for it.
//
// An invariant names the types of actors that it reads: only the steps of these are explored in
// every order. So it is an error if one looks at anything else.
#pragma once

#include <vector>

#include "mazurka/actors.hpp"

namespace mazurka::actors {

class Invariants {
 public:
  /// The rules may still be filled in.
  explicit Invariants(const Rules& rules) : rules_(rules) {}

  [[nodiscard]] bool empty() const { return rules_.invariants.empty(); }
  /// Whether they read actors of this type, or of one that it may have been or become.
  [[nodiscard]] bool watch(const ActorType& type) const;
  /// Those that do not hold. Throws if one reads what it did not say it would.
  [[nodiscard]] std::vector<const NamedCondition*> violated(const Host& host);

  // What the host is asked, by an invariant or by somebody else. Throws if that is too much.
  void check_reading(const ActorType& type) const;
  void check_reading_messages() const;

 private:
  const Rules& rules_;
  bool asked_ = false;  // whether one of them is being evaluated
};

}  // namespace mazurka::actors
