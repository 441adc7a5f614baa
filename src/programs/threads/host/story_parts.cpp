#include "programs/threads/host/story_parts.hpp"

#include <algorithm>
#include <map>

#include "programs/threads/host/story_order.hpp"

namespace mazurka::threads {

namespace {

constexpr std::size_t largest_source = 1U << 20U;  // bytes that a report has room for

Deed deed_of(const RawEvent& event) {
  switch (event.action) {
    case Action::create: return Deed::start;
    case Action::join: return Deed::join;
    case Action::lock:
    case Action::read_lock:
    case Action::spin_lock:
    case Action::wait_mutex: return Deed::lock;
    case Action::try_lock: return event.value == 1 ? Deed::lock : Deed::other;
    case Action::unlock:
    case Action::mutex_release: return Deed::unlock;
    case Action::read:
    case Action::update_failed: return Deed::read;
    case Action::write: return Deed::write;
    case Action::update: return Deed::update;
    case Action::wait:
    case Action::timed_wait:
    case Action::spin:
    case Action::condition_enqueue: return Deed::wait;
    case Action::futex_wait: return event.value == 1 ? Deed::wait : Deed::other;
    case Action::wake:
    case Action::futex_wake:
    case Action::wait_condition: return Deed::woken;
    case Action::signal:
    case Action::condition_signal: return Deed::signal;
    case Action::broadcast:
    case Action::condition_broadcast: return Deed::broadcast;
    case Action::wait_received: return Deed::message;
    case Action::failure: return Deed::failure;
    default: return Deed::other;
  }
}

ObjectType type_of_object(const RawEvent& event) {
  switch (deed_of(event)) {
    case Deed::read:
    case Deed::write:
    case Deed::update:
      return (event.flags & (flag_plain | flag_ordinary)) == 0 ? ObjectType::atomic
                                                               : ObjectType::memory;
    case Deed::lock:
    case Deed::unlock: return ObjectType::mutex;
    case Deed::wait:
    case Deed::woken:
    case Deed::signal:
    case Deed::broadcast: return ObjectType::condition;
    default: return ObjectType::other;
  }
}

/// Which rows are of which process, to find the row of a raw event.
class RowFinder {
 public:
  struct Span {
    std::size_t first = 0;  // raw events
    std::size_t last = 0;
    std::size_t row = 0;
  };
  void add(ProcessId process, Span span) { rows_[process].push_back(span); }

  /// What is known after a row is known after what comes later; so that is no more than is true.
  [[nodiscard]] std::optional<std::size_t> at_or_before(ProcessId process,
                                                        std::size_t event) const {
    const std::vector<Span>* spans = of(process);
    if (spans == nullptr) return std::nullopt;
    const auto after =
        std::upper_bound(spans->begin(), spans->end(), event,
                         [](std::size_t wanted, const Span& span) { return wanted < span.first; });
    if (after == spans->begin()) return std::nullopt;
    return std::prev(after)->row;
  }
  [[nodiscard]] std::optional<std::size_t> at_or_after(ProcessId process, std::size_t event) const {
    const std::vector<Span>* spans = of(process);
    if (spans == nullptr) return std::nullopt;
    const auto found =
        std::lower_bound(spans->begin(), spans->end(), event,
                         [](const Span& span, std::size_t wanted) { return span.last < wanted; });
    if (found == spans->end()) return std::nullopt;
    return found->row;
  }

