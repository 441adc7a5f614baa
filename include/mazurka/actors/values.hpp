// Values without reflection: hash, compare and print what an actor holds or a message carries.
//
// An aggregate is taken apart by a structured binding as long as its number of members, which is
// found by trying how many initialisers it takes. Ranges, tuples, optionals and whatever has
// std::hash work as they are; any other class can offer `std::size_t hash() const`.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace mazurka::actors {

/// Names of actors, for printing references to them.
class Names {
 public:
  virtual ~Names() = default;
  [[nodiscard]] virtual std::string name_of(std::uint32_t actor) const = 0;
};

namespace detail {

// --- how many members an aggregate has -----------------------------------------------------------

struct Anything {
  template <typename T>
  operator T() const noexcept;  // NOLINT: only ever named, never called
};

template <std::size_t>
using AnythingAt = Anything;

template <typename T, std::size_t... I>
constexpr bool takes(std::index_sequence<I...>) {
  return requires { T{AnythingAt<I>{}...}; };
}

inline constexpr std::size_t most_members = 12;

template <typename T, std::size_t Tried = most_members>
constexpr std::size_t member_count() {
  if constexpr (takes<T>(std::make_index_sequence<Tried>{})) {
    return Tried;
  } else if constexpr (Tried > 0) {
    return member_count<T, Tried - 1>();
  } else {
    return 0;
  }
}

/// Calls visit(members...) with references to all members of an aggregate.
template <typename T, typename Visit>
constexpr decltype(auto) with_members(T& value, Visit&& visit) {
  static_assert(!takes<std::remove_const_t<T>>(std::make_index_sequence<most_members + 1>{}),
                "a class of more than twelve members needs operator== and hash() of its own");
  constexpr std::size_t count = member_count<std::remove_const_t<T>>();
  if constexpr (count == 0) {
    return visit();
  } else if constexpr (count == 1) {
    auto& [a] = value;
    return visit(a);
  } else if constexpr (count == 2) {
    auto& [a, b] = value;
    return visit(a, b);
  } else if constexpr (count == 3) {
    auto& [a, b, c] = value;
    return visit(a, b, c);
  } else if constexpr (count == 4) {
    auto& [a, b, c, d] = value;
    return visit(a, b, c, d);
  } else if constexpr (count == 5) {
    auto& [a, b, c, d, e] = value;
    return visit(a, b, c, d, e);
  } else if constexpr (count == 6) {
    auto& [a, b, c, d, e, f] = value;
    return visit(a, b, c, d, e, f);
  } else if constexpr (count == 7) {
    auto& [a, b, c, d, e, f, g] = value;
    return visit(a, b, c, d, e, f, g);
  } else if constexpr (count == 8) {
    auto& [a, b, c, d, e, f, g, h] = value;
    return visit(a, b, c, d, e, f, g, h);
  } else if constexpr (count == 9) {
    auto& [a, b, c, d, e, f, g, h, i] = value;
    return visit(a, b, c, d, e, f, g, h, i);
  } else if constexpr (count == 10) {
    auto& [a, b, c, d, e, f, g, h, i, j] = value;
    return visit(a, b, c, d, e, f, g, h, i, j);
  } else if constexpr (count == 11) {
    auto& [a, b, c, d, e, f, g, h, i, j, k] = value;
    return visit(a, b, c, d, e, f, g, h, i, j, k);
  } else {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l] = value;
    return visit(a, b, c, d, e, f, g, h, i, j, k, l);
  }
}

// --- what kind of value it is -------------------------------------------------------------------

template <typename T>
concept OwnHash = requires(const T& value) {
  { value.hash() } -> std::convertible_to<std::size_t>;
};
template <typename T>
concept Range = requires(const T& value) {
  value.begin();
  value.end();
};
template <typename T>
concept Unordered = Range<T> && requires {
  typename T::hasher;
};
template <typename T>
concept Optional = requires(const T& value) {
  value.has_value();
  *value;
};
template <typename T>
concept TupleLike = requires {
  std::tuple_size<T>::value;
};
template <typename T>
concept StandardHash = requires(const T& value) {
  { std::hash<T>{}(value) } -> std::convertible_to<std::size_t>;
};
template <typename T>
concept Aggregate = std::is_class_v<T> && std::is_aggregate_v<T> && !Range<T> && !TupleLike<T>;

constexpr std::uint64_t mix(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15U;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9U;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebU;
  return value ^ (value >> 31);
}
constexpr std::uint64_t combine(std::uint64_t seed, std::uint64_t value) {
  return mix(seed ^ (value + 0x9e3779b97f4a7c15U + (seed << 6) + (seed >> 2)));
}

}  // namespace detail

