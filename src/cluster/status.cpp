#include "cluster/status.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "cluster/description.hpp"
#include "cluster/store.hpp"
#include "core/shown_text.hpp"
#include "host/files.hpp"

namespace mazurka::cluster {

using nlohmann::json;

namespace {

struct Effort {
  std::uint64_t tasks = 0;
  std::uint64_t executions = 0;
  std::uint64_t milliseconds = 0;

  [[nodiscard]] double rate() const {
    return milliseconds == 0
               ? 0
               : 1000.0 * static_cast<double>(executions) / static_cast<double>(milliseconds);
  }
};

std::map<std::string, Effort> effort_of(const View& view) {
  std::map<std::string, Effort> all;
  for (const auto& [name, value] : view.effort) {
    const std::size_t bar = name.rfind('|');
    Effort& one = all[name.substr(0, bar)];
    const std::string what = name.substr(bar + 1);
    std::uint64_t& member = what == "tasks"        ? one.tasks
                            : what == "executions" ? one.executions
                                                   : one.milliseconds;
    member = std::stoull(value);
  }
  return all;
}

double rate_of(const View& view) {
  return view.seconds <= 0 ? 0 : static_cast<double>(view.sum("executions")) / view.seconds;
}

/// Seconds; negative: not known.
double left_of(const View& view) {
  if (view.state != "running" || view.explored <= 0.001 || view.seconds <= 0) return -1;
  return view.seconds * std::max(0.0, 1 - view.explored) / view.explored;
}

/// A search as it is told; of one that is damaged, only why.
struct Seen {
  std::string id;
  View view;
  Description about;
  std::string damage;
};

std::optional<Seen> seen(Store& store, const std::string& id) {
  Seen one;
  one.id = id;
  try {
    std::optional<View> view = store.view(id);
    if (!view || !view->is_known()) return std::nullopt;
    one.view = std::move(*view);
    one.about = description_from(one.view.about);
  } catch (const ConnectionLost&) {
    throw;
  } catch (const std::exception& why) {
    one.damage = why.what();
  }
  return one;
}

std::vector<Seen> all_seen(Store& store) {
  std::vector<Seen> all;
  std::vector<std::string> ids = store.searches();
  std::sort(ids.begin(), ids.end());
  for (const std::string& id : ids) {
    if (std::optional<Seen> one = seen(store, id)) all.push_back(std::move(*one));
  }
  return all;
}

Store reach(const Address& address) {
  return {address, {[] { return true; }, nullptr}};
}

std::uint64_t slots_of(Store& store) {
  const std::string now = store.connection().command({"TIME"}).list.at(0).text;
  const std::string from = std::to_string(std::stoll(now) - 15);
  const Answer answer = store.connection().command({"ZCOUNT", "mazurka:slots", from, "+inf"});
  return static_cast<std::uint64_t>(answer.number);
}

std::string text_of(const Seen& one) {
  if (!one.damage.empty()) return fmt::format("\n{}: damaged\n  {}\n", one.id, one.damage);
  const auto& [id, view, about, damage] = one;
  std::string text = fmt::format("\n{}: {}\n", id, view.state);
  text += fmt::format("  {} ({}), by {} on {}, for {:.0f} s\n", about.program, about.technique,
                      about.user, about.host, view.seconds);
  text += fmt::format("  {} executions, {:.0f} per second; {}\n", view.sum("executions"),
                      rate_of(view), plural(view.findings, "finding"));
  text += fmt::format("  tasks: {} at work, {} waiting, {} taken over from others\n", view.running,
                      view.waiting, view.taken_over);
  if (const double left = left_of(view); left >= 0) {
    text +=
        fmt::format("  estimate: {:.1f} % explored, {:.0f} s left\n", 100 * view.explored, left);
  }
  for (const auto& [worker, effort] : effort_of(view)) {
    text += fmt::format("  worker {}: {}, {} executions, {:.0f} per second\n", worker,
                        plural(effort.tasks, "task"), effort.executions, effort.rate());
  }
  for (const auto& [worker, why] : view.refusals) {
    text += fmt::format("  worker {} does not take part: {}\n", worker, why);
  }
  return text;
}

json json_of(const Seen& one) {
  if (!one.damage.empty()) return {{"id", one.id}, {"state", "damaged"}, {"why", one.damage}};
  const auto& [id, view, about, damage] = one;
  json workers = json::array();
  for (const auto& [worker, effort] : effort_of(view)) {
    workers.push_back({{"name", worker},
                       {"tasks", effort.tasks},
                       {"executions", effort.executions},
                       {"executions_per_second", effort.rate()}});
  }
  json refusals = json::array();
  for (const auto& [worker, why] : view.refusals) {
    refusals.push_back({{"name", worker}, {"why", why}});
  }
  json search{
      {"id", id},
      {"state", view.state},
      {"program", about.program},
      {"technique", about.technique},
      {"user", about.user},
      {"host", about.host},
      {"seconds", view.seconds},
      {"executions", view.sum("executions")},
      {"executions_per_second", rate_of(view)},
      {"findings", view.findings},
      {"tasks",
       {{"at_work", view.running}, {"waiting", view.waiting}, {"taken_over", view.taken_over}}},
      {"explored", view.explored},
      {"workers", workers},
      {"refusals", refusals}};
  if (const double left = left_of(view); left >= 0) search["seconds_left"] = left;
  return search;
}

/// Whether it was there.
bool remove_whole(Store& store, const std::string& id) {
  const std::optional<Seen> one = seen(store, id);
  if (!one) return false;
  if (one->damage.empty()) return store.remove(id, "cancelled");
  store.clear_away(id, "cancelled");
  return true;
}

template <typename Deed>
std::string at_server(const Address& address, const Deed& deed) {
  try {
    Store store = reach(address);
    return deed(store);
  } catch (const ConnectionLost& lost) {
    throw host::InputError(lost.what());
  }
}

}  // namespace

std::string status_text(const Address& address) {
  return at_server(address, [&](Store& store) {
    const std::vector<Seen> all = all_seen(store);
    std::string text =
        fmt::format("{}: {}, {} of workers\n", address.shown(),
                    all.size() == 1 ? "1 search" : fmt::format("{} searches", all.size()),
                    plural(slots_of(store), "job"));
    for (const Seen& one : all) text += text_of(one);
    return text;
  });
}

std::string status_json(const Address& address) {
  return at_server(address, [&](Store& store) {
    json searches = json::array();
    for (const Seen& one : all_seen(store)) searches.push_back(json_of(one));
    const json all{{"server", address.shown()}, {"jobs", slots_of(store)}, {"searches", searches}};
    return all.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
  });
}

std::string cancel(const Address& address, const std::string& id) {
  return at_server(address, [&](Store& store) {
    const std::vector<std::string> ids = id.empty() ? store.searches() : std::vector{id};
    std::string text;
    for (const std::string& one : ids) {
      if (!remove_whole(store, one)) {
        throw host::InputError("there is no search " + one + " on " + address.shown() +
                               "; see: mazurka status " + address.shown());
      }
      text += "search " + one + " is cancelled\n";
    }
    return text.empty() ? "there are no searches on " + address.shown() + "\n" : text;
  });
}

}  // namespace mazurka::cluster
