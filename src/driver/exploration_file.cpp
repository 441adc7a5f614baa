#include "driver/exploration_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "driver/file_bytes.hpp"

namespace mazurka {

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

/// A file that was not there before: whatever has the name is removed, not written to. Returns 0 or
/// errno.
int write_fresh(const std::string& file, std::span<const std::byte> bytes) {
  unlink(file.c_str());
  const int number = open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (number < 0) return errno;
  int failure = write_bytes(number, bytes) ? 0 : errno;
  if (close(number) != 0 && failure == 0) failure = errno;
  return failure;
}

std::vector<std::byte> read_whole(const std::string& file) {
  // Neither waits for a pipe to be written, nor reads from a device that has no end.
  const int number = open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (number < 0) throw ArchiveError(std::strerror(errno));
  struct stat about {};
  const bool regular = fstat(number, &about) == 0 && S_ISREG(about.st_mode);
  std::vector<std::byte> bytes;
  if (regular) bytes = read_bytes(number);
  close(number);
  if (!regular) throw ArchiveError("it is not a regular file");
  return bytes;
}

}  // namespace

int write_exploration(const std::string& file, const ExplorationFile& exploration) {
  const std::string fresh = file + ".new";
  int failure = write_fresh(fresh, encode_exploration(exploration));
  if (failure == 0 && std::rename(fresh.c_str(), file.c_str()) != 0) failure = errno;
  if (failure != 0) unlink(fresh.c_str());
  return failure;
}

ExplorationFile read_exploration(const std::string& file) {
  return decode_exploration(read_whole(file));
}

std::vector<std::byte> encode_exploration(const ExplorationFile& exploration) {
  std::vector<std::byte> bytes;
  ArchiveWriter archive(bytes);
  archive(magic, format, exploration.about);
  archive(static_cast<std::uint64_t>(exploration.state.size()));
  bytes.insert(bytes.end(), exploration.state.begin(), exploration.state.end());
  archive(checksum(bytes));
  return bytes;
}

ExplorationFile decode_exploration(std::span<const std::byte> bytes) {
  std::uint32_t seen_magic = 0;
  std::uint32_t seen_format = 0;
  ArchiveReader beginning(bytes);
  if (bytes.size() >= 8) beginning(seen_magic, seen_format);
  if (seen_magic != magic) throw ArchiveError("it is not an exploration");
  if (seen_format != format) throw ArchiveError("it was written by another version of Mazurka");
  if (bytes.size() < 8 + checksum_size) throw ArchiveError("it is damaged: it is cut short");
  const std::span<const std::byte> content = bytes.first(bytes.size() - checksum_size);
  std::uint64_t sum = 0;
  ArchiveReader end(bytes.last(checksum_size));
  end(sum);
  if (sum != checksum(content)) throw ArchiveError("it is damaged: its checksum does not fit");
  ExplorationFile exploration;
  ArchiveReader archive(content);
  std::uint64_t size = 0;
  archive(seen_magic, seen_format, exploration.about, size);
  const std::size_t before = 8 + 8 + exploration.about.size() + 8;
  if (size != content.size() - before) throw ArchiveError("it is damaged: its parts do not fit");
  exploration.state.assign(content.end() - static_cast<std::ptrdiff_t>(size), content.end());
  return exploration;
}

}  // namespace mazurka
