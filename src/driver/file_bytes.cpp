#include "driver/file_bytes.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

namespace mazurka {

bool write_bytes(int file, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = write(file, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
  return true;
}

std::vector<std::byte> read_bytes(int file) {
  std::vector<std::byte> bytes;
  std::vector<std::byte> buffer(std::size_t{64} << 10U);
  struct stat about {};
  if (fstat(file, &about) == 0) bytes.reserve(static_cast<std::size_t>(about.st_size));
  lseek(file, 0, SEEK_SET);
  for (;;) {
    const ssize_t count = read(file, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return bytes;
    bytes.insert(bytes.end(), buffer.begin(), buffer.begin() + count);
  }
}

namespace {

constexpr std::uint64_t longest_message = std::uint64_t{64} << 20U;

bool read_exactly(int file, std::span<std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = read(file, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
  return true;
}

}  // namespace

bool send_message(int socket, std::span<const std::byte> message) {
  const std::uint64_t length = message.size();
  return write_bytes(socket, std::as_bytes(std::span(&length, 1))) && write_bytes(socket, message);
}

std::optional<std::vector<std::byte>> receive_message(int socket) {
  std::uint64_t length = 0;
  if (!read_exactly(socket, std::as_writable_bytes(std::span(&length, 1))) ||
      length > longest_message) {
    return std::nullopt;
  }
  std::vector<std::byte> message(length);
  if (!read_exactly(socket, message)) return std::nullopt;
  return message;
}

}  // namespace mazurka
