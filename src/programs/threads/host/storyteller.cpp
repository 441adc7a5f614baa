#include "programs/threads/host/storyteller.hpp"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <map>
#include <unordered_map>

#include "core/check.hpp"
#include "programs/threads/host/story_parts.hpp"
#include "programs/threads/host/variables.hpp"

namespace mazurka::threads {

namespace {

constexpr std::size_t long_story = 60;  // rows; beyond, what concerns one process only is left out
constexpr std::uint64_t granule = 4;    // bytes that are looked at together

bool is_access(Action action) {
  return action == Action::read || action == Action::write || action == Action::update ||
         action == Action::update_failed;
}
bool writes(Action action) { return action == Action::write || action == Action::update; }
bool reads(Action action) { return is_access(action) && action != Action::write; }
bool is_plain(const RawEvent& event) { return (event.flags & flag_plain) != 0; }
bool is_failing(const RawEvent& event) {
  return event.action == Action::failure || (event.flags & flag_racing) != 0;
}

/// Who touches which part of memory.
struct Touch {
  ProcessId first = no_process;
  bool shared = false;
  bool written = false;
};
using Touches = std::unordered_map<std::uint64_t, Touch>;

template <typename Visit>
void for_each_granule(const RawEvent& event, Visit visit) {
  const std::uint64_t last = event.address + std::max<std::uint64_t>(event.size, 1) - 1;
  for (std::uint64_t g = event.address / granule; g <= last / granule; ++g) visit(g);
}

Touches find_touches(const std::vector<RawEvent>& events) {
  Touches touches;
  for (const RawEvent& event : events) {
    if (event.address == 0 || event.action == Action::allocate || event.action == Action::release) {
      continue;
    }
    for_each_granule(event, [&](std::uint64_t g) {
      Touch& touch = touches[g];
      if (touch.first == no_process) touch.first = event.process;
      if (touch.first != event.process) touch.shared = true;
      if (!is_access(event.action) || writes(event.action)) touch.written = true;
    });
  }
  return touches;
}

bool matters_to_others(const RawEvent& event, const Touches& touches) {
  if (event.address == 0) return true;
  bool found = false;
  for_each_granule(event, [&](std::uint64_t g) {
    const auto touch = touches.find(g);
    if (touch != touches.end() && touch->second.shared && touch->second.written) found = true;
  });
  return found;
}

std::string joined(const std::vector<std::string>& words) {
  std::string result;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) result += i + 1 == words.size() ? " and " : ", ";
    result += words[i];
  }
  return result;
}

}  // namespace

// --- the whole ----------------------------------------------------------------------------------

Story Storyteller::tell(Finding* finding, std::optional<std::size_t> no_return) {
  failure_ = finding == nullptr                        ? "fails"
             : finding->kind == FindingKind::assertion ? "assertion fails"  // in full above
                                                       : finding->message;
  Story story;
  for (const RawProcess& process : raw_.processes) {
    std::string head = process_name(process.id);
    const std::string routine = routine_name(process);
    if (!routine.empty() && routine != head) head += " " + routine;
    story.processes.push_back(std::move(head));
  }
  std::vector<std::size_t> events = events_that_matter();
  rounds_.leave_out_the_middle(events);
  const std::vector<Shown> shown = merge(events);
  add_rows(shown, story);
  if (no_return) mark_no_return(shown, *no_return, story);
  fold(shown, story);
  moment_ = raw_.events.size();
  add_endings(finding, story);
  if (finding != nullptr) complete_message(*finding, story);
  return story;
}

std::vector<std::size_t> Storyteller::events_that_matter() const {
  const Touches touches = find_touches(raw_.events);
  // In a program that passes messages these tell the story, not how they are copied.
  const bool messages = std::any_of(raw_.events.begin(), raw_.events.end(),
                                    [](const RawEvent& event) { return is_message(event.action); });
  const auto choose = [&](bool brief) {
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < raw_.events.size(); ++i) {
      const RawEvent& event = raw_.events[i];
      const bool noise = event.action == Action::allocate || event.action == Action::release ||
                         event.action == Action::exit_process;
      const bool selective = is_plain(event) || brief || event.action == Action::static_begin ||
                             event.action == Action::static_end;
      if (!is_failing(event)) {
        if (noise || (selective && !matters_to_others(event, touches))) continue;
        if (messages && is_plain(event)) continue;
        // How a std::thread hands its function over is nobody's concern.
        if (is_plain(event) && symbols_.is_thread_machinery(event.stack)) continue;
      }
      chosen.push_back(i);
    }
    return chosen;
  };
  std::vector<std::size_t> chosen = choose(false);
  return chosen.size() > long_story ? choose(true) : chosen;
}

