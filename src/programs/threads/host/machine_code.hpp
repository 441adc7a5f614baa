// What the functions of a program or library do with memory, read off their instructions.
//
// The compiler calls a hook of ours for each access that it has instrumented. A function that
// accesses memory which others may see, and calls none of the hooks, is not seen; nor is inline
// assembly, of which the assembler leaves a list (mazurka-as). What it has on
// its own stack, what is thread-local and what nobody can change does not count.
//
// x86-64 only: elsewhere there are no functions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mazurka::threads {

struct FunctionCode {
  std::string name;  // as the linker knows it; empty: no symbol says
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  bool calls_hooks = false;
  std::vector<std::uint64_t> accesses;  // to memory that others may see
  std::vector<std::uint64_t> assembly;  // those of them that inline assembly makes
  std::vector<std::uint64_t> atomics;   // atomic instructions
  std::vector<std::uint64_t> returns;   // the instructions behind calls

  [[nodiscard]] bool is_unseen() const { return !calls_hooks && !accesses.empty(); }
};

/// Accesses in the program itself that are not seen: of functions that are not instrumented, and of
/// inline assembly. GoogleTest and Catch2 are left out, and what belongs to every program.
[[nodiscard]] std::vector<std::uint64_t> unseen_accesses(const std::string& path);

/// Those of the file, and the code between them, by address.
[[nodiscard]] std::vector<FunctionCode> functions_of(const std::string& path);

/// Belongs to the start and the end of every program, or to what the compiler brings along.
[[nodiscard]] bool is_of_compiler(const std::string& function);
/// Is made of templates and inline functions of the C++ library.
[[nodiscard]] bool is_of_standard_library(const std::string& function);
/// Belongs to GoogleTest or Catch2: what these do with memory is no business of the tests'.
[[nodiscard]] bool is_of_test_framework(const std::string& function);

}  // namespace mazurka::threads
