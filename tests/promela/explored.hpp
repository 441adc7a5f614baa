// What a search of a whole model comes to, in short.
#pragma once

#include <string>

#include "programs/promela/reach.hpp"

namespace mazurka::promela_test {

struct Explored {
  std::uint64_t states = 0;
  bool assertion_fails = false;
  bool invalid_end = false;
  friend bool operator==(const Explored&, const Explored&) = default;
};

[[nodiscard]] inline Explored explore(const promela::Model& model) {
  promela::Settings settings;
  settings.keep_going = true;
  const promela::Result result = promela::reach(model, settings);
  Explored explored;
  explored.states = result.counts.states;
  for (const promela::Problem& problem : result.problems) {
    (problem.kind == promela::Problem::Kind::assertion ? explored.assertion_fails
                                                       : explored.invalid_end) = true;
  }
  return explored;
}

[[nodiscard]] inline Explored explore(const std::string& text) {
  return explore(promela::parse_model(text, "model.pml"));
}

}  // namespace mazurka::promela_test
