#include "cli/beside.hpp"

#include <unistd.h>

#include <filesystem>

#include "core/check.hpp"
#include "host/files.hpp"

namespace mazurka::cli {

void become(std::string_view name, char** argv, const std::string& what_to_do) {
  MAZURKA_CHECK(argv != nullptr && argv[0] != nullptr, "a program has a name among its words");
  const std::filesystem::path program =
      std::filesystem::canonical("/proc/self/exe").parent_path() / name;
  execv(program.c_str(), argv);
  throw host::InputError(program.string() + " can not be started: " + what_to_do);
}

}  // namespace mazurka::cli
