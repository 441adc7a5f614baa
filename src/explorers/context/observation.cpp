#include "explorers/context/observation.hpp"

#include <algorithm>

#include "core/check.hpp"

namespace mazurka {

void Observation::update(const Execution& execution) {
  if (writes_ == Writes::all_count) return;
  observed_.assign(execution.steps.access_count(), false);
  last_write_.assign(last_write_.size(), no_event);
  const auto note_guards = [&](const Step& step) {
    for (const Access& access : step.accesses) {
      const std::size_t object = index(access.object);
      if (guarded_.size() <= object) guarded_.resize(object + 1, false);
      if (last_write_.size() <= object) last_write_.resize(object + 1, no_event);
      if (!vocabulary_.guarded(access) || guarded_[object]) continue;
      guarded_[object] = true;
      if (object < neglected_.size() && neglected_[object]) mistaken_ = true;
    }
  };
  for (std::size_t at = 0; at < execution.pending.size(); ++at) note_guards(execution.pending[at]);
  for (std::size_t at = 0; at < execution.size(); ++at) {
    const Step step = execution.steps[at];
    note_guards(step);
    const std::size_t first = execution.steps.first_access(at);
    for (const Access& access : step.accesses) {
      const std::uint32_t write = last_write_[index(access.object)];
      if (vocabulary_.reads(access) && write != no_event) observed_[write] = true;
    }
    for (std::size_t number = 0; number < step.accesses.size(); ++number) {
      const Access& access = step.accesses[number];
      if (!vocabulary_.writes(access)) continue;
      last_write_[index(access.object)] = static_cast<std::uint32_t>(first + number);
    }
  }
}

bool Observation::set_loose(std::uint32_t first, std::uint32_t second) {
  MAZURKA_CHECK(first < second, "two events are set loose in their order");
  const std::uint64_t pair = (std::uint64_t{second} << 32) | first;
  const auto place = std::lower_bound(loose_pairs_.begin(), loose_pairs_.end(), pair);
  if (place != loose_pairs_.end() && *place == pair) return false;
  loose_pairs_.insert(place, pair);
  return true;
}

bool Observation::loose(std::uint32_t first, std::uint32_t second) {
  return !loose_pairs_.empty() && std::binary_search(loose_pairs_.begin(), loose_pairs_.end(),
                                                     (std::uint64_t{second} << 32) | first);
}

bool Observation::neglect(const Access& a, const Access& b) {
  if (!blind(a) || !blind(b) || guarded(a.object)) return false;
  if (neglected_.size() <= index(a.object)) neglected_.resize(index(a.object) + 1, false);
  neglected_[index(a.object)] = true;
  return true;
}

bool Observation::conflict_unobserved(const Step& one, const Step& other) {
  if (one.process() == other.process() || one.exits || other.exits ||
      one.awaited == other.process() || other.awaited == one.process() || releases(one, other) ||
      releases(other, one)) {
    return true;
  }
  for (const Access& a : one.accesses) {
    for (const Access& b : other.accesses) {
      if (vocabulary_.dependent(a, b) && !neglect(a, b)) return true;
    }
  }
  return false;
}

bool Observation::only_blind_writes(const Step& one, const Step& other) {
  if (writes_ == Writes::all_count) return false;
  return !conflict_unobserved(one, other);
}

void Observation::observers(const Execution& execution, std::uint32_t first, std::uint32_t second,
                            std::vector<std::uint32_t>& out) const {
  MAZURKA_CHECK(first < second && second < execution.size(), "the second writes over the first");
  out.clear();
  const Step one = execution.steps[first];
  const Step other = execution.steps[second];
  for (const Access& b : other.accesses) {
    const bool contested =
        blind(b) && std::any_of(one.accesses.begin(), one.accesses.end(),
                                [&](const Access& a) { return a.object == b.object && blind(a); });
    if (!contested) continue;
    bool overwritten = false;
    for (auto at = second + 1; at < execution.size() && !overwritten; ++at) {
      for (const Access& access : execution.steps[at].accesses) {
        if (access.object != b.object) continue;
        if (vocabulary_.reads(access)) out.push_back(at);
        if (vocabulary_.writes(access)) overwritten = true;
      }
    }
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
}

}  // namespace mazurka
