// From a source file to a program that can be checked: one call of the compiler wrapper.
//
// The binary is kept in the work folder under a name made of the source, the flags and the runtime,
// so that a schedule finds the program it belongs to. It is compiled again unless all that it was
// made of is known to be as it was (build_record.hpp); equal input gives an equal binary.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace mazurka::host {

enum class Compiler : bool { gcc, clang };

struct Compilation {
  std::filesystem::path source;
  std::vector<std::string> flags;  // the user's, after ours
  bool racy = false;               // every plain access of the source counts: do not optimise
  Compiler compiler = Compiler::gcc;
  std::filesystem::path folder{};  // from which source and flags are meant; empty: from here
};

/// The user has interrupted before there was anything to explore; what() says how.
class EndedEarly : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

[[nodiscard]] bool is_source(const std::filesystem::path& file);

/// Whether it is a program of actors: a source file that includes their header, or a binary that
/// is linked with their library. What can not be read is none.
[[nodiscard]] bool uses_actors(const std::filesystem::path& program);
/// Whether it is a program of the C++ Actor Framework: a source file with CAF_MAIN, or one that
/// includes our header for it, or a binary that is linked with our library for it.
[[nodiscard]] bool uses_caf(const std::filesystem::path& program);
/// The flag that makes a source file one of these, whatever is in it.
inline constexpr const char* flag_for_caf = "-DMAZURKA_KIND_CAF";
/// The flag with which its accesses to memory are not looked at.
inline constexpr const char* flag_without_races = "-DMAZURKA_RACES_OFF";

/// Whether it is a program of MPI: a source file that includes mpi.h, or a binary that calls it.
[[nodiscard]] bool uses_mpi(const std::filesystem::path& program);
/// The flag that makes a source file one of these, whatever is in it.
inline constexpr const char* flag_for_mpi = "-DMAZURKA_KIND_MPI";
/// Local variables begin with a pattern that tells that nobody has written them.
inline constexpr const char* flag_for_patterns = "-ftrivial-auto-var-init=pattern";

/// Compiles and links; the compiler's messages appear on stderr. Throws InputError when the source
/// is missing, does not compile or cannot be linked, EndedEarly when the user interrupts.
[[nodiscard]] std::filesystem::path compile(const Compilation& compilation);

}  // namespace mazurka::host
