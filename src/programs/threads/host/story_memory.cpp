#include "programs/threads/host/story_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

#include "core/check.hpp"
#include "programs/threads/host/story_parts.hpp"

namespace mazurka::threads {

namespace {

std::string_view order_in_words(const RawEvent& event) {
  return event.order == 0 ? "" : name_of(static_cast<MemoryOrder>(event.order - 1));
}

std::string_view operation_in_words(const RawEvent& event) {
  switch (event.action) {
    case Action::read: return "load";
    case Action::write: return "store";
    case Action::update_failed: return "compare-exchange";
    default: return "read-modify-write";
  }
}

bool is_strong(const RawEvent& event) {
  return event.order == static_cast<int>(MemoryOrder::sequentially_consistent) + 1;
}

}  // namespace

MissingOrder::MissingOrder(const std::vector<RawEvent>& events)
    : events_(events),
      order_(event_order_of(events)),
      after_(events.size()),
      read_by_(events.size()) {
  std::map<ProcessId, std::size_t> latest;
  for (std::size_t at = 0; at < events.size(); ++at) {
    const RawEvent& event = events[at];
    if (const auto before = latest.find(event.process); before != latest.end()) {
      after_[before->second].push_back(at);
    }
    latest[event.process] = at;
    const bool reads = (event.flags & flag_source) != 0 && event.action != Action::write;
    if (reads && event.source < at) read_by_[event.source].push_back(at);
  }
  for (const OrderEdge& edge : order_.edges) {
    if (edge.kind == EdgeKind::orders) after_[edge.from].push_back(edge.to);
  }
}

std::vector<MissingEdge> MissingOrder::between(std::size_t from, std::size_t to) const {
  MAZURKA_CHECK(from <= to && to < events_.size(), "a way leads from an event to a later one");
  std::vector<Way> ways(events_.size());
  ways[from].reached = true;
  const auto lead = [&](std::size_t at, std::size_t next, bool reads) {
    MAZURKA_CHECK(next > at, "every edge leads on");
    const std::size_t missing = ways[at].missing + (reads ? 1 : 0);
    if (ways[next].reached && ways[next].missing <= missing) return;
    ways[next] = {missing, at, reads, true};
  };
  for (std::size_t at = from; at < to; ++at) {  // every edge leads on
    if (!ways[at].reached) continue;
    for (const std::size_t next : after_[at]) lead(at, next, false);
    for (const std::size_t next : read_by_[at]) lead(at, next, true);
  }
  std::vector<MissingEdge> missing;
  if (!ways[to].reached) return missing;
  std::size_t until = to;  // where the way leaves the process of the read
  for (std::size_t at = to; at != from; at = ways[at].before) {
    const std::size_t before = ways[at].before;
    if (events_[before].process == events_[at].process) continue;
    if (ways[at].reads) missing.push_back(judge(before, at, until, ways));
    until = before;
  }
  std::reverse(missing.begin(), missing.end());
  return missing;
}

MissingEdge MissingOrder::judge(std::size_t write, std::size_t read, std::size_t until,
                                const std::vector<Way>& ways) const {
  const std::vector<std::size_t>& released = order_.released[write];
  const bool is_released = std::any_of(released.begin(), released.end(),
                                       [&](std::size_t at) { return ways[at].reached; });
  bool is_acquired = (events_[read].flags & flag_acquires) != 0;
  for (std::size_t at = read + 1; at < until && !is_acquired; ++at) {
    const RawEvent& event = events_[at];
    is_acquired = event.process == events_[read].process && event.action == Action::fence &&
                  (event.flags & flag_acquires) != 0;
  }
  return {write, read, !is_released, !is_acquired};
}

std::string StoryParts::why_not_ordered(std::size_t write, std::size_t access,
                                        const std::vector<MissingEdge>& missing,
                                        const RowOf& row_of) const {
  const auto named = [&](std::size_t at) {
    const RawEvent& event = teller_.raw_.events[at];
    const std::string where = teller_.place(event.stack);
    const auto row = row_of.find(at);
    std::string text(operation_in_words(event));
    if (row != row_of.end()) text += fmt::format(" {}", row->second + 1);
    if (!where.empty()) text += fmt::format(" ({})", where);
    return fmt::format("the {} is {}", text, order_in_words(event));
  };
  std::vector<std::string> reasons;
  for (const MissingEdge& edge : missing) {
    if (edge.not_released) reasons.push_back(named(edge.write));
    if (edge.not_acquired) reasons.push_back(named(edge.read));
  }
  if (!reasons.empty()) return fmt::format("{}", fmt::join(reasons, " and "));
  const RawEvent& newer = teller_.raw_.events[write];
  const RawEvent& older = teller_.raw_.events[access];
  const bool strong = is_strong(newer) && is_strong(older);
  return fmt::format(
      "nothing that {} has seen by then comes from {} after that, and only seq_cst operations are "
      "in one order for all threads ({})",
      teller_.process_name(older.process), teller_.process_name(newer.process),
      strong ? "others around these are not seq_cst" : named(write) + ", " + named(access));
}

void StoryParts::add_memory_remarks(const RowOf& row_of) {
  const MissingOrder order(teller_.raw_.events);
  for (const auto& [access, row] : row_of) {
    const RawEvent& event = teller_.raw_.events[access];
    const auto newest = row_of.find(event.newest);
    if ((event.flags & flag_overtakes) == 0 || newest == row_of.end()) continue;
    if (newest->first >= access) continue;
    std::vector<MissingEdge> missing = order.between(newest->first, access);
    story_.remarks.push_back(
        fmt::format("{} may {} {}; no happens-before from {} to {}: {}", row + 1,
                    event.action == Action::write ? "be put in front of" : "see what is older than",
                    newest->second + 1, newest->second + 1, row + 1,
                    why_not_ordered(newest->first, access, missing, row_of)));
    if (missing.empty()) missing.push_back({newest->first, access, false, false});
    for (const MissingEdge& edge : missing) {
      const auto from = row_of.find(edge.write);
      const auto to = row_of.find(edge.read);
      if (from == row_of.end() || to == row_of.end()) continue;
      story_.rows[to->second].event.not_after.push_back(from->second);
    }
  }
}

void StoryParts::add_signal_fences() {
  const std::vector<std::vector<std::uint64_t>>& fences = teller_.raw_.signal_fences;
  if (fences.empty()) return;
  std::vector<std::string> places;
  for (const auto& stack : fences) {
    std::string place = place_of(teller_.symbols_, stack);
    if (std::find(places.begin(), places.end(), place) == places.end()) {
      places.push_back(std::move(place));
    }
  }
  story_.remarks.push_back(
      fmt::format("atomic_signal_fence ({}) orders nothing between threads, only between a thread "
                  "and its signal "
                  "handlers: with atomic_thread_fence in its place this does not happen",
                  fmt::join(places, ", ")));
}

}  // namespace mazurka::threads
