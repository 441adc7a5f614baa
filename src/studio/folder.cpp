#include "studio/folder.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "core/check.hpp"

namespace mazurka::studio {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t most_programs = 1000;
constexpr std::uintmax_t largest_program = std::uintmax_t{1} << 20U;

/// Whether `inner`, without links and dots, is below `outer`.
bool lies_within(const fs::path& inner, const fs::path& outer) {
  const auto [end, rest] = std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end());
  return end == outer.end() && rest != inner.end();
}

}  // namespace

bool is_program(const fs::path& file) {
  static constexpr std::string_view endings[] = {".c", ".cc", ".cpp", ".cxx", ".tck"};
  const std::string ending = file.extension().string();
  return std::find(std::begin(endings), std::end(endings), ending) != std::end(endings);
}

Folder::Folder(const fs::path& root) : root_(fs::canonical(root)) {
  if (!fs::is_directory(root_)) {
    throw fs::filesystem_error("not a folder", root_,
                               std::make_error_code(std::errc::not_a_directory));
  }
}

std::vector<std::string> Folder::programs() const {
  std::vector<std::string> names;
  std::error_code ignored;
  fs::recursive_directory_iterator at(root_, fs::directory_options::skip_permission_denied,
                                      ignored);
  for (; at != fs::recursive_directory_iterator() && names.size() < most_programs;
       at.increment(ignored)) {
    if (at->path().filename().string().starts_with(".")) {
      at.disable_recursion_pending();
    } else if (is_ours(at->path())) {
      MAZURKA_CHECK(at->path().string().starts_with(root_.string()), "programs lie in the folder");
      names.push_back(at->path().lexically_relative(root_).string());
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

bool Folder::is_ours(const fs::path& path) const {
  std::error_code wrong;
  const fs::path file = fs::canonical(path, wrong);
  return !wrong && lies_within(file, root_) && is_program(file) &&
         fs::is_regular_file(file, wrong) && fs::file_size(file, wrong) <= largest_program;
}

std::optional<std::string> Folder::read(const std::string& name) const {
  if (!is_ours(root_ / name)) return std::nullopt;
  std::ifstream stream(root_ / name, std::ios::binary);
  if (!stream) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(stream), {});
}

std::optional<std::string> text_of(const Folder& folder, std::string_view name) {
  constexpr std::string_view in_folder = "folder:";
  constexpr std::string_view in_examples = "example:";
  if (name.starts_with(in_folder)) return folder.read(std::string(name.substr(in_folder.size())));
  if (!name.starts_with(in_examples)) return std::nullopt;
  name.remove_prefix(in_examples.size());
  for (const Example& example : examples()) {
    if (example.name == name) return std::string(example.text);
  }
  return std::nullopt;
}

}  // namespace mazurka::studio
