// Programs explored by the checker, as a user would do it, and what it says of them.
//
// Several programs can share one search, which chooses between them. Outcomes that are expected are
// then only counted, each with a weight of its own, so that one too many does not make up for
// another that is missing; to tell one by a finding takes a hundred times as long as to explore
// it. See interpreter.c.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "mpi/reference/expected.hpp"
#include "mpi/reference/program.hpp"

namespace mazurka::mpi_reference {

struct Checker {
  std::filesystem::path mazurka;
  std::filesystem::path interpreter;  // compiled
  std::string technique = "optimal";
  std::vector<std::string> options;
  unsigned seconds = 120;  // for one program
};

/// A program, and the outcomes that are only counted, with their weights.
struct Asked {
  Program program;
  std::map<std::string, std::size_t> weights;
};

struct Seen {
  std::string problem;                                 // no answer, for this reason
  std::set<std::pair<std::size_t, std::string>> told;  // the number of a program, and an outcome
  std::size_t executions = 0;                          // without those that were only counted
  std::size_t counted = 0;
  bool partial = false;  // it says that it has not seen everything
};

/// All have as many ranks. `scratch`: a folder for nobody else.
[[nodiscard]] Seen check(const Checker& checker, const std::vector<Asked>& asked, const Way& way,
                         const std::filesystem::path& scratch);

/// More would not fit into one search.
inline constexpr std::size_t max_together = 40;
inline constexpr std::size_t max_text = 100'000;
[[nodiscard]] std::string text_of(const Asked& asked);

/// Builds the interpreter with this compiler; throws if that fails.
void compile_interpreter(const std::vector<std::string>& compiler,
                         const std::filesystem::path& binary);

/// What a real MPI makes of it: an outcome, "deadlock" if it takes too long, or what it prints.
[[nodiscard]] std::string run_for_real(const std::string& mpiexec,
                                       const std::filesystem::path& interpreter,
                                       const Program& program,
                                       const std::filesystem::path& scratch);

}  // namespace mazurka::mpi_reference
