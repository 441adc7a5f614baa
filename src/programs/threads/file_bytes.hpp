// Whole files at once, through their descriptors: neither a signal nor a short count cuts them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace mazurka::threads {

/// False: not everything could be written; errno says why.
[[nodiscard]] bool write_bytes(int file, std::span<const std::byte> bytes);

/// From the beginning of the file, wherever it stands, as far as it can be read.
[[nodiscard]] std::vector<std::byte> read_bytes(int file);

}  // namespace mazurka::threads
