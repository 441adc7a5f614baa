#include "host/replies.hpp"

#include <algorithm>
#include <utility>

#include "core/check.hpp"
#include "core/members.hpp"

namespace mazurka::host {

void add_grounds(Grounds& all, const Grounds& more) {
  static_assert(count_of_members<Grounds> == 15, "each of them is added below");
  for (const auto member :
       {&Grounds::weak_orders, &Grounds::sampled, &Grounds::chance, &Grounds::clocks,
        &Grounds::interacted, &Grounds::message_races, &Grounds::time_matters, &Grounds::went_ahead,
        &Grounds::order_matters}) {
    all.*member = all.*member || more.*member;
  }
  if (all.as_strong.empty()) {
    all.as_strong = more.as_strong;
    all.as_strong_object = more.as_strong_object;
  }
  if (all.order_object == RawObject{}) all.order_object = more.order_object;
  if (all.unordered.empty()) all.unordered = more.unordered;
  if (all.unseen_at == 0) all.unseen_at = more.unseen_at;
  if (all.unexplored.empty()) all.unexplored = more.unexplored;
}

void add_refinement(Refinement& all, const Refinement& more) {
  static_assert(count_of_members<Refinement> == 5, "each of them is added below");
  add_unknown(all.exposed, more.exposed);
  add_unknown(all.escaped, more.escaped);
  add_unknown(all.guards, more.guards);
  add_unknown(all.ordered, more.ordered);
  all.latches_by_library = all.latches_by_library || more.latches_by_library;
}

void add_accepted(std::vector<AcceptedRace>& all, const std::vector<AcceptedRace>& more) {
  for (const AcceptedRace& one : more) {
    const auto known = std::find_if(all.begin(), all.end(), [&](const AcceptedRace& other) {
      return other.suppression == one.suppression && other.race == one.race;
    });
    if (known == all.end()) {
      all.push_back(one);
    } else {
      known->executions += one.executions;
    }
  }
}

void add_findings(std::vector<RawFinding>& all, std::vector<RawFinding>& more, bool several) {
  for (RawFinding& one : more) {
    const bool known = std::any_of(all.begin(), all.end(), [&](const RawFinding& other) {
      return other.finding.key == one.finding.key;
    });
    if (!known && (several || all.empty())) all.push_back(std::move(one));
  }
  MAZURKA_CHECK(more.empty() || !all.empty(), "a finding is never lost among others");
}

/// By length, then by decisions: the same in whatever order they were made.
void sort_findings(std::vector<RawFinding>& findings) {
  const auto rank = [](const Decision& one) { return std::pair(index(one.process), one.choice); };
  std::stable_sort(findings.begin(), findings.end(),
                   [&](const RawFinding& one, const RawFinding& other) {
                     const auto& a = one.finding.schedule;
                     const auto& b = other.finding.schedule;
                     if (a.size() != b.size()) return a.size() < b.size();
                     return std::lexicographical_compare(
                         a.begin(), a.end(), b.begin(), b.end(),
                         [&](const Decision& x, const Decision& y) { return rank(x) < rank(y); });
                   });
}

}  // namespace mazurka::host
