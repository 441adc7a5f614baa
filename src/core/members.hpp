// How many members a struct has, at compile time.
//
// A struct can be initialised from as many values as it has members, and not from more. So the
// number is found by trying with one value more each time, of types that become whatever is wanted.
// The uses are checks that a list of members which is written by hand is complete.
#pragma once

#include <cstddef>
#include <type_traits>

namespace mazurka {

namespace detail {

// One for classes and one for the rest: std::optional<int> could be made of the latter in two ways.
struct AnyClass {
  template <typename T>
  requires std::is_class_v<T>
  operator T() const;
};
struct AnyScalar {
  template <typename T>
  requires(!std::is_class_v<T>) operator T() const;
};

template <typename T, typename... Values>
[[nodiscard]] consteval std::size_t members_from() {
  // First the class: the first of the scalars would do for the first member of a class, too.
  if constexpr (requires { T{Values{}..., AnyClass{}}; }) {
    return members_from<T, Values..., AnyClass>();
  } else if constexpr (requires { T{Values{}..., AnyScalar{}}; }) {
    return members_from<T, Values..., AnyScalar>();
  } else {
    return sizeof...(Values);
  }
}

}  // namespace detail

/// Requires: an aggregate without arrays and references among its members.
template <typename T>
requires std::is_aggregate_v<T>
inline constexpr std::size_t count_of_members = detail::members_from<T>();

}  // namespace mazurka
