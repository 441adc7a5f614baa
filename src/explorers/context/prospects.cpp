#include "explorers/context/prospects.hpp"

#include <algorithm>
#include <limits>

namespace mazurka {

namespace {

void count_up(Prospects::Set& set, std::uint32_t number) {
  if (set.size() <= number) set.resize(number + 1, 0);
  if (set[number] < std::numeric_limits<std::uint16_t>::max()) ++set[number];
}

// A count that has reached the limit may be larger than it says.
void count_down(Prospects::Set& set, std::uint32_t number) {
  if (number >= set.size() || set[number] == std::numeric_limits<std::uint16_t>::max()) return;
  if (set[number] > 0) --set[number];
}

}  // namespace

std::uint32_t Prospects::number(const Access& access) {
  const std::size_t object = index(access.object);
  if (of_object_.size() <= object) of_object_.resize(object + 1);
  for (const std::uint32_t known : of_object_[object]) {
    if (accesses_[known] == access) return known;
  }
  const auto fresh = static_cast<std::uint32_t>(accesses_.size());
  accesses_.push_back(access);
  of_object_[object].push_back(fresh);
  return fresh;
}

void Prospects::widen(Set& set, const Set& other) {
  if (set.size() < other.size()) set.resize(other.size(), 0);
  for (std::size_t at = 0; at < other.size(); ++at) set[at] = std::max(set[at], other[at]);
}

void Prospects::precede(Set& set, const Step& step) {
  if (step.exits) count_up(set, exit_number);
  for (const Access& access : step.widest()) count_up(set, number(access));
}

void Prospects::follow(Set& set, const Step& step) {
  for (const Access& access : step.widest()) count_down(set, number(access));
}

bool Prospects::conflict(const Set& set, const Step& step) const {
  if (set.empty()) return false;
  if (set[exit_number] != 0) return true;
  if (step.exits) return std::any_of(set.begin(), set.end(), [](auto count) { return count != 0; });
  for (const Access& access : step.accesses) {
    if (index(access.object) >= of_object_.size()) continue;
    for (const std::uint32_t other : of_object_[index(access.object)]) {
      if (other < set.size() && set[other] != 0 &&
          vocabulary_.dependent(accesses_[other], access)) {
        return true;
      }
    }
  }
  return false;
}

std::uint32_t Prospects::intern(const Set& set) {
  const auto [known, fresh] = numbers_.try_emplace(set, static_cast<std::uint32_t>(sets_.size()));
  if (fresh) {
    sets_.push_back(&known->first);
    counts_ += set.size();
  }
  return known->second;
}

void Prospects::forget_sets() {
  numbers_.clear();
  sets_.clear();
  counts_ = 0;
}

}  // namespace mazurka
