// An exploration on disk: where a search stands, so that another process can go on with it.
//
// The program under test makes it now and then, and when it is asked to stop; the front process
// writes it for it, and reads it to know which program and which options it belongs to. The file is
// replaced as a whole and ends with a checksum. It is written piece by piece: a search may have
// filled more than half of the memory.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "core/archive.hpp"
#include "driver/new_file.hpp"

namespace mazurka {

struct ExplorationFile {
  std::string about;             // what the front process wants to find in it again
  std::vector<std::byte> state;  // of the session and the explorer
};

/// Writes the file; `save` puts the state into the archive. 0, or errno when it can not be written;
/// the file that was there is then as it was.
[[nodiscard]] int write_exploration(NewFile& file, const std::string& about,
                                    const std::function<void(ArchiveWriter&)>& save);

/// Throws ArchiveError: no such file, not an exploration, another version, damaged.
[[nodiscard]] ExplorationFile read_exploration(const std::string& file);

/// The same as bytes.
[[nodiscard]] std::vector<std::byte> encode_exploration(const ExplorationFile& exploration);
[[nodiscard]] ExplorationFile decode_exploration(std::vector<std::byte> bytes);

}  // namespace mazurka
