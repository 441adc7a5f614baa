#include "programs/threads/file_bytes.hpp"

#include <unistd.h>

#include <cerrno>

namespace mazurka::threads {

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
  lseek(file, 0, SEEK_SET);
  for (;;) {
    const ssize_t count = read(file, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return bytes;
    bytes.insert(bytes.end(), buffer.begin(), buffer.begin() + count);
  }
}

}  // namespace mazurka::threads
