// The races of steps that wait (happens_before.hpp).
#include <algorithm>

#include "analysis/happens_before.hpp"
#include "core/check.hpp"

namespace mazurka {

// A guarded step could have run before an earlier event of the guard's object if it did not need
// that event to get there (`own`) and its guard held just before it, as did its others if it has
// several.
void HappensBefore::add_guard(const Execution& execution, const Access& access, const Step& step,
                              Race found, const std::uint32_t* own, std::size_t number) {
  if (last_access_.size() <= index(access.object)) return;
  const auto guards = std::count_if(step.accesses.begin(), step.accesses.end(),
                                    [&](const Access& one) { return vocabulary_.guarded(one); });
  const bool ordered = strict(access);
  partners_.clear();
  const bool in_order = loose_ == nullptr || of_objects_.size() <= index(access.object);
  const std::uint32_t end =
      in_order
          ? none
          : of_objects_[index(access.object)].last_known(
                step.process(), [&](std::uint32_t at) { return known(own, links_[at].event); });
  const bool in_runs = vocabulary_.comes_in_runs(access.kind);
  for (std::uint32_t at = last_access_[index(access.object)], next = none; at != none && at != end;
       at = next) {
    const std::uint32_t first = links_[at].event;
    if (!in_runs && ordered && is_known_with_all_before(at, own)) return;
    const bool independent = independent_of(access, at);
    next = independent && in_runs ? links_[at].before_run : links_[at].previous;
    if (independent) continue;
    if (known(own, first)) {
      if (ordered && vocabulary_.total(accesses_[at])) return;
      continue;
    }
    const bool loose =
        !ordered && found.kind == Race::Kind::events &&
        (loose_->loose(first, found.second) || loose_->irrelevant(accesses_[at], access, number));
    // Earlier partners are behind later ones, unless they commute or have been set loose from them.
    if (loose || is_behind_partner(first) || process_of_[first] == index(step.process()) ||
        !guard_holds_before(execution, access, at, own) ||
        (guards > 1 && !guards_hold_before(execution, step, first))) {
      continue;
    }
    found.first = first;
    races_.push_back(found);
    if (vocabulary_.partners(access) != GuardPartners::latest) continue;
    if (loose_ != nullptr && !partners_.empty()) continue;
    if (ordered && vocabulary_.total(accesses_[at])) return;
    partners_.push_back(first);
  }
}

// Whether the access would be allowed in the place of an earlier one, by somebody who knows `own`.
bool HappensBefore::guard_holds_before(const Execution& execution, const Access& access,
                                       std::uint32_t at, const std::uint32_t* own) {
  MAZURKA_CHECK(at < execution.before.size(), "the value before an access to be guarded is known");
  const int moves = vocabulary_.moves(accesses_[at]);
  if (moves == 0) return vocabulary_.allows(access, execution.before[at]);
  return moves > 0 &&
         can_hold(execution, access, links_[at].event, last_access_[index(access.object)],
                  left_out_) &&
         std::none_of(left_out_.begin(), left_out_.end(),
                      [&](std::uint32_t event) { return known(own, event); });
}

// Whether the access would be allowed at the node of `first`, after all that comes before the
// access `latest` and does not happen after `first`, nor after those that have to be left out with
// it: of the steps that move the value up and are not taken back, as few as possible.
bool HappensBefore::can_hold(const Execution& execution, const Access& access, std::uint32_t first,
                             std::uint32_t latest, std::vector<std::uint32_t>& left_out) const {
  left_out.clear();
  between_.clear();
  for (std::uint32_t at = latest; at != none && links_[at].event >= first;
       at = links_[at].previous) {
    between_.push_back(at);
  }
  if (between_.empty()) return true;
  for (;;) {
    std::uint64_t value = execution.before[between_.back()];
    open_.clear();
    for (std::size_t number = between_.size(); number-- > 0;) {
      const std::uint32_t at = between_[number];
      const std::uint32_t event = links_[at].event;
      const bool later = before(first, event) ||
                         std::any_of(left_out.begin(), left_out.end(),
                                     [&](std::uint32_t one) { return before(one, event); });
      if (later || !vocabulary_.writes(accesses_[at])) continue;
      const int moves = vocabulary_.moves(accesses_[at]);
      if (moves == 0) {
        if (number == 0) return false;
        value = execution.before[between_[number - 1]];
        open_.clear();
      } else {
        value += static_cast<std::uint64_t>(std::int64_t{moves});
        note_move(event, moves);
      }
    }
    if (vocabulary_.allows(access, value)) return true;
    if (open_.empty()) return false;
    left_out.push_back(open_.front());
  }
}

void HappensBefore::note_move(std::uint32_t event, int moves) const {
  if (moves > 0) {
    open_.push_back(event);
    return;
  }
  const auto taken_back = std::find_if(open_.rbegin(), open_.rend(), [&](std::uint32_t one) {
    return process_of_[one] == process_of_[event];
  });
  if (taken_back != open_.rend()) open_.erase(std::next(taken_back).base());
}

void HappensBefore::left_out_with(const Execution& execution, const Race& race,
                                  std::vector<std::uint32_t>& out) const {
  out.clear();
  if (race.kind == Race::Kind::alternative) return;
  MAZURKA_CHECK(race.kind == Race::Kind::pending || race.first < race.second,
                "a race is reversed where its first event is");
  const bool is_event = race.kind == Race::Kind::events;
  const Footprint accesses =
      (is_event ? execution.steps[race.second] : execution.pending[race.second]).accesses;
  for (std::size_t at = 0; at < accesses.size(); ++at) {
    const Access& access = accesses[at];
    if (!vocabulary_.is_moved(access.kind) || !vocabulary_.guarded(access)) continue;
    const std::uint32_t latest = is_event ? links_[first_link_[race.second] + at].previous
                                 : index(access.object) < last_access_.size()
                                     ? last_access_[index(access.object)]
                                     : none;
    (void)can_hold(execution, access, race.first, latest, out);
    return;
  }
}

bool HappensBefore::is_behind_partner(std::uint32_t event) const {
  return std::any_of(partners_.begin(), partners_.end(),
                     [&](std::uint32_t partner) { return before(event, partner); });
}

// Whether all guards of a step would hold if it ran just before `first`, after all that does not
// happen after `first`: each guard's object then has the value that it had before the earliest of
// its accesses that is `first` or happens after it.
bool HappensBefore::guards_hold_before(const Execution& execution, const Step& step,
                                       std::uint32_t first) const {
  for (const Access& access : step.accesses) {
    if (!vocabulary_.guarded(access) || last_access_.size() <= index(access.object)) continue;
    if (vocabulary_.is_moved(access.kind)) {
      const std::uint32_t latest = last_access_[index(access.object)];
      if (!can_hold(execution, access, first, latest, left_out_)) return false;
      continue;
    }
    std::uint32_t earliest = none;
    for (std::uint32_t at = last_access_[index(access.object)];
         at != none && links_[at].event >= first; at = links_[at].previous) {
      if (before(first, links_[at].event)) earliest = at;
    }
    if (earliest != none && !vocabulary_.allows(access, execution.before[earliest])) return false;
  }
  return true;
}

void HappensBefore::add_pending(const Execution& execution) {
  MAZURKA_CHECK(execution.pending_state.size() == execution.pending.size(),
                "each pending step has its state");
  const bool exited = execution.size() > 0 && execution.steps[execution.size() - 1].exits;
  for (std::size_t at = 0; at < execution.pending.size(); ++at) {
    const Pending& state = execution.pending_state[at];
    const Step step = execution.pending[at];
    Race race{Race::Kind::pending, 0, 0, static_cast<std::uint32_t>(at)};
    if (state.enabled) {
      if (exited) {
        race.first = static_cast<std::uint32_t>(execution.size() - 1);
        races_.push_back(race);
      }
      continue;
    }
    if (!state.released) continue;
    const std::uint32_t previous = last_event(step.process());
    if (previous == none) {
      std::fill(own_.begin(), own_.end(), 0);
    } else {
      std::copy_n(clock(previous), stride_, own_.data());
    }
    execution.for_each_pending_cause(at, [&](std::uint32_t cause) { join(own_.data(), cause); });
    for (const Access& access : step.accesses) {
      if (vocabulary_.guarded(access)) {
        add_guard(execution, access, step, race, own_.data(), 0);
      }
    }
  }
}

}  // namespace mazurka
