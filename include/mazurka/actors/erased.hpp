// Actors and messages without their types: tables of functions that the engine calls.
//
// An actor's type and a handler each have one constant table, made by the compiler from the type or
// from the pointer to the member function. The engine keeps values in plain memory and never needs
// to know more; nothing here depends on the engine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "mazurka/actors/values.hpp"

namespace mazurka {

class Context;

/// Names a handler where a guard says which messages it is about:
///   bool accepts(mazurka::on<&Buffer::take>) const { return !items.empty(); }
/// or which are urgent:
///   static constexpr bool urgent(mazurka::on<&Buffer::clear>) { return true; }
template <auto Handler>
struct on {};

namespace actors {

/// The functions of one type of value: what a vtable would hold if values had one.
struct ValueType {
  std::size_t size = 0;
  std::size_t alignment = 1;
  bool trivial = false;  // no destructor to call
  void (*destroy)(void*) = nullptr;
  void (*copy)(void* raw, const void* from) = nullptr;      // constructs
  void (*assign)(void* value, const void* from) = nullptr;  // both exist
  bool (*equal)(const void*, const void*) = nullptr;
  std::uint64_t (*hash)(const void*) = nullptr;
  std::string (*show)(const void*, const Names&) = nullptr;
};

template <typename T>
constexpr ValueType make_value_type() {
  return {sizeof(T),
          alignof(T),
          std::is_trivially_destructible_v<T>,
          [](void* value) { static_cast<T*>(value)->~T(); },
          [](void* raw, const void* from) { new (raw) T(*static_cast<const T*>(from)); },
          [](void* value, const void* from) {
            if constexpr (std::is_copy_assignable_v<T>) {
              *static_cast<T*>(value) = *static_cast<const T*>(from);
            } else {
              static_cast<T*>(value)->~T();
              new (value) T(*static_cast<const T*>(from));
            }
          },
          [](const void* one, const void* other) {
            return same(*static_cast<const T*>(one), *static_cast<const T*>(other));
          },
          [](const void* value) { return hash_of(*static_cast<const T*>(value)); },
          [](const void* value, const Names& names) {
            return show(*static_cast<const T*>(value), names);
          }};
}

struct ActorType {
  std::string_view name;
  ValueType value;
  bool guarded = false;  // whether some message may have to wait for another local state
  bool mortal = false;   // may crash or stop: messages to it may get lost
  bool becomes = false;  // may become, or be what another type became
};

struct Message;

struct Handler {
  std::string_view name;
  const ActorType* actor = nullptr;
  ValueType arguments;  // a std::tuple of the parameters
  void (*invoke)(void* actor, const void* arguments, Context& context, Message* reply) = nullptr;
  bool (*accepts)(const void* actor, const void* arguments) = nullptr;  // null: always
  std::string (*show)(const void* arguments, const Names& names) = nullptr;
  bool only_reads = false;  // a const member function
  bool urgent = false;      // overtakes others in FIFO channels
};

/// Where a request's answer goes: the arguments of the handler that awaits it.
struct Message {
  const Handler* handler = nullptr;
  void* arguments = nullptr;
  void* result = nullptr;  // the argument that the answer becomes; null if there is none
};

namespace detail {

// --- names out of the compiler's own words -----------------------------------------------------

template <auto H>
constexpr std::string_view words_of_value() {
  return __PRETTY_FUNCTION__;
}
template <typename T>
constexpr std::string_view words_of_type() {
  return __PRETTY_FUNCTION__;
}

/// The last name in "... [with auto H = &ns::Registry::add; ...]": add.
constexpr std::string_view last_name(std::string_view words, char variable) {
  for (std::size_t at = 0; at + 3 < words.size(); ++at) {
    if (words[at] == variable && words.substr(at + 1, 3) == " = ") {
      words.remove_prefix(at + 4);
      break;
    }
  }
  std::size_t end = 0;
  std::size_t begin = 0;
  int nested = 0;  // template arguments stay, whatever names are in them
  for (; end < words.size(); ++end) {
    const char c = words[end];
    if (c == '<') ++nested;
    if (c == '>') --nested;
    if (nested > 0) continue;
    if (c == ';' || c == ']') break;
    if (c == ':' || c == '&' || c == '(' || c == ')' || c == ' ') begin = end + 1;
    if (c == ')' && end + 1 < words.size() && (words[end + 1] == ';' || words[end + 1] == ']')) {
      break;
    }
  }
  return words.substr(begin, end - begin);
}

// --- what a pointer to a member function says ---------------------------------------------------

template <typename Owner, typename Result, typename... Parameters>
struct Signature {
  using owner = Owner;
  using result = Result;
  using arguments = std::tuple<std::decay_t<Parameters>...>;
  static constexpr bool takes_context = false;
};
template <typename Owner, typename Result, typename... Parameters>
struct Signature<Owner, Result, Context&, Parameters...> {
  using owner = Owner;
  using result = Result;
  using arguments = std::tuple<std::decay_t<Parameters>...>;
  static constexpr bool takes_context = true;
};

template <typename T>
struct MemberTraits;
template <typename R, typename O, typename... P>
struct MemberTraits<R (O::*)(P...)> : Signature<O, R, P...> {
  static constexpr bool only_reads = false;
};
template <typename R, typename O, typename... P>
struct MemberTraits<R (O::*)(P...) const> : Signature<O, R, P...> {
  static constexpr bool only_reads = true;
};
template <typename R, typename O, typename... P>
struct MemberTraits<R (O::*)(P...) noexcept> : MemberTraits<R (O::*)(P...)> {};
template <typename R, typename O, typename... P>
struct MemberTraits<R (O::*)(P...) const noexcept> : MemberTraits<R (O::*)(P...) const> {};

template <auto H>
using TraitsOf = MemberTraits<decltype(H)>;

// --- what an actor's class says about itself ----------------------------------------------------

/// Whether a class has a member called `accepts`, of whatever kind: the name is ambiguous then.
struct AlsoAccepts {
  int accepts;
};
template <typename T>
struct Ambiguous : T, AlsoAccepts {};
template <typename T>
constexpr bool names_accepts() {
  if constexpr (std::is_final_v<T>) {
    return requires { &T::accepts; };
  } else {
    return !requires { &Ambiguous<T>::accepts; };
  }
}
template <typename T>
constexpr bool is_mortal() {
  if constexpr (requires { T::mortal; }) {
    return T::mortal;
  } else {
    return false;
  }
}
template <typename T>
constexpr bool has_becomes() {
  return requires { typename T::becomes; };
}

template <typename T>
constexpr ActorType make_actor_type() {
  return {last_name(words_of_type<T>(), 'T'), make_value_type<T>(),
          names_accepts<T>() || is_mortal<T>() || has_becomes<T>(), is_mortal<T>(),
          has_becomes<T>()};
}
template <typename T>
inline constexpr ActorType actor_type = make_actor_type<T>();

// --- handlers -----------------------------------------------------------------------------------

template <auto H>
void invoke(void* actor, const void* arguments, Context& context, Message* reply) {
  using Traits = TraitsOf<H>;
  auto& self = *static_cast<typename Traits::owner*>(actor);
  const auto call = [&](const auto&... argument) -> decltype(auto) {
    if constexpr (Traits::takes_context) {
      return (self.*H)(context, argument...);
    } else {
      return (self.*H)(argument...);
    }
  };
  const auto& values = *static_cast<const typename Traits::arguments*>(arguments);
  if constexpr (std::is_void_v<typename Traits::result>) {
    std::apply(call, values);
  } else {
    auto result = std::apply(call, values);
    if (reply != nullptr && reply->result != nullptr) {
      *static_cast<std::decay_t<typename Traits::result>*>(reply->result) = std::move(result);
    }
  }
}

template <auto H>
constexpr bool has_guard() {
  using Traits = TraitsOf<H>;
  return []<typename... A>(std::type_identity<std::tuple<A...>>) {
    return requires(const typename Traits::owner& actor, const A&... argument) {
      { actor.accepts(on<H>{}, argument...) } -> std::convertible_to<bool>;
    };
  }(std::type_identity<typename Traits::arguments>{});
}

template <auto H>
bool accepts(const void* actor, const void* arguments) {
  using Traits = TraitsOf<H>;
  const auto& self = *static_cast<const typename Traits::owner*>(actor);
  return std::apply(
      [&](const auto&... argument) -> bool { return self.accepts(on<H>{}, argument...); },
      *static_cast<const typename Traits::arguments*>(arguments));
}

template <auto H>
std::string show_arguments(const void* arguments, const Names& names) {
  const std::string text =
      show(*static_cast<const typename TraitsOf<H>::arguments*>(arguments), names);
  return text.size() < 2 ? std::string() : text.substr(1, text.size() - 2);
}

template <auto H>
constexpr Handler make_handler() {
  using Traits = TraitsOf<H>;
  Handler handler{last_name(words_of_value<H>(), 'H'),
                  &actor_type<typename Traits::owner>,
                  make_value_type<typename Traits::arguments>(),
                  &invoke<H>,
                  nullptr,
                  &show_arguments<H>,
                  Traits::only_reads};
  if constexpr (has_guard<H>()) handler.accepts = &accepts<H>;
  if constexpr (requires { Traits::owner::urgent(on<H>{}); }) {
    handler.urgent = Traits::owner::urgent(on<H>{});
  }
  return handler;
}
template <auto H>
inline constexpr Handler handler = make_handler<H>();

}  // namespace detail
}  // namespace actors
}  // namespace mazurka
