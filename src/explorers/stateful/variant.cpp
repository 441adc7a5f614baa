#include "explorers/stateful/variant.hpp"

#include <algorithm>
#include <array>

namespace mazurka::stateful {

namespace {

using enum Source;
using enum Expansion;

constexpr std::array<Variant, 12> table{{
    {"reach", "every reachable state, no reduction", false, enabled, Test::awake, Choice::smallest,
     false, together, true},
    {"pset+sleep", "persistent sets and sleep sets", true, persistent, Test::awake,
     Choice::smallest, true, together, true},
    {"full+sleep", "smallest closure, PIFS, most promising action first, sleep sets", true,
     min_closure, Test::pifs, Choice::promising, true, together, true},
    {"full-sleep", "the same without sleep sets in the nodes", true, min_closure, Test::pifs,
     Choice::promising, false, together, true},
    {"minclosure+sleep", "smallest closure and sleep sets, no PIFS", true, min_closure, Test::awake,
     Choice::smallest, true, together, true},
    {"apifs+sleep", "PIFS and most promising action first, no closure", true, enabled, Test::pifs,
     Choice::promising, true, together, true},
    {"pifs", "PIFS alone, smallest action first, true recursion", true, enabled, Test::pifs,
     Choice::smallest, true, one_by_one, false},
    {"rpifs", "the same with rPIFS, which is weaker and cheaper", true, enabled, Test::rpifs,
     Choice::smallest, true, one_by_one, false},
    {"closure", "smallest closure, PIFS, smallest action first, true recursion", true,
     min_closure_any, Test::pifs, Choice::smallest, true, one_by_one, false},
    {"lexclosure", "closure of the smallest action, PIFS, true recursion", true, lex_closure,
     Test::pifs, Choice::smallest, true, one_by_one, false},
    {"closure-sleep", "smallest closure and PIFS, nodes without sleep sets", true, min_closure,
     Test::pifs, Choice::smallest, false, one_by_one, false},
    {"ideal", "an exact oracle instead of PIFS, for small systems", true, enabled, Test::exact,
     Choice::smallest, true, one_by_one, false},
}};

constexpr const Variant* variant(std::string_view name) {
  for (const Variant& candidate : table) {
    if (candidate.name == name) return &candidate;
  }
  return nullptr;
}

constexpr std::array<Entry, 6> entries{{
    {variant("closure"), Order::declared},
    {variant("pifs"), Order::declared},
    {variant("pifs"), Order::reversed_clients},
    {variant("closure"), Order::reversed_clients},
    {variant("closure-sleep"), Order::declared},
    {variant("full-sleep"), Order::declared},
}};

constexpr std::array<std::pair<std::string_view, Order>, 4> orders{{
    {"declared", Order::declared},
    {"reversed", Order::reversed},
    {"reversed-clients", Order::reversed_clients},
    {"shuffled", Order::shuffled},
}};

constexpr std::array<std::pair<std::string_view, Exploration>, 2> explorations{{
    {"breadth-first", Exploration::breadth_first},
    {"priority", Exploration::priority},
}};

}  // namespace

std::span<const Variant> variants() { return table; }
const Variant* find_variant(std::string_view name) { return variant(name); }
std::span<const Entry> portfolio() { return entries; }

std::string_view name(Order order) {
  for (const auto& [text, value] : orders) {
    if (value == order) return text;
  }
  return "unknown";
}

std::string_view order_name(const Entry& entry) {
  for (const auto& [text, value] : explorations) {
    if (value == entry.exploration) return text;
  }
  return name(entry.order);
}

std::optional<Entry> find_entry(std::string_view variant_name, std::string_view order) {
  Entry entry{variant(variant_name)};
  if (entry.variant == nullptr) return std::nullopt;
  for (const auto& [text, value] : orders) {
    if (text != order) continue;
    entry.order = value;
    return entry;
  }
  for (const auto& [text, value] : explorations) {
    if (text != order) continue;
    entry.exploration = value;
    return entry;
  }
  return std::nullopt;
}

std::string_view why_not(const Variant& variant, Exploration exploration) {
  if (exploration == Exploration::depth_first) return {};
  if (!variant.reduced) {
    if (exploration == Exploration::breadth_first) return {};  // it is
    return "it visits all states level by level; use pset+sleep, full+sleep or the like";
  }
  if (variant.expansion == Expansion::one_by_one) {
    return "it explores each successor before it makes the next one; use pset+sleep, full+sleep, "
           "minclosure+sleep or apifs+sleep";
  }
  if (exploration == Exploration::priority && !variant.sleep) {
    return "its nodes have no sleep sets, so none of them comes before another";
  }
  return {};
}

std::vector<std::string_view> order_names() {
  std::vector<std::string_view> names;
  for (const auto& [text, value] : orders) names.push_back(text);
  for (const auto& [text, value] : explorations) names.push_back(text);
  return names;
}

}  // namespace mazurka::stateful
