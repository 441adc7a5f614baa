#include "core/vocabulary.hpp"

#include <stdexcept>
#include <string>
#include <utility>

#include "core/check.hpp"

namespace mazurka {

namespace {

void check_modes(const std::vector<Vocabulary::Mode>& modes) {
  bool any_guard = false;
  bool any_sum = false;
  for (const Vocabulary::Mode& mode : modes) {
    any_guard = any_guard || mode.guard != nullptr;
    any_sum = any_sum || mode.adds_up;
    MAZURKA_CHECK(!mode.name.empty(), "a mode has a name");
    MAZURKA_CHECK(!mode.adds_up || mode.writes, "what adds up changes the value");
    MAZURKA_CHECK(!mode.attempts || mode.writes, "an attempt may change the value");
    MAZURKA_CHECK(!(mode.guard != nullptr && mode.attempts), "an attempt never waits");
    MAZURKA_CHECK(mode.in_order < modes.size(), "the mode for those who count the order exists");
    if (mode.moves == 0) continue;
    const Vocabulary::Mode& in_order = modes[mode.in_order];
    MAZURKA_CHECK(mode.writes && in_order.writes, "what moves the value changes it");
    MAZURKA_CHECK(in_order.moves == 0, "where the order counts, nothing is moved in any order");
    MAZURKA_CHECK((mode.guard == nullptr) == (in_order.guard == nullptr),
                  "a step waits whether or not the order counts");
  }
  MAZURKA_CHECK(!(any_guard && any_sum), "guards could look at the parts of a sum");
}

}  // namespace

std::uint8_t Vocabulary::add_kind(std::uint8_t key, std::string_view name,
                                  std::vector<KeyedMode> modes) {
  std::vector<Mode> row;
  for (KeyedMode& mode : modes) {
    MAZURKA_CHECK(mode.key == row.size(), "a mode stands where its constant says");
    row.push_back(std::move(mode.mode));
  }
  MAZURKA_CHECK(key == kinds_.size(), "a kind stands where its constant says");
  return add_kind(name, std::move(row));
}

std::uint8_t Vocabulary::add_kind(std::string_view name, std::vector<Mode> modes) {
  if (kinds_.size() == max_kinds) {
    throw std::length_error("a vocabulary holds at most " + std::to_string(max_kinds) + " kinds");
  }
  if (modes.empty() || modes.size() > max_modes) {
    throw std::length_error("a kind of object has between 1 and 16 modes");
  }
  check_modes(modes);
  const auto kind = static_cast<std::uint8_t>(kinds_.size());
  for (std::uint8_t mode = 0; mode < modes.size(); ++mode) {
    related_[slot(kind, mode)] = 0xffff;
    guards_[slot(kind, mode)] = modes[mode].guard;
    partners_[slot(kind, mode)] = modes[mode].partners;
    reads_[slot(kind, mode)] = modes[mode].reads;
    writes_[slot(kind, mode)] = modes[mode].writes;
    attempts_[slot(kind, mode)] = modes[mode].attempts;
    silent_[slot(kind, mode)] = modes[mode].silent;
    adds_up_[slot(kind, mode)] = modes[mode].adds_up;
    counted_[slot(kind, mode)] = modes[mode].counted;
    moves_[slot(kind, mode)] = modes[mode].moves;
    in_order_[slot(kind, mode)] = modes[mode].in_order;
    if (modes[mode].moves != 0) is_moved_[kind] = true;
    if (modes[mode].guard != nullptr) has_guards_[kind] = true;
    keeps_[slot(kind, mode)] = modes[mode].reads && modes[mode].keeps;
  }
  kinds_.push_back({std::string(name), std::move(modes)});
  summarise(kind);
  return kind;
}

void Vocabulary::declare_independent(std::uint8_t kind, std::uint8_t one, std::uint8_t other) {
  if (one >= modes(kind).size() || other >= modes(kind).size()) {
    throw std::out_of_range("no such mode");
  }
  related_[slot(kind, one)] &= static_cast<std::uint16_t>(~(1U << other));
  related_[slot(kind, other)] &= static_cast<std::uint16_t>(~(1U << one));
  summarise(kind);
}

void Vocabulary::summarise(std::uint8_t kind) {
  const auto modes = static_cast<std::uint8_t>(kinds_[kind].modes.size());
  const auto all = static_cast<std::uint16_t>((1U << modes) - 1U);
  mixes_[kind] = false;
  comes_in_runs_[kind] = true;
  for (std::uint8_t one = 0; one < modes; ++one) {
    const std::uint16_t related_to_one = related_[slot(kind, one)] & all;
    total_[slot(kind, one)] = related_to_one == all;
    for (std::uint8_t other = 0; other < modes; ++other) {
      MAZURKA_CHECK(related(kind, one, other) == related(kind, other, one),
                    "dependence is symmetric");
      if (related(kind, one, other)) continue;
      const bool both_write = writes_[slot(kind, one)] && writes_[slot(kind, other)];
      if (both_write && !(one == other && adds_up_[slot(kind, one)])) mixes_[kind] = true;
      if (related_to_one != (related_[slot(kind, other)] & all)) comes_in_runs_[kind] = false;
    }
  }
}

}  // namespace mazurka
