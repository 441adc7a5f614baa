#include "explorers/reverse/variables.hpp"

#include <algorithm>
#include <iterator>

namespace mazurka::reverse {

void Variables::update(const Task& task) {
  number_variables();
  find_turns(task);
  order_writes();
  follow_additions();
  fill_rows();
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
    variable.first = variable.last = variable.taker = variable.row = none;
    variable.rank = 0;
  }
  rows_.clear();
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
    event_[event].row = row_of(event_[event].variable, index(execution.steps.process(event)));
    Row& row = rows_[event_[event].row];
    ++row.count;
    event_[event].previous_read = row.last_read;
    if (step.reads) row.last_read = event;
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

// Few processes touch one variable.
std::uint32_t Variables::row_of(std::uint32_t variable, std::size_t process) {
  std::uint32_t row = variables_[variable].row;
  while (row != none && rows_[row].process != process) row = rows_[row].next;
  if (row != none) return row;
  row = static_cast<std::uint32_t>(rows_.size());
  rows_.push_back({process, std::exchange(variables_[variable].row, row)});
  return row;
}

void Variables::fill_rows() {
  std::uint32_t begin = 0;
  for (Row& row : rows_) {
    row.begin = begin;
    begin += std::exchange(row.count, 0);
  }
  touches_.resize(begin);
  for (std::vector<std::uint32_t>& events : touching_) events.clear();
  for (std::uint32_t event = 0; event < event_.size(); ++event) {
    if (event_[event].row == none) continue;
    const std::size_t process = trace_.process_of(event);
    if (touching_.size() <= process) touching_.resize(process + 1);
    touching_[process].push_back(event);
    Row& row = rows_[event_[event].row];
    const std::uint32_t best = row.count == 0 ? 0 : touches_[row.begin + row.count - 1].best;
    const std::uint32_t own = at(event).writes ? event_[event].rank : 0;
    touches_[row.begin + row.count++] = {event, std::max(best, own)};
  }
}

std::uint32_t Variables::last_rank_in(Cut cut, std::uint32_t variable) const {
  std::uint32_t last = 0;
  for (std::uint32_t row = variables_[variable].row; row != none; row = rows_[row].next) {
    const std::span<const Touch> all = touches(rows_[row]);
    const auto outside = std::partition_point(all.begin(), all.end(), [&](const Touch& touch) {
      return trace_.contains(cut, touch.event);
    });
    if (outside != all.begin()) last = std::max(last, std::prev(outside)->best);
  }
  return last;
}

std::uint32_t Variables::last_read_before(const Row& row, std::uint32_t end) const {
  const std::span<const Touch> all = touches(row);
  const auto after = std::partition_point(all.begin(), all.end(),
                                          [&](const Touch& touch) { return touch.event < end; });
  if (after == all.begin()) return none;
  const std::uint32_t last = std::prev(after)->event;
  return at(last).reads ? last : event_[last].previous_read;
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
  for (const std::uint32_t variable : met_) last_kept_[variable] = not_known;
  met_.clear();
  last_kept_.resize(variables_.variables_.size(), not_known);
  left_.clear();
  for (const std::vector<std::uint32_t>& events : variables_.touching_) {
    left_.push_back(static_cast<std::size_t>(std::lower_bound(events.begin(), events.end(), end) -
                                             events.begin()));
  }
  end_ = end;
  kept_ = kept;
  all_maximal_ = true;
}

// Of what is left and not kept, the last event, or none.
std::uint32_t LeftOut::latest() {
  std::uint32_t latest = Variables::none;
  for (std::size_t process = 0; process < left_.size(); ++process) {
    if (left_[process] == 0) continue;
    const std::uint32_t own = variables_.touching_[process][left_[process] - 1];
    if (variables_.trace_.contains(kept_, own)) {
      left_[process] = 0;
    } else if (latest == Variables::none || own > latest) {
      latest = own;
    }
  }
  return latest;
}

bool LeftOut::may_be_all_from(std::uint32_t first) {
  while (all_maximal_) {
    const std::uint32_t event = latest();
    if (event == Variables::none || event < first) break;
    --left_[variables_.trace_.process_of(event)];
    all_maximal_ = is_maximal(event);
  }
  return all_maximal_;
}

// That which comes before an event is among what was added before it, too, so all counts.
std::uint32_t LeftOut::last_kept(std::uint32_t variable) {
  std::uint32_t& last = last_kept_[variable];
  if (last == not_known) {
    last = variables_.last_rank_in(kept_, variable);
    met_.push_back(variable);
  }
  return last;
}

// What is kept is closed: nobody there reads from what is not.
bool LeftOut::is_maximal(std::uint32_t event) {
  const GraphStep& step = variables_.at(event);
  const Variables::Event& one = variables_.event_[event];
  const bool delayed_itself = one.delayed && step.source != no_event;
  if (delayed_itself && !variables_.trace_.contains(kept_, step.source)) return false;
  const std::uint32_t source_rank =
      step.source == no_event ? 0 : variables_.event_[step.source].rank;
  const std::uint32_t place = step.reads ? source_rank : one.rank;
  if (one.last_before > place || last_kept(one.variable) > place) return false;
  if (one.delayed_read == Variables::none || one.delayed_read >= end_) return true;
  const GraphStep& read = variables_.at(one.delayed_read);
  const Variables::Event& delayed = variables_.event_[one.delayed_read];
  if (delayed.variable != one.variable) return true;
  if (read.writes && delayed.rank > place) return false;
  return !(read.reads && step.writes && read.source == event);
}

}  // namespace mazurka::reverse
