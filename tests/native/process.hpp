// Runs a command and waits for it; what it prints goes to a file.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace mazurka::native {

/// The exit code; 128 + signal if it was killed. `environment`: added to ours.
int run(const std::vector<std::string>& command, const std::filesystem::path& directory,
        const std::filesystem::path& output, const std::vector<std::string>& environment = {});

std::string read_file(const std::filesystem::path& file);
void write_file(const std::filesystem::path& file, const std::string& text);

}  // namespace mazurka::native
