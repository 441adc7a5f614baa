// The ways to explore, as switches; the ones with a name in one table.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "explorers/stateful/frontier.hpp"
#include "explorers/stateful/system.hpp"

namespace mazurka::stateful {

/// Which enabled actions of a node are considered at all.
enum class Source : std::uint8_t {
  enabled,
  lex_closure,      // the closure of the smallest enabled action
  min_closure,      // the smallest closure of an action that is awake
  min_closure_any,  // the smallest closure of an enabled action, asleep or not
  persistent,       // the smallest persistent set
};

/// What is asked before a node is created: could anything new come from it?
enum class Test : std::uint8_t {
  awake,  // some enabled action is not asleep
  rpifs,
  pifs,
  exact,  // the oracle of the ideal algorithm: small systems only
};

enum class Choice : std::uint8_t {
  smallest,
  promising,  // the action whose own first-set closure is largest (the paper's ChooseAction)
};

/// When the successors of a node are made.
enum class Expansion : std::uint8_t {
  together,    // all at once, then pushed: what the paper's tool does
  one_by_one,  // each is explored before the next is made: a true recursion
};

struct Variant {
  std::string_view name;
  std::string_view summary;
  bool reduced = true;  // false: every reachable state
  Source source = Source::enabled;
  Test test = Test::awake;
  Choice choice = Choice::smallest;
  bool sleep = true;  // nodes keep sleep sets; without, a node is a state
  Expansion expansion = Expansion::together;
  bool in_paper = false;
};

[[nodiscard]] std::span<const Variant> variants();
[[nodiscard]] const Variant* find_variant(std::string_view name);

/// One entry of a portfolio: a variant and the order of actions it is run with.
struct Entry {
  const Variant* variant = nullptr;
  Order order = Order::declared;
  Exploration exploration = Exploration::depth_first;
};
/// How the user calls the order of the entry: that of actions, or of exploration.
[[nodiscard]] std::string_view order_name(const Entry& entry);
/// The variant in the order of that name; nothing if there is none.
[[nodiscard]] std::optional<Entry> find_entry(std::string_view variant, std::string_view order);
/// Why nodes can not be expanded in that order with the variant; empty if they can.
[[nodiscard]] std::string_view why_not(const Variant& variant, Exploration exploration);
/// What `auto` tries, each with a growing budget of nodes, until one of them finishes.
[[nodiscard]] std::span<const Entry> portfolio();

[[nodiscard]] std::string_view name(Order order);
[[nodiscard]] std::vector<std::string_view> order_names();

}  // namespace mazurka::stateful
