// A sweep: programs are made, put into groups that share a search, and compared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "mpi/reference/comparing.hpp"
#include "mpi/reference/generator.hpp"

namespace mazurka::mpi_reference {

struct Settings {
  Checker checker;
  std::string mpiexec;
  std::uint64_t programs = 100;
  std::uint64_t first = 0;
  std::uint64_t seed = 1;
  std::string text;
  std::vector<std::string> bufferings;
  std::string collectives = "sync";
  std::size_t together = max_together;
  unsigned jobs = 1;
  std::uint64_t seconds = 0;
  std::uint64_t max_failures = 5;
  Wishes wishes;
  bool shrink = true;
};

/// Of this number; throws if the text is none.
[[nodiscard]] Program program_of(const Settings& settings, std::uint64_t number);

/// The exit code.
int run(Settings settings);

}  // namespace mazurka::mpi_reference
