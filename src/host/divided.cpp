#include "host/divided.hpp"

#include <algorithm>
#include <map>

#include "core/archive.hpp"
#include "core/check.hpp"
#include "driver/exploration_file.hpp"
#include "host/exploration.hpp"
#include "host/files.hpp"
#include "host/wire.hpp"

namespace mazurka::host {

namespace {

struct SavedPart {
  std::uint64_t rest = 0;  // which one
  std::uint32_t number = 0;
  std::uint32_t parts = 0;
};
template <typename Archive>
void members(Archive& archive, Same<SavedPart> auto& v) {
  archive(v.rest, v.number, v.parts);
}

std::string text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

bool can_be_saved(const std::vector<Part>& parts) {
  return std::none_of(parts.begin(), parts.end(), [](const Part& one) { return one.is_whole(); });
}

int save_divided(const std::string& file, const std::string& about,
                 const DividedExploration& exploration) {
  std::map<std::shared_ptr<const SavedRest>, std::uint64_t> known;
  std::vector<std::string> rests;
  std::vector<SavedPart> parts;
  for (const Part& part : exploration.parts) {
    MAZURKA_CHECK(part.rest != nullptr && part.number < part.parts,
                  "what is saved of a search in parts is one of so many (can_be_saved)");
    const auto [rest, is_new] = known.emplace(part.rest, rests.size());
    if (is_new) rests.push_back(read_text(part.rest->file()));
    parts.push_back({rest->second, part.number, part.parts});
  }
  Reply reply = exploration.reply;
  reply.tree = {};
  const std::unique_ptr<NewFile> out = new_file(file);
  return write_exploration(*out, divided_about(about), [&](ArchiveWriter& archive) {
    archive(text_of(encode(reply)), exploration.notes, rests, parts);
  });
}

bool is_divided(const std::string& file) { return is_divided_about(read_exploration(file).about); }

DividedExploration load_divided(const std::string& file, const SliceFolder& folder) {
  const ExplorationFile saved = read_exploration(file);
  DividedExploration exploration;
  std::string reply;
  std::vector<std::string> rests;
  std::vector<SavedPart> parts;
  ArchiveReader archive(saved.state);
  archive(reply, exploration.notes, rests, parts);
  archive.expect_end();
  exploration.reply = decode_reply(std::as_bytes(std::span<const char>(reply)));
  std::vector<std::shared_ptr<const SavedRest>> files;
  for (const std::string& rest : rests) {
    const std::filesystem::path one = folder / ("saved" + std::to_string(files.size()));
    write_text(one, rest);
    files.push_back(std::make_shared<SavedRest>(one));
  }
  for (const SavedPart& part : parts) {
    if (part.rest >= files.size() || part.number >= part.parts) {
      throw ArchiveError("it is damaged: a part of the search is not there");
    }
    exploration.parts.push_back(
        {.rest = files[part.rest], .number = part.number, .parts = part.parts});
  }
  return exploration;
}

}  // namespace mazurka::host
