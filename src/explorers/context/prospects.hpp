// What may still happen from a state: how often, at most, each access may still be made, by
// anybody.
//
// Every access that is seen gets a number; a set is a row of counts by number. If no execution from
// a state makes an access more than n times, then none makes it more than n - 1 times from the
// state after a step that made it once: so what is known of a state also bounds what may happen
// from those after it. Who makes an access is left out on purpose: where messages are processes,
// equal states may know them by other names.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "core/step.hpp"
#include "core/vocabulary.hpp"

namespace mazurka {

class Prospects {
 public:
  using Set = std::vector<std::uint16_t>;

  explicit Prospects(const Vocabulary& vocabulary) : vocabulary_(vocabulary) {}

  /// `set` may happen: or `other` may.
  static void widen(Set& set, const Set& other);
  /// The step, and then what the set says.
  void precede(Set& set, const Step& step);
  /// What is left of the set after the step, which it contains.
  void follow(Set& set, const Step& step);

  /// Whether the step conflicts with something in the set.
  [[nodiscard]] bool conflict(const Set& set, const Step& step) const;

  /// Sets are interned, so that the many states which share one store a number only.
  [[nodiscard]] std::uint32_t intern(const Set& set);
  [[nodiscard]] const Set& operator[](std::uint32_t number) const { return *sets_[number]; }
  /// Whether so much is interned that it is better to begin anew: the numbers are void then.
  [[nodiscard]] bool is_full() const { return counts_ > most_counts; }
  void forget_sets();

 private:
  static constexpr std::uint32_t exit_number = 0;
  static constexpr std::size_t most_counts = std::size_t{1} << 27;

  [[nodiscard]] std::uint32_t number(const Access& access);

  const Vocabulary& vocabulary_;
  std::vector<std::vector<std::uint32_t>> of_object_;  // numbers of the accesses to each object
  std::vector<Access> accesses_{Access{}};             // by number; the first stands for an exit
  std::map<Set, std::uint32_t> numbers_;
  std::vector<const Set*> sets_;
  std::size_t counts_ = 0;  // in all interned sets
};

}  // namespace mazurka