/// Neighbours that are one thing to a reader: a run of creations or joins, a repeated read.
std::vector<Storyteller::Shown> Storyteller::merge(const std::vector<std::size_t>& events) {
  std::vector<Shown> shown;
  std::size_t repeated = 1;
  std::string single;  // the action before it was counted
  for (const std::size_t index : events) {
    const RawEvent& event = raw_.events[index];
    std::string action = describe(event);
    if (!shown.empty()) {
      Shown& latest = shown.back();
      const RawEvent& previous = raw_.events[latest.event];
      if (previous.process == event.process && previous.action == event.action &&
          !is_failing(event) && !is_failing(previous) &&
          rounds_.left_out_between(latest.last, index).empty()) {
        if (event.action == Action::create || event.action == Action::join) {
          latest.action += ", " + process_name(event.peer);
          latest.last = index;
          latest.peers.push_back(event.peer);
          continue;
        }
        if (previous.stack == event.stack && single == action) {
          latest.action = single + "  (" + std::to_string(++repeated) + " times)";
          latest.event = latest.last = index;
          continue;
        }
      }
    }
    repeated = 1;
    single = action;
    shown.push_back({index, std::move(action), index, index});
    const bool meets = event.action == Action::create || event.action == Action::join;
    if (meets && event.peer != no_process) shown.back().peers = {event.peer};
  }
  return shown;
}

/// Events that were left out after one and before another, or at it.
std::size_t Storyteller::unwritten_between(std::size_t after, std::size_t before) const {
  std::size_t count = 0;
  for (const RawGap& gap : raw_.gaps) {
    if (after < gap.before && gap.before <= before) count += gap.events;
  }
  return count;
}

void Storyteller::add_rows(const std::vector<Shown>& shown, Story& story) {
  StoryParts::RowOf row_of;
  for (std::size_t row = 0; row < shown.size(); ++row) row_of[shown[row].event] = row;

  StoryParts parts(*this, story);
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const RawEvent& event = raw_.events[shown[i].event];
    MAZURKA_CHECK(i == 0 || shown[i - 1].event < shown[i].event, "rows are in the order of events");
    StoryRow row;
    row.process = column(event.process);
    row.action = shown[i].action;
    row.failing = is_failing(event);
    if (row.failing) {  // where it happens may be the code of a header that the program has called
      for (const Frame& frame : symbols_.header_frames(event.stack)) {
        row.stack.push_back(frame.text());
      }
    }
    for (const Frame& frame : symbols_.frames(event.stack)) {
      if (row.place.empty() && !frame.file.empty()) {
        row.place = frame.place();
        row.source = symbols_.source_line(frame);
      }
      row.stack.push_back(frame.text());
      parts.add_source(frame);
    }
    row.event = parts.event_of(shown[i]);
    const auto row_with = [&](std::size_t raw) -> std::optional<std::size_t> {
      const auto found = row_of.find(raw);
      if (found == row_of.end()) return std::nullopt;
      return found->second;
    };
    const bool overtakes = (event.flags & flag_overtakes) != 0;
    if (overtakes) row.overtakes = row_with(event.newest);
    if (reads(event.action) && (overtakes || event.source != no_event)) {
      row.read_from = row_with(event.source);
    } else if (reads(event.action)) {
      if (const auto writer = last_write(event, shown[i].event)) row.read_from = row_with(*writer);
    }
    if (is_message(event.action)) story.layout = StoryLayout::chart;
    if (event.action == Action::wait_received && event.peer != no_process) {
      row.from = column(event.peer);
    }
    row.decision = !is_plain(event) && event.action != Action::failure;
    story.rows.push_back(std::move(row));
    parts.add_switch(shown, i);
    const std::size_t missing = rounds_.left_out_before(shown, i).size() +
                                unwritten_between(i == 0 ? 0 : shown[i - 1].last, shown[i].last);
    if (missing > 0) {
      StoryRow& here = story.rows.back();
      here.switch_reason = std::to_string(missing) + " events before this one are not shown";
      here.event.left_out = missing;
    }
  }
  parts.add_order(shown);
  parts.add_memory_remarks(row_of);
  parts.add_signal_fences();
}

/// The row of the decision, or the last one before it if it is not shown.
void Storyteller::mark_no_return(const std::vector<Shown>& shown, std::size_t decision,
                                 Story& story) const {
  StoryRow* marked = nullptr;
  MAZURKA_CHECK(story.rows.size() == shown.size(), "each event that is shown has its row");
  for (std::size_t i = 0; i < shown.size(); ++i) {
    if (story.rows[i].decision && raw_.events[shown[i].event].position <= decision) {
      marked = &story.rows[i];
    }
  }
  if (marked != nullptr) marked->no_return = true;
}

std::vector<std::string> Storyteller::who_waits() const {
  std::vector<std::string> lines;
  for (const RawWaiting& waiting : raw_.waiting) {
    if (waiting.enabled || waiting.action == Action::exit_program) continue;
    const std::string at = place(waiting.stack);
    lines.push_back(process_name(waiting.process) + " " + waiting_for(waiting) +
                    (at.empty() ? "" : "; it is at " + at));
  }
  return lines;
}

void Storyteller::add_endings(const Finding* finding, Story& story) const {
  if (finding == nullptr || finding->kind != FindingKind::deadlock) return;
  for (const RawWaiting& waiting : raw_.waiting) {
    if (waiting.enabled) continue;
    const std::string at = place(waiting.stack);
    story.endings.push_back(process_name(waiting.process) + " " + waiting_for(waiting) +
                            (at.empty() ? "" : "; it is at " + at));
    StoryParts(*this, story).add_stop(waiting, at);
  }
}

