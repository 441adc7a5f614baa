// The files around a check: where Mazurka is installed, how they are read and written, and whether
// two files are the same.
#pragma once

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

namespace mazurka::host {

/// The user's input, or the installation, is not as it must be. what() is all that the user sees:
/// what is wrong, where, and what to do.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws InputError: what failed, and what errno says of it.
[[noreturn]] void fail_with_errno(const std::string& what);

/// Where the parts of Mazurka lie: relative to the program that is running.
struct Installation {
  std::filesystem::path wrappers;  // folder of mazurka-cc and mazurka-c++
  std::filesystem::path runtime;   // libmazurka-threads.so
  std::filesystem::path mpi;       // the same for programs of MPI
  std::filesystem::path actors;    // libmazurka-actors.so
  std::filesystem::path caf;       // libmazurka-caf.so, which need not be there
  std::filesystem::path headers;   // folder of mazurka/
};
[[nodiscard]] Installation find_installation();

/// Throws InputError when the file can not be read.
[[nodiscard]] std::string read_text(const std::filesystem::path& file);
/// Takes text as it comes and is never replaced: a terminal, a pipe, /dev/stdout.
[[nodiscard]] bool is_stream(const std::filesystem::path& file);
/// Replaces the file as a whole, unless it is a stream. Throws InputError when it can not be
/// written; what was there is then as it was.
void write_text(const std::filesystem::path& file, std::string_view text);

/// FNV-1a with 64 bits: names and compares files, keeps no secrets.
[[nodiscard]] std::uint64_t hash(std::string_view text, std::uint64_t seed = 0xcbf29ce484222325U);
[[nodiscard]] std::string hash_text(std::uint64_t hash);  // 16 hexadecimal digits
[[nodiscard]] std::string file_identity(const std::filesystem::path& file);

/// How a file is shown to the user: relative to the current folder where that is shorter.
[[nodiscard]] std::string shown_path(const std::filesystem::path& file);

/// Whether the file is a program that was linked with the library of actors, or with that of CAF.
[[nodiscard]] bool is_linked_with_actors(const std::filesystem::path& binary);
[[nodiscard]] bool is_linked_with_caf(const std::filesystem::path& binary);
/// Whether it is one that calls functions of MPI.
[[nodiscard]] bool calls_mpi(const std::filesystem::path& binary);

/// Throws InputError unless the file is a program that was linked with the runtime.
void require_checkable(const std::filesystem::path& binary);

}  // namespace mazurka::host
