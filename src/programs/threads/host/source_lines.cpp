#include "programs/threads/host/source_lines.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

namespace mazurka::threads {

namespace {

constexpr std::uintmax_t largest_file = 8U << 20U;
constexpr std::size_t longest_line = 200;

std::string tidy(const std::string& line) {
  const std::size_t first = line.find_first_not_of(" \t\r");
  if (first == std::string::npos) return {};
  std::string result;
  for (const char c : line.substr(first, line.find_last_not_of(" \t\r") + 1 - first)) {
    const bool control = static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
    result += control ? ' ' : c;
    if (result.size() == longest_line) break;
  }
  return result;
}

}  // namespace

std::string read_source(const std::string& file) {
  std::error_code failure;
  if (!std::filesystem::is_regular_file(file, failure) ||
      std::filesystem::file_size(file, failure) > largest_file || failure) {
    return {};
  }
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

std::string SourceLines::find(const std::string& file, int number) {
  if (file.empty() || number <= 0) return {};
  const auto [known, is_new] = files_.try_emplace(file);
  if (is_new) {
    std::istringstream text(read_source(file));
    for (std::string line; std::getline(text, line);) known->second.push_back(tidy(line));
  }
  const auto at = static_cast<std::size_t>(number) - 1;
  return at < known->second.size() ? known->second[at] : std::string();
}

}  // namespace mazurka::threads
