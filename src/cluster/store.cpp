#include "cluster/store.hpp"

#include <fmt/format.h>

#include <map>
#include <random>
#include <string_view>

#include "cluster/scripts.hpp"
#include "core/check.hpp"
#include "host/files.hpp"

namespace mazurka::cluster {

namespace {

std::string binary_key(const std::string& name) { return "mazurka:binary:" + name; }

std::string limit_text(std::optional<std::uint64_t> executions) {
  return executions ? std::to_string(*executions) : "";
}

void add_named(const Numbers::Named& named, std::vector<std::string>& words) {
  words.push_back(std::to_string(named.size()));
  for (const auto& [name, value] : named) {
    words.push_back(name);
    words.push_back(std::to_string(value));
  }
}

/// In the order in which the scripts' `add` reads them.
void add_numbers(const Numbers& numbers, std::vector<std::string>& words) {
  MAZURKA_CHECK(numbers.explored >= 0, "what was explored is a part of the whole");
  words.push_back(fmt::format("{:.17f}", numbers.explored));
  add_named(numbers.sums, words);
  add_named(numbers.most, words);
  words.push_back(std::to_string(numbers.facts.size()));
  words.insert(words.end(), numbers.facts.begin(), numbers.facts.end());
  words.push_back(std::to_string(numbers.findings.size()));
  for (const Numbers::Found& one : numbers.findings) {
    words.insert(words.end(), {one.key, one.rank, one.bytes});
  }
}

void add_rest(const Result& result, std::vector<std::string>& words) {
  MAZURKA_CHECK((result.tasks == 0) == result.rest.empty(), "what is left consists of tasks");
  words.insert(words.end(), {result.rest, std::to_string(result.tasks), new_name()});
}

Numbers::Named named_of(const Answer& answer) {
  Numbers::Named named;
  for (const auto& [name, value] : answer.pairs()) named.emplace_back(name, std::stoull(value));
  return named;
}

Numbers numbers_in(const Answer& sums, const Answer& most, const Answer& facts) {
  Numbers numbers;
  numbers.sums = named_of(sums);
  numbers.most = named_of(most);
  for (const auto& [fact, nothing] : facts.pairs()) numbers.facts.push_back(fact);
  return numbers;
}

std::vector<Numbers::Found> findings_of(const Answer& ranks, const Answer& findings) {
  const auto all_bytes = findings.pairs();
  const std::map<std::string, std::string> bytes(all_bytes.begin(), all_bytes.end());
  std::vector<Numbers::Found> all;
  for (const auto& [key, rank] : ranks.pairs()) all.push_back({key, rank, bytes.at(key)});
  return all;
}

constexpr std::string_view gone = "LOST ";
constexpr std::string_view damaged = "damaged: ";
constexpr unsigned most_attempts = 5;

}  // namespace

Damaged::Damaged(const Address& address, const std::string& search, std::string key)
    : InputError("the search " + search + " on " + address.shown() + " is damaged: its key " + key +
                 " is gone, or a part of it; a server that keeps searches must not throw keys away "
                 "(maxmemory-policy noeviction)"),
      key_(std::move(key)) {}

std::string damaged_state(const std::string& key) { return std::string(damaged) + key; }

std::optional<std::string> key_of_damage(const std::string& state) {
  if (!state.starts_with(damaged)) return std::nullopt;
  return state.substr(damaged.size());
}

std::string new_name() {
  std::random_device chance;
  const auto half = [&] { return std::uint64_t{chance()} << 32U | chance(); };
  return host::hash_text(half());
}

std::uint64_t View::sum(const std::string& name) const {
  for (const auto& [one, value] : numbers.sums) {
    if (one == name) return value;
  }
  return 0;
}

Store::Store(const Address& address, Connection::Patience patience)
    : connection_(address, std::move(patience)) {}

std::vector<std::string> Store::searches() {
  std::vector<std::string> all;
  for (const Answer& one : connection_.command({"SMEMBERS", "mazurka:searches"}).list) {
    all.push_back(one.text);
  }
  return all;
}

std::optional<std::string> Store::current(const std::string& name) {
  const Answer answer = connection_.command({"GET", "mazurka:current:" + name});
  return answer.is_nothing() ? std::nullopt : std::optional(answer.text);
}

std::optional<std::string> Store::field(const std::string& id, const std::string& name) {
  const Answer answer = connection_.command({"HGET", key_of(id), name});
  return answer.is_nothing() ? std::nullopt : std::optional(answer.text);
}

std::optional<std::string> Store::binary(const std::string& name) {
  const Answer answer = connection_.command({"GET", binary_key(name)});
  return answer.is_nothing() ? std::nullopt : std::optional(answer.text);
}

/// What a script does to a search.
Answer Store::perform(const std::string& script, const std::string& id,
                      const std::vector<std::string>& words) {
  try {
    return connection_.script(script, {key_of(id)}, words);
  } catch (const ServerRefuses& refusal) {
    if (!refusal.why().starts_with(gone)) throw;
    throw Damaged(connection_.address(), id, refusal.why().substr(gone.size()));
  }
}

std::optional<View> Store::view(const std::string& id) { return view(id, "short"); }

std::optional<View> Store::whole(const std::string& id) {
  std::optional<View> view = this->view(id, "whole");
  const bool ended = view && view->state == "over" && !view->decision;
  if (ended && view->waiting + view->running > 0) {
    throw Damaged(connection_.address(), id, key_of(id));
  }
  return view;
}

std::optional<View> Store::view(const std::string& id, const char* how) {
  const Answer answer = perform(scripts::view, id, {how});
  if (answer.is_nothing()) return std::nullopt;
  const std::vector<Answer>& all = answer.list;
  View view;
  view.state = all.at(0).text;
  if (all.size() == 1) return view;
  view.id = all.at(1).text;
  view.about = all.at(2).text;
  if (!all.at(3).text.empty()) view.left = std::stoll(all.at(3).text);
  view.explored = std::stod(all.at(4).text);
  view.taken_over = std::stoull(all.at(6).text);
  view.seconds = std::stod(all.at(7).text) - std::stod(all.at(5).text);
  view.waiting = std::stoull(all.at(8).text);
  view.running = std::stoull(all.at(9).text);
  view.slots = std::stoull(all.at(10).text);
  view.lent = std::stoull(all.at(11).text);
  if (!all.at(12).is_nothing()) view.decision = all.at(12).text;
  view.numbers = numbers_in(all.at(13), all.at(14), all.at(15));
  view.numbers.explored = view.explored;
  view.numbers.findings = findings_of(all.at(16), all.at(17));
  view.findings = view.numbers.findings.size();
  view.effort = all.at(18).pairs();
  view.refusals = all.at(19).pairs();
  return view;
}

void Store::put(const NewSearch& search, const std::string& contents) {
  MAZURKA_CHECK(!search.id.empty() && search.first.tasks > 0,
                "a search is put where others find it if something is left of it");
  std::vector<std::string> words{
      search.id,    search.name,    search.binary,    limit_text(search.executions),
      search.about, search.request, search.libraries, std::to_string(search.first.executions)};
  add_rest(search.first, words);
  add_numbers(search.first.numbers, words);
  for (unsigned attempts = 0; perform(scripts::put, search.id, words).text == "binary";) {
    if (++attempts > most_attempts) {
      throw Damaged(connection_.address(), search.id, binary_key(search.binary));
    }
    (void)connection_.command({"SET", binary_key(search.binary), contents});
  }
}

std::optional<TakenTask> Store::take(const std::string& id, const std::string& slot,
                                     std::chrono::milliseconds silence, std::uint64_t* slots) {
  const Answer answer = perform(scripts::take, id, {slot, std::to_string(silence.count())});
  if (answer.kind != Answer::Kind::list) {
    if (slots != nullptr) *slots = static_cast<std::uint64_t>(answer.number);
    return std::nullopt;
  }
  const std::vector<Answer>& all = answer.list;
  TakenTask task;
  task.entry = all.at(0).text;
  task.nonce = all.at(1).text;
  task.rest = all.at(2).text;
  task.part = static_cast<std::uint32_t>(std::stoul(all.at(3).text));
  task.parts = static_cast<std::uint32_t>(std::stoul(all.at(4).text));
  task.budget = std::stoull(all.at(5).text);
  task.slice = std::chrono::milliseconds(std::stoll(all.at(6).text));
  task.losses = static_cast<unsigned>(std::stoul(all.at(7).text));
  return task;
}

bool Store::finish(const std::string& id, const TakenTask& task, const std::string& slot,
                   const std::string& worker, const Result& result) {
  MAZURKA_CHECK(!task.entry.empty() && !task.nonce.empty(), "a task is finished that was taken");
  std::vector<std::string> words{task.entry,
                                 task.nonce,
                                 slot,
                                 worker,
                                 std::to_string(result.milliseconds),
                                 result.decision,
                                 std::to_string(result.executions)};
  add_rest(result, words);
  add_numbers(result.numbers, words);
  return perform(scripts::finish, id, words).text == "counted";
}

void Store::release(const std::string& id, const TakenTask& task, const std::string& slot,
                    bool lost) {
  (void)perform(scripts::release, id, {task.entry, task.nonce, slot, new_name(), lost ? "1" : "0"});
}

std::string Store::beat(const std::string& id, const std::string& slot, const std::string& entry) {
  return perform(scripts::beat, id, {slot, entry}).text;
}

void Store::refuse(const std::string& id, const std::string& worker, const std::string& why) {
  (void)perform(scripts::refuse, id, {worker, why});
}

void Store::stop(const std::string& id) { (void)perform(scripts::stop, id, {}); }

void Store::go_on(const std::string& id, std::optional<std::uint64_t> executions) {
  (void)perform(scripts::go_on, id, {limit_text(executions)});
}

bool Store::remove(const std::string& id, const std::string& state) {
  return perform(scripts::remove, id, {id, state}).text == "removed";
}

void Store::clear_away(const std::string& id, const std::string& state) {
  (void)remove(id, state);
  for (std::string cursor = "0";;) {
    const Answer found =
        connection_.command({"SCAN", cursor, "MATCH", key_of(id) + ":*", "COUNT", "1000"});
    for (const Answer& key : found.list.at(1).list) (void)connection_.command({"DEL", key.text});
    cursor = found.list.at(0).text;
    if (cursor == "0") return;
  }
}

std::string Store::warning() {
  const std::string server = connection_.address().shown();
  const std::string name = "maxmemory_policy:";
  std::string about;
  try {
    about = connection_.command({"INFO", "memory"}).text;
  } catch (const ServerRefuses&) {
    return "whether " + server +
           " throws keys away when its memory is full can not be told: we may not ask (INFO); a "
           "search that loses one ends with an error";
  }
  const std::size_t at = about.find(name);
  if (at == std::string::npos) return {};
  const std::size_t from = at + name.size();
  const std::string policy = about.substr(from, about.find_first_of("\r\n", from) - from);
  if (policy == "noeviction") return {};
  return server + " throws keys away when its memory is full (maxmemory-policy " + policy +
         "), and a search that loses one ends with an error; set noeviction, or use a server of "
         "its own";
}

}  // namespace mazurka::cluster
