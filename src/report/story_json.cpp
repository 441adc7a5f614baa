#include "report/story_json.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/check.hpp"

namespace mazurka::report {

namespace {

template <typename Number>
Json or_null(const std::optional<Number>& number) {
  return number ? Json(*number) : Json(nullptr);
}

/// Only what there is to say: most rows have little of it.
Json event_json(const StoryEvent& event) {
  Json result{{"op", name(event.deed)}};
  if (event.object) result["object"] = *event.object;
  if (event.mutex) result["mutex"] = *event.mutex;
  if (!event.value.empty()) result["value"] = event.value;
  if (!event.peers.empty()) result["peers"] = event.peers;
  if (!event.after.empty()) result["after"] = event.after;
  if (!event.not_after.empty()) result["not_after"] = event.not_after;
  if (event.woken_by) result["woken_by"] = *event.woken_by;
  for (const StoryMove& move : event.moves) {
    result["moves"].push_back({move.automaton, move.from, move.to});
  }
  if (event.switched != SwitchKind::none) result["switch"] = name(event.switched);
  if (event.left_out > 0) result["left_out"] = event.left_out;
  return result;
}

Json row_json(const StoryRow& row) {
  return {{"process", row.process},
          {"action", row.action},
          {"place", row.place},
          {"stack", row.stack},
          {"read_from", or_null(row.read_from)},
          {"overtakes", or_null(row.overtakes)},
          {"switch_reason", row.switch_reason},
          {"failing", row.failing},
          {"decision", row.decision},
          {"no_return", row.no_return},
          {"source", row.source},
          {"folded", row.folded},
          {"from", or_null(row.from)},
          {"event", event_json(row.event)}};
}

Json stop_json(const StoryStop& stop) {
  return {{"process", stop.process},
          {"reason", stop.reason},
          {"place", stop.place},
          {"stack", stop.stack},
          {"object", or_null(stop.object)},
          {"holder", or_null(stop.holder)},
          {"held_since", or_null(stop.held_since)}};
}

Json automaton_json(const StoryAutomaton& automaton) {
  Json edges = Json::array();
  for (const StoryAutomaton::Edge& edge : automaton.edges) {
    edges.push_back({edge.from, edge.action, edge.to});
  }
  return {{"name", automaton.name},
          {"server", automaton.server},
          {"locations", automaton.locations},
          {"initial", automaton.initial},
          {"edges", edges}};
}

template <typename Items, typename Write>
Json list_json(const Items& items, Write write) {
  Json list = Json::array();
  for (const auto& item : items) list.push_back(write(item));
  return list;
}

}  // namespace

Json story_json(const Story& story) {
  const auto object = [](const StoryObject& one) {
    return Json{{"name", one.name}, {"type", name(one.type)}};
  };
  const auto delay = [](const StoryDelay& one) {
    return Json{{"process", one.process},
                {"from", one.from},
                {"to", or_null(one.to)},
                {"reason", one.reason}};
  };
  MAZURKA_CHECK(
      std::all_of(story.rows.begin(), story.rows.end(),
                  [&](const StoryRow& row) { return row.process < story.processes.size(); }),
      "a row is that of a process of the story");
  return {{"layout", story.layout == StoryLayout::chart ? "chart" : "table"},
          {"processes", story.processes},
          {"rows", list_json(story.rows, row_json)},
          {"endings", story.endings},
          {"remarks", story.remarks},
          {"drawing", story.drawing},
          {"summary", story.summary},
          {"switches", or_null(story.switches)},
          {"fewest", story.fewest},
          {"objects", list_json(story.objects, object)},
          {"delays", list_json(story.delays, delay)},
          {"stuck", list_json(story.stuck, stop_json)},
          {"automata", list_json(story.automata, automaton_json)}};
}

}  // namespace mazurka::report