 private:
  [[nodiscard]] const std::vector<Span>* of(ProcessId process) const {
    const auto found = rows_.find(process);
    return found == rows_.end() ? nullptr : &found->second;
  }
  std::map<ProcessId, std::vector<Span>> rows_;
};

/// Leaves out what follows from others. A clock says how many rows of each process come before.
void keep_direct_edges(Story& story) {
  using Heights = std::vector<std::size_t>;
  const std::size_t width = story.processes.size();
  std::vector<Heights> clocks(story.rows.size());
  std::vector<std::size_t> place(story.rows.size());  // of a row among those of its process
  std::vector<Heights> latest(width, Heights(width));
  for (std::size_t at = 0; at < story.rows.size(); ++at) {
    StoryRow& row = story.rows[at];
    Heights clock = latest[row.process];
    std::vector<std::size_t>& after = row.event.after;
    std::sort(after.begin(), after.end(), std::greater<>());  // the latest imply the others
    std::vector<std::size_t> direct;
    for (const std::size_t before : after) {
      if (clock[story.rows[before].process] > place[before]) continue;
      direct.push_back(before);
      for (std::size_t process = 0; process < width; ++process) {
        clock[process] = std::max(clock[process], clocks[before][process]);
      }
    }
    std::reverse(direct.begin(), direct.end());
    after = std::move(direct);
    place[at] = clock[row.process]++;
    latest[row.process] = clock;
    clocks[at] = std::move(clock);
  }
}

}  // namespace

std::size_t StoryParts::object_index(const std::string& name, ObjectType type) {
  const auto found = std::find_if(story_.objects.begin(), story_.objects.end(),
                                  [&](const StoryObject& one) { return one.name == name; });
  if (found == story_.objects.end()) {
    story_.objects.push_back({name, type});
    return story_.objects.size() - 1;
  }
  // An atomic variable may be initialised by a plain write.
  if (type == ObjectType::atomic) found->type = type;
  return static_cast<std::size_t>(found - story_.objects.begin());
}

StoryEvent StoryParts::event_of(const Shown& shown) {
  const RawEvent& event = teller_.raw_.events[shown.event];
  teller_.tell_as_of(event);
  StoryEvent result;
  result.deed = deed_of(event);
  const ObjectType type = type_of_object(event);
  if (type != ObjectType::other && event.address != 0) {
    result.object = object_index(teller_.object(event.address, event.size), type);
  }
  if ((event.action == Action::wait || event.action == Action::wake) && event.second_address != 0) {
    result.mutex = object_index(teller_.object(event.second_address, 0), ObjectType::mutex);
  }
  const bool done = (event.flags & flag_not_done) == 0;
  if ((type == ObjectType::memory || type == ObjectType::atomic) && done && has_value(event)) {
    const bool updates = event.action == Action::update;
    result.value = teller_.value(event, updates ? event.new_value : event.value,
                                 updates ? event.new_high : event.high);
  }
  for (const ProcessId peer : shown.peers) result.peers.push_back(teller_.column(peer));
  if (event.action == Action::signal && event.value > 0) {
    result.peers = {teller_.column(ProcessId{static_cast<std::uint16_t>(event.value - 1)})};
  }
  return result;
}

/// And until when the one before can not go on.
void StoryParts::add_switch(const std::vector<Shown>& shown, std::size_t row) {
  StoryRow& here = story_.rows[row];
  const std::size_t event = shown[row].event;
  const auto process_of = [&](std::size_t at) {
    return teller_.raw_.events[shown[at].event].process;
  };
  if (row > 0 && process_of(row - 1) != process_of(row)) {
    const ProcessId stopped = process_of(row - 1);
    Storyteller::Switch change = teller_.switch_from(stopped, event);
    if (change.kind == SwitchKind::waits) {
      std::size_t next = row;
      while (next < shown.size() && process_of(next) != stopped) ++next;
      std::string reason = change.reason.substr(teller_.process_name(stopped).size() + 1);
      reason = reason.substr(0, reason.find(" (locked at "));
      story_.delays.push_back({teller_.column(stopped), row - 1,
                               next < shown.size() ? std::optional(next) : std::nullopt, reason});
    }
    here.event.switched = change.kind;
    here.switch_reason = std::move(change.reason);
  }
}

void StoryParts::add_order(const std::vector<Shown>& shown) {
  RowFinder rows;
  for (std::size_t row = 0; row < shown.size(); ++row) {
    rows.add(teller_.raw_.events[shown[row].event].process,
             {shown[row].first, shown[row].last, row});
  }
  for (const OrderEdge& edge : order_of(teller_.raw_.events)) {
    const auto from = rows.at_or_before(teller_.raw_.events[edge.from].process, edge.from);
    const auto to = rows.at_or_after(teller_.raw_.events[edge.to].process, edge.to);
    if (!from || !to || *from >= *to) continue;
    StoryEvent& event = story_.rows[*to].event;
    if (edge.kind == EdgeKind::orders) {
      event.after.push_back(*from);
    } else if (shown[*from].last >= edge.from && shown[*to].first <= edge.to) {
      event.woken_by = *from;
      std::vector<std::size_t>& woken = story_.rows[*from].event.peers;
      const std::size_t process = story_.rows[*to].process;
      if (std::find(woken.begin(), woken.end(), process) == woken.end()) woken.push_back(process);
    }
  }
  keep_direct_edges(story_);
}

void StoryParts::add_stop(const RawWaiting& waiting, const std::string& at) {
  StoryStop stop;
  stop.process = teller_.column(waiting.process);
  stop.reason = teller_.waiting_for(waiting);
  stop.reason = stop.reason.substr(0, stop.reason.find(" (locked at "));
  stop.place = at;
  for (const Frame& frame : teller_.symbols_.frames(waiting.stack)) {
    stop.stack.push_back(frame.text());
    add_source(frame);
  }
  if (waiting.action == Action::lock || waiting.action == Action::wake) {
    const auto held = teller_.holder_event(waiting.address, teller_.raw_.events.size());
    ProcessId holder = waiting.holder;
    if (holder == no_process && held) holder = teller_.raw_.events[*held].process;
    stop.object = object_index(teller_.object(waiting.address, 0), ObjectType::mutex);
    if (holder != no_process) stop.holder = teller_.column(holder);
    for (std::size_t row = story_.rows.size(); stop.holder && row-- > 0 && !stop.held_since;) {
      const StoryEvent& event = story_.rows[row].event;
      const bool takes = (event.deed == Deed::lock && event.object == stop.object) ||
                         (event.deed == Deed::woken && event.mutex == stop.object);
      if (takes && story_.rows[row].process == *stop.holder) stop.held_since = row;
    }
  } else if (waiting.action == Action::join) {
    stop.holder = teller_.column(waiting.peer);
  }
  story_.stuck.push_back(std::move(stop));
}

void StoryParts::add_source(const Frame& frame) {
  if (frame.file.empty() || frame.system) return;
  const auto known = [&](const StorySource& one) { return one.file == frame.file; };
  if (std::any_of(story_.sources.begin(), story_.sources.end(), known)) return;
  std::string text = teller_.symbols_.source_text(frame);
  if (text.size() > largest_source) text.clear();
  story_.sources.push_back({frame.file, std::move(text)});
}

}  // namespace mazurka::threads
