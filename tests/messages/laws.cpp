#include "messages/laws.hpp"

#include <algorithm>
#include <random>
#include <set>

namespace mazurka::messages {

// As the checker sees it: by footprints, but for a wait and what fulfils it.
bool LawCheck::independent(const Machine& state, std::size_t one, std::size_t other) {
  state.footprint(one, first_);
  state.footprint(other, second_);
  for (const Access& a : first_) {
    for (const Access& b : second_) {
      if (a.object != b.object) continue;
      const IndependenceRow* row = find_row(static_cast<Kind>(a.kind), a.mode, b.mode);
      if (row == nullptr) {
        if (ignore_dependence) continue;
        return false;
      }
      ++by_row[static_cast<std::size_t>(row - independence_table().data())];
      const bool conditional = row->when == When::unless_fulfilling && !ignore_conditions;
      if (conditional && (state.fulfils(one, other) || state.fulfils(other, one))) return false;
    }
  }
  return true;
}

void LawCheck::check(const Model& model, const Machine& state, std::size_t one, std::size_t other) {
  if (!independent(state, one, other)) return;
  ++pairs;
  const bool first = state.enabled(one);
  const bool second = state.enabled(other);
  const auto complain = [&](const std::string& what) {
    problem = what + ": actors " + std::to_string(one) + " and " + std::to_string(other) + " of " +
              to_string(model) + " in state " + state.text();
  };
  if (first) {
    Machine after = state;
    after.perform(one, 0, 0);
    if (after.enabled(other) != second) return complain("one enables or disables the other");
    if (second && after.choices(other) != state.choices(other)) {
      return complain("one changes the outcomes of the other");
    }
  }
  if (second) {
    Machine after = state;
    after.perform(other, 0, 0);
    if (after.enabled(one) != first) return complain("one enables or disables the other");
  }
  if (!first || !second) return;
  Machine forwards = state;
  forwards.perform(one, 0, 0);
  forwards.perform(other, 0, 0);
  Machine backwards = state;
  backwards.perform(other, 0, 0);
  backwards.perform(one, 0, 0);
  if (!forwards.same_state(backwards)) complain("the order changes the state");
}

void LawCheck::look_at(const Model& model, const Machine& state) {
  for (std::size_t one = 0; one < state.actors(); ++one) {
    for (std::size_t other = one + 1; other < state.actors(); ++other) {
      if (problem.empty() && state.running(one) && state.running(other)) {
        check(model, state, one, other);
      }
    }
  }
}

void LawCheck::walk(std::uint64_t seed, const Features& features) {
  walk(seed, random_model(seed, features));
}

void LawCheck::walk(std::uint64_t seed, const Model& model) {
  std::mt19937_64 random(seed);
  Machine state(model);
  for (;;) {
    look_at(model, state);
    std::vector<std::size_t> enabled;
    for (std::size_t actor = 0; actor < state.actors(); ++actor) {
      if (state.enabled(actor)) enabled.push_back(actor);
    }
    if (enabled.empty() || !problem.empty()) return;
    const std::size_t actor = enabled[random() % enabled.size()];
    const auto choice = static_cast<std::uint16_t>(random() % state.choices(actor));
    state.perform(actor, choice, 0);
  }
}

bool LawCheck::commute(const Machine& state, std::size_t one, std::size_t other) {
  const bool first = state.enabled(one);
  const bool second = state.enabled(other);
  Machine forwards = state;
  if (first) {
    forwards.perform(one, 0, 0);
    if (forwards.enabled(other) != second) return false;
    if (second && forwards.choices(other) != state.choices(other)) return false;
  }
  Machine backwards = state;
  if (second) {
    backwards.perform(other, 0, 0);
    if (backwards.enabled(one) != first) return false;
    if (first && backwards.choices(one) != state.choices(one)) return false;
  }
  if (!first || !second) return true;
  forwards.perform(other, 0, 0);
  backwards.perform(one, 0, 0);
  return forwards.same_state(backwards);
}

bool LawCheck::touch_one_object(const Machine& state, std::size_t one, std::size_t other) {
  state.footprint(one, first_);
  state.footprint(other, second_);
  for (const Access& a : first_) {
    for (const Access& b : second_) {
      if (a.object == b.object) return true;
    }
  }
  return false;
}

void LawCheck::note_meeting(const Machine& state, std::size_t one, std::size_t other) {
  if (!touch_one_object(state, one, other)) return;
  const auto [less, more] = std::minmax(state.next(one).op, state.next(other).op);
  Met& pair = met[{less, more}];
  ++pair.times;
  if (commute(state, one, other)) ++pair.commute;
  if (independent(state, one, other)) ++pair.called_independent;
}

void LawCheck::walk_everywhere(const Model& model) {
  std::vector<Machine> left{Machine(model)};
  std::set<std::string> known{left.back().text()};
  while (!left.empty()) {
    const Machine state = std::move(left.back());
    left.pop_back();
    look_at(model, state);
    for (std::size_t one = 0; one < state.actors(); ++one) {
      if (!state.running(one)) continue;
      for (std::size_t other = one + 1; other < state.actors(); ++other) {
        if (state.running(other)) note_meeting(state, one, other);
      }
      if (!state.enabled(one)) continue;
      for (std::uint16_t choice = 0; choice < state.choices(one); ++choice) {
        Machine after = state;
        after.perform(one, choice, 0);
        if (known.insert(after.text()).second) left.push_back(std::move(after));
      }
    }
  }
}

}  // namespace mazurka::messages