void Storyteller::complete_message(Finding& finding, Story& story) const {
  std::vector<const RawEvent*> racing;
  for (const RawEvent& event : raw_.events) {
    if ((event.flags & flag_racing) != 0) racing.push_back(&event);
  }
  if (finding.kind == FindingKind::data_race && racing.size() >= 2) {
    const RawEvent& first = *racing[0];
    const RawEvent& second = *racing.back();
    const auto told = [&](const RawEvent& event) {
      const std::string at = place(event.stack);
      std::string verb = " uses it";
      if (event.action == Action::release) verb = " frees it";
      if (event.action == Action::set_up) verb = " initialises it";
      if (event.action == Action::destroy) verb = " destroys it";
      if (reads(event.action)) verb = " reads";
      if (writes(event.action)) verb = " writes";
      const bool atomic = !is_plain(event) && (event.flags & flag_ordinary) == 0;
      if (is_access(event.action) && atomic) verb += " atomically";
      return process_name(event.process) + verb + (at.empty() ? "" : " (" + at + ")");
    };
    const bool first_smaller = first.size != 0 && first.size < second.size;
    const RawEvent& named = first_smaller ? first : second;
    finding.message = object(named.address, named.size) + ": " + told(first) + " and " +
                      told(second) + " without an order between them";
  }
  if (finding.kind == FindingKind::deadlock) tell_deadlock(finding, story);
  for (const StoryRow& row : story.rows) {
    if (row.failing && !row.place.empty()) story.place = row.place;
  }
}

void Storyteller::tell_deadlock(Finding& finding, Story& story) const {
  std::map<ProcessId, const RawWaiting*> waiting;
  std::vector<std::string> all;
  for (const RawWaiting& one : raw_.waiting) {
    if (one.enabled) continue;
    waiting[one.process] = &one;
    all.push_back(process_name(one.process));
    if (story.place.empty()) story.place = place(one.stack);
  }
  if (waiting.empty()) return;
  finding.message =
      joined(all) + (all.size() == 1 ? " waits" : " wait") + " for what can no longer happen";
  // Better: a circle of processes, found by going from each to the one it waits for.
  for (const auto& [start, first] : waiting) {
    std::vector<std::string> circle;
    std::vector<const RawWaiting*> links;
    const RawWaiting* at = first;
    while (circle.size() <= waiting.size()) {
      circle.push_back(process_name(at->process));
      links.push_back(at);
      const ProcessId next = at->action == Action::join ? at->peer : at->holder;
      if (next == start) {
        finding.message = circle.size() == 1 ? circle[0] + " waits for itself"
                                             : joined(circle) + " wait for each other";
        story.place = place(first->stack);
        draw_circle(links, story);
        return;
      }
      const auto found = waiting.find(next);
      if (found == waiting.end()) break;
      at = found->second;
    }
  }
}

/// The call in "waits in MPI_Recv for ...".
static std::string call_in(const std::string& words) {
  const std::size_t begin = words.find("MPI_");
  if (begin == std::string::npos) return "MPI";
  return words.substr(begin, words.find(' ', begin) - begin);
}

/// A line per process, an arrow to the one that it waits for, and back to the first:
///
///     +-> T1 --[mutex b]--> T2
///     |   T2 --[mutex a]--+
///     +-------------------+
void Storyteller::draw_circle(const std::vector<const RawWaiting*>& circle, Story& story) const {
  std::vector<std::string> lines;
  std::size_t width = 0;
  for (std::size_t i = 0; i < circle.size(); ++i) {
    const RawWaiting& waiting = *circle[i];
    std::string what = waiting.action == Action::join ? "end of " + process_name(waiting.peer)
                                                      : object(waiting.address, 0);
    if (waiting.action == Action::mpi) what = call_in(waiting.words);
    std::string line = (i == 0 ? "+-> " : "|   ") + process_name(waiting.process) + " --[" + what;
    line += i + 1 < circle.size() ? "]--> " + process_name(circle[i + 1]->process) : "]--";
    width = std::max(width, line.size());
    lines.push_back(std::move(line));
  }
  lines.back() += std::string(width - lines.back().size() + 1, '-') + "+";
  lines.push_back("+" + std::string(width, '-') + "+");
  story.drawing = std::move(lines);
}

/// The user's function that the process runs: the routine, or, where that is the library's, the
/// outermost function of the user's in which it was seen.
std::string Storyteller::routine_name(const RawProcess& process) const {
  if (process.routine == 0) return {};
  if (std::string name = symbols_.function(process.routine); !name.empty()) return name;
  for (const RawEvent& event : raw_.events) {
    if (event.process != process.id || event.stack.empty()) continue;
    const std::vector<Frame> frames = symbols_.frames(event.stack);
    if (!frames.empty() && !frames.back().system) return frames.back().function;
  }
  return {};
}

}  // namespace mazurka::threads
