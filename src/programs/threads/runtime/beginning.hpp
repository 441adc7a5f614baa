// The beginning of the program before main, and its end after main.
//
// Neither is left to the dynamic linker and the C library: they are a part of every execution, and
// so are performed by its first process, with everything in force. What there is to be called was
// put off when the process started (first.c). The order is that of the plain program: the
// executable's DT_PREINIT_ARRAY, the libraries in the order of the dynamic linker, the executable,
// main; then the handlers of exit down to those that libraries have registered, the executable's
// DT_FINI_ARRAY, the libraries in the reverse order, and what handlers are left.
#pragma once

#include <link.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace mazurka::threads {

/// What an object of the program (the executable, a library) has called before and after main.
struct ObjectFunctions {
  using Initializer = void (*)(int, char**, char**);
  using Finalizer = void (*)();

  Initializer init = nullptr;  // DT_INIT
  std::span<const Initializer> initializers;
  std::span<const Finalizer> finalizers;
  Finalizer fini = nullptr;  // DT_FINI

  /// As the dynamic section says, of an object that lies there.
  [[nodiscard]] static ObjectFunctions of(std::uintptr_t base, std::span<const ElfW(Dyn)> dynamic);
  void begin(int argc, char** argv, char** environment) const;
  void end() const;
};

[[nodiscard]] ObjectFunctions functions_of(const dl_phdr_info& object);
/// All names in its dynamic symbol table, each between zeros.
[[nodiscard]] std::string_view names_of(const dl_phdr_info& object);

/// Finds all that has been put off. `init`: what the start-up code of the executable asks to be
/// called before main, instead of what its dynamic section says; null: it does not.
void learn_beginning(void (*init)());
/// Why the program can not begin as it would without us; empty: it can.
[[nodiscard]] std::string problem_of_beginning();

/// The executable's DT_PREINIT_ARRAY, and all libraries.
void begin_libraries(int argc, char** argv, char** environment);
void begin_executable(int argc, char** argv, char** environment);
/// Both, backwards.
void end_objects();

}  // namespace mazurka::threads
