#include "host/compiler.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <system_error>

#include "host/build_record.hpp"
#include "host/files.hpp"
#include "host/flags.hpp"
#include "host/interrupts.hpp"
#include "host/link_failure.hpp"
#include "host/ownership.hpp"
#include "host/run_command.hpp"

namespace mazurka::host {

namespace fs = std::filesystem;

namespace {

bool is_c(const fs::path& file) { return file.extension() == ".c" || file.extension() == ".i"; }

/// Whether the file itself includes this header.
bool includes_file(const std::string& source, const std::string& header) {
  std::istringstream lines(source);
  for (std::string line; std::getline(lines, line);) {
    line.erase(
        std::remove_if(line.begin(), line.end(), [](char c) { return c == ' ' || c == '\t'; }),
        line.end());
    if (line.starts_with("#include<" + header + ">") ||
        line.starts_with("#include\"" + header + "\"")) {
      return true;
    }
  }
  return false;
}

bool includes(const std::string& source, const std::string& header) {
  return includes_file(source, "mazurka/" + header);
}

fs::path source_file(const Compilation& compilation) {
  return compilation.folder / compilation.source;  // which is the source if there is no folder
}

/// As a word that the compiler takes for nothing else: neither an option nor a file of options.
std::string source_word(const Compilation& compilation) {
  const std::string name = compilation.source.string();
  return name.starts_with('-') || name.starts_with('@') ? "./" + name : name;
}

/// A program of actors says so, and needs no instrumentation.
bool source_of_actors(const std::string& source) { return includes(source, "actors.hpp"); }

/// A program of CAF has its main made by a macro.
bool source_of_caf(const std::string& source) {
  if (includes(source, "caf.hpp")) return true;
  std::istringstream lines(source);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("CAF_MAIN(")) return true;
  }
  return false;
}

/// A program of MPI includes the header, wherever that comes from.
bool source_of_mpi(const std::string& source) { return includes_file(source, "mpi.h"); }

bool is_of_mpi(const Compilation& compilation) {
  const std::vector<std::string>& flags = compilation.flags;
  return std::find(flags.begin(), flags.end(), flag_for_mpi) != flags.end() ||
         source_of_mpi(read_text(source_file(compilation)));
}

bool is_of_caf(const Compilation& compilation) {
  if (is_c(compilation.source)) return false;
  const std::vector<std::string>& flags = compilation.flags;
  return std::find(flags.begin(), flags.end(), flag_for_caf) != flags.end() ||
         source_of_caf(read_text(source_file(compilation)));
}

std::vector<std::string> all_flags(const Compilation& compilation) {
  // Nothing is optimised unless the user says so: a compiler that may assume that there are no
  // races and no errors with memory removes them before anybody can see them.
  std::vector<std::string> flags{"-g", "-O0"};
  const std::string source = read_text(source_file(compilation));
  // Compilers differ in the standard that they take for granted; this one has all of the library.
  if (!is_c(compilation.source)) flags.emplace_back("-std=gnu++20");
  if (source_of_actors(source)) flags = {"-std=c++20", "-g", "-O2"};
  if (is_of_caf(compilation)) {
    flags = {"-std=c++17", "-g", "-O1"};
    if (!includes(source, "caf.hpp")) {
      flags.insert(flags.end(), {"-include", "mazurka/caf.hpp"});
    }
  }
  if (includes(source, "messages.hpp")) flags.emplace_back("-std=c++20");
  flags.insert(flags.end(), compilation.flags.begin(), compilation.flags.end());
  return flags;
}

/// Another one after a library was built anew. Where there is none, linking will say so.
std::string identity_of(const fs::path& library) {
  std::error_code none;
  const auto version = fs::last_write_time(library, none).time_since_epoch().count();
  return library.string() + std::to_string(version) + std::to_string(fs::file_size(library, none));
}

/// The library that the program is linked with.
const fs::path& runtime_of(const Compilation& compilation, const Installation& installation) {
  if (is_of_caf(compilation)) return installation.caf;
  if (source_of_actors(read_text(source_file(compilation)))) return installation.actors;
  return is_of_mpi(compilation) ? installation.mpi : installation.runtime;
}

fs::path binary_path(const Compilation& compilation, const Installation& installation) {
  std::uint64_t key = hash(read_text(source_file(compilation)));
  key = hash(fs::absolute(source_file(compilation)).string(), key);
  for (const std::string& flag : all_flags(compilation)) key = hash(flag + '\0', key);
  key = hash(compilation.compiler == Compiler::clang ? "clang" : "gcc", key);
  key = hash(identity_of(runtime_of(compilation, installation)), key);
  const std::vector<std::string>& flags = compilation.flags;
  if (std::find(flags.begin(), flags.end(), "-fopenmp") != flags.end()) {
    key =
        hash(identity_of(installation.runtime.parent_path() / "mazurka-openmp" / "libgomp.a"), key);
  }
  return work_folder() / (compilation.source.stem().string() + "-" + hash_text(key).substr(0, 8));
}

