#include "objects.hpp"

#include <algorithm>
#include <array>
#include <cassert>

namespace certify {

std::string_view name(Kind kind) {
  constexpr std::array<std::string_view, kinds> names = {"memory",          "mutex",   "semaphore",
                                                         "read-write lock", "barrier", "condition"};
  return names.at(static_cast<std::size_t>(kind));
}

std::string_view name(Action action) {
  constexpr std::array<std::string_view, actions> names = {"read",
                                                           "write",
                                                           "update",
                                                           "compare-exchange",
                                                           "add",
                                                           "flip bits",
                                                           "set bits",
                                                           "clear bits",
                                                           "await",
                                                           "lock",
                                                           "unlock",
                                                           "try to lock",
                                                           "reset",
                                                           "take",
                                                           "post",
                                                           "try to take",
                                                           "look at",
                                                           "lock alone",
                                                           "unlock alone",
                                                           "try to lock alone",
                                                           "share",
                                                           "stop sharing",
                                                           "try to share",
                                                           "arrive",
                                                           "leave",
                                                           "wait in order",
                                                           "wait",
                                                           "be woken",
                                                           "wake the first",
                                                           "wake any one",
                                                           "wake all"};
  return names.at(static_cast<std::size_t>(action));
}

bool enabled(const Part& part, std::uint32_t process, const Value& value) {
  switch (part.action) {
    case Action::await: return value.number == part.operand;
    case Action::lock:
    case Action::lock_alone: return value.number == 0;
    case Action::take: return value.number > 0;
    case Action::share: return value.number != held_alone;
    case Action::leave: return value.number >= part.operand;
    case Action::woken:
      return std::find(value.woken.begin(), value.woken.end(), process) != value.woken.end();
    default: return true;
  }
}

bool is_guarded(Action action) {
  return action == Action::await || action == Action::lock || action == Action::lock_alone ||
         action == Action::take || action == Action::share || action == Action::leave ||
         action == Action::woken;
}

std::uint32_t choices(const Part& part, const Value& value) {
  if (part.action != Action::wake_any || value.waiting.empty()) return 1;
  return static_cast<std::uint32_t>(value.waiting.size());
}

std::optional<std::string_view> misuse(const Part& part, std::uint32_t process,
                                       const Value& value) {
  switch (part.action) {
    case Action::unlock:
      if (value.number == 0) return "unlocks a mutex that is free";
      break;
    case Action::unlock_alone:
      if (value.number != held_alone) return "gives back a lock that is not held alone";
      break;
    case Action::stop_sharing:
      if (std::find(value.sharers.begin(), value.sharers.end(), process) == value.sharers.end()) {
        return "gives back a lock that it does not share";
      }
      break;
    default: break;
  }
  return std::nullopt;
}

namespace {

std::uint64_t within(std::uint64_t number, std::uint8_t bytes) {
  return bytes >= 8 ? number : number & ((std::uint64_t{1} << (8U * bytes)) - 1);
}

Effect access_memory(const Part& part, const PartOutcome& outcome, Value& value) {
  std::uint64_t& number = value.number;
  const std::uint64_t before = number;
  switch (part.action) {
    case Action::write: number = part.operand; return {Class::write};
    case Action::update: number = outcome.written; return {Class::write, true, before};
    case Action::compare_exchange:
      if (!outcome.succeeded) return {Class::read, false, before};
      number = outcome.written;
      return {Class::write, true, before};
    case Action::add: number = within(before + part.operand, part.width); return {Class::add};
    case Action::flip_bits: number = before ^ part.operand; return {Class::flip_bits};
    case Action::set_bits: number = before | part.operand; return {Class::set_bits};
    case Action::clear_bits: number = before & ~part.operand; return {Class::clear_bits};
    case Action::await: return {Class::read};
    default: return {Class::read, true, before};
  }
}

Effect use_lock(const Part& part, std::uint32_t process, Value& value) {
  std::uint64_t& number = value.number;
  switch (part.action) {
    case Action::lock:
    case Action::try_lock:
      if (number != 0) return {Class::read, false};
      number = 1;
      return {Class::write};
    case Action::lock_alone:
    case Action::try_alone:
      if (number != 0) return {Class::read, false};
      number = held_alone;
      return {Class::write};
    case Action::take:
    case Action::try_take:
      if (number == 0) return {Class::read, false};
      --number;
      return {Class::write};
    case Action::post: ++number; return {Class::add};
    case Action::share:
    case Action::try_share:
      if (number == held_alone) return {Class::read, false};
      ++number;
      value.sharers.push_back(process);
      return {Class::add};
    case Action::stop_sharing:
      --number;
      value.sharers.erase(std::find(value.sharers.begin(), value.sharers.end(), process));
      return {Class::add};
    case Action::look: return {Class::read, true, number};
    case Action::arrive: ++number; return {Class::add};
    case Action::leave: return {Class::read};
    default: number = 0; return {Class::write};  // unlock, reset
  }
}

void wake(Value& value, std::size_t at) {
  value.woken.push_back(value.waiting[at]);
  value.waiting.erase(value.waiting.begin() + static_cast<std::ptrdiff_t>(at));
}

// Where any one can be woken, those that wait are a set, whose order of arrival does not matter.
// A process stays among the woken until it waits again: to go on changes nothing for the others.
Effect use_condition(const Part& part, std::uint32_t process, std::uint32_t choice, Value& value) {
  switch (part.action) {
    case Action::wait_in_order:
    case Action::wait:
      std::erase(value.woken, process);
      value.waiting.push_back(process);
      return {part.action == Action::wait ? Class::add : Class::write};
    case Action::woken: return {Class::add};  // no other process can see that this one went on
    default: break;
  }
  if (value.waiting.empty()) return {Class::read};
  if (part.action == Action::wake_first) {
    wake(value, 0);
  } else if (part.action == Action::wake_any) {
    std::sort(value.waiting.begin(), value.waiting.end());
    wake(value, choice);
  } else {
    while (!value.waiting.empty()) wake(value, 0);
  }
  return {Class::write};
}

}  // namespace

Effect perform(const Part& part, std::uint32_t process, std::uint32_t choice,
               const PartOutcome& outcome, Value& value) {
  assert(enabled(part, process, value) && choice < choices(part, value));
  if (kind_of(part.action) == Kind::memory) return access_memory(part, outcome, value);
  if (kind_of(part.action) == Kind::condition) return use_condition(part, process, choice, value);
  return use_lock(part, process, value);
}

}  // namespace certify
