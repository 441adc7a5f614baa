// Saved explorations as the front process sees them: to which program they belong, and how it was
// explored.
#pragma once

#include <filesystem>
#include <string>

#include "host/protocol.hpp"
#include "host/schedule_file.hpp"

namespace mazurka::host {

/// The name of an exploration of this program with these options, for SavePlace::usual.
[[nodiscard]] std::string exploration_name(const ScheduleFile& program, const Request& request);

/// What is written into the file: the program, by its contents, and all options that decide which
/// executions there are. No two runs describe themselves in the same way.
[[nodiscard]] std::string describe_exploration(const ScheduleFile& program, const Request& request);

/// The same for an exploration by several processes (divided.hpp).
[[nodiscard]] std::string divided_about(const std::string& about);
[[nodiscard]] bool is_divided_about(const std::string& about);

/// Whether the request's file holds what the request's own run has saved, not somebody else's.
[[nodiscard]] bool saved_by(const Request& request);

struct SavedExploration {
  ScheduleFile program;  // without decisions
  Request request;       // technique and limits as they were
};

/// What describe_exploration has written. Throws InputError when it is damaged; `shown`: the file
/// that its message names.
[[nodiscard]] SavedExploration saved_exploration(const std::string& about,
                                                 const std::string& shown);

/// Throws InputError when the file is missing, damaged, of another version or something else.
[[nodiscard]] SavedExploration load_exploration(const std::filesystem::path& file);

}  // namespace mazurka::host
