#include "explorers/reverse/variables.hpp"

#include <algorithm>

namespace mazurka::reverse {

void Variables::update(const Task& task) {
  number_variables();
  find_turns(task);
  order_writes();
  follow_additions();
}

// An event that touches the variable that it touched last time need not be looked up.
void Variables::number_variables() {
  const std::size_t size = trace_.execution().size();
  names_.resize(size, GraphStep::no_variable);
  event_.resize(size);
  for (std::size_t event = 0; event < size; ++event) {
    const std::uint64_t name = at(event).variable;
    std::uint32_t number = event_[event].variable;
    if (name == GraphStep::no_variable) {
      number = none;
    } else if (number == none || names_[event] != name) {
      number =
          numbers_.try_emplace(name, static_cast<std::uint32_t>(numbers_.size())).first->second;
    }
    names_[event] = name;
    event_[event] = {};
    event_[event].variable = number;
  }
  variables_.resize(numbers_.size());
  for (Variable& variable : variables_) {
    variable.first = variable.last = variable.taker = none;
    variable.rank = 0;
    variable.last_read.clear();
  }
}

void Variables::find_turns(const Task& task) {
  const auto size = static_cast<std::uint32_t>(event_.size());
  for (std::uint32_t at = 0; at < size; ++at) event_[at].turn = at;
  for (const Turn& turn : task.turns) {
    const std::uint32_t read = turn.last + 1;
    if (!turn.read || read >= size) continue;
    event_[read].turn = turn.first;
    event_[read].delayed = true;
    for (std::uint32_t at = turn.first; at < read; ++at) event_[at].delayed_read = read;
  }
}

void Variables::order_writes() {
  const Execution& execution = trace_.execution();
  for (std::uint32_t event = 0; event < event_.size(); ++event) {
    const GraphStep& step = at(event);
    if (!step.touches()) continue;
    Variable& variable = variables_[event_[event].variable];
    if (step.reads) {
      const std::size_t process = index(execution.steps.process(event));
      if (variable.last_read.size() <= process) variable.last_read.resize(process + 1, none);
      event_[event].previous_read = std::exchange(variable.last_read[process], event);
    }
    if (step.reads && step.writes) {
      (step.source == no_event ? variable.taker : event_[step.source].taker) = event;
    }
    if (step.writes) write(event, step.source);
  }
  for (const Variable& variable : variables_) {
    std::uint32_t rank = 0;
    for (std::uint32_t one = variable.first; one != none; one = event_[one].next) {
      event_[one].rank = ++rank;
    }
  }
}

void Variables::write(std::uint32_t event, std::uint32_t behind) {
  Variable& variable = variables_[event_[event].variable];
  std::uint32_t& link = behind == no_event ? variable.first : event_[behind].next;
  event_[event].previous = behind;
  event_[event].next = std::exchange(link, event);
  (event_[event].next == none ? variable.last : event_[event_[event].next].previous) = event;
}

// In the order in which the events were added; but what a delayed read writes is taken into account
// for the events of its own turn where it is asked for.
void Variables::follow_additions() {
  for (std::uint32_t event = 0; event < event_.size(); ++event) {
    const std::uint32_t read = event_[event].delayed_read;
    if (read != none && event_[read].turn == event && event_[read].variable != none) {
      event_[read].last_before = variables_[event_[read].variable].rank;
    }
    add(event);
  }
}

void Variables::add(std::uint32_t event) {
  Event& one = event_[event];
  if (one.variable == none) return;
  Variable& variable = variables_[one.variable];
  if (!one.delayed) one.last_before = variable.rank;
  if (at(event).writes) variable.rank = std::max(variable.rank, one.rank);
}

std::uint32_t Variables::taker_of(std::uint64_t variable, std::uint32_t source) const {
  if (source != no_event) return event_[source].taker;
  const std::uint32_t number = number_of(variable);
  return number == none ? none : variables_[number].taker;
}

std::uint32_t Variables::source_within(std::uint32_t event, std::uint32_t first, Cut kept) const {
  const GraphStep& step = at(event);
  if (!step.touches()) return by_outcome;
  if (step.reads) return step.source;
  for (std::uint32_t other = event_[event].previous; other != none;
       other = event_[other].previous) {
    if (other < event && (other < first || trace_.contains(kept, other))) return other;
  }
  return no_event;
}

void LeftOut::begin(std::uint32_t end, Cut kept) {
  for (const std::uint32_t variable : met_) last_kept_[variable] = 0;
  met_.clear();
  last_kept_.resize(variables_.variables_.size(), 0);
  end_ = at_ = end;
  kept_ = kept;
  all_maximal_ = true;
}

bool LeftOut::may_be_all_from(std::uint32_t first) {
  while (all_maximal_ && at_ > first) {
    --at_;
    if (variables_.event_[at_].variable == Variables::none) continue;
    if (variables_.trace_.contains(kept_, at_)) {
      keep(at_);
    } else {
      all_maximal_ = is_maximal(at_);
    }
  }
  return all_maximal_;
}

void LeftOut::keep(std::uint32_t event) {
  if (!variables_.at(event).writes) return;
  const Variables::Event& one = variables_.event_[event];
  std::uint32_t& last = last_kept_[one.variable];
  if (last == 0) met_.push_back(one.variable);
  last = std::max(last, one.rank);
}

// Of a delayed read, which was added before them.
std::uint32_t LeftOut::last_kept_in_turn_of(std::uint32_t event) const {
  std::uint32_t last = 0;
  const Variables::Event& read = variables_.event_[event];
  for (std::uint32_t at = read.turn; at < event; ++at) {
    const Variables::Event& one = variables_.event_[at];
    if (one.variable == read.variable && variables_.trace_.contains(kept_, at)) {
      last = std::max(last, one.rank);
    }
  }
  return last;
}

// What is kept is closed: nobody there reads from what is not.
bool LeftOut::is_maximal(std::uint32_t event) const {
  const GraphStep& step = variables_.at(event);
  const Variables::Event& one = variables_.event_[event];
  const bool delayed_itself = one.delayed && step.source != no_event;
  if (delayed_itself && !variables_.trace_.contains(kept_, step.source)) return false;
  const std::uint32_t source_rank =
      step.source == no_event ? 0 : variables_.event_[step.source].rank;
  const std::uint32_t place = step.reads ? source_rank : one.rank;
  if (one.last_before > place || last_kept_[one.variable] > place) return false;
  if (one.delayed && last_kept_in_turn_of(event) > place) return false;
  if (one.delayed_read == Variables::none || one.delayed_read >= end_) return true;
  const GraphStep& read = variables_.at(one.delayed_read);
  const Variables::Event& delayed = variables_.event_[one.delayed_read];
  if (delayed.variable != one.variable) return true;
  if (read.writes && delayed.rank > place) return false;
  return !(read.reads && step.writes && read.source == event);
}

}  // namespace mazurka::reverse
