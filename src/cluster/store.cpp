#include "cluster/store.hpp"

#include <fmt/format.h>

#include <random>

#include "cluster/scripts.hpp"
#include "host/files.hpp"

namespace mazurka::cluster {

namespace {

std::string key_of(const std::string& id) { return "mazurka:" + id; }
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
  words.insert(words.end(), {result.rest, std::to_string(result.tasks), new_name()});
}

Numbers::Named named_of(const Answer& answer) {
  Numbers::Named named;
  for (const auto& [name, value] : answer.pairs()) named.emplace_back(name, std::stoull(value));
  return named;
}

}  // namespace

std::string new_name() {
  std::random_device chance;
  const auto half = [&] { return std::uint64_t{chance()} << 32U | chance(); };
  return threads::hash_text(half());
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

std::optional<View> Store::view(const std::string& id) {
  const Answer answer = connection_.script(scripts::view, {key_of(id)}, {});
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
  view.numbers.explored = view.explored;
  view.numbers.sums = named_of(all.at(11));
  view.numbers.most = named_of(all.at(12));
  for (const Answer& one : all.at(13).list) view.numbers.facts.push_back(one.text);
  view.findings = std::stoull(all.at(14).text);
  view.effort = all.at(15).pairs();
  view.refusals = all.at(16).pairs();
  return view;
}

std::vector<Numbers::Found> Store::findings(const std::string& id) {
  std::vector<Numbers::Found> all;
  const auto ranks = connection_.command({"HGETALL", key_of(id) + ":ranks"}).pairs();
  for (const auto& [key, rank] : ranks) {
    const Answer bytes = connection_.command({"HGET", key_of(id) + ":findings", key});
    if (!bytes.is_nothing()) all.push_back({key, rank, bytes.text});
  }
  return all;
}

void Store::put(const NewSearch& search, const std::string& contents) {
  std::vector<std::string> words{
      search.id,    search.name,    search.binary,   limit_text(search.executions),
      search.about, search.request, search.libraries};
  add_rest(search.first, words);
  add_numbers(search.first.numbers, words);
  while (connection_.script(scripts::put, {key_of(search.id)}, words).text == "binary") {
    (void)connection_.command({"SET", binary_key(search.binary), contents});
  }
}

std::optional<TakenTask> Store::take(const std::string& id, const std::string& slot,
                                     std::chrono::milliseconds silence, std::uint64_t* slots) {
  const Answer answer =
      connection_.script(scripts::take, {key_of(id)}, {slot, std::to_string(silence.count())});
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
  std::vector<std::string> words{task.entry,
                                 task.nonce,
                                 slot,
                                 worker,
                                 std::to_string(result.executions),
                                 std::to_string(result.milliseconds),
                                 result.decision};
  add_rest(result, words);
  add_numbers(result.numbers, words);
  return connection_.script(scripts::finish, {key_of(id)}, words).text == "counted";
}

void Store::release(const std::string& id, const TakenTask& task, const std::string& slot,
                    bool lost) {
  (void)connection_.script(scripts::release, {key_of(id)},
                           {task.entry, task.nonce, slot, new_name(), lost ? "1" : "0"});
}

std::string Store::beat(const std::string& id, const std::string& slot, const std::string& entry) {
  return connection_.script(scripts::beat, {key_of(id)}, {slot, entry}).text;
}

void Store::refuse(const std::string& id, const std::string& worker, const std::string& why) {
  (void)connection_.script(scripts::refuse, {key_of(id)}, {worker, why});
}

void Store::stop(const std::string& id) {
  (void)connection_.script(scripts::stop, {key_of(id)}, {});
}

void Store::go_on(const std::string& id, std::optional<std::uint64_t> executions) {
  (void)connection_.script(scripts::go_on, {key_of(id)}, {limit_text(executions)});
}

bool Store::remove(const std::string& id, const std::string& state) {
  return connection_.script(scripts::remove, {key_of(id)}, {state}).text == "removed";
}

}  // namespace mazurka::cluster
