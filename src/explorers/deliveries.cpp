#include "explorers/deliveries.hpp"

#include <algorithm>

#include "core/check.hpp"

namespace mazurka {

// Dependence as both techniques take it: the same receiver, in whatever mode. That it is transitive
// is what trans.cpp rests on. Steps that are counted do not depend on each other, and a step that
// waits for a number of them has no other place to go.
static bool share_an_object(const Vocabulary& vocabulary, Footprint one, Footprint other) {
  for (const Access& a : one) {
    for (const Access& b : other) {
      if (a.object == b.object && !vocabulary.counted(a) && !vocabulary.counted(b)) return true;
    }
  }
  return false;
}

// ------------------------------------------------------------------------------------------------

void Causality::forget_from(std::size_t kept) {
  for (std::size_t event = places_.size(); event-- > kept;) {
    last_of_chain_[places_[event].chain] = places_[event].previous;
  }
  while (!last_of_chain_.empty() && last_of_chain_.back() == no_event) last_of_chain_.pop_back();
  places_.resize(std::min(places_.size(), kept));
  for (std::vector<Touch>& events : touching_) {
    while (!events.empty() && events.back().event >= kept) events.pop_back();
  }
}

void Causality::widen(std::size_t chains) {
  if (chains <= width_) return;
  const std::size_t width = std::max(chains, 2 * width_);
  std::vector<std::uint32_t> clocks(places_.size() * width, 0);
  for (std::size_t event = 0; event < places_.size(); ++event) {
    std::copy_n(clock(event), width_, clocks.data() + event * width);
  }
  clocks_ = std::move(clocks);
  width_ = width;
}

void Causality::join(std::uint32_t* into, std::uint32_t event) const {
  const std::uint32_t* const other = clock(event);
  for (std::size_t at = 0; at < width_; ++at) into[at] = std::max(into[at], other[at]);
}

void Causality::update(const Execution& execution, std::size_t kept) {
  forget_from(kept);
  for (std::size_t event = kept; event < execution.size(); ++event) {
    add_event(execution, static_cast<std::uint32_t>(event));
  }
}

void Causality::add_event(const Execution& execution, std::uint32_t event) {
  places_.emplace_back();
  clocks_.resize(std::max(clocks_.size(), places_.size() * width_));
  std::fill_n(clocks_.data() + event * width_, width_, 0);
  const std::uint32_t cause = execution.events[event].cause;
  if (cause != no_event) join(clocks_.data() + event * width_, cause);
  for (const Access& access : execution.steps[event].accesses) add_access(access, event);
  put_into_chain(event);
}

// One whose last event happens before this one, or a new one.
void Causality::put_into_chain(std::uint32_t event) {
  const auto goes_on = std::find_if(
      last_of_chain_.begin(), last_of_chain_.end(),
      [&](std::uint32_t last) { return last == no_event || known(clock(event), last); });
  const auto chain = static_cast<std::size_t>(goes_on - last_of_chain_.begin());
  if (chain == last_of_chain_.size()) {
    last_of_chain_.push_back(no_event);
    widen(chain + 1);
  }
  const std::uint32_t last = last_of_chain_[chain];
  Place& place = places_[event];
  place.chain = static_cast<std::uint32_t>(chain);
  place.previous = last;
  place.position = last == no_event ? 0 : places_[last].position + 1;
  last_of_chain_[chain] = event;
  clocks_[event * width_ + chain] = place.position + 1;
}

void Causality::add_access(const Access& access, std::uint32_t event) {
  if (touching_.size() <= index(access.object)) touching_.resize(index(access.object) + 1);
  std::vector<Touch>& events = touching_[index(access.object)];
  if (!events.empty() && events.back().event == event) return;
  std::uint32_t* const own = clocks_.data() + event * width_;
  const bool counted = vocabulary_.counted(access);
  for (auto earlier = events.rbegin(); earlier != events.rend(); ++earlier) {
    if (counted && earlier->counted) continue;
    join(own, earlier->event);
    if (!earlier->counted) break;  // it stands for all before it
  }
  events.push_back({event, counted});
}

void Causality::not_before(std::uint32_t by, std::uint32_t end, Footprint accesses,
                           std::vector<std::uint32_t>& out) const {
  out.clear();
  for (const Access& access : accesses) {
    if (touching_.size() <= index(access.object) || vocabulary_.counted(access)) continue;
    const std::vector<Touch>& events = touching_[index(access.object)];
    auto at =
        std::lower_bound(events.begin(), events.end(), end,
                         [](const Touch& touch, std::uint32_t one) { return touch.event < one; });
    while (at != events.begin() && (by == no_event || !before((at - 1)->event, by))) {
      --at;
      if (!at->counted) out.push_back(at->event);
    }
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
}

// ------------------------------------------------------------------------------------------------

Deliveries::Deliveries(Session& session, Rule rule)
    : session_(session),
      rule_(rule),
      sleep_sets_(session.limits().sleep_sets),
      path_(session, sleep_sets_ ? Path::Sleepers::kept_asleep : Path::Sleepers::only_remembered,
            true),
      causality_(session.vocabulary()) {}

bool Deliveries::explore() {
  while (path_.perform()) {
    const auto size = static_cast<std::uint32_t>(path_.execution().size());
    causality_.update(path_.execution(), path_.kept());
    extend_nodes();
    collect_messages();
    for (auto event = static_cast<std::uint32_t>(path_.kept()); event < size; ++event) {
      if (rule_ == Rule::dpor) {
        look_at_delivery_dpor(event);
      } else {
        look_at_delivery(event);
        look_at_sending(event);
      }
    }
    if (rule_ == Rule::trans) look_at_the_undelivered();

    const std::size_t node = deepest_open();
    if (node == no_node) return all_explored(session_);
    if (session_.stop()) return false;
    if (sleep_sets_) path_.put_to_sleep(node);
    path_.leave(node);
    MAZURKA_CHECK(
        enabled(static_cast<std::uint32_t>(node), nodes_[node].backtrack[nodes_[node].done]),
        "a message is tried where it can be delivered");
    path_.decide({nodes_[node].backtrack[nodes_[node].done++], 0});
    nodes_[node].frozen = false;
    nodes_[node].replaceable = false;
  }
  return false;
}

void Deliveries::extend_nodes() {
  const Execution& execution = path_.execution();
  // The node that was left exists already; it goes on with another of its messages.
  const std::size_t first_new = std::min(nodes_.size(), path_.kept() + 1);
  if (nodes_.size() < execution.size()) nodes_.resize(execution.size());
  for (std::size_t at = first_new; at < execution.size(); ++at) {
    nodes_[at].backtrack.assign(1, execution.steps.process(at));
    nodes_[at].done = 1;
    nodes_[at].frozen = nodes_[at].replaceable = false;
  }
}

void Deliveries::collect_messages() {
  const Execution& execution = path_.execution();
  messages_.clear();
  message_of_.resize(execution.processes);
  for (std::uint32_t at = 0; at < execution.size(); ++at) {
    const Step step = execution.steps[at];
    message_of_[index(step.process())] = static_cast<std::uint32_t>(messages_.size());
    messages_.push_back({step, execution.events[at].cause, at});
  }
  for (std::size_t at = 0; at < execution.pending.size(); ++at) {
    const Step step = execution.pending[at];
    message_of_[index(step.process())] = static_cast<std::uint32_t>(messages_.size());
    messages_.push_back({step, execution.pending_state[at].cause, no_event});
  }
}

std::size_t Deliveries::deepest_open() const {
  for (std::size_t node = path_.execution().size(); node-- > 0;) {
    if (nodes_[node].backtrack.size() > nodes_[node].done) return node;
  }
  return no_node;
}

bool Deliveries::conflict(std::uint32_t event, const Step& step) const {
  return share_an_object(session_.vocabulary(), path_.execution().steps[event].accesses,
                         step.accesses);
}

ProcessId Deliveries::first_cause(std::uint32_t event, std::uint32_t target) const {
  MAZURKA_CHECK(event < target, "the first cause is looked for after the event");
  std::uint32_t at = event + 1;
  while (at < target && !causality_.before(at, target)) ++at;
  return path_.execution().steps.process(at);
}

// A message that is not first in its channel could not have come earlier by itself: whatever is to
// be said about the channel is said about the first one.
bool Deliveries::in_turn(std::uint32_t event, const Sent& message) const {
  const Vocabulary& vocabulary = session_.vocabulary();
  for (const Access& access : message.step.accesses) {
    if (!vocabulary.guarded(access) || vocabulary.partners(access) == GuardPartners::every)
      continue;
    for (const Sent& other : messages_) {
      if (other.delivered < event) continue;
      for (const Access& theirs : other.step.accesses) {
        if (theirs.object == access.object && theirs.operand < access.operand &&
            vocabulary.writes(theirs)) {
          return false;
        }
      }
    }
  }
  return true;
}

// --- asking for more ----------------------------------------------------------------------------

bool Deliveries::known(std::uint32_t node, ProcessId candidate) const {
  const std::vector<ProcessId>& backtrack = nodes_[node].backtrack;
  return std::find(backtrack.begin(), backtrack.end(), candidate) != backtrack.end() ||
         (sleep_sets_ && path_.sleepers().contains({candidate, 0}, node));
}

void Deliveries::add(std::uint32_t node, ProcessId candidate) {
  if (!known(node, candidate)) nodes_[node].backtrack.push_back(candidate);
}

void Deliveries::add_all(std::uint32_t node) {
  path_.execution().enabled[node].for_each([&](ProcessId process) { add(node, process); });
}

// --- dpor ---------------------------------------------------------------------------------------

// Fig. 2 without the underlined lines. After each event the messages whose last race may have
// changed are those for its receiver that are still pending, which race with it, and those that it
// sent, which race with the last earlier event of their receiver that does not lead to the sending.
void Deliveries::look_at_delivery_dpor(std::uint32_t event) {
  const Execution& execution = path_.execution();
  for (const Sent& message : messages_) {
    const bool sent_before = message.by == no_event || message.by < event;
    if (!sent_before || message.delivered <= event || !conflict(event, message.step)) continue;
    if (!in_turn(event, message)) continue;
    if (enabled(event, message.step.process())) {
      add(event, message.step.process());
    } else {
      add_all(event);
    }
  }
  for (const ProcessId sent : execution.steps[event].released) {
    const Step step = messages_[message_of_[index(sent)]].step;
    causality_.not_before(event, event, step.accesses, racing_);
    if (racing_.empty()) continue;
    const std::uint32_t earlier = racing_.back();
    const ProcessId candidate = first_cause(earlier, event);
    if (enabled(earlier, candidate)) {
      add(earlier, candidate);
    } else {
      add_all(earlier);
    }
  }
}

// --- trans --------------------------------------------------------------------------------------

void Deliveries::look_at_sending(std::uint32_t event) {
  for (const ProcessId sent : path_.execution().steps[event].released) {
    const Step step = messages_[message_of_[index(sent)]].step;
    causality_.not_before(event, event, step.accesses, racing_);
    for (const std::uint32_t earlier : racing_) {
      const ProcessId candidate = first_cause(earlier, event);
      if (!enabled(earlier, candidate)) {
        ask_for_receiver(earlier, candidate);
      } else {
        ask_instead(earlier, candidate);
      }
    }
  }
}

void Deliveries::look_at_delivery(std::uint32_t event) {
  look_at(messages_[message_of_[index(path_.execution().steps.process(event))]], event);
}

void Deliveries::look_at_the_undelivered() {
  const auto size = static_cast<std::uint32_t>(path_.execution().size());
  for (const Sent& message : messages_) {
    if (message.delivered == no_event) look_at(message, size);
  }
}

void Deliveries::look_at(const Sent& message, std::uint32_t end) {
  causality_.not_before(message.by, end, message.step.accesses, racing_);
  for (const std::uint32_t earlier : racing_) {
    const bool sent_later = message.by != no_event && message.by > earlier;
    if (!sent_later && !in_turn(earlier, message)) continue;
    const ProcessId candidate =
        sent_later ? first_cause(earlier, message.by) : message.step.process();
    if (!enabled(earlier, candidate)) {
      ask_for_receiver(earlier, candidate);
    } else if (!nodes_[earlier].frozen) {
      ask_instead(earlier, candidate);
    }
  }
}

// Adds the candidate, in place of the last one if that was added while this message was explored.
void Deliveries::ask_instead(std::uint32_t node, ProcessId candidate) {
  if (known(node, candidate)) return;
  Node& here = nodes_[node];
  MAZURKA_CHECK(!here.frozen || here.backtrack.size() > here.done,
                "a frozen node has a message that is not explored");
  if (here.frozen && here.replaceable) here.backtrack.pop_back();
  here.backtrack.push_back(candidate);
  here.frozen = here.replaceable = true;
}

// The candidate is disabled there by its receiver's state: only messages for the same receiver can
// change that.
void Deliveries::ask_for_receiver(std::uint32_t node, ProcessId candidate) {
  const Step wanted = messages_[message_of_[index(candidate)]].step;
  nodes_[node].replaceable = false;
  path_.execution().enabled[node].for_each([&](ProcessId process) {
    const Step other = messages_[message_of_[index(process)]].step;
    if (share_an_object(session_.vocabulary(), other.accesses, wanted.accesses)) add(node, process);
  });
}

}  // namespace mazurka
