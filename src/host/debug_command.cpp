#include "host/debug_command.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstddef>

#include "core/shown_text.hpp"
#include "host/child.hpp"
#include "host/files.hpp"
#include "host/wire.hpp"

namespace mazurka::host {

DebugCommand debug_command(const Launch& launch, const std::filesystem::path& folder,
                           const std::string& name) {
  DebugCommand debug;
  debug.request = folder / (name + ".request");
  debug.progress = folder / (name + ".progress");
  const std::vector<std::byte> bytes = encode(launch.request);
  write_text(debug.request, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  write_text(debug.progress, "");
  std::filesystem::resize_file(debug.progress, sizeof(Progress));  // sparse

  debug.environment = child_environment(3, 4, 5);
  // Without a shell in between, the program inherits the files and gets the same addresses.
  debug.command = {"gdb", "-q"};
  const std::vector<std::string> commands{"set startup-with-shell off",
                                          "set breakpoint pending on",
                                          "break mazurka_failure",
                                          "break mazurka_waits",
                                          "run",
                                          "backtrace"};
  for (const std::string& one : commands) {
    debug.command.insert(debug.command.end(), {"-ex", one});
  }
  debug.command.insert(debug.command.end(), {"--args", launch.binary.string()});
  debug.command.insert(debug.command.end(), launch.arguments.begin(), launch.arguments.end());
  return debug;
}

std::string DebugCommand::text() const {
  std::string line;
  for (const std::string& variable : environment) line += variable + " ";
  for (const std::string& word : command) line += shell_word(word) + " ";
  return line + "3<" + shell_word(request.string()) + " 4>/dev/null 5<>" +
         shell_word(progress.string());
}

void DebugCommand::run() const {
  const int files[3] = {open(request.c_str(), O_RDONLY), open("/dev/null", O_WRONLY),
                        open(progress.c_str(), O_RDWR)};
  // First out of the way, then to the numbers that the environment names.
  int moved[3];
  for (int i = 0; i < 3; ++i) {
    if (files[i] < 0) fail_with_errno("the debugger's files can not be opened");
    moved[i] = fcntl(files[i], F_DUPFD, 10);
    close(files[i]);
  }
  for (int i = 0; i < 3; ++i) {
    dup2(moved[i], 3 + i);
    close(moved[i]);
  }
  const std::vector<std::string> variables = with_environment(environment);
  const std::vector<char*> variable_pointers = pointers(variables);
  const std::vector<char*> arguments = pointers(command);
  execvpe(arguments[0], arguments.data(), variable_pointers.data());
  fail_with_errno("gdb can not be started (install gdb, or see the command with --print)");
}

}  // namespace mazurka::host
