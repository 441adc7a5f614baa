// The program that a schedule or an exploration names, if it may be run.
//
// Such a file may come from somebody else, and what it says of itself (a hash, too) proves nothing.
// So the program that it names is run without a word of the user only where the user could have
// made it: it lies in the current folder, or where Mazurka keeps its own, and belongs to the user
// (or to root). Any other has to be named on the command line. A program that is compiled anew is
// compiled with harmless flags only (flags.hpp), and never by a compiler that the file chooses.
#pragma once

#include <filesystem>
#include <string>

#include "host/schedule_file.hpp"

namespace mazurka::host {

/// The program that the schedule belongs to: the kept binary, or the unchanged source compiled
/// again. `given`: a program that the user names instead; may be empty. Throws InputError when it
/// is another program, or may not be run.
[[nodiscard]] Target find_target(const ScheduleFile& schedule, const std::filesystem::path& given);

/// What is about to be run, as a command.
[[nodiscard]] std::string command_of(const Target& target);

/// The program as a word behind a printed command, with a blank before it; empty if the file that
/// names it suffices.
[[nodiscard]] std::string program_to_name(const Target& target);

}  // namespace mazurka::host
