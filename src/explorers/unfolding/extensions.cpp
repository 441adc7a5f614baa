#include "explorers/unfolding/extensions.hpp"

#include <algorithm>

#include "core/check.hpp"

namespace mazurka::unfolding {

std::string Configuration::refusal(const Step& step) const {
  for (const Access& access : step.accesses) {
    if (!vocabulary_.guarded(access)) continue;
    return "the technique unfolding needs operations that stay enabled until they are performed; "
           "`" +
           vocabulary_.modes(access.kind)[access.mode].name + "` of a " +
           vocabulary_.kind_name(access.kind) +
           " can be disabled by another process. Split it into a request and a wait "
           "(mazurka/messages.hpp has asynchronous mutexes), or use --technique optimal";
  }
  return {};
}

void Configuration::forget_from(std::size_t kept, const Execution& execution) {
  MAZURKA_CHECK(kept <= events_.size(), "what is kept was taken in");
  events_.resize(kept);
  for (auto& chain : chains_) chain.clear();
  for (Touches& touches : touches_) {
    for (auto& positions : touches) positions.clear();
  }
  for (std::size_t at = 0; at < kept; ++at) link(execution.steps[at], at);
}

void Configuration::link(const Step& step, std::size_t at) {
  if (chains_.size() <= index(step.process())) chains_.resize(index(step.process()) + 1);
  MAZURKA_CHECK(at < events_.size(), "an event is linked once it is made");
  chains_[index(step.process())].push_back(events_[at]);
  for (const Access& access : step.accesses) {
    if (touches_.size() <= index(access.object)) touches_.resize(index(access.object) + 1);
    touches_[index(access.object)][access.mode].push_back(static_cast<std::uint32_t>(at));
  }
}

// The previous event of the process comes first in the list, if there is one. A step that ends the
// program comes after everything.
void Configuration::find_base(const Step& step, std::span<const std::uint32_t> causes) {
  base_.clear();
  const auto last = [&](ProcessId process) {
    const bool any = index(process) < chains_.size() && !chains_[index(process)].empty();
    return any ? chains_[index(process)].back() : no_event_id;
  };
  base_.push_back(last(step.process()));
  for (const std::uint32_t cause : causes) base_.push_back(events_[cause]);
  if (step.exits) {
    for (const std::vector<EventId>& chain : chains_) {
      const auto last_but_exit = std::find_if(chain.rbegin(), chain.rend(), [&](EventId event) {
        return !structure_.step(event).exits;  // it was not taken after that, but in its place
      });
      if (last_but_exit != chain.rend()) base_.push_back(*last_but_exit);
    }
  }
  if (step.awaited != no_process && last(step.awaited) != no_event_id) {
    base_.push_back(last(step.awaited));
  }
}

bool Configuration::in_base(EventId event) const {
  return std::any_of(base_.begin(), base_.end(), [&](EventId known) {
    return known != no_event_id && (known == event || structure_.history(known).contains(event));
  });
}

// The latest first: where one is part of every history, whatever it depends on is, too.
void Configuration::find_dependent(const Access& access) {
  if (touches_.size() <= index(access.object)) return;
  const Touches& touches = touches_[index(access.object)];
  std::array<std::size_t, max_modes> left{};  // in each mode, so many of the first
  Word modes = 0;                             // in which there are some left
  for_each_bit(Word{vocabulary_.related_modes(access)}, [&](std::size_t mode) {
    left[mode] = touches[mode].size();
    if (left[mode] > 0) modes |= bit_of(mode);
  });
  while (modes != 0) {
    std::size_t latest = max_modes;
    for_each_bit(modes, [&](std::size_t mode) {
      if (latest == max_modes ||
          touches[mode][left[mode] - 1] > touches[latest][left[latest] - 1]) {
        latest = mode;
      }
    });
    const std::uint32_t position = touches[latest][--left[latest]];
    if (left[latest] == 0) modes &= ~bit_of(latest);
    if (in_base(events_[position])) {
      const auto mode = static_cast<std::uint8_t>(latest);
      modes &= ~Word{vocabulary_.related_modes({access.object, access.kind, mode})};
    } else {
      positions_.push_back(position);
    }
  }
}

void Configuration::find_dependent(const Step& step) {
  dependent_.clear();
  positions_.clear();
  for (const Access& access : step.accesses) find_dependent(access);
  std::sort(positions_.begin(), positions_.end());
  positions_.erase(std::unique(positions_.begin(), positions_.end()), positions_.end());
  for (const std::uint32_t position : positions_) dependent_.push_back(events_[position]);
}

// Every choice of dependent events that has, with an event, those in its history too.
void Configuration::enumerate(const Step& step, std::size_t at) {
  if (at == dependent_.size()) {
    structure_.event(step, base_[0], chosen_);
    return;
  }
  const EventId event = dependent_[at];
  if (!structure_.history(event).meets(excluded_)) {
    chosen_.push_back(event);
    enumerate(step, at + 1);
    chosen_.pop_back();
  }
  excluded_.insert(event);
  enumerate(step, at + 1);
  excluded_.erase(event);
}

EventId Configuration::extend(const Step& step) {
  find_dependent(step);
  Step first_outcome = step;
  first_outcome.decision.choice = 0;
  chosen_.assign(base_.begin() + 1, base_.end());
  excluded_.clear();
  enumerate(first_outcome, 0);
  chosen_.insert(chosen_.end(), dependent_.begin(), dependent_.end());
  for (std::uint16_t choice = 0; choice < step.choices; ++choice) {
    Step outcome = step;
    outcome.decision.choice = choice;
    structure_.event(outcome, base_[0], chosen_);
  }
  return structure_.event(step, base_[0], chosen_);
}

std::string Configuration::take_in(const Execution& execution, std::size_t kept) {
  forget_from(kept, execution);
  for (std::size_t at = kept; at < execution.size(); ++at) {
    const Step step = execution.steps[at];
    if (std::string problem = refusal(step); !problem.empty()) return problem;
    causes_.clear();
    execution.for_each_cause(at, [&](std::uint32_t cause) { causes_.push_back(cause); });
    find_base(step, causes_);
    events_.push_back(extend(step));
    link(step, at);
  }
  for (std::size_t at = 0; at < execution.pending.size(); ++at) {
    const Step step = execution.pending[at];
    if (std::string problem = refusal(step); !problem.empty()) return problem;
    if (!execution.pending_state[at].enabled) continue;
    causes_.clear();
    execution.for_each_pending_cause(at, [&](std::uint32_t cause) { causes_.push_back(cause); });
    find_base(step, causes_);
    extend(step);
  }
  return {};
}

}  // namespace mazurka::unfolding