void refuse_partial(const Compilation& compilation) {
  for (const std::string& flag : compilation.flags) {
    if (flag == "-c" || flag == "-S" || flag == "-E" || flag == "-fsyntax-only" || flag == "-o") {
      throw InputError("the flag " + flag + " does not go with a check: " +
                       compilation.source.string() + " is compiled and linked to be run; " +
                       "for objects and binaries of your own use mazurka-cc or mazurka-c++");
    }
  }
}

/// The words of a list of flags.
void add_words(const char* list, std::vector<std::string>& command) {
  std::istringstream words(list);
  for (std::string word; words >> word;) command.push_back(word);
}

/// Accesses to memory are told. Functions stay what they are, so that it is known whose code it is
/// that accesses, and frames are linked, so that it is known who has called it.
void add_instrumentation(const Compilation& compilation, const Installation& installation,
                         const std::string& compiler, std::vector<std::string>& command) {
  if (compilation.compiler == Compiler::clang || compiler.find("clang") != std::string::npos) {
    add_words(MAZURKA_CLANG_FLAGS " -fno-sanitize-link-runtime -Wno-unused-command-line-argument",
              command);
  } else {
    const fs::path shared = installation.headers.parent_path() / "share" / "mazurka";
    command.push_back("-specs=" + (shared / "mazurka.specs").string());
    command.insert(command.end(), {"-include", (shared / "builtin_calls.h").string()});
    add_words(MAZURKA_GNU_FLAGS, command);
  }
  add_words("-fno-inline -fno-omit-frame-pointer -fno-optimize-sibling-calls", command);
}

bool looks_for_races(const Compilation& compilation) {
  const std::vector<std::string>& flags = compilation.flags;
  return std::find(flags.begin(), flags.end(), flag_without_races) == flags.end();
}

/// With one of our libraries and what it needs.
std::vector<std::string> plain_command(const Compilation& compilation,
                                       const Installation& installation, const fs::path& binary,
                                       const std::vector<std::string>& libraries) {
  const char* chosen = std::getenv("MAZURKA_CXX");
  std::string compiler = compilation.compiler == Compiler::clang ? "clang++" : "g++";
  if (chosen != nullptr && *chosen != '\0') compiler = chosen;
  const std::string folder = fs::absolute(installation.actors).parent_path().string();
  std::vector<std::string> command{"/usr/bin/env",
                                   compiler,
                                   "-o",
                                   binary.string(),
                                   source_word(compilation),
                                   "-I" + installation.headers.string()};
  if (is_of_caf(compilation) && looks_for_races(compilation)) {
    add_instrumentation(compilation, installation, compiler, command);
  }
  for (const std::string& flag : all_flags(compilation)) command.push_back(flag);
  command.insert(command.end(), {"-L" + folder, "-Wl,-rpath," + folder});
  command.insert(command.end(), libraries.begin(), libraries.end());
  return command;
}

/// Ours comes before CAF's: its functions are to be found first. A program with io is refused, but
/// by name, so it has to be linked.
std::vector<std::string> libraries_for_caf(const Compilation& compilation) {
  std::vector<std::string> libraries{"-Wl,--no-as-needed", "-lmazurka-caf"};
  if (read_text(source_file(compilation)).find("caf/io/") != std::string::npos) {
    libraries.emplace_back("-lcaf_io");
  }
  libraries.insert(libraries.end(), {"-lcaf_core", "-pthread"});
  return libraries;
}

void require_runtime(const Compilation& compilation, const Installation& installation) {
  std::error_code failure;
  const fs::path& runtime = runtime_of(compilation, installation);
  if (fs::exists(runtime, failure)) return;
  if (!is_of_caf(compilation)) {
    throw InputError(runtime.string() + " is not there; build or install Mazurka completely");
  }
  throw InputError(compilation.source.string() +
                   " is a program of CAF, and this Mazurka was built without it; install "
                   "libcaf-dev (0.17) and build Mazurka again");
}

