// Where the outcome of a run goes: the terminal first, and then the files that were asked for.
//
// A file that can not be written is said before the search begins. If it happens in the end, it
// costs the file and not the finding. And whoever looks at a file finds this run in it, never one
// before it: from its beginning to its end the file says that the run has not come to an end.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "cli/options.hpp"
#include "report/layout.hpp"
#include "report/model/outcome.hpp"

namespace mazurka::cli {

struct Outputs {
  std::vector<std::string> files;   // per row of report::formats(); empty: none, "-": stdout
  std::vector<std::string> inputs;  // of the run: never written to
};

/// Those that the user asked for.
[[nodiscard]] Outputs outputs_of(const Options& options);

/// The program as reports name it.
[[nodiscard]] std::string shown_program(const Options& options);

/// Tries the files, and leaves in them that the run has not ended. Throws InputError.
void announce(const Outputs& outputs, const std::string& program);

/// Shows the outcome, writes the files, and returns the exit code: that of the verdict; but a
/// report that is asked for and could not be written is an error, unless there is a finding to
/// tell.
int deliver(const Outputs& outputs, const Outcome& outcome, const report::Style& style);

/// Whether a report goes to standard output, and nothing else may.
[[nodiscard]] bool prints_a_report(const Outputs& outputs);

/// The run has failed: says so in the files. Those that can not be written are left alone.
void deliver_error(const Outputs& outputs, const std::string& program, const std::string& message);

/// The files that a command line names which could not be understood as a whole.
[[nodiscard]] Outputs outputs_in(int argc, const char* const* argv);

/// At once.
void print(std::FILE* stream, const std::string& text);

/// "mazurka: error: ..." and the like, on stderr; what stems from others is made printable.
void say(const std::string& kind, const std::string& message);

}  // namespace mazurka::cli
