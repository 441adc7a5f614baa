// Whole files at once, through their descriptors: neither a signal nor a short count cuts them.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace mazurka {

/// False: not everything could be written; errno says why.
[[nodiscard]] bool write_bytes(int file, std::span<const std::byte> bytes);

/// From the beginning of the file, wherever it stands, as far as it can be read.
[[nodiscard]] std::vector<std::byte> read_bytes(int file);

/// A message through a socket: its length goes before it. False, or nothing: the other end is gone.
[[nodiscard]] bool send_message(int socket, std::span<const std::byte> message);
[[nodiscard]] std::optional<std::vector<std::byte>> receive_message(int socket);

}  // namespace mazurka
