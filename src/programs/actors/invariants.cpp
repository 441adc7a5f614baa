#include "programs/actors/invariants.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace mazurka::actors {

bool Invariants::watch(const ActorType& type) const {
  return rules_.watch_all ||
         std::any_of(rules_.watched.begin(), rules_.watched.end(), [&](const ActorType* watched) {
           return watched == &type || (watched->becomes && type.becomes);
         });
}

std::vector<const NamedCondition*> Invariants::violated(const Host& host) {
  std::vector<const NamedCondition*> violated;
  asked_ = true;
  const View view(host);
  for (const NamedCondition& invariant : rules_.invariants) {
    if (!invariant.holds(view)) violated.push_back(&invariant);
  }
  asked_ = false;
  return violated;
}

void Invariants::check_reading(const ActorType& type) const {
  if (!asked_ || watch(type)) return;
  throw std::invalid_argument("an invariant reads an actor of the type `" + std::string(type.name) +
                              "`, which is not among the types that it names");
}

void Invariants::check_reading_messages() const {
  if (!asked_ || rules_.watch_all) return;
  throw std::invalid_argument("an invariant that names types looks at messages; name none");
}

}  // namespace mazurka::actors
