// The program under test as a child process: with which files and environment it is started.
#pragma once

#include <sys/types.h>

#include <span>
#include <string>
#include <vector>

#include "host/launcher.hpp"

namespace mazurka::host {

/// What tells the child where the request is, and where the rest goes. Numbers of files that it
/// inherits; negative: none.
[[nodiscard]] std::vector<std::string> child_environment(int request, int reply, int progress,
                                                         int races = -1, int files = -1);
/// Our own environment with these variables.
[[nodiscard]] std::vector<std::string> with_environment(const std::vector<std::string>& added);
/// As exec wants it. Valid as long as the words.
[[nodiscard]] std::vector<char*> pointers(const std::vector<std::string>& words);

/// Throws InputError if the program can not be started.
[[nodiscard]] pid_t start_child(const Launch& launch, const std::vector<std::string>& environment,
                                std::span<const int> passed_on);

}  // namespace mazurka::host
