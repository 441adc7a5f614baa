#include "driver/exploration_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <span>

#include "core/check.hpp"
#include "core/hash.hpp"
#include "driver/file_bytes.hpp"

namespace mazurka {

namespace {

constexpr std::uint32_t magic = 0x5845'5a4d;  // "MZEX"
constexpr std::uint32_t format = 8;           // changes with what explorers and front-ends save
constexpr std::size_t checksum_size = 8;

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

int write_exploration(NewFile& out, const std::string& about,
                      const std::function<void(ArchiveWriter&)>& save) {
  RunningHash checksum;
  std::vector<std::byte> piece;
  const auto hand_on = [&] {
    checksum.add(piece);
    out.write(piece);
    piece.clear();
  };
  MAZURKA_CHECK(save != nullptr, "an exploration has something to save");
  ArchiveWriter archive(piece, hand_on);
  archive(magic, format, about);
  save(archive);
  hand_on();
  archive(checksum.value());
  out.write(piece);
  return out.end();
}

ExplorationFile read_exploration(const std::string& file) {
  return decode_exploration(read_whole(file));
}

std::vector<std::byte> encode_exploration(const ExplorationFile& exploration) {
  std::vector<std::byte> bytes;
  ArchiveWriter archive(bytes);
  archive(magic, format, exploration.about);
  bytes.insert(bytes.end(), exploration.state.begin(), exploration.state.end());
  archive(RunningHash().add(bytes).value());
  return bytes;
}

ExplorationFile decode_exploration(std::vector<std::byte> bytes) {
  std::uint32_t seen_magic = 0;
  std::uint32_t seen_format = 0;
  ArchiveReader beginning(bytes);
  if (bytes.size() >= 8) beginning(seen_magic, seen_format);
  if (seen_magic != magic) throw ArchiveError("it is not an exploration");
  if (seen_format != format) throw ArchiveError("it was written by another version of Mazurka");
  if (bytes.size() < 8 + checksum_size) throw ArchiveError("it is damaged: it is cut short");
  const auto content = std::span<const std::byte>(bytes).first(bytes.size() - checksum_size);
  std::uint64_t checksum = 0;
  ArchiveReader end(std::span<const std::byte>(bytes).last(checksum_size));
  end(checksum);
  if (checksum != RunningHash().add(content).value()) {
    throw ArchiveError("it is damaged: its checksum does not fit");
  }
  ExplorationFile exploration;
  ArchiveReader archive(content);
  archive(seen_magic, seen_format, exploration.about);
  const auto state = static_cast<std::ptrdiff_t>(content.size() - archive.rest().size());
  bytes.resize(content.size());
  bytes.erase(bytes.begin(), bytes.begin() + state);
  exploration.state = std::move(bytes);
  return exploration;
}

}  // namespace mazurka
