// The checker against brute force.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "mpi/reference/checking.hpp"
#include "mpi/reference/expected.hpp"
#include "mpi/reference/program.hpp"

namespace mazurka::mpi_reference {

/// A program with what is expected of it.
struct Known {
  std::uint64_t number = 0;
  Program program;
  Expected expected;
};

class Comparing {
 public:
  Comparing(Checker checker, Way way, std::filesystem::path scratch)
      : checker_(std::move(checker)), way_(std::move(way)), scratch_(std::move(scratch)) {}

  /// What is wrong with the checker's answer, every outcome of which is told; or nothing.
  [[nodiscard]] std::string difference(const Known& known) const;
  /// The same for several in one search: as many ranks each, all countable or none.
  [[nodiscard]] std::string difference(const std::vector<Known>& group) const;
  /// The smallest program with a difference that leaving out operations leads to.
  [[nodiscard]] Program smallest(Program program) const;

  [[nodiscard]] const Way& way() const { return way_; }

 private:
  [[nodiscard]] bool differs(const Program& program) const;

  Checker checker_;
  Way way_;
  std::filesystem::path scratch_;
};

}  // namespace mazurka::mpi_reference
