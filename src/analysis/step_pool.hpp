// Steps that stand in many places, each of them kept once.
//
// What is to be explored has the same few steps in it over and over, in different orders. A place
// that has a number instead of a step needs a twentieth of the memory.
//
// A step that nobody uses any more is not forgotten at once, because most come back soon.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "core/archive.hpp"
#include "core/check.hpp"
#include "core/step.hpp"

namespace mazurka {

class StepPool {
 public:
  using Number = std::uint32_t;

  /// The number of the step, which has a user more from now on.
  [[nodiscard]] Number use(const Step& step);
  /// The same for the step of a number that is in use.
  void use_again(Number number) {
    MAZURKA_CHECK(kept_[number].users > 0, "a step that nobody uses may be forgotten");
    ++kept_[number].users;
  }
  /// The same for a step that was loaded. Throws ArchiveError if there is none of this number.
  void use_loaded(Number number);
  void release(Number number);

  /// Valid until the next use().
  [[nodiscard]] Step operator[](Number number) const { return kept_[number].step(); }

  void save(ArchiveWriter& archive) const;
  /// Only into an empty pool. All steps are unused. Throws ArchiveError.
  void load(ArchiveReader& archive);

 private:
  struct Kept {
    Decision decision;
    std::uint16_t choices = 1;
    ProcessId awaited = no_process;
    bool exits = false;
    std::vector<Access> accesses;
    std::vector<ProcessId> released;
    std::vector<Access> announced;
    std::uint32_t users = 0;

    [[nodiscard]] Step step() const {
      return {decision, choices, awaited, exits, accesses, released, announced};
    }
  };
  static constexpr std::size_t few = 256;  // unused steps do not matter

  [[nodiscard]] Number add(const Step& step);
  void forget_unused();

  std::vector<Kept> kept_;
  std::vector<Number> free_;
  std::size_t unused_ = 0;                                  // of those that are in the table
  std::unordered_multimap<std::uint64_t, Number> numbers_;  // by hash
};

}  // namespace mazurka