std::vector<std::string> compiler_command(const Compilation& compilation,
                                          const Installation& installation,
                                          const fs::path& binary) {
  const bool c = is_c(compilation.source);
  if (is_of_caf(compilation)) {
    return plain_command(compilation, installation, binary, libraries_for_caf(compilation));
  }
  if (!c && source_of_actors(read_text(source_file(compilation)))) {
    return plain_command(compilation, installation, binary, {"-lmazurka-actors"});
  }
  if (compilation.compiler == Compiler::clang) {
    setenv(c ? "MAZURKA_CC" : "MAZURKA_CXX", c ? "clang" : "clang++", 1);
  }
  const bool mpi = is_of_mpi(compilation);
  const std::string wrapper =
      mpi ? (c ? "mazurka-mpicc" : "mazurka-mpicxx") : (c ? "mazurka-cc" : "mazurka-c++");
  std::vector<std::string> command{(installation.wrappers / wrapper).string()};
  // The source stands before the flags: libraries (-l) come after what needs them.
  command.insert(command.end(), {"-o", binary.string(), source_word(compilation)});
  for (const std::string& flag : all_flags(compilation)) command.push_back(flag);
  // Where there are no libraries of the user, those that the runtime needs need not be searched for
  // what others lack: most of a linker's time.
  if (!name_inputs(compilation.flags)) command.emplace_back("-Wl,--allow-shlib-undefined");
  return command;
}

}  // namespace

namespace {

bool is_of_kind(const fs::path& program, bool (*linked)(const fs::path&),
                bool (*source)(const std::string&)) {
  std::error_code failure;
  const bool readable = access(program.c_str(), R_OK) == 0;
  if (!fs::is_regular_file(program, failure) || !readable) return false;
  if (!is_source(program)) return linked(program);
  return !is_c(program) && source(read_text(program));
}

}  // namespace

bool uses_actors(const fs::path& program) {
  return is_of_kind(program, is_linked_with_actors, source_of_actors);
}

bool uses_caf(const fs::path& program) {
  return is_of_kind(program, is_linked_with_caf, source_of_caf);
}

bool uses_mpi(const fs::path& program) {
  std::error_code failure;
  const bool readable = access(program.c_str(), R_OK) == 0;
  if (!fs::is_regular_file(program, failure) || !readable) return false;
  return is_source(program) ? source_of_mpi(read_text(program)) : calls_mpi(program);
}

bool is_source(const fs::path& file) {
  constexpr std::array extensions{".c", ".cc", ".cpp", ".cxx", ".c++", ".C", ".i", ".ii"};
  for (const char* extension : extensions) {
    if (file.extension() == extension) return true;
  }
  return false;
}

namespace {

std::string failure_in_words(const Compilation& compilation, const std::string& messages) {
  const std::string shown = compilation.source.string();
  if (!is_failed_link(messages)) {
    return shown + " does not compile; the compiler's messages are above";
  }
  std::vector<fs::path> sources{source_file(compilation)};
  for (const std::string& flag : compilation.flags) {
    if (is_source(flag)) sources.push_back(compilation.folder / flag);
  }
  const std::string hint = hint_for_inline(undefined_functions(messages), sources);
  return shown + " compiles, but cannot be linked; the linker's messages are above" +
         (hint.empty() ? "" : ": " + hint);
}

}  // namespace

fs::path compile(const Compilation& compilation) {
  refuse_partial(compilation);
  const Installation installation = find_installation();
  require_runtime(compilation, installation);
  const fs::path binary = binary_path(compilation, installation);
  const fs::path unfinished = binary.string() + "." + std::to_string(getpid());

  BuildRecord record(binary, compiler_command(compilation, installation, fs::absolute(binary)),
                     compilation.folder, compilation.flags);
  if (record.holds()) return binary;

  std::vector<std::string> command =
      compiler_command(compilation, installation, fs::absolute(unfinished));
  const std::vector<std::string> besides = record.flags();
  command.insert(command.end(), besides.begin(), besides.end());
  record.begin();
  const std::optional<Ended> ended = run_command(command, compilation.folder);
  std::error_code ignored;
  if (!ended) {
    record.keep(false);
    fs::remove(unfinished, ignored);
    throw EndedEarly(std::string(interrupted_in_words()) + " before the program was compiled");
  }
  if (!WIFEXITED(ended->status) || WEXITSTATUS(ended->status) != 0) {
    record.keep(false);
    fs::remove(unfinished, ignored);
    throw InputError(failure_in_words(compilation, ended->messages));
  }
  if (!fs::exists(unfinished, ignored)) {
    throw InputError("the flags keep the compiler from making a program of " +
                     compilation.source.string());
  }
  fs::rename(unfinished, binary, ignored);
  if (ignored) throw InputError(binary.string() + " can not be written: " + ignored.message());
  record.keep(ended->messages.empty());
  return binary;
}

}  // namespace mazurka::host
