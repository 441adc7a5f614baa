// Puts independence to the test on random walks; used by the law test and by the sweep.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "messages/machine.hpp"
#include "messages/model.hpp"

namespace mazurka::messages {

struct LawCheck {
  std::uint64_t pairs = 0;  // called independent, and checked
  std::vector<std::uint64_t> by_row = std::vector<std::uint64_t>(independence_table().size());
  std::string problem;  // the first pair that is wrong

  bool ignore_conditions = false;  // for tests of the test
  bool ignore_dependence = false;

  /// One walk through a random program, or through this one.
  void walk(std::uint64_t seed, const Features& features);
  void walk(std::uint64_t seed, const Model& model);
  /// Every state of the program.
  void walk_everywhere(const Model& model);

  /// Of two kinds of steps: how often they were next to each other, and in how many of these states
  /// they commute, whatever the table says. Steps that concern different objects do not count.
  struct Met {
    std::uint64_t times = 0;
    std::uint64_t commute = 0;
    std::uint64_t called_independent = 0;
  };
  std::map<std::pair<Op, Op>, Met> met;  // by walk_everywhere

 private:
  [[nodiscard]] static bool commute(const Machine& state, std::size_t one, std::size_t other);
  [[nodiscard]] bool touch_one_object(const Machine& state, std::size_t one, std::size_t other);
  void note_meeting(const Machine& state, std::size_t one, std::size_t other);
  void look_at(const Model& model, const Machine& state);
  void check(const Model& model, const Machine& state, std::size_t one, std::size_t other);
  [[nodiscard]] bool independent(const Machine& state, std::size_t one, std::size_t other);

  std::vector<Access> first_;
  std::vector<Access> second_;
};

}  // namespace mazurka::messages
