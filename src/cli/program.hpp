// The program: parse the options, prepare the program under test, explore or replay, report.
#pragma once

namespace mazurka::cli {

/// From the words of the command line to the exit code.
int run_program(int argc, char** argv);

}  // namespace mazurka::cli
