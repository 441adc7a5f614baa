#include "cluster/numbers.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "core/check.hpp"
#include "core/members.hpp"
#include "host/wire.hpp"

namespace mazurka::cluster {

namespace {

using host::Grounds;
using host::RawFinding;
using host::Reply;

template <typename Owner, typename Member>
struct NamedMember {
  const char* name;
  Member Owner::*member;
};

constexpr std::array<NamedMember<Statistics, std::uint64_t>, 14> added{{
    {"executions", &Statistics::executions},
    {"repeated", &Statistics::repeated},
    {"assumed", &Statistics::assumed},
    {"asleep", &Statistics::asleep},
    {"in_vain", &Statistics::in_vain},
    {"impossible", &Statistics::impossible},
    {"events", &Statistics::events},
    {"spared", &Statistics::spared},
    {"transitions", &Statistics::transitions},
    {"cut", &Statistics::cut},
    {"stalled", &Statistics::stalled},
    {"skipped", &Statistics::skipped},
    {"bad_exits", &Statistics::bad_exits},
    {"left_waiting", &Statistics::left_waiting},
}};
constexpr std::array<NamedMember<Statistics, std::uint64_t>, 3> largest{{
    {"deepest", &Statistics::deepest},
    {"processes", &Statistics::processes},
    {"stored", &Statistics::stored},
}};
constexpr std::array<NamedMember<Grounds, bool>, 9> grounds{{
    {"weak_orders", &Grounds::weak_orders},
    {"sampled", &Grounds::sampled},
    {"chance", &Grounds::chance},
    {"clocks", &Grounds::clocks},
    {"interacted", &Grounds::interacted},
    {"message_races", &Grounds::message_races},
    {"time_matters", &Grounds::time_matters},
    {"went_ahead", &Grounds::went_ahead},
    {"order_matters", &Grounds::order_matters},
}};

// Neither table leaves anything out: `digest`, `exit_code` and `explored` are handled on their own,
// and so are the texts, numbers and objects of the grounds.
static_assert(added.size() + largest.size() + 3 == count_of_members<Statistics>);
static_assert(grounds.size() + 6 == count_of_members<Grounds>);

// A server's sums have 63 bits and do not begin again at 0.
constexpr unsigned half = 32;
constexpr std::uint64_t lower_half = 0xffff'ffffU;

std::string bytes_of(RawFinding finding) {
  finding.story = {};
  Reply alone;
  alone.findings.push_back(std::move(finding));
  return to_text(encode(alone));
}

/// Why orders were taken for stronger ones, with the object because of which: nothing else of it.
std::string strength_of(const Grounds& known) {
  if (known.as_strong.empty()) return {};
  Reply alone;
  alone.grounds.as_strong = known.as_strong;
  alone.grounds.as_strong_object = known.as_strong_object;
  return to_text(encode(alone));
}

void take_over_strength(const std::string& text, Grounds& known) {
  const Grounds told = text.empty() ? Grounds{} : host::decode_reply(to_bytes(text)).grounds;
  known.as_strong = told.as_strong;
  known.as_strong_object = told.as_strong_object;
}

/// The object because of which states were not compared.
std::string object_of(const Grounds& known) {
  if (known.order_object == host::RawObject{}) return {};
  Reply alone;
  alone.grounds.order_object = known.order_object;
  return to_text(encode(alone));
}

/// Facts by what they are about, each with its text.
std::multimap<std::string, std::string> sorted(const std::vector<std::string>& facts) {
  std::multimap<std::string, std::string> all;
  std::vector<std::string> in_order = facts;
  std::sort(in_order.begin(), in_order.end());
  for (const std::string& fact : in_order) {
    const std::size_t colon = fact.find(':');
    all.emplace(fact.substr(0, colon), fact.substr(colon + 1));
  }
  return all;
}

std::string first_text(const std::multimap<std::string, std::string>& facts, const char* about) {
  const auto found = facts.lower_bound(about);
  return found == facts.end() || found->first != about ? "" : found->second;
}

void take_over_facts(const Numbers& whole, Reply& reply) {
  const auto facts = sorted(whole.facts);
  for (const auto& one : grounds) reply.grounds.*one.member = facts.contains(one.name);
  take_over_strength(first_text(facts, "as_strong"), reply.grounds);
  reply.grounds.unordered = first_text(facts, "unordered");
  reply.grounds.unexplored = first_text(facts, "unexplored");
  const std::string unseen = first_text(facts, "unseen_at");
  reply.grounds.unseen_at = unseen.empty() ? 0 : std::stoull(unseen);
  const std::string object = first_text(facts, "order_object");
  reply.grounds.order_object = object.empty()
                                   ? host::RawObject{}
                                   : host::decode_reply(to_bytes(object)).grounds.order_object;
  const std::string code = first_text(facts, "exit_code");
  reply.statistics.exit_code = code.empty() ? 0 : std::stoull(code);
  reply.notes.clear();
  const auto notes = facts.equal_range("note");
  for (auto one = notes.first; one != notes.second; ++one) reply.notes.push_back(one->second);
}

void take_over_accepted(const std::string& name, std::uint64_t executions, Reply& reply) {
  const std::size_t colon = name.find(':');
  if (colon == std::string::npos || !name.starts_with("accepted ")) return;
  const auto suppression = static_cast<std::uint32_t>(std::stoul(name.substr(9, colon - 9)));
  reply.accepted.push_back({suppression, name.substr(colon + 1), executions});
}

}  // namespace

std::string to_text(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::vector<std::byte> to_bytes(const std::string& text) {
  const auto* begin = reinterpret_cast<const std::byte*>(text.data());
  return {begin, begin + text.size()};
}

std::string rank_of(const Finding& finding) {
  const auto padded = [](std::uint64_t number, std::size_t width) {
    const std::string digits = std::to_string(number);
    return std::string(width - std::min(width, digits.size()), '0') + digits;
  };
  std::string rank = padded(finding.schedule.size(), 10);
  for (const Decision& one : finding.schedule) {
    rank += " " + padded(index(one.process), 4) + "." + padded(one.choice, 5);
  }
  return rank;
}

Numbers numbers_of(const Reply& reply, const std::vector<std::string>& notes) {
  Numbers numbers;
  numbers.explored = reply.rest.explored;
  const Statistics& counts = reply.statistics;
  for (const auto& one : added) numbers.sums.emplace_back(one.name, counts.*one.member);
  numbers.sums.emplace_back("digest_low", counts.digest & lower_half);
  numbers.sums.emplace_back("digest_high", counts.digest >> half);
  for (const host::AcceptedRace& one : reply.accepted) {
    numbers.sums.emplace_back("accepted " + std::to_string(one.suppression) + ":" + one.race,
                              one.executions);
  }
  for (const auto& one : largest) numbers.most.emplace_back(one.name, counts.*one.member);
  numbers.most.emplace_back("peak_memory", reply.peak_memory);
  for (const auto& one : grounds) {
    if (reply.grounds.*one.member) numbers.facts.emplace_back(one.name);
  }
  const auto say = [&](const char* about, const std::string& text) {
    if (!text.empty()) numbers.facts.push_back(about + (":" + text));
  };
  say("as_strong", strength_of(reply.grounds));
  say("unordered", reply.grounds.unordered);
  say("unexplored", reply.grounds.unexplored);
  if (reply.grounds.unseen_at != 0) say("unseen_at", std::to_string(reply.grounds.unseen_at));
  say("order_object", object_of(reply.grounds));
  if (counts.bad_exits > 0) say("exit_code", std::to_string(counts.exit_code));
  for (const std::string& note : reply.notes) say("note", note);
  for (const std::string& note : notes) say("note", note);
  for (const RawFinding& one : reply.findings) {
    MAZURKA_CHECK(!one.finding.key.empty(), "a finding is known by its key");
    numbers.findings.push_back({one.finding.key, rank_of(one.finding), bytes_of(one)});
  }
  return numbers;
}

void take_over(const Numbers& whole, Reply& reply) {
  reply.statistics = {};
  reply.accepted.clear();
  reply.findings.clear();
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  for (const auto& [name, value] : whole.sums) {
    for (const auto& one : added) {
      if (name == one.name) reply.statistics.*one.member = value;
    }
    if (name == "digest_low") low = value;
    if (name == "digest_high") high = value;
    take_over_accepted(name, value, reply);
  }
  reply.statistics.digest = low + (high << half);
  for (const auto& [name, value] : whole.most) {
    for (const auto& one : largest) {
      if (name == one.name) reply.statistics.*one.member = value;
    }
    if (name == "peak_memory") reply.peak_memory = value;
  }
  take_over_facts(whole, reply);
  std::vector<Numbers::Found> findings = whole.findings;
  std::sort(findings.begin(), findings.end(), [](const auto& one, const auto& other) {
    return std::pair(one.rank, one.key) < std::pair(other.rank, other.key);
  });
  for (const Numbers::Found& one : findings) {
    Reply alone = host::decode_reply(to_bytes(one.bytes));
    for (RawFinding& found : alone.findings) reply.findings.push_back(std::move(found));
  }
}

}  // namespace mazurka::cluster
