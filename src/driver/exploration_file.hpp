// An exploration on disk: where a search stands, so that another process can go on with it.
//
// The program under test writes it now and then, and when it is asked to stop; the front process
// reads it to know which program and which options it belongs to. The file is replaced as a whole,
// so that a process killed while it writes leaves the previous one, and it ends with a checksum.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/archive.hpp"

namespace mazurka {

struct ExplorationFile {
  std::string about;             // what the front process wants to find in it again
  std::vector<std::byte> state;  // of the session and the explorer
};

/// 0, or errno when it can not be written; the file that was there is then as it was. Only one
/// process at a time may write it: whoever starts that one holds a lock (host/exploration.hpp).
[[nodiscard]] int write_exploration(const std::string& file, const ExplorationFile& exploration);

/// Throws ArchiveError: no such file, not an exploration, another version, damaged.
[[nodiscard]] ExplorationFile read_exploration(const std::string& file);

/// The same as bytes.
[[nodiscard]] std::vector<std::byte> encode_exploration(const ExplorationFile& exploration);
[[nodiscard]] ExplorationFile decode_exploration(std::span<const std::byte> bytes);

}  // namespace mazurka
