// Whose files are these? Other users of the machine must not decide what is compiled and run.
//
// A program that a schedule names, a folder for temporary files with a name that anybody can guess:
// each is used only if it belongs to the user (or to root), and if not everybody can write to it.
#pragma once

#include <filesystem>
#include <string>

namespace mazurka::host {

/// Why others could have written the file or folder (where a link leads counts): "belongs to the
/// user mallory". Empty: they could not.
[[nodiscard]] std::string why_foreign(const std::filesystem::path& file);

/// Whether the file lies, when all links are followed, in the folder or below it.
[[nodiscard]] bool lies_in(const std::filesystem::path& file, const std::filesystem::path& folder);

/// The folder for binaries and schedules: `.mazurka` here, or, where that is missing and can not be
/// made, can not be written or is not the user's own, a folder for temporary files that only the
/// user can enter. Made when it is missing. Throws InputError when neither can be used.
[[nodiscard]] std::filesystem::path work_folder();

}  // namespace mazurka::host