/// Equal values have equal hashes, in every run of the program.
template <typename T>
[[nodiscard]] std::uint64_t hash_of(const T& value) {
  using namespace detail;
  if constexpr (OwnHash<T>) {
    return mix(static_cast<std::uint64_t>(value.hash()));
  } else if constexpr (std::is_enum_v<T> || std::is_integral_v<T>) {
    return mix(static_cast<std::uint64_t>(value));
  } else if constexpr (std::is_same_v<T, double>) {
    return mix(std::bit_cast<std::uint64_t>(value));
  } else if constexpr (std::is_same_v<T, float>) {
    return mix(std::bit_cast<std::uint32_t>(value));
  } else if constexpr (Unordered<T>) {
    std::uint64_t sum = 0;
    for (const auto& element : value) sum += hash_of(element);
    return mix(sum);
  } else if constexpr (Range<T>) {
    std::uint64_t seed = 0;
    for (const auto& element : value) seed = combine(seed, hash_of(element));
    return mix(seed);
  } else if constexpr (Optional<T>) {
    return value.has_value() ? combine(1, hash_of(*value)) : mix(2);
  } else if constexpr (TupleLike<T>) {
    std::uint64_t seed = 0;
    std::apply([&](const auto&... part) { ((seed = combine(seed, hash_of(part))), ...); }, value);
    return seed;
  } else if constexpr (Aggregate<T>) {
    std::uint64_t seed = 0;
    with_members(value,
                 [&](const auto&... member) { ((seed = combine(seed, hash_of(member))), ...); });
    return seed;
  } else {
    static_assert(StandardHash<T>,
                  "this value can not be hashed: give its class `std::size_t hash() const`");
    return mix(static_cast<std::uint64_t>(std::hash<T>{}(value)));
  }
}

/// operator== where there is one, else member by member. Containers claim to have one whatever
/// their elements are, so they come first.
template <typename T>
[[nodiscard]] bool same(const T& one, const T& other) {
  if constexpr (detail::Range<T> && !detail::Unordered<T>) {
    auto at = one.begin();
    auto with = other.begin();
    for (; at != one.end() && with != other.end(); ++at, ++with) {
      if (!same<std::decay_t<decltype(*at)>>(*at, *with)) return false;
    }
    return at == one.end() && with == other.end();
  } else if constexpr (detail::Optional<T>) {
    return one.has_value() == other.has_value() && (!one.has_value() || same(*one, *other));
  } else if constexpr (detail::TupleLike<T>) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return (same(std::get<I>(one), std::get<I>(other)) && ...);
    }
    (std::make_index_sequence<std::tuple_size_v<T>>{});
  } else if constexpr (std::equality_comparable<T>) {
    return one == other;
  } else {
    static_assert(detail::Aggregate<T>,
                  "this value can not be compared: give its class operator==");
    return detail::with_members(one, [&](const auto&... mine) {
      return detail::with_members(
          other, [&](const auto&... others) { return (same(mine, others) && ...); });
    });
  }
}

/// For people: 3, "text", [1, 2], {a, b}; what has no form is shown as `...`.
template <typename T>
[[nodiscard]] std::string show(const T& value, const Names& names) {
  using namespace detail;
  const auto join = [&](const auto&... part) {
    std::string text;
    ((text += (text.empty() ? "" : ", ") + show(part, names)), ...);
    return text;
  };
  if constexpr (requires { value.show(names); }) {
    return value.show(names);
  } else if constexpr (std::is_same_v<T, bool>) {
    return value ? "true" : "false";
  } else if constexpr (std::is_same_v<T, char>) {
    return std::string("'") + value + "'";
  } else if constexpr (std::is_enum_v<T>) {
    return std::to_string(static_cast<std::underlying_type_t<T>>(value));
  } else if constexpr (std::is_arithmetic_v<T>) {
    return std::to_string(value);
  } else if constexpr (std::is_convertible_v<T, std::string_view>) {
    return "\"" + std::string(std::string_view(value)) + "\"";
  } else if constexpr (Range<T>) {
    std::string text;
    for (const auto& element : value) {
      text += (text.empty() ? "" : ", ") + show<std::decay_t<decltype(element)>>(element, names);
    }
    return "[" + text + "]";
  } else if constexpr (Optional<T>) {
    return value.has_value() ? show(*value, names) : "none";
  } else if constexpr (TupleLike<T>) {
    return "{" + std::apply(join, value) + "}";
  } else if constexpr (Aggregate<T>) {
    return "{" + with_members(value, join) + "}";
  } else {
    return "...";
  }
}

}  // namespace mazurka::actors
