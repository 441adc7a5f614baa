#include "analysis/happens_before.hpp"

#include <algorithm>
#include <functional>

#include "core/check.hpp"

namespace mazurka {

namespace {

constexpr std::size_t few_chains = 64;  // not more are expected at first

/// Then it would be in vain to step over everything.
bool depends_on_nothing(const Vocabulary& vocabulary, const Access& access) {
  const std::size_t modes = vocabulary.modes(access.kind).size();
  return (vocabulary.related_modes(access) & ((std::uint32_t{1} << modes) - 1)) == 0;
}

}  // namespace

void HappensBefore::update(const Execution& execution, std::size_t kept, LooseOrder* loose) {
  MAZURKA_CHECK(kept <= process_of_.size() && kept <= execution.size(),
                "what is kept is part of both executions");
  MAZURKA_CHECK(loose == nullptr || kept == 0, "a loose order is worked out anew");
  MAZURKA_CHECK(execution.before.size() == execution.steps.access_count(),
                "there is a value before each access");
  loose_ = loose;
  races_.clear();
  forget_from(kept);
  if (loose_ != nullptr) {
    for (std::vector<Latest>& latest : latest_) latest.clear();
    previous_alike_.clear();
    for (OfObject& all : of_objects_) {
      all.accesses.clear();
      all.known.clear();
    }
  }
  const std::size_t processes = std::max<std::size_t>(execution.processes, 1);
  if (last_event_.size() < processes) last_event_.resize(processes, none);
  if (with_races_ && events_of_.size() < processes) events_of_.resize(processes);
  make_room(with_races_ ? std::min(processes, few_chains) : processes);
  for (std::size_t at = kept; at < execution.size(); ++at) {
    add_event(execution, static_cast<std::uint32_t>(at));
  }
  if (with_races_) add_pending(execution);
}

// Of each process these are the first so many after the event, mostly few. They are looked for one
// process after the other where that is less than to look at every event.
void HappensBefore::not_after(std::size_t event, std::size_t end,
                              std::vector<std::uint32_t>& out) const {
  MAZURKA_CHECK(with_races_, "the events of each process are known only where races are wanted");
  MAZURKA_CHECK(event < end && end <= process_of_.size(), "events are asked for that are known");
  const std::uint16_t chain = chain_of_[event];
  const std::uint32_t own = position_[event];
  const auto is_after = [&](std::size_t at) { return clock(at)[chain] > own; };
  constexpr std::size_t looks_per_process = 16;
  if ((end - event) / looks_per_process < events_of_.size()) {
    for (std::size_t at = event + 1; at < end; ++at) {
      if (!is_after(at)) out.push_back(static_cast<std::uint32_t>(at));
    }
    return;
  }
  const auto begin = static_cast<std::ptrdiff_t>(out.size());
  for (const std::vector<std::uint32_t>& events : events_of_) {
    for (auto at = std::upper_bound(events.begin(), events.end(), event);
         at != events.end() && *at < end && !is_after(*at); ++at) {
      out.push_back(*at);
    }
  }
  std::sort(out.begin() + begin, out.end());
}

void HappensBefore::forget_from(std::size_t kept) {
  for (std::size_t event = process_of_.size(); event-- > kept;) {
    last_event_[process_of_[event]] = previous_of_process_[event];
    if (with_races_) events_of_[process_of_[event]].pop_back();
    last_of_chain_[chain_of_[event]] = previous_of_chain_[event];
    while (!last_of_chain_.empty() && last_of_chain_.back() == none) last_of_chain_.pop_back();
    for (std::size_t at = links_.size(); at-- > first_link_[event];) {
      last_access_[index(accesses_[at].object)] = links_[at].previous;
    }
    links_.resize(first_link_[event]);
    accesses_.resize(first_link_[event]);
  }
  process_of_.resize(kept);
  chain_of_.resize(kept);
  position_.resize(kept);
  previous_of_chain_.resize(kept);
  previous_of_process_.resize(kept);
  first_link_.resize(kept);
}

void HappensBefore::make_room(std::size_t chains) {
  if (chains <= stride_) return;
  const std::size_t stride = (chains + 7) / 8 * 8;
  std::vector<std::uint32_t> clocks(process_of_.size() * stride, 0);
  for (std::size_t at = 0; at < process_of_.size(); ++at) {
    std::copy_n(clock(at), stride_, clocks.data() + at * stride);
  }
  clocks_ = std::move(clocks);
  stride_ = stride;
  own_.assign(stride, 0);
}

void HappensBefore::join(std::uint32_t* into, std::uint32_t event) const {
  const std::uint32_t* other = clock(event);
  for (std::size_t at = 0; at < stride_; ++at) into[at] = std::max(into[at], other[at]);
}

void HappensBefore::add_event(const Execution& execution, std::uint32_t event) {
  const Step step = execution.steps[event];
  const std::size_t process = index(step.process());
  MAZURKA_CHECK(process < last_event_.size(), "the processes of an execution are counted in it");
  const std::uint32_t previous = last_event_[process];
  process_of_.push_back(static_cast<std::uint16_t>(process));
  chain_of_.push_back(0);
  position_.push_back(0);
  previous_of_chain_.push_back(none);
  previous_of_process_.push_back(previous);
  first_link_.push_back(static_cast<std::uint32_t>(links_.size()));
  clocks_.resize(std::max(clocks_.size(), (event + std::size_t{1}) * stride_));

  std::uint32_t* row = clock(event);
  if (previous == none) {
    std::fill_n(row, stride_, 0);
  } else {
    std::copy_n(clock(previous), stride_, row);
  }
  execution.for_each_cause(event, [&](std::uint32_t cause) {
    MAZURKA_CHECK(cause < event, "a cause comes before its effect");
    join(row, cause);
  });
  if (event < execution.graph.size() && execution.graph[event].reads &&
      execution.graph[event].source != no_event) {
    join(row, execution.graph[event].source);
  }
  if (step.awaited != no_process && last_event(step.awaited) != none) {
    join(row, last_event(step.awaited));
  }

  add_accesses(execution, event, step);
  if (step.exits) add_exit(event);
  put_into_chain(event);
  last_event_[process] = event;
  if (with_races_) events_of_[process].push_back(event);
  link(execution, event);

  for (std::uint16_t choice = 0; with_races_ && choice < step.choices; ++choice) {
    if (choice != step.decision.choice) {
      races_.push_back({Race::Kind::alternative, choice, event, event});
    }
  }
}

void HappensBefore::put_into_chain(std::uint32_t event) {
  const std::uint16_t chain = chain_for(event);
  if (last_of_chain_.size() <= chain) {
    last_of_chain_.resize(chain + std::size_t{1}, none);
    make_room(chain < stride_ ? stride_ : 2 * (chain + std::size_t{1}));
  }
  const std::uint32_t last = last_of_chain_[chain];
  MAZURKA_CHECK(chain < stride_, "a clock has an entry for each chain");
  MAZURKA_CHECK(last == none || known(clock(event), last),
                "in a chain every event happens before the next");
  chain_of_[event] = chain;
  position_[event] = last == none ? 0 : position_[last] + 1;
  previous_of_chain_[event] = last;
  last_of_chain_[chain] = event;
  clock(event)[chain] = position_[event] + 1;
}

// That of its process if nobody else has gone on with it; one whose last event happens before this
// one; a new one.
std::uint16_t HappensBefore::chain_for(std::uint32_t event) {
  if (!with_races_) return process_of_[event];
  const std::uint32_t previous = previous_of_process_[event];
  if (previous != none && last_of_chain_[chain_of_[previous]] == previous) {
    return chain_of_[previous];
  }
  const std::uint32_t* row = clock(event);
  const auto goes_on = std::find_if(last_of_chain_.begin(), last_of_chain_.end(),
                                    [&](std::uint32_t last) { return known(row, last); });
  return static_cast<std::uint16_t>(goes_on - last_of_chain_.begin());
}

void HappensBefore::link(const Execution& execution, std::uint32_t event) {
  for (const Access& access : execution.steps[event].accesses) {
    if (last_access_.size() <= index(access.object)) {
      last_access_.resize(index(access.object) + 1, none);
    }
    std::uint32_t& last = last_access_[index(access.object)];
    const auto at = static_cast<std::uint32_t>(links_.size());
    std::uint32_t before_run = last;
    if (vocabulary_.comes_in_runs(access.kind)) {
      if (last != none && independent_of(access, last)) before_run = links_[last].before_run;
    } else if (!knows_all_from(last, clock(event))) {
      before_run = at;
    }
    links_.push_back({event, last, before_run});
    accesses_.push_back(access);
    last = at;
    if (loose_ != nullptr) link_alike(event, last);
  }
}

// Whether who has this clock knows of this access and all before.
bool HappensBefore::knows_all_from(std::uint32_t access, const std::uint32_t* clock) const {
  for (std::uint32_t at = access; at != none; at = links_[at].previous) {
    if (!known(clock, links_[at].event)) return false;
    if (comes_after_all(at)) return true;
  }
  return true;
}

void HappensBefore::link_alike(std::uint32_t event, std::uint32_t at) {
  const Access& access = accesses_[at];
  if (of_objects_.size() <= index(access.object)) of_objects_.resize(index(access.object) + 1);
  of_objects_[index(access.object)].accesses.push_back(at);
  if (latest_.size() <= index(access.object)) latest_.resize(index(access.object) + 1);
  for (Latest& latest : latest_[index(access.object)]) {
    const Access& other = accesses_[latest.access];
    if (latest.process != process_of_[event] || other.kind != access.kind ||
        other.mode != access.mode) {
      continue;
    }
    previous_alike_.push_back(latest.access);
    latest.access = at;
    return;
  }
  previous_alike_.push_back(none);
  latest_[index(access.object)].push_back({process_of_[event], at});
}

HappensBefore::Earlier HappensBefore::earlier(std::size_t event, std::size_t number,
                                              std::uint32_t known) const {
  MAZURKA_CHECK(event < first_link_.size() && first_link_[event] + number < links_.size() &&
                    links_[first_link_[event] + number].event == event,
                "an access is asked for by its number in its event");
  const Access& access = accesses_[first_link_[event] + number];
  std::uint32_t last = links_[first_link_[event] + number].previous;
  while (last != none && links_[last].event == event) last = links_[last].previous;
  return {*this, access, depends_on_nothing(vocabulary_, access) ? none : last,
          known == none ? nullptr : clock(known)};
}

HappensBefore::Earlier HappensBefore::from_last(const Access& access,
                                                const std::uint32_t* own) const {
  const bool touched =
      index(access.object) < last_access_.size() && !depends_on_nothing(vocabulary_, access);
  return {*this, access, touched ? last_access_[index(access.object)] : none, own};
}

// The end of the program comes after everything.
void HappensBefore::add_exit(std::uint32_t event) {
  for (const std::uint32_t last : last_event_) {
    if (last != none) join(clock(event), last);
  }
}

// The earlier events that the access depends on directly, latest first, back to those that
// everything earlier happens before.
void HappensBefore::collect_candidates(std::uint32_t event, std::size_t number,
                                       const Access& access, ProcessId process) {
  if (!strict(access)) {
    collect_loose_candidates(event, number, access, process);
    return;
  }
  for (Earlier one = from_last(access, clock(event)); one.any(); one.go_back()) {
    if (process_of_[one.event()] != index(process)) candidates_.push_back(one.event());
    if (one.is_enough()) return;
  }
}

// In a loose order no event has everything earlier before it. But of each process, and in each
// mode, the latest access that counts is enough: the others happen before that one. Latest first,
// too.
void HappensBefore::collect_loose_candidates(std::uint32_t event, std::size_t number,
                                             const Access& access, ProcessId process) {
  if (latest_.size() <= index(access.object)) return;
  const auto old = static_cast<std::ptrdiff_t>(candidates_.size());
  for (const Latest& latest : latest_[index(access.object)]) {
    const Access& other = accesses_[latest.access];
    if (latest.process == index(process) ||
        !vocabulary_.related(access.kind, other.mode, access.mode)) {
      continue;
    }
    std::uint32_t at = latest.access;
    while (at != none && loose_->loose(links_[at].event, event)) at = previous_alike_[at];
    if (at == none || loose_->irrelevant(other, access, number)) continue;
    candidates_.push_back(links_[at].event);
  }
  std::sort(candidates_.begin() + old, candidates_.end(), std::greater<>());
}

void HappensBefore::add_accesses(const Execution& execution, std::uint32_t event,
                                 const Step& step) {
  std::uint32_t* row = clock(event);
  const std::size_t first_access = execution.steps.first_access(event);
  candidates_.clear();
  bool guarded = false;
  for (std::size_t at = 0; at < step.accesses.size(); ++at) {
    const Access& access = step.accesses[at];
    if (vocabulary_.guarded(access)) {
      if (!guarded) std::copy_n(row, stride_, own_.data());
      guarded = true;
      if (with_races_) {
        add_guard(execution, access, step, {Race::Kind::events, 0, 0, event}, own_.data(),
                  first_access + at);
      }
      collect_candidates(event, first_access + at, access, step.process());
    }
  }
  if (guarded) {
    for (const std::uint32_t first : candidates_) join(row, first);
    candidates_.clear();
    if (step.accesses.size() == 1) return;
  }
  for (std::size_t at = 0; at < step.accesses.size(); ++at) {
    const Access& access = step.accesses[at];
    if (!vocabulary_.guarded(access)) {
      collect_candidates(event, first_access + at, access, step.process());
    }
  }
  if (step.accesses.size() > 1) {
    std::sort(candidates_.begin(), candidates_.end(), std::greater<>());
  }
  for (const std::uint32_t first : candidates_) {
    if (known(row, first)) continue;
    MAZURKA_CHECK(first < event, "a race is with an earlier event");
    if (with_races_ && (!guarded || guards_hold_before(execution, step, first))) {
      races_.push_back({Race::Kind::events, 0, first, event});
    }
    join(row, first);
  }
}

}  // namespace mazurka
