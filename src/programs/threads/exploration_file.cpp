#include "programs/threads/exploration_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "programs/threads/file_bytes.hpp"

namespace mazurka::threads {

namespace {

constexpr std::uint32_t magic = 0x5845'5a4d;  // "MZEX"
constexpr std::uint32_t format = 3;           // changes with what explorers and front-ends save
constexpr std::size_t checksum_size = 8;

std::uint64_t checksum(std::span<const std::byte> bytes) {
  std::uint64_t sum = 0xcbf29ce484222325U;
  for (const std::byte byte : bytes)
    sum = (sum ^ std::to_integer<std::uint64_t>(byte)) * 0x100000001b3U;
  return sum;
}

bool write_whole(const std::string& file, std::span<const std::byte> bytes) {
  const int number = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (number < 0) return false;
  const bool written = write_bytes(number, bytes);
  return close(number) == 0 && written;
}

std::vector<std::byte> read_whole(const std::string& file) {
  const int number = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (number < 0) throw ArchiveError(std::strerror(errno));
  std::vector<std::byte> bytes = read_bytes(number);
  close(number);
  return bytes;
}

}  // namespace

bool write_exploration(const std::string& file, const ExplorationFile& exploration) {
  std::vector<std::byte> bytes;
  ArchiveWriter archive(bytes);
  archive(magic, format, exploration.about);
  archive(static_cast<std::uint64_t>(exploration.state.size()));
  bytes.insert(bytes.end(), exploration.state.begin(), exploration.state.end());
  archive(checksum(bytes));
  const std::string fresh = file + ".new";
  if (write_whole(fresh, bytes) && std::rename(fresh.c_str(), file.c_str()) == 0) return true;
  unlink(fresh.c_str());
  return false;
}

ExplorationFile read_exploration(const std::string& file) {
  const std::vector<std::byte> bytes = read_whole(file);
  std::uint32_t seen_magic = 0;
  std::uint32_t seen_format = 0;
  ArchiveReader beginning(bytes);
  if (bytes.size() >= 8) beginning(seen_magic, seen_format);
  if (seen_magic != magic) throw ArchiveError("it is not an exploration");
  if (seen_format != format) throw ArchiveError("it was written by another version of Mazurka");
  if (bytes.size() < 8 + checksum_size) throw ArchiveError("it is damaged: it is cut short");
  const std::span<const std::byte> whole = bytes;
  const std::span<const std::byte> content = whole.first(bytes.size() - checksum_size);
  std::uint64_t sum = 0;
  ArchiveReader end(whole.last(checksum_size));
  end(sum);
  if (sum != checksum(content)) throw ArchiveError("it is damaged: its checksum does not fit");
  ExplorationFile exploration;
  ArchiveReader archive(content);
  std::uint64_t size = 0;
  archive(seen_magic, seen_format, exploration.about, size);
  if (size > content.size()) throw ArchiveError("it is damaged: it is cut short");
  exploration.state.assign(content.end() - static_cast<std::ptrdiff_t>(size), content.end());
  return exploration;
}

}  // namespace mazurka::threads
